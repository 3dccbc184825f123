"""The figures of a program's run that a rubric judges."""

from collections.abc import Iterable
from dataclasses import dataclass

from grader.model.program import Activity, Lane, ProgramRun
from grader.model.spans import Span, common, joined, total


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What one run did, in bytes, seconds on the modelled clock, and calls.

    ``copied_in`` and ``copied_out`` are copied to and from the device, ``pinned`` of them to or from pinned memory.
    ``overlapped_seconds`` are those of ``kernel_seconds`` during which a copy runs too.
    """

    seconds: float
    copied_in: int
    copied_out: int
    pinned: int
    copy_seconds: float
    kernel_seconds: float
    overlapped_seconds: float
    launches: int
    synchronisations: int

    @property
    def copied(self) -> int:
        """Bytes copied in both directions."""
        return self.copied_in + self.copied_out


def trace(run: ProgramRun) -> Trace:
    """The figures of ``run``."""
    copies = {lane: [each for each in run.activities if each.lane is lane] for lane in _COPIES}
    both = [each for found in copies.values() for each in found]
    copying = _spans(both)
    kernels = _spans(each for each in run.activities if each.lane is Lane.KERNELS)
    return Trace(
        seconds=run.seconds,
        copied_in=_bytes(copies[Lane.COPY_IN]),
        copied_out=_bytes(copies[Lane.COPY_OUT]),
        pinned=_bytes(each for each in both if each.is_pinned),
        copy_seconds=total(copying),
        kernel_seconds=total(kernels),
        overlapped_seconds=common(copying, kernels),
        launches=run.launches,
        synchronisations=run.synchronisations,
    )


_COPIES = (Lane.COPY_IN, Lane.COPY_OUT)


def _bytes(activities: Iterable[Activity]) -> int:
    return sum(each.moved_bytes for each in activities)


def _spans(activities: Iterable[Activity]) -> list[Span]:
    return joined((each.start, each.end) for each in activities)
