"""Refuse answers about runs that no engine gives: a worker that ran a student's code may have forged them.

What remains may still be a lie, but one that can be shown and counted: its numbers are finite and fit together, its
texts have a place in the catalogue, and its names and lines are those of the job.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from grader.grading.sanitize_reason import is_readable
from grader.model.block_sample import SampledRun
from grader.model.diagnostic import Diagnostic
from grader.model.location import SourceLocation
from grader.model.module import DeviceModule
from grader.model.reason import AS_WRITTEN, reason
from grader.model.run import AccessSite, Counters, Fault, LaunchJob, LineProfile, RunResult, TimedSample
from grader.model.verdict import Verdict
from grader.sandbox.port import LossCause, WorkerLostError

_MOST_ENTRIES = 50_000
"""Most entries of any list in an answer, also of a kernel with a thousand lines."""

_MOST_TEXT = 2**20
"""Most characters that a run may print; the emulator stops earlier."""

_LARGEST = 2**53
"""Largest count that arithmetic with floats keeps exact."""


def proven_run(result: RunResult, module: DeviceModule) -> RunResult:
    """``result``, if an engine may have given it for a job of ``module``. Raises: ``WorkerLostError``."""
    _refuse(_flaws_of_run(result, module))
    return result


def proven_sample(run: SampledRun, module: DeviceModule) -> SampledRun:
    """The same for a run of drawn blocks. Raises: ``WorkerLostError``."""
    files = _files(module)
    _refuse(
        [
            *_flaws_of_run(run.result, module),
            *_if(len(run.executed) > _MOST_ENTRIES or len(run.missing) > _MOST_ENTRIES, "too many entries"),
            *_if(any(not 0 <= each.count <= _LARGEST for each in run.executed), "an impossible number"),
            *_if(any(not _is_line(each, files) for each in run.executed), "a line of another file"),
        ]
    )
    return run


def proven_samples(samples: Sequence[TimedSample], job: LaunchJob, most: int) -> None:
    """Check that an engine may have given ``samples`` of timed launches of ``job``. Raises: ``WorkerLostError``."""
    sizes = {buffer.name: buffer.nbytes for buffer in job.plan.buffers}
    outputs = {buffer.name for buffer in job.plan.returned}
    _refuse(
        [
            *_if(not min(most, 1) <= len(samples) <= most, "another number of timed launches"),
            *_if(any(each.outputs.keys() != outputs for each in samples), "outputs of another kernel"),
            *_if(any(not job.inputs.keys() >= each.inputs.keys() for each in samples), "unknown inputs"),
            *_if(
                any(
                    len(data) != sizes.get(name)
                    for each in samples
                    for name, data in (each.inputs | each.outputs).items()
                ),
                "data of another size",
            ),
        ]
    )


def _refuse(flaws: Iterable[str]) -> None:
    """Raise ``WorkerLostError`` for the first of ``flaws``."""
    for flaw in flaws:
        raise WorkerLostError(LossCause.GARBLED, reason("answer-unreadable", problem=flaw))


def _if(found: bool, flaw: str) -> Iterator[str]:  # noqa: FBT001 - a condition
    if found:
        yield flaw


def _flaws_of_run(result: RunResult, module: DeviceModule) -> Iterator[str]:
    files = _files(module)
    yield from _if(len(result.printed) > _MOST_TEXT, "too much text")
    yield from _if(len(result.diagnostics) > _MOST_ENTRIES, "too many entries")
    yield from _if(not all(_is_finding(each, files) for each in result.diagnostics), "an unknown finding")
    yield from _if(result.fault is not None and not _is_fault(result.fault), "an unknown fault")
    names = [each.kernel for each in result.counters]
    known = {kernel.name for kernel in module.kernels}
    yield from _if(len(set(names)) < len(names) or not known.issuperset(names), "counts of another kernel")
    for counters in result.counters:
        yield from _flaws_of_counters(counters, files)


def _flaws_of_counters(counters: Counters, files: frozenset[str | None]) -> Iterator[str]:
    lists = counters.sites, counters.lines, counters.arrays
    yield from _if(any(len(each) > _MOST_ENTRIES for each in lists), "too many entries")
    yield from _if(not all(0 <= number <= _LARGEST for number in _numbers(counters)), "an impossible number")
    yield from _if(min(counters.launches, counters.threads_per_block) < 1, "an impossible number")
    yield from _if(
        any(each.useful > each.moved for each in counters.arrays), "more useful bytes than moved ones"
    )
    lines: tuple[AccessSite | LineProfile, ...] = (*counters.sites, *counters.lines)
    yield from _if(not all(_is_line(each, files) for each in lines), "a line of another file")


def _numbers(value: Any) -> Iterator[float]:
    """Every number in a value of dataclasses and tuples, without line numbers. NaN fails every comparison."""
    match value:
        case bool() | str() | None | SourceLocation():
            return
        case int() | float():
            yield value
        case tuple():
            for item in value:
                yield from _numbers(item)
        case _:
            for field in dataclasses.fields(value):
                if field.name != "line":
                    yield from _numbers(getattr(value, field.name))


def _is_line(value: Any, files: frozenset[str | None]) -> bool:
    return value.file in files and (value.line is None or value.line >= 0)


def _is_finding(found: Diagnostic, files: frozenset[str | None]) -> bool:
    return (
        all(_is_line(line, files) for line in found.lines)
        and 0 <= found.threads <= _LARGEST
        and 0 <= found.count <= _LARGEST
        and is_readable(found.message)
        and (found.advice is None or is_readable(found.advice))
    )


def _is_fault(fault: Fault) -> bool:
    """Whether an engine may give this fault. In words of its own a worker cannot say that nobody is at fault."""
    if fault.verdict is Verdict.NOT_GRADABLE and fault.reason.code == AS_WRITTEN:
        return False
    return is_readable(fault.reason)


def _files(module: DeviceModule) -> frozenset[str | None]:
    return frozenset({None, *module.user_files})
