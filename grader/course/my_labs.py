"""A student's labs: what is due, the rule in one sentence, what is missing to the next points, and the attempts."""

from dataclasses import dataclass
from datetime import datetime

from grader.course.attempt_lines import AttemptLine, attempts_of
from grader.course.course_labs import require_lab
from grader.course.own_work import OwnWork, own_work
from grader.course.records import Records
from grader.course.standing import Standing
from grader.course.workspace import Workspace
from grader.labs.manifest import Manifest
from grader.model.reason import Reason
from grader.model.submission import SourceFile
from grader.policy.grade import CountedGrade
from grader.report.lead import headline
from grader.report.redact import Audience
from grader.report.rubric import next_step


@dataclass(frozen=True, slots=True, kw_only=True)
class MyLab:
    """One lab as its student sees it.

    ``has_opened``: the handout may be read. ``accepts``: an attempt now would count. ``missing`` is the way to the next
    points, ``None`` without a result that the student may see.
    """

    lab: str
    manifest: Manifest
    standing: Standing
    grade: CountedGrade
    attempts: tuple[AttemptLine, ...]
    missing: Reason | None

    @property
    def has_opened(self) -> bool:
        """Whether the lab has opened."""
        opens = self.standing.held.rule.opens
        return opens is None or opens <= self.standing.now

    @property
    def accepts(self) -> bool:
        """Whether an attempt now would count."""
        return self.standing.accepts

    @property
    def due(self) -> datetime | None:
        """When it is due for this student."""
        return self.standing.held.rule.due

    @property
    def is_over(self) -> bool:
        """Whether it accepts nothing any more."""
        until = self.standing.until
        return until is not None and until < self.standing.now

    @property
    def newest(self) -> AttemptLine | None:
        """The last attempt."""
        return self.attempts[-1] if self.attempts else None


@dataclass(frozen=True, slots=True, kw_only=True)
class MyLabs:
    """The labs of a student: those to do, the next date first, then those that are over or not open yet."""

    title: str
    labs: tuple[MyLab, ...]

    @property
    def to_do(self) -> tuple[MyLab, ...]:
        """Those that are open, by their dates."""
        is_open = [each for each in self.labs if each.has_opened and not each.is_over]
        return tuple(sorted(is_open, key=lambda each: (each.due is None, each.due and each.due.timestamp())))

    @property
    def others(self) -> tuple[MyLab, ...]:
        """Those that are over or have not opened."""
        return tuple(each for each in self.labs if each.is_over or not each.has_opened)


def my_labs(workspace: Workspace, student: str, now: datetime) -> MyLabs:
    """The labs of ``student`` at ``now``. Raises: ``UserError``."""
    with Records(workspace) as records:
        work = own_work(workspace, records, student, now)
        return MyLabs(
            title=work.course.title,
            labs=tuple(_lab(workspace, records, work, lab) for lab in work.labs),
        )


def my_lab(workspace: Workspace, student: str, lab: str, now: datetime) -> MyLab:
    """One lab of ``student``. Raises: ``UnknownError`` if students of the course see no such lab."""
    with Records(workspace) as records:
        work = own_work(workspace, records, student, now)
        return _lab(workspace, records, work, require_lab(workspace, work.course, lab))


def handout(workspace: Workspace, lab: str, language: str) -> str:
    """The handout of ``lab`` in ``language``, or in the one that it has, as Markdown; empty if there is none."""
    folder = workspace.registry.get(lab).folder
    names = (f"README.{language}.md", "README.md", "README.en.md")
    found = next((path for name in names if (path := folder / name).is_file()), None)
    return "" if found is None else found.read_text(encoding="utf-8")


def starters(workspace: Workspace, lab: str) -> tuple[SourceFile, ...]:
    """The files that students start from."""
    folder = workspace.registry.get(lab).folder / "starter"
    found = sorted(path for path in folder.glob("*") if path.is_file() and not path.name.startswith("."))
    return tuple(SourceFile(name=path.name, data=path.read_bytes()) for path in found)


def starter(workspace: Workspace, lab: str, name: str) -> SourceFile | None:
    """The starter called ``name``."""
    return next((each for each in starters(workspace, lab) if each.name == name), None)


def _lab(workspace: Workspace, records: Records, work: OwnWork, lab: str) -> MyLab:
    grade = work.grades[lab]
    attempts = attempts_of(records, work.person.id, lab, grade, Audience.STUDENT)
    newest = next(
        (
            result.report
            for each in reversed(attempts.recorded)
            if (result := attempts.results.get(each.attempt.submission or "")) is not None
        ),
        None,
    )
    return MyLab(
        lab=lab,
        manifest=workspace.registry.get(lab).manifest,
        standing=work.standings[lab],
        grade=grade,
        attempts=attempts.lines,
        missing=None if newest is None else next_step(newest) or headline(newest),
    )
