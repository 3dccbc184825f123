"""Which submissions a service works on."""

import difflib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from grader.course.known import Known
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.intake import Intake, LabRules, Rejected, collect
from grader.intake.names import name_key
from grader.model.submission import Submission
from grader.model.text import printable
from grader.model.verdict import Verdict


class Only(StrEnum):
    """A state of a student's work on a lab.

    ``failed``: the latest verdict is neither accepted, suspicious nor not gradable. ``changed``: it has no result yet,
    or its files are not those of the latest result.
    """

    FAILED = "failed"
    NOT_GRADABLE = "not-gradable"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What to take of the submissions at a path; empty: everything."""

    labs: tuple[str, ...] = ()
    students: tuple[str, ...] = ()
    only: frozenset[Only] = field(default_factory=frozenset)

    def states(self, known: Mapping[tuple[str, str], Known]) -> Callable[[Submission], bool]:
        """Whether a submission is in a wanted state; ``known`` are the latest results by student and lab."""

        def wanted(submission: Submission) -> bool:
            return not self.only or bool(
                self.only & _states(known.get((submission.student, submission.lab)), submission.digest)
            )

        return wanted

    def refused(self, rejected: Rejected) -> bool:
        """Whether a refused submission is in a wanted state."""
        return not self.only or state_of(rejected.verdict) in self.only


def select(path: Path, workspace: Workspace, selection: Selection) -> Intake:
    """The submissions at ``path`` of the selected labs and students, in any state.

    Raises: ``UserError`` if there is none, or for an unknown lab.
    """
    lab = selection.labs[0] if len(selection.labs) == 1 else None
    found = submissions_at(path, workspace, lab)
    if lab is None and selection.labs:
        for name in selection.labs:
            workspace.registry.get(name)
        found = _where(found, lambda each: each.lab in selection.labs)
    return narrowed(found, selection.students, path)


def narrowed(found: Intake, students: Collection[str], path: Path | None = None) -> Intake:
    """What is of ``students`` in ``found``; all of it without names. Raises: ``UserError`` for one without work.

    ``path`` is where it was looked for; ``None``: in the store.
    """
    if not students:
        return found
    wanted = set(map(name_key, students))
    chosen = _where(found, lambda each: name_key(each.student) in wanted)
    _require_all(students, chosen, found, path)
    return chosen


def submissions_at(path: Path, workspace: Workspace, lab: str | None) -> Intake:
    """The submissions at ``path``, for ``lab`` if it is given. Raises: ``UserError`` if there is none."""
    registry = workspace.registry
    labs = registry.labs
    require_exists(path)
    if lab is not None:
        registry.get(lab)
    try:
        return collect(
            path,
            labs=labs,
            lab=lab,
            limits=workspace.config.limits,
            rules=LabRules.of(registry),
        )
    except UserError as error:
        if lab in labs and path.is_dir() and error.hint is not None:
            # For a folder of a known lab the error can only mean that the folder is empty.
            raise UserError(error.problem, hint="Put a .cu or .py file in it.") from error
        raise


def require_exists(path: Path) -> Path:
    """``path``, if it exists. Raises: ``UserError``."""
    try:
        there = path.exists()
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror}."
        raise UserError(msg) from error
    if not there:
        msg = f"There is nothing at {path}."
        raise UserError(msg, hint="Check the path.")
    return path


def _where(found: Intake, wanted: Callable[[Submission | Rejected], bool]) -> Intake:
    return Intake(
        submissions=tuple(filter(wanted, found.submissions)),
        rejected=tuple(filter(wanted, found.rejected)),
        warnings=found.warnings,
    )


def _require_all(students: Iterable[str], chosen: Intake, found: Intake, path: Path | None) -> None:
    """Raises: ``UserError`` for a student without a submission."""
    present = set(map(name_key, _names(chosen)))
    for student in students:
        if name_key(student) not in present:
            near = difflib.get_close_matches(student, _names(found), n=1)
            msg = f"There is no submission of {printable(student)} at {printable(str(path))}."
            if path is None:
                msg = f"No submission of {printable(student)} is stored."
            raise UserError(msg, hint=f"Did you mean {printable(near[0])}?" if near else "Check the name.")


def _names(found: Intake) -> list[str]:
    return [*(each.student for each in found.submissions), *(each.student for each in found.rejected)]


def _states(known: Known | None, submission: str) -> set[Only]:
    if known is None:
        return {Only.CHANGED}
    state = state_of(known.verdict)
    return ({state} if state else set()) | ({Only.CHANGED} if known.submission != submission else set())


def state_of(verdict: Verdict) -> Only | None:
    """The state of work with ``verdict``, whatever its files."""
    if verdict is Verdict.NOT_GRADABLE:
        return Only.NOT_GRADABLE
    return None if verdict.earns_correctness else Only.FAILED
