"""Numbers as text: three significant digits, a unit, and whether a speedup is measured or modelled."""

from datetime import datetime

from grader.engines.registry import installed
from grader.messages import Speech
from grader.model.diagnostic import Diagnostic
from grader.model.reason import Reason, as_written, plural_of, reason
from grader.model.report import (
    EngineInfo,
    Isolation,
    KernelReport,
    Part,
    Report,
    SecondsUsed,
    Speedup,
    SpeedupKind,
)
from grader.model.review import Decision, Review
from grader.report.summary import has_score

NOTHING = "–"
"""Shown where there is no number."""

_TIME_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_DECIMALS = ((99.95, 0), (9.995, 1))
"""Decimals from each value on; the bounds are the values that round up to 100 and 10."""

_BYTE_UNITS = ((1024 * 1024, "MiB"), (1024, "KiB"))
_COUNT_UNITS = ((999_500_000, 10**9, "G"), (999_500, 10**6, "M"), (100_000, 10**3, "k"))
"""From each count on, its unit; smaller counts are written out."""

_HUNDREDTH = 0.01

_RATE_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"))

DECISIONS = {Decision.CLEARED: "times cleared", Decision.CONFIRMED: "flag confirmed"}
"""What a decision about a flag is called."""


def seconds(value: float) -> str:
    """A duration in seconds as ``1.93 ms``."""
    for size, unit in _TIME_UNITS:
        if value >= size * 0.9995:
            return f"{_three_digits(value / size)} {unit}"
    return f"{_three_digits(value / 1e-9)} ns"


def times(value: float) -> str:
    """A ratio as ``3.92×``."""
    return f"{_three_digits(value)}×"


def interval(speedup: Speedup) -> str:
    """The interval of a speedup as ``[3.88, 3.97]``; empty where it is a single point."""
    if speedup.low == speedup.high:
        return ""
    return f"[{_three_digits(speedup.low)}, {_three_digits(speedup.high)}]"


def labelled(speedup: Speedup) -> Reason:
    """A speedup with its kind: ``3.92× modelled``."""
    return reason("speedup-of-kind", speedup=times(speedup.value), kind=speedup.kind.value)


