"""The last stages on a GPU: time the kernels there while the emulator observes them on the processor."""

import contextvars
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from grader.grading.context import GradingContext
from grader.grading.drawn_blocks import compare_code, observe_drawn_blocks
from grader.grading.observation import observe
from grader.grading.rungs import RungModules
from grader.grading.schedule_independence import check_schedule_independence
from grader.grading.session import RunSession
from grader.grading.timing import time_kernels
from grader.model.facts import KernelFacts


def time_and_observe(
    context: GradingContext,
    gpu: RunSession,
    emulator: RunSession,
    rungs: RungModules,
    kernels: Sequence[KernelFacts],
) -> tuple[KernelFacts, ...]:
    """Time ``kernels``, as checked, on ``gpu``, and observe them on ``emulator`` at the same time.

    A kernel that cannot be timed has the facts of its timing alone. Raises: what either stage raises, after both ended.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="observing") as beside:
        # A thread has no context of its own: without a copy its lines in the log would lack the submission's ids.
        observation = beside.submit(contextvars.copy_context().run, _observed, context, emulator, kernels)
        # In this thread: the kernel ends a worker with the thread that started it.
        timed = time_kernels(context, gpu, rungs, kernels)
        observed = observation.result()
    return tuple(map(_merged, timed, observed))


def _merged(timed: KernelFacts, observed: KernelFacts) -> KernelFacts:
    if timed.timing_fault is not None:
        return timed
    # The times of a kernel that the emulator found to be wrong do not count.
    return replace(observed, comparisons=timed.comparisons if observed.all_cases_passed else {})


def _observed(
    context: GradingContext, emulator: RunSession, kernels: Sequence[KernelFacts]
) -> tuple[KernelFacts, ...]:
    kernels = observe(context, emulator, kernels)
    kernels = observe_drawn_blocks(context, emulator, kernels)
    kernels = compare_code(context, emulator, kernels)
    return check_schedule_independence(context, emulator, kernels)
