"""Leaderboards: ranks by speedup; overlapping intervals share a rank."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from grader.model.fastest import fastest
from grader.model.report import EngineInfo, Report, ResultsDocument, Speedup, SpeedupKind
from grader.model.submission import Language
from grader.model.text import natural_key
from grader.model.verdict import Verdict
from grader.report.quantities import times
from grader.report.summary import ordered


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One student's best accepted submission. ``shared``: another entry has the same rank."""

    rank: int
    shared: bool
    student: str
    kernel: str
    speedup: Speedup


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One version of a lab in one language on one device.

    A new version of a lab may change sizes or baseline, so it has its own board. A speedup is over the baseline in
    the same language, so languages have separate boards, as have modelled and measured speedups.
    """

    lab: str
    lab_version: str
    language: Language
    engine: EngineInfo
    kind: SpeedupKind
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An accepted submission with its best speedup. Speedups are comparable if all but the last three fields agree."""

    lab: str
    lab_version: str
    language: Language
    engine: EngineInfo
    student: str
    kernel: str
    speedup: Speedup


def candidate(report: Report, engine: EngineInfo) -> Candidate | None:
    """The candidate of ``report``, which ``engine`` ran; ``None`` unless it was accepted as a whole with a speedup."""
    best = fastest(report) if report.verdict is Verdict.ACCEPTED else None
    if best is None:
        return None
    kernel, speedup = best
    return Candidate(
        lab=report.lab,
        lab_version=report.lab_version,
        language=report.language,
        engine=engine,
        student=report.student,
        kernel=kernel,
        speedup=speedup,
    )


def ranked(candidates: Iterable[Candidate]) -> tuple[Board, ...]:
    """One board per lab, version, language, engine, device and kind of speedup, in that order; each student once."""
    groups: dict[_BoardKey, list[Entry]] = {}
    for each in candidates:
        key = (each.lab, each.lab_version, each.language, each.engine, each.speedup.kind)
        entry = Entry(rank=0, shared=False, student=each.student, kernel=each.kernel, speedup=each.speedup)
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


def boards(documents: Iterable[ResultsDocument]) -> tuple[Board, ...]:
    """The boards of everything in ``documents``."""
    found = (
        candidate(report, report.engine or document.engine)
        for document in documents
        for report in document.reports
    )
    return ranked(each for each in found if each is not None)


def pending_review(documents: Iterable[ResultsDocument]) -> tuple[Report, ...]:
    """Submissions with suspicious kernels that staff have not reviewed yet."""
    reports = (report for document in documents for report in document.reports)
    return ordered(report for report in reports if report.flag_reason and report.review is None)


_BoardKey = tuple[str, str, Language, EngineInfo, SpeedupKind]


def _board_order(key: _BoardKey) -> tuple[object, ...]:
    lab, version, language, engine, kind = key
    return natural_key(lab), natural_key(version), language, engine.kind, engine.device, kind


def _by_speed(entry: Entry) -> tuple[float, tuple[tuple[str | int, ...], str], str]:
    return -entry.speedup.value, natural_key(entry.student), entry.kernel


def _best_per_student(entries: list[Entry]) -> list[Entry]:
    best: dict[str, Entry] = {}
    for entry in sorted(entries, key=_by_speed):
        best.setdefault(entry.student, entry)
    return list(best.values())


def _is_tied(slower: Speedup, faster: Speedup) -> bool:
    """Whether the intervals overlap, or both speedups show as one number."""
    return slower.high >= faster.low or times(slower.value) == times(faster.value)


def _ranked(entries: list[Entry]) -> tuple[Entry, ...]:
    """Rank by value. An entry shares a rank if it ties with the fastest entry of the rank.

    Comparing with the fastest entry, not the previous one, stops a chain of overlapping neighbours from tying the
    first entry with the last although their intervals lie far apart.
    """
    ranks: list[list[Entry]] = []
    for entry in sorted(entries, key=_by_speed):
        if ranks and _is_tied(entry.speedup, ranks[-1][0].speedup):
            ranks[-1].append(entry)
        else:
            ranks.append([entry])
    ranked: list[Entry] = []
    for group in ranks:
        rank = len(ranked) + 1
        ranked += [replace(entry, rank=rank, shared=len(group) > 1) for entry in group]
    return tuple(ranked)
