"""The timed ladder of a program lab: every rung's modelled time, and its speedups over those that grading compares."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.digests import folder_digest
from grader.errors import InfrastructureError
from grader.grading.programs.facts import compared, program_of
from grader.grading.programs.rungs import rung_seconds
from grader.grading.rungs import RungModules, rung_sources
from grader.judge.speed import speedup
from grader.labs.lab import Lab
from grader.labs.manifest import Case
from grader.model.ladder import LadderReport, RungTiming
from grader.model.reason import as_written
from grader.model.report import EngineInfo, SpeedupKind
from grader.model.run import Comparison, EngineKind, TimedPair
from grader.model.submission import Language


def program_ladder(lab: Lab, rungs: RungModules, cases: Sequence[Case]) -> LadderReport:
    """All rungs of ``lab`` on ``cases``. Raises: ``OSError`` if the lab cannot be read."""
    return LadderReport(
        lab=lab.name,
        version=lab.manifest.version,
        digest=folder_digest(*lab.folders),
        engine=EngineInfo(kind=EngineKind.EMULATOR, device=program_of(lab).device),
        kind=SpeedupKind.MODELLED,
        baseline=lab.manifest.baseline,
        rows=tuple(row for case in cases for row in _rows(lab, rungs, case)),
    )


def _rows(lab: Lab, rungs: RungModules, case: Case) -> Iterator[RungTiming]:
    for rung in lab.manifest.rungs:
        for language in rung_sources(lab, rung):

            def seconds(name: str, language: Language = language) -> float:
                return rung_seconds(rungs, lab, language, name, case)

            row = RungTiming(
                rung=rung.name,
                kernel=program_of(lab).name,
                language=language,
                case=case.name,
                sizes=case.sizes,
            )
            try:
                own = seconds(rung.name)
                pairs = {over: TimedPair(baseline=seconds(over), submission=own) for over in compared(lab)}
            except InfrastructureError as error:
                yield replace(row, reason=as_written(str(error)))
                continue
            speedups = tuple(
                speedup(Comparison(pairs=(pair,), modelled=True), over) for over, pair in pairs.items()
            )
            yield replace(row, seconds=(own,), speedups=speedups)