def points(value: float) -> str:
    """Points with at most two decimals and no trailing zeros: ``100``, ``62.5``."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def points_in_words(value: float) -> Reason:
    """Points with their noun: ``62.5 points``."""
    return reason("points-in-words", points=value, count=plural_of(value))


def score(report: Report) -> str:
    """The points of ``report``; a dash where it has none. After an override: graded points, then those that count."""
    if not has_score(report):
        return NOTHING
    decided = report.adjustment
    if decided is None or decided.score == report.score:
        return points(report.score)
    return f"{points(decided.score)} → {points(report.score)}"


def title(part: Part) -> Reason:
    """The title of a rubric line; a report of an older grader has its name alone."""
    return part.title or as_written(part.name)


def share(value: float) -> str:
    """A fraction as ``75 %``."""
    return f"{value * 100:.3g} %"


def size(count: int) -> str:
    """A number of bytes as ``4.25 KiB``."""
    for unit_size, unit in _BYTE_UNITS:
        if count >= unit_size:
            return f"{count / unit_size:.4g} {unit}"
    return f"{count} B"


def bytes_per_second(value: float) -> str:
    """A bandwidth as ``288 GB/s``, in powers of ten as data sheets give it."""
    return _per_second(value, "B")


def operations_per_second(value: float, *, floating: bool = True) -> str:
    """An arithmetic rate as ``21.6 GFLOP/s``, of integers as ``21.6 Gop/s``."""
    return _per_second(value, "FLOP" if floating else "op")


def _per_second(value: float, what: str) -> str:
    for size, prefix in _RATE_PREFIXES:
        if value >= size * 0.9995:
            return f"{_three_digits(value / size)} {prefix}{what}/s"
    return f"{_three_digits(value)} {what}/s"


def intensity(value: float) -> str:
    """Operations per byte with three significant digits: ``0.25``, ``16.2``; two digits below 0.01."""
    return f"{value:.2g}" if 0 < value < _HUNDREDTH else _three_digits(value)


def amount(count: int) -> str:
    """A count as ``31,744``, or from a hundred thousand on as ``128 k``."""
    for start, unit_size, unit in _COUNT_UNITS:
        if count >= start:
            return f"{_three_digits(count / unit_size)} {unit}"
    return f"{count:,}"


def average(value: float) -> str:
    """A mean of whole numbers with at most one decimal and no trailing zero: ``31.2``, ``4``."""
    return f"{value:.1f}".removesuffix(".0")


def percent(value: float) -> str:
    """A fraction in whole percent; ``<1 %`` and ``>99 %`` where rounding would give 0 or 100."""
    if 0 < value < _HUNDREDTH:
        return "<1 %"
    return ">99 %" if _HUNDREDTH > 1 - value > 0 else f"{value * 100:.0f} %"


def tally(diagnostic: Diagnostic, language: str = "en") -> str:
    """Occurrences and threads: ``992 times, in 128 threads``; empty for a single one."""
    count, threads = diagnostic.count, diagnostic.threads
    speech = Speech(language)
    times_over = [speech.says("finding-times", count=count)] if count > 1 else []
    in_threads = [speech.says("finding-threads", count=threads)] if threads > 1 else []
    return speech.joined([*times_over, *in_threads])


def moment(iso: str, language: str = "en") -> str:
    """An ISO 8601 time as ``21 November 2025, 03:30 UTC``; other text is returned unchanged.

    In languages other than English: ``2025-11-21 03:30 UTC``.
    """
    try:
        return clock(datetime.fromisoformat(iso), language)
    except ValueError:
        return iso


def clock(when: datetime, language: str = "en") -> str:
    """A time with its zone, as ``moment`` writes it."""
    day = f"{when.day} {when:%B %Y}," if language == "en" else f"{when:%Y-%m-%d}"
    return f"{day} {when:%H:%M} {when.tzname() or ''}".rstrip()


def isolation_note(isolation: Isolation) -> Reason:
    """How a submission was isolated: ``in the process sandbox, trusted``."""
    code = "in-sandbox-trusted" if isolation.trusted else "in-sandbox"
    return reason(code, sandbox=isolation.sandbox)


def time_note(time: SecondsUsed) -> Reason:
    """The seconds of a submission: ``used 12 s of 60 s``."""
    return reason("seconds-used", used=time.used, limit=time.limit)


def decision_note(review: Review) -> Reason:
    """A review's decision and date, with reviewer and reason unless they were redacted."""
    decided = reason(
        "decision",
        decision=DECISIONS[review.decision],
        reviewer=review.reviewer or reason("staff"),
        day=moment(review.decided_at),
    )
    return reason("because", reason=decided, why=review.reason) if review.reason else decided


def waiting_note(report: Report) -> Reason | None:
    """How many of the points that can be earned without a GPU are earned; ``None`` if no points wait for one."""
    waiting = report.waiting
    if not waiting:
        return None
    return reason(
        "points-that-wait",
        count=plural_of(waiting),
        score=report.score,
        earnable=report.earnable,
        waiting=waiting,
    )


def adjustment_note(report: Report) -> Reason | None:
    """What staff decided about the points or the verdict of ``report``: ``82 → 90 points by Ada on …: why``.

    ``None`` without such a decision; the name and the reason for staff are left out where they were redacted.
    """
    decided = report.adjustment
    if decided is None:
        return None
    changes = []
    if decided.excused:
        changes.append(reason("excused"))
    if decided.score != report.score:
        change = reason("points-adjusted", before=points(decided.score), after=points(report.score))
        changes.append(change)
    if decided.verdict is not report.verdict:
        changes.append(reason("verdict-adjusted", before=decided.verdict.value, after=report.verdict.value))
    said = reason(
        "adjusted",
        changes=tuple(changes) or (reason("adjusted-as-graded"),),
        who=decided.who or reason("staff"),
        day=moment(decided.decided_at),
    )
    why = "; ".join(filter(None, (decided.why, decided.comment)))
    return reason("because", reason=said, why=why) if why else said


def time_kind(kernel: KernelReport, engine: EngineInfo) -> SpeedupKind:
    """Whether ``kernel.seconds`` was measured or modelled; without a speedup, the engine decides."""
    return kernel.speedup.kind if kernel.speedup is not None else _kind_of(engine)


def _three_digits(value: float) -> str:
    decimals = next((count for start, count in _DECIMALS if value >= start), 2)
    return f"{value:.{decimals}f}"


def is_modelled(engine: EngineInfo) -> bool:
    """Whether its times come from a cost model; those of an engine that is not installed here count as measured."""
    known = installed().get(engine.kind)
    return known is not None and known.modelled


def _kind_of(engine: EngineInfo) -> SpeedupKind:
    return SpeedupKind.MODELLED if is_modelled(engine) else SpeedupKind.MEASURED
