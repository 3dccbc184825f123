"""Build an autograder for Gradescope, and grade in its container."""

import json
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.course.destination import require_free
from grader.course.environment import open_environment
from grader.course.refusal import refusal as refused_report
from grader.course.select import submissions_at
from grader.course.workspace import Workspace
from grader.errors import InfrastructureError, UserError
from grader.grading.environment import GradingEnvironment
from grader.grading.rung_cache import rung_cache
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.intake import Intake, Rejected
from grader.labs.builtin import catalogue
from grader.labs.lab import Lab
from grader.languages import DEFAULT
from grader.lms.gradescope_image import (
    Autograder,
    Metadata,
    RunSettings,
    pack,
    read_metadata,
    refusal,
    settings_of,
)
from grader.lms.gradescope_image.rate_limit import REFUSED
from grader.lms.gradescope_image.settings import FILE
from grader.messages import ENGLISH, Speech, render
from grader.model.reason import as_written
from grader.model.report import EngineInfo, Report
from grader.model.submission import SourceFile
from grader.model.verdict import Verdict
from grader.report import gradescope_json
from grader.report.files import plain_name, write_atomically

_SEED_BITS = 128
_LABS, _RUNGS = "labs/assignments", "labs/reference"
"""Where the zip has a lab that does not come with Grader, and its rungs."""


def build_autograder(
    workspace: Workspace, settings: RunSettings, file: Path, *, overwrite: bool = False
) -> None:
    """Write the zip that Gradescope takes as the autograder of a lab.

    Raises: ``UserError`` for an unknown lab, one without a case for the emulator, or a file that is there already.
    """
    lab = workspace.registry.get(settings.lab)
    require_free(file, overwrite=overwrite)
    config = workspace.config
    labs: dict[str, object] = {
        name: dict(table.content) for name, table in config.overlays.items() if name == lab.name
    }
    folders = {} if _is_built_in(lab) else _folders(lab)
    if folders:
        labs["folders"] = [_LABS]
    autograder = Autograder(
        settings=settings,
        config={
            "engine": {"kind": "emulator", "device": config.engine.device},
            "scoring": {"modelled_speedups": config.scoring.modelled_speedups},
            **({"labs": labs} if labs else {}),
        },
        folders=folders,
    )
    write_atomically(file, pack(autograder))


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerRun:
    """What was graded in the container: the report for staff; ``None`` if the rate limit refused the submission."""

    report: Report | None
    engine: EngineInfo | None = None
    sources: tuple[SourceFile, ...] = ()


def run_in_container(workspace: Workspace, root: Path) -> ContainerRun:
    """Grade the submission below ``root`` and write its ``results/results.json``.

    Raises: ``InfrastructureError`` or ``UserError`` if the grader failed. Then there are no results, so that Gradescope
    shows an error of the autograder and gives no points, and the submission counts for no limit.
    """
    results = root / "results" / "results.json"
    results.unlink(missing_ok=True)
    settings = settings_of((root / "source" / FILE).read_bytes())
    metadata = read_metadata((root / "submission_metadata.json").read_bytes())
    speech = Speech(settings.language)
    refused = refusal(settings.limit, metadata)
    if refused is not None:
        _write(results, gradescope_json.limited(refused.results, speech(refused.why), REFUSED))
        return ContainerRun(report=None)
    done = _grade(workspace, settings, metadata, root / "submission")
    if done.report is not None:
        document = gradescope_json.document(
            done.report, speech, visibility=settings.visibility, leaderboard=settings.leaderboard
        )
        _write(results, document)
    return done


def _grade(workspace: Workspace, settings: RunSettings, metadata: Metadata, files: Path) -> ContainerRun:
    lab = workspace.registry.get(settings.lab)
    with tempfile.TemporaryDirectory() as staged:
        # Below the names of lab and student, the files are a submission like that of any class.
        own = Path(staged) / lab.name / plain_name(metadata.student)
        shutil.copytree(files, own, symlinks=True)
        try:
            intake = submissions_at(Path(staged), workspace, None)
        except UserError as error:
            intake = Intake(submissions=(), rejected=(_nothing(lab, metadata, error.problem),))
    if not intake.submissions:
        submission, report = refused_report(workspace, intake.rejected[0])
        return ContainerRun(report=report, sources=submission.files)
    (submission,) = intake.submissions
    with _environment(workspace, lab) as environment:
        rungs = RungModules(environment, rung_cache())
        report = grade(lab, submission, rungs, secrets.randbits(_SEED_BITS))
        engine = environment.engine_info
    if report.verdict is Verdict.NOT_GRADABLE:
        raise InfrastructureError(render(report.reason, ENGLISH.language))
    return ContainerRun(report=report, engine=engine, sources=submission.files)


def _nothing(lab: Lab, metadata: Metadata, problem: str) -> Rejected:
    """What was submitted holds no source file: the student's mistake, not a failure of the grader."""
    return Rejected(
        student=metadata.student,
        lab=lab.name,
        language=DEFAULT,
        path="",
        verdict=Verdict.FAILED_TO_BUILD,
        reason=as_written(problem),
    )


@contextmanager
def _environment(workspace: Workspace, lab: Lab) -> Iterator[GradingEnvironment]:
    """The environment for one submission: in a sandbox that isolates it, where the container allows one.

    Without one the container itself is the limit. The emulator interprets kernels and runs nothing of a student on the
    processor; a program does run there, and is refused.
    """
    with ExitStack() as stack:
        try:
            environment = stack.enter_context(open_environment(workspace, None, trusted=False))
        except UserError as error:
            if lab.manifest.program is not None:
                msg = "A lab of whole programs needs a sandbox, which this container does not allow."
                raise InfrastructureError(msg) from error
            environment = stack.enter_context(open_environment(workspace, None, trusted=True))
        yield environment


def _is_built_in(lab: Lab) -> bool:
    return lab.folder.resolve().is_relative_to(catalogue().labs.resolve())


def _folders(lab: Lab) -> dict[str, Path]:
    folders = {f"{_LABS}/{lab.name}": lab.folder, f"{_RUNGS}/{lab.reference.name}": lab.reference}
    return folders | ({f"{_RUNGS}/{lab.common.name}": lab.common} if lab.common is not None else {})


def _write(path: Path, document: dict[str, Any]) -> None:
    write_atomically(path, json.dumps(document, indent=2).encode() + b"\n")
