"""Numbers as people read them: three significant digits, a unit, and where a speedup comes from."""

from datetime import datetime

from grader.model.report import EngineInfo, KernelReport, Speedup, SpeedupKind
from grader.model.run import EngineKind

_TIME_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_DECIMALS = ((99.95, 0), (9.995, 1))
"""From which value on how many decimals are enough; the bounds are those that round up to 100 and 10."""

_BYTE_UNITS = ((1024 * 1024, "MiB"), (1024, "KiB"))
_KIND_OF_ENGINE = {EngineKind.EMULATOR: SpeedupKind.MODELLED, EngineKind.CUDA: SpeedupKind.MEASURED}


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


def labelled(speedup: Speedup) -> str:
    """A speedup with where it comes from: ``3.92× modelled``."""
    return f"{times(speedup.value)} {speedup.kind}"


def points(value: float) -> str:
    """Points with at most two decimals and no idle zeros: ``100``, ``62.5``."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def share(value: float) -> str:
    """A fraction as ``75 %``."""
    return f"{value * 100:.3g} %"


def size(count: int) -> str:
    """A number of bytes as ``4.25 KiB``."""
    for unit_size, unit in _BYTE_UNITS:
        if count >= unit_size:
            return f"{count / unit_size:.4g} {unit}"
    return f"{count} B"


def moment(iso: str) -> str:
    """An ISO 8601 time as ``21 November 2025, 03:30 UTC``; whatever else is given stays as it is."""
    try:
        when = datetime.fromisoformat(iso)
    except ValueError:
        return iso
    return f"{when.day} {when:%B %Y, %H:%M} {when.tzname() or ''}".rstrip()


def time_kind(kernel: KernelReport, engine: EngineInfo) -> SpeedupKind:
    """Whether ``kernel.seconds`` was measured or modelled; an engine without a clock only models."""
    return kernel.speedup.kind if kernel.speedup is not None else _KIND_OF_ENGINE[engine.kind]


def _three_digits(value: float) -> str:
    decimals = next((count for start, count in _DECIMALS if value >= start), 2)
    return f"{value:.{decimals}f}"
