"""Observe drawn blocks of the timing case at its full size.

A kernel may do one thing on the observed case, which the emulator runs as a whole, and another on the timing case,
which is too large for that. So some of the timing case's blocks run on the emulator too, on the inputs that they read.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.errors import LabError
from grader.grading.block_samples import run_sample, start_on_zeros
from grader.grading.context import GradingContext, plan_of
from grader.grading.kernel_facts import with_failure
from grader.grading.session import RunSession
from grader.judge.findings import decisive_race
from grader.labs.geometry import GeometryError
from grader.labs.manifest import Case
from grader.model.block_sample import BlockSample, ExecutedInstruction
from grader.model.facts import CaseOutcome, DrawnBlocks, KernelFacts
from grader.model.location import SourceLocation
from grader.model.reason import reason
from grader.model.verdict import Verdict

BLOCKS, STEPS = 8, 200_000
"""Blocks of each launch, and warp micro-operations after which no further one starts."""

PROBE_STEPS = 60_000
"""Micro-operations of all blocks together in a comparison of the code that runs at different sizes."""

_SPECIAL_SHARE = 0.25
"""Share of the work of drawn blocks in code of one size alone from which it is no rare case of the kernel's."""

_OTHER_SHARE = 0.5
"""The same for code that the observed case does not run."""

_NEARBY = 0.03
"""Relative distance of a nearby size."""

_LEAST_VARIED = 64
"""The least size that varies."""

_MOST_ALIGNMENT = 1024
"""A nearby size leaves the same remainder as the size itself when divided by this or a smaller power of two."""


def observe_drawn_blocks(
    context: GradingContext, emulator: RunSession, kernels: Sequence[KernelFacts]
) -> tuple[KernelFacts, ...]:
    """Observe blocks of the timing case of each right kernel, unless the observed case is the timing case."""
    timing = context.timing_case
    if timing is None or timing == context.observed:
        return tuple(kernels)
    return tuple(
        _observed(context, emulator, kernel, timing)
        if kernel.fault is None and kernel.all_cases_passed
        else kernel
        for kernel in kernels
    )


def _observed(context: GradingContext, emulator: RunSession, kernel: KernelFacts, case: Case) -> KernelFacts:
    job = context.job(kernel.name, context.prepared(case).inputs)
    run = run_sample(emulator, job, _sample(context, STEPS))
    drawn = DrawnBlocks(case=case.name)
    if run.result.fault is not None:
        return replace(kernel, drawn=replace(drawn, unfinished=run.result.fault.reason))
    if race := decisive_race(run.result.diagnostics):
        failed = CaseOutcome(name=case.name, verdict=Verdict.WRONG, reason=race)
        return with_failure(kernel, failed)
    if not any(counters.global_requests for counters in run.result.counters):
        return replace(kernel, drawn=replace(drawn, unfinished=reason("drawn-blocks-idle")))
    return replace(kernel, drawn=replace(drawn, counters=run.result.counters))


def compare_code(
    context: GradingContext, emulator: RunSession, kernels: Sequence[KernelFacts]
) -> tuple[KernelFacts, ...]:
    """Look for code that only the timing case runs, in each kernel of which blocks were observed."""
    return tuple(
        replace(kernel, drawn=_compared(context, emulator, kernel.name, kernel.drawn))
        if kernel.drawn is not None
        else kernel
        for kernel in kernels
    )


def _compared(context: GradingContext, emulator: RunSession, kernel: str, drawn: DrawnBlocks) -> DrawnBlocks:
    case = context.lab.manifest.case(drawn.case)
    probe = _Probe(context, emulator, kernel)
    here = probe.executed(case)
    if here is None:
        return drawn
    nearby = [code for size in nearby_cases(case, context.seed) if (code := probe.executed(size)) is not None]
    only_here = [_only(here, there, _SPECIAL_SHARE) for there in nearby]
    again = probe.executed(case, attempt=1) if any(only_here) else None
    if again is not None:  # a rare block of the first sample may have run rare code
        only_here = [_only(again, there, _SPECIAL_SHARE) for there in nearby]
    small = None if context.observed is None else probe.executed(context.observed)
    other = _only(here, small, _OTHER_SHARE) if small and _only(small, here, _OTHER_SHARE) else None
    return replace(drawn, only_here=next(filter(None, only_here), None), other_code=other)


class _Probe:
    """Runs blocks of one kernel on inputs that are zero: which code runs then depends on sizes alone."""

    def __init__(self, context: GradingContext, emulator: RunSession, kernel: str) -> None:
        self._context = context
        self._emulator = emulator
        self._kernel = kernel

    def executed(self, case: Case, attempt: int = 0) -> tuple[ExecutedInstruction, ...] | None:
        """The instructions that drawn blocks of ``case`` execute, of a long block the first; ``None`` if it fails."""
        module = self._context.module
        spec = self._context.lab.manifest.spec(self._kernel)
        try:
            plan = plan_of(self._context.lab, module, spec, case)
        except (GeometryError, LabError):
            return None  # not every lab has all sizes
        sample = _sample(self._context, PROBE_STEPS, attempt)
        run = start_on_zeros(self._emulator, module, plan, sample)
        fault = run.result.fault
        return run.executed if fault is None or fault.verdict is Verdict.TIMED_OUT else None


def nearby_cases(case: Case, seed: int) -> Iterator[Case]:
    """``case`` with drawn sizes a little below and a little above its own, and alike in alignment."""
    draw = random.Random(f"{seed} {case.name}")  # noqa: S311 - a reproducible size, no secret
    for sign in (-1, 1):
        yield replace(
            case, sizes={name: size + sign * _step(size, draw) for name, size in case.sizes.items()}
        )


def _step(size: int, draw: random.Random) -> int:
    """A distance from ``size``; none from a size so small that it is a parameter, such as a stride."""
    if size < _LEAST_VARIED:
        return 0
    alignment = min(_MOST_ALIGNMENT, 1 << (size // 16).bit_length() - 1)
    return alignment * draw.randint(1, max(1, int(_NEARBY * size) // alignment))


def _only(
    here: Sequence[ExecutedInstruction], there: Sequence[ExecutedInstruction], share: float
) -> SourceLocation | None:
    """The busiest line of the code that runs ``here`` and not ``there``, if it has that share of the work."""
    special = [one for one, other in zip(here, there, strict=False) if one.count and not other.count]
    if sum(each.count for each in special) < share * sum(each.count for each in here) or not special:
        return None
    busiest = max(special, key=lambda each: each.count)
    return SourceLocation(file=busiest.file, line=busiest.line)


def _sample(context: GradingContext, steps: int, attempt: int = 0) -> BlockSample:
    draw = random.Random(f"{context.seed} {attempt}")  # noqa: S311 - recorded with the inputs, no secret
    return BlockSample(seed=draw.getrandbits(32), blocks=BLOCKS, steps=steps)
