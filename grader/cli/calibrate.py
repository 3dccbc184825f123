"""``grader calibrate``: check the labs' thresholds against this device and suggest new ones."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import note, out
from grader.cli.ladders import Timed, TimingRequest, is_complete, timed
from grader.cli.lazy_group import command_app
from grader.config.settings import EngineChoice
from grader.errors import UserError
from grader.grading.calibration import thresholds
from grader.grading.environment import GradingEnvironment
from grader.model.calibration import Calibration, Judgement
from grader.model.ladder import LadderReport
from grader.model.report import EngineInfo
from grader.report import calibrations
from grader.report.terminal.calibration import calibration_table, changes
from grader.report.terminal.ladder import failures

EXAMPLE = "Example: `grader calibrate row-sum`"

_FOLDER = Path(".grader", "calibrations")
_UNREACHABLE = 1


def calibrate(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="LAB", help="Labs to calibrate (default: all).")
    ] = None,
    *,
    engine: Annotated[EngineChoice | None, typer.Option(help="The engine to run them on.")] = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="How many labs to run at once (default: [jobs] in grader.toml).")
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Compare with this stored calibration of the same device."),
    ] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to store it (default: .grader/calibrations/).")
    ] = None,
) -> int:
    """Time every ladder on this device, store the times, and check the labs' speed thresholds against them."""
    before = calibrations.read(against) if against is not None else None

    def refuse(environment: GradingEnvironment) -> None:
        if before is not None:
            _must_be(before.ladders[0].engine, environment.engine_info)

    def keep(done: Timed, ladder: LadderReport) -> None:
        calibration = _calibration(done)
        judged = [known for known in calibration.thresholds if known.lab == ladder.lab]
        out.print(calibration_table(ladder, judged), *failures(ladder.rows))
        calibrations.write(_path(done, json), calibration)

    done = timed(TimingRequest(names or [], engine, jobs), keep, first=refuse, every_case=False)
    note(f"Written: {_path(done, json)}")
    if before is not None:
        for line in changes(before.ladders, done.ladders):
            out.print(line)
    found = _calibration(done).thresholds
    unreachable = any(known.judgement is Judgement.UNREACHABLE for known in found)
    return _UNREACHABLE if unreachable or not is_complete(done.ladders) else 0


def _calibration(done: Timed) -> Calibration:
    judged = (
        known
        for lab, ladder in zip(done.labs, done.ladders, strict=True)
        for known in thresholds(lab.manifest, ladder)
    )
    return Calibration(made=done.made, ladders=done.ladders, thresholds=tuple(judged))


def _path(done: Timed, chosen: Path | None) -> Path:
    """The file to store it in: the same one after each lab."""
    return chosen or done.config.base / _FOLDER / calibrations.file_name(done.ladders[0].engine, done.made)


def _must_be(then: EngineInfo, now: EngineInfo) -> None:
    """Raises: ``UserError`` for another engine or device: their times cannot be compared."""
    if then != now:
        msg = f"The calibration is of {then.device} ({then.kind} engine), this is {now.device} ({now.kind} engine)."
        raise UserError(msg, hint="Compare calibrations of one device on one engine.")


app = command_app(calibrate, EXAMPLE)
