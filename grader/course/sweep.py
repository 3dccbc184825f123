"""Time a kernel for several values of a macro or size."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from grader.course.environment import open_environment
from grader.course.notifier import Notifier
from grader.course.select import require_exists, submissions_at
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.grading.rung_cache import rung_cache
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.sweep import Variation, sweep, timed_case
from grader.labs.lab import Lab
from grader.labs.manifest import Sweep
from grader.labs.registry import Registry
from grader.languages import by_suffix
from grader.messages import render
from grader.model.reason import reason
from grader.model.submission import SourceFile, Submission
from grader.model.sweep import SweepFigure, SweepReport


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRequest:
    """What to vary, in the file at ``path``; ``None`` where the lab's declaration decides."""

    path: Path
    lab: str | None
    over: str | None
    values: tuple[int, ...] | None
    kernel: str | None
    shows: SweepFigure | None
    engine: str | None


def sweeps(workspace: Workspace, request: SweepRequest, notifier: Notifier) -> Iterator[SweepReport]:
    """Yield the report of each sweep as it finishes.

    Raises: ``UserError`` if there is not exactly one submission, or nothing that can be varied;
    ``InfrastructureError``.
    """
    lab, submission = _submission(workspace, request, notifier)
    submission = _with_common(lab, submission)
    variations = _variations(lab, request, submission)
    with open_environment(workspace, request.engine, None, notifier, trusted=True) as environment:
        rungs = RungModules(environment, rung_cache())
        for variation in variations:
            yield _swept(lab, submission, variation, rungs, notifier)


def _submission(workspace: Workspace, request: SweepRequest, notifier: Notifier) -> tuple[Lab, Submission]:
    """The lab and the submission at the path: a rung of a lab, or a student's own file."""
    path = require_exists(request.path)
    rung = _rung_at(path, workspace.registry) if request.lab is None else None
    if rung is not None:
        return rung
    intake = submissions_at(path, workspace, request.lab)
    for warning in intake.warnings:
        notifier.warn(reason("file-warning", warning=warning))
    if len(intake.submissions) != 1:
        reasons = "; ".join(render(rejected.reason) for rejected in intake.rejected)
        msg = f"{path} does not hold exactly one submission{f': {reasons}' if reasons else ''}."
        raise UserError(msg, hint="Name one file, or one student's folder.")
    return workspace.registry.get(intake.submissions[0].lab), intake.submissions[0]


def _swept(
    lab: Lab, submission: Submission, variation: Variation, rungs: RungModules, notifier: Notifier
) -> SweepReport:
    environment = rungs.environment
    case = timed_case(lab, environment.engine)
    rows = []
    with notifier.status(reason("sweeping", over=variation.over)) as update:
        for row in sweep(lab, submission, variation, rungs, secrets.randbits(128)):
            rows.append(row)
            update(reason("sweeping-done", over=variation.over, value=row.value))
    return SweepReport(
        lab=lab.name,
        file=submission.path,
        language=submission.language,
        kernel=variation.kernel,
        over=variation.over,
        shows=variation.shows,
        engine=environment.engine_info,
        kind=environment.speedup_kind,
        baseline=lab.manifest.baseline,
        case=case.name,
        sizes=case.sizes,
        rows=tuple(rows),
    )


def _rung_at(path: Path, registry: Registry) -> tuple[Lab, Submission] | None:
    """The lab and the rung with the source ``path``; ``None`` if there is none."""
    language = by_suffix().get(path.suffix)
    for lab in registry.labs.values():
        if path.is_file() and language is not None and path.resolve().parent == lab.reference.resolve():
            named = [rung for rung in lab.manifest.rungs if rung.name == path.stem]
            if named:
                files = rung_files(lab, named[0], language.key)
                return lab, replace(submission_of(lab, files, language.key, path.stem), path=str(path))
    return None


def _with_common(lab: Lab, submission: Submission) -> Submission:
    """``submission`` with the files that the lab's rungs share, if it is one of the rungs."""
    if lab.manifest.common is None or len(submission.files) > 1:
        return submission
    rungs = [rung for rung in lab.manifest.rungs if f"{rung.name}" == Path(submission.files[0].name).stem]
    if not rungs:
        return submission
    shared = rung_files(lab, rungs[0], submission.language)[1:]
    return replace(
        submission,
        files=(*submission.files, *(SourceFile(name=p.name, data=p.read_bytes()) for p in shared)),
    )


def _variations(lab: Lab, request: SweepRequest, submission: Submission) -> list[Variation]:
    """The sweeps to run: what ``request`` says, completed by what the lab declares.

    Without a request these are the declared sweeps of the rung with the file's name, or else of the names that occur
    in the file.
    """
    stem = Path(submission.files[0].name).stem
    text = b"\n".join(file.data for file in submission.files).decode("utf-8", "replace")
    declared = [
        known
        for known in lab.manifest.sweeps
        if request.over in {None, known.over} and request.kernel in {None, known.kernel}
    ]
    fitting = [known for known in declared if known.rung == stem] or [
        known for known in declared if known.over in text and known.kernel in text
    ]
    several = _distinct(fitting) if request.values is None else fitting[:1]
    chosen = several or declared[:1]
    return [_variation(lab, request, default) for default in chosen] or [_variation(lab, request, None)]


def _distinct(sweeps: list[Sweep]) -> list[Sweep]:
    """The first sweep of each name and kernel: a lab may declare one for several rungs."""
    return list({(known.over, known.kernel): known for known in reversed(sweeps)}.values())[::-1]


def _variation(lab: Lab, request: SweepRequest, default: Sweep | None) -> Variation:
    """Raises: ``UserError`` if a part is neither requested nor declared."""
    if lab.manifest.program is not None:
        msg = f"Lab {lab.name} asks for a whole program, and a sweep varies a kernel."
        raise UserError(msg, hint="Give the program its values as arguments of `grader run`.")
    over = request.over or (default.over if default else None)
    values = request.values or (default.values if default else None)
    if over is None or values is None:
        missing = "what to vary" if over is None else f"which values {over} should take"
        msg = f"Lab {lab.name} does not declare {missing}."
        raise UserError(msg, hint="Add options such as --over TILE --values 4,8,16,32.")
    kernels = [kernel.spec.name for kernel in lab.manifest.kernels]
    kernel = (
        request.kernel or (default.kernel if default else None) or (kernels[0] if len(kernels) == 1 else None)
    )
    if kernel not in kernels:
        what = f"has no kernel {kernel}" if kernel else "has several kernels"
        msg = f"Lab {lab.name} {what}."
        raise UserError(msg, hint=f"Name one with --kernel: {', '.join(kernels)}.")
    shows = request.shows or (default.shows if default else SweepFigure.TIME)
    return Variation(over=over, values=values, kernel=kernel, shows=shows)
