"""The words above columns: what a header means, in which system and language."""

import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("headers.tsv")
"""A line for each word: system, role, language and word, separated by tabs; the first role of a word comes first."""


class System(StrEnum):
    """The systems with headers of their own. ``plain`` is a file that somebody wrote for Grader."""

    MOODLE = "moodle"
    CANVAS = "canvas"
    GRADESCOPE = "gradescope"
    BLACKBOARD = "blackboard"
    BRIGHTSPACE = "brightspace"
    GITHUB = "github"
    CLASSROOM50 = "classroom50"
    LTI = "lti"
    PLAIN = "plain"

    @property
    def label(self) -> str:
        """The name for people."""
        return _LABELS.get(self, self.value)


_LABELS = {
    System.MOODLE: "Moodle",
    System.CANVAS: "Canvas",
    System.GRADESCOPE: "Gradescope",
    System.BLACKBOARD: "Blackboard",
    System.BRIGHTSPACE: "Brightspace",
    System.GITHUB: "GitHub",
    System.CLASSROOM50: "classroom50",
    System.LTI: "LTI",
    System.PLAIN: "CSV",
}


class Role(StrEnum):
    """What a column holds. ``identifier`` is the key by which the system itself knows a person."""

    IDENTIFIER = "identifier"
    FULL_NAME = "full-name"
    FIRST_NAME = "first-name"
    LAST_NAME = "last-name"
    EMAIL = "email"
    ID_NUMBER = "id-number"
    USERNAME = "username"
    INTEGRATION_ID = "integration-id"
    SECTION = "section"
    GROUP = "group"
    LABEL = "label"
    LANGUAGE = "language"
    ROLE = "role"
    DEPARTMENT = "department"
    INSTITUTION = "institution"
    ROOT_ACCOUNT = "root-account"
    STATUS = "status"
    MARKER = "marker"
    GRADE = "grade"
    MAX_GRADE = "max-grade"
    WORKFLOW_STATE = "workflow-state"
    GRADE_CAN_BE_CHANGED = "grade-can-be-changed"
    SUBMISSION_MODIFIED = "submission-modified"
    GRADE_MODIFIED = "grade-modified"
    FEEDBACK = "feedback"
    FEEDBACK_FORMAT = "feedback-format"
    NOTES = "notes"
    NOTES_FORMAT = "notes-format"
    ONLINE_TEXT = "online-text"
    DUE_DATE = "due-date"
    SUBMISSION_ID = "submission-id"
    SUBMISSION_COUNT = "submission-count"
    LATENESS = "lateness"
    VIEW_COUNT = "view-count"
    LAST_ACCESS = "last-access"
    AVAILABILITY = "availability"
    CHILD_COURSE = "child-course"
    END_OF_LINE = "end-of-line"
    JOINED = "joined"
    ASSIGNMENT = "assignment"
    ASSIGNMENT_URL = "assignment-url"
    STARTER_URL = "starter-url"
    REPOSITORY = "repository"
    REPOSITORY_URL = "repository-url"
    MOODLE_ID = "moodle-id"
    CANVAS_ID = "canvas-id"
    GRADESCOPE_ID = "gradescope-id"
    BLACKBOARD_ID = "blackboard-id"
    BRIGHTSPACE_ID = "brightspace-id"
    GITHUB_ID = "github-id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One header of one system in one language (``en``, ``pt-br``)."""

    system: System
    role: Role
    language: str
    text: str


def words(header: str) -> tuple[Word, ...]:
    """Everything that a column with this header may hold; nothing for an unknown header.

    Case, spaces, full-width forms and a byte order mark in front do not count.
    """
    return _by_text().get(folded(header), ())


def word_for(system: System, role: Role, language: str = "en") -> str:
    """The header of ``role`` in a file of ``system``; of several the first."""
    found = (word for listed in _by_text().values() for word in listed)
    return next(
        word.text for word in found if (word.system, word.role, word.language) == (system, role, language)
    )


def folded(text: str) -> str:
    """``text`` in the form in which words are compared."""
    composed = unicodedata.normalize("NFKC", text)
    shown = "".join(char for char in composed.casefold() if unicodedata.category(char) != "Cf")
    return " ".join(shown.split()).rstrip(".")


@cache
def _by_text() -> Mapping[str, tuple[Word, ...]]:
    found: dict[str, list[Word]] = defaultdict(list)
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        system, role, language, text = line.split("\t")
        word = Word(system=System(system), role=Role(role), language=language, text=text)
        found[folded(text)].append(word)
    return {text: tuple(listed) for text, listed in found.items()}
