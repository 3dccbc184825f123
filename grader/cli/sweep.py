"""``grader sweep``: time a kernel for several values of a macro or size."""

import secrets
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import err, note, out
from grader.cli.environment import open_environment
from grader.cli.lazy_group import command_app
from grader.cli.paths import read_submissions, require_distinct, require_exists
from grader.cli.workspace import open_workspace
from grader.config.settings import EngineChoice
from grader.errors import UserError
from grader.grading.rung_cache import rung_cache
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.sweep import Variation, sweep, timed_case
from grader.labs.lab import Lab
from grader.labs.manifest import Sweep
from grader.labs.registry import Registry
from grader.model.report import SpeedupKind
from grader.model.run import EngineKind
from grader.model.submission import LANGUAGE_OF_SUFFIX, SourceFile, Submission
from grader.model.sweep import SweepFigure, SweepReport
from grader.report import json_files
from grader.report.pages import sweep_page
from grader.report.terminal.sweep import sweep_table
from grader.report.text import safe_text

EXAMPLE = "Example: `grader sweep matmul.cu --lab matmul --over TILE --values 4,8,16,32`"

_NOTHING_TIMED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _SweepRequest:
    """What the command line asks for; ``None`` where it does not say."""

    over: str | None
    values: tuple[int, ...] | None
    kernel: str | None
    shows: SweepFigure | None


def sweep_command(  # noqa: PLR0913 - one parameter per option of the command
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="Your file, a folder with your files, or a rung of a lab.")
    ],
    *,
    lab: Annotated[str | None, typer.Option(help="The lab, if the path does not name it.")] = None,
    over: Annotated[str | None, typer.Option(help="The macro or size to vary.")] = None,
    values: Annotated[str | None, typer.Option(help="The values to try, such as 1,2,4,8.")] = None,
    kernel: Annotated[str | None, typer.Option(help="The kernel, if the lab has several.")] = None,
    shows: Annotated[SweepFigure | None, typer.Option(help="The figure to show for each value.")] = None,
    engine: Annotated[EngineChoice | None, typer.Option(help="The engine to run it on.")] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the times as JSON.")] = None,
    html_file: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Also write the times as an HTML page with plots."),
    ] = None,
) -> int:
    """Build, check and time a kernel for each value of a macro or size; show the resources that each needs."""
    require_distinct(json=json, html=html_file)
    workspace = open_workspace()
    request = _SweepRequest(over=over, values=_numbers(values), kernel=kernel, shows=shows)
    found = _rung_at(require_exists(path), workspace.registry) if lab is None else None
    if found is None:
        intake = read_submissions(path, workspace, lab)
        if len(intake.submissions) != 1:
            reasons = "; ".join(rejected.reason for rejected in intake.rejected)
            msg = f"{path} does not hold exactly one submission{f': {reasons}' if reasons else ''}."
            raise UserError(msg, hint="Name one file, or one student's folder.")
        found = workspace.registry.get(intake.submissions[0].lab), intake.submissions[0]
    chosen, submission = found
    submission = _with_common(chosen, submission)
    variations = _variations(chosen, request, submission)
    reports = []
    with open_environment(workspace, engine, trusted=True) as environment:
        rungs = RungModules(environment, rung_cache())
        for variation in variations:
            reports.append(_swept(chosen, submission, variation, rungs))
            out.print(sweep_table(reports[-1]))
    if json is not None:
        json_files.write(json, {"sweeps": reports})
        note(f"Written: {json}")
    if html_file is not None:
        sweep_page.write(html_file, reports)
        note(f"Written: {html_file}")
    return 0 if all(report.best is not None for report in reports) else _NOTHING_TIMED


def _swept(lab: Lab, submission: Submission, variation: Variation, rungs: RungModules) -> SweepReport:
    environment = rungs.environment
    case = timed_case(lab, environment.engine)
    rows = []
    what = f"sweeping {safe_text(variation.over)}"
    with err.status(f"{what} …") as status:
        for row in sweep(lab, submission, variation, rungs, secrets.randbits(128)):
            rows.append(row)
            status.update(f"{what}: {row.value} is done …")
    return SweepReport(
        lab=lab.name,
        file=submission.path,
        language=submission.language,
        kernel=variation.kernel,
        over=variation.over,
        shows=variation.shows,
        engine=environment.engine_info,
        kind=SpeedupKind.MEASURED if environment.engine is EngineKind.CUDA else SpeedupKind.MODELLED,
        baseline=lab.manifest.baseline,
        case=case.name,
        sizes=case.sizes,
        rows=tuple(rows),
    )


def _numbers(text: str | None) -> tuple[int, ...] | None:
    if text is None:
        return None
    try:
        numbers = tuple(dict.fromkeys(int(part) for part in text.split(",")))
    except ValueError:
        msg = f"--values {text!r} is not a list of whole numbers."
        raise UserError(msg, hint="Write whole numbers with commas, such as 1,2,4,8.") from None
    if min(numbers) < 0:
        msg = f"--values {text!r} has a number below 0."
        raise UserError(msg, hint="Use whole numbers from 0 up.")
    return numbers


def _rung_at(path: Path, registry: Registry) -> tuple[Lab, Submission] | None:
    """The lab and the rung with the source ``path``; ``None`` if there is none."""
    language = LANGUAGE_OF_SUFFIX.get(path.suffix)
    for lab in registry.labs.values():
        if path.is_file() and language is not None and path.resolve().parent == lab.reference.resolve():
            named = [rung for rung in lab.manifest.rungs if rung.name == path.stem]
            if named:
                files = rung_files(lab, named[0], language)
                return lab, replace(submission_of(lab, files, language, path.stem), path=str(path))
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


def _variations(lab: Lab, request: _SweepRequest, submission: Submission) -> list[Variation]:
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


def _variation(lab: Lab, request: _SweepRequest, default: Sweep | None) -> Variation:
    """Raises: ``UserError`` if a part is neither requested nor declared."""
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


app = command_app(sweep_command, EXAMPLE)
