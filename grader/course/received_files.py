"""The files of a received submission by the rules of intake, as if they lay in a folder."""

from grader.config.settings import LimitSettings
from grader.intake import LabRules, Rejected
from grader.intake.memory_tree import MemoryFile, MemoryTree
from grader.intake.read_submission import Candidate, SubmissionResult, read_submission
from grader.intake.tree import Entry, Kind
from grader.languages import by_suffix
from grader.lms.archives.received import Received
from grader.model.submission import Submission
from grader.model.text import printable

_FOLDER = "submission"


def read_received(
    received: Received, candidate: tuple[str, str], origin: str, limits: LimitSettings, rules: LabRules
) -> SubmissionResult:
    """The work of the student and for the lab of ``candidate``; ``origin`` is the archive, for messages."""
    student, lab = candidate
    modified = 0 if received.submitted_at is None else int(received.submitted_at.timestamp() * 1e9)
    only = received.files[0].path if len(received.files) == 1 else ""
    alone = "/" not in only and Entry(only, Kind.FILE).suffix in by_suffix()
    start = "" if alone else f"{_FOLDER}/"
    tree = MemoryTree({f"{start}{file.path}": MemoryFile(file.read, modified) for file in received.files})
    entry = Entry(only, Kind.FILE) if alone else Entry(_FOLDER, Kind.FOLDER)
    path = printable(f"{origin}/{received.path}")
    return read_submission(
        Candidate(student=student, lab=lab, entry=entry, path=path), tree, limits, rules.files(lab)
    )


def kept(result: Submission | Rejected) -> Submission:
    """What is kept of ``result``: the work, or that there was none."""
    if isinstance(result, Submission):
        return result
    return Submission(
        student=result.student, lab=result.lab, language=result.language, files=(), path=result.path
    )
