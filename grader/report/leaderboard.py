"""Who is fastest, as far as the intervals can tell."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from grader.model.report import EngineInfo, Report, ResultsDocument, Speedup, SpeedupKind
from grader.model.submission import Language
from grader.model.text import natural_key
from grader.model.verdict import Verdict
from grader.report.summary import fastest, ordered


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One student's best accepted submission. ``shared``: others have the same rank."""

    rank: int
    shared: bool
    student: str
    kernel: str
    speedup: Speedup


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One version of a lab in one language on one device.

    A new version of a lab may have other sizes or another baseline, so it starts a board of its own. A speedup is
    over the baseline in its own language, so languages do not compete; nor does a modelled speedup with a measured one.
    """

    lab: str
    lab_version: str
    language: Language
    engine: EngineInfo
    kind: SpeedupKind
    entries: tuple[Entry, ...]

    @property
    def conditions(self) -> str:
        """What its speedups have in common, besides the lab."""
        version = f"version {self.lab_version}, " if self.lab_version else ""
        return (
            f"{version}{self.language}, {self.kind} speedups, {self.engine.kind} engine, {self.engine.device}"
        )


_Contest = tuple[str, str, Language, EngineInfo, SpeedupKind]
"""What makes two speedups comparable: lab, its version, language, engine with device, and where the speedup is from."""


def boards(documents: Iterable[ResultsDocument]) -> tuple[Board, ...]:
    """One board per lab, version, language, engine, device and kind that has an accepted speedup, in that order.

    Only submissions that were accepted as a whole are ranked, each student once per board.
    """
    groups: dict[_Contest, list[Entry]] = {}
    for document in documents:
        for report in document.reports:
            entry = _candidate(report)
            if entry is not None:
                kind = entry.speedup.kind
                key = (report.lab, report.lab_version, report.language, document.engine, kind)
                groups.setdefault(key, []).append(entry)
    return tuple(
        Board(
            lab=lab,
            lab_version=version,
            language=language,
            engine=engine,
            kind=kind,
            entries=_ranked(_best_per_student(groups[key])),
        )
        for key in sorted(groups, key=_board_order)
        for lab, version, language, engine, kind in [key]
    )


def pending_review(documents: Iterable[ResultsDocument]) -> tuple[Report, ...]:
    """The submissions with suspicious kernels that nobody has decided about yet."""
    reports = (report for document in documents for report in document.reports)
    return ordered(report for report in reports if report.flag_reason and report.review is None)


def _board_order(key: _Contest) -> tuple[object, ...]:
    lab, version, language, engine, kind = key
    return natural_key(lab), natural_key(version), language, engine.kind, engine.device, kind


def _candidate(report: Report) -> Entry | None:
    best = fastest(report) if report.verdict is Verdict.ACCEPTED else None
    if best is None:
        return None
    kernel, speedup = best
    return Entry(
        rank=0,
        shared=False,
        student=report.student,
        kernel=kernel,
        speedup=speedup,
    )


def _by_speed(entry: Entry) -> tuple[float, tuple[tuple[str | int, ...], str], str]:
    return -entry.speedup.value, natural_key(entry.student), entry.kernel


def _best_per_student(entries: list[Entry]) -> list[Entry]:
    best: dict[str, Entry] = {}
    for entry in sorted(entries, key=_by_speed):
        best.setdefault(entry.student, entry)
    return list(best.values())


def _ranked(entries: list[Entry]) -> tuple[Entry, ...]:
    """Rank by value. The fastest of a rank leads it, and whoever's interval meets the leader's shares the rank.

    The leader decides, not the neighbour: a chain of neighbours, each within the noise of the next, could otherwise
    tie the first with the last although their intervals lie far apart.
    """
    ranks: list[list[Entry]] = []
    for entry in sorted(entries, key=_by_speed):
        if ranks and entry.speedup.high >= ranks[-1][0].speedup.low:
            ranks[-1].append(entry)
        else:
            ranks.append([entry])
    placed: list[Entry] = []
    for group in ranks:
        rank = len(placed) + 1
        placed += [replace(entry, rank=rank, shared=len(group) > 1) for entry in group]
    return tuple(placed)
