"""Time the labs' ladders on this device, judge the labs' thresholds by them, and store both."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.course.ladders import Timed, TimingRequest, timed
from grader.course.notifier import Notifier
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.grading.calibration import thresholds
from grader.grading.environment import GradingEnvironment
from grader.model.calibration import Calibration, Judgement, Threshold
from grader.model.ladder import LadderReport
from grader.model.report import EngineInfo
from grader.report import calibrations

_FOLDER = Path(".grader", "calibrations")

CalibrationView = Callable[[LadderReport, Sequence[Threshold]], None]
"""Called with the ladder of each lab and its thresholds as soon as they are judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """The calibration, the file it is stored in, and the one it was to be compared with."""

    calibration: Calibration
    file: Path
    before: Calibration | None

    @property
    def is_sound(self) -> bool:
        """Whether every rung has a time and every threshold can be reached."""
        unreachable = any(known.judgement is Judgement.UNREACHABLE for known in self.calibration.thresholds)
        return not unreachable and all(ladder.is_complete for ladder in self.calibration.ladders)


def calibrate(  # noqa: PLR0913 - what to time, where to keep it, what to show
    workspace: Workspace,
    request: TimingRequest,
    view: CalibrationView,
    notifier: Notifier,
    *,
    against: Path | None,
    file: Path | None,
) -> Calibrated:
    """Calibrate the labs of ``request`` into ``file``, by default one below ``.grader``; it is stored after each lab.

    Raises: ``UserError`` if ``against`` is a calibration of another device or engine; ``InfrastructureError``.
    """
    before = calibrations.read(against) if against is not None else None

    def refuse(environment: GradingEnvironment) -> None:
        if before is not None:
            _must_be(before.ladders[0].engine, environment.engine_info)

    def keep(done: Timed, ladder: LadderReport) -> None:
        calibration = _calibration(done)
        calibrations.write(_path(done, file), calibration)
        view(ladder, [known for known in calibration.thresholds if known.lab == ladder.lab])

    done = timed(workspace, request, keep, notifier, first=refuse, every_case=False)
    return Calibrated(calibration=_calibration(done), file=_path(done, file), before=before)


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
