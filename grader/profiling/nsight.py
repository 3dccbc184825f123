"""Nsight Compute: the device's counters for each line of a kernel's source."""

import importlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.errors import InfrastructureError, UserError
from grader.model.run import AccessSite, LaunchJob, LineProfile
from grader.profiling.tools import Runner, Tool, running

NSIGHT = Tool("ncu", "Nsight Compute", "NVIDIA's CUDA toolkit and of a package of its own")

_OPTIONS = (
    *("--section", "SourceCounters", "--metrics", "gpu__time_duration.sum"),
    *("--clock-control", "none", "--target-processes", "application-only", "--force-overwrite"),
)

_WARP, _THREAD = "inst_executed", "thread_inst_executed"

_TRAFFIC = {
    "global": ("memory_l2_theoretical_sectors_global", "memory_l2_theoretical_sectors_global_ideal"),
    "shared": ("memory_l1_wavefronts_shared", "memory_l1_wavefronts_shared_ideal"),
}
"""By memory space: the metrics of actual and ideal sectors or wavefronts."""

_Location = tuple[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The counters of all launches of a plan: ``seconds`` under the profiler, and counts by source line.

    A site combines the loads and stores of its line.
    """

    seconds: float
    lines: tuple[LineProfile, ...]
    sites: tuple[AccessSite, ...]


def counted(runner: Runner, jobs: Sequence[LaunchJob]) -> list[Counted]:
    """Launch ``jobs`` under Nsight Compute. Raises: as ``tools.running``; ``UserError`` without its reader."""
    reader = _reader()
    with running(runner, NSIGHT, _OPTIONS, "--export", jobs) as report:
        return read(report, [len(job.plan.launches) for job in jobs], reader)


def read(report: Path, launches: Sequence[int], reader: Any = None) -> list[Counted]:
    """Read ``report`` of plans with these numbers of ``launches``.

    Raises: ``InfrastructureError`` where the number of launches differs, ``UserError`` without a ``reader``.
    """
    context = (reader or _reader()).load_report(str(report))
    actions = [action for part in _ranges(context) for action in _actions(part)]
    if len(actions) != sum(launches):
        msg = f"Nsight Compute saw {len(actions)} launches of {sum(launches)}"
        raise InfrastructureError(msg)
    remaining = iter(actions)
    return [_total([next(remaining) for _ in range(count)]) for count in launches]


def _reader() -> Any:
    try:
        return importlib.import_module("ncu_report")
    except ImportError as error:
        msg = f"the reports of Nsight Compute cannot be read ({error})."
        hint = (
            'Install the reader from the checkout: `pip install --constraint constraints.txt ".[profile]"`.'
        )
        raise UserError(msg, hint=hint) from error


def _ranges(context: Any) -> Iterator[Any]:
    for index in range(context.num_ranges()):
        yield context.range_by_idx(index)


def _actions(part: Any) -> Iterator[Any]:
    for index in range(part.num_actions()):
        yield part.action_by_idx(index)


def _total(actions: Iterable[Any]) -> Counted:
    seconds = 0.0
    executed: dict[_Location, list[int]] = defaultdict(lambda: [0, 0])
    traffic: dict[tuple[str, _Location], list[int]] = defaultdict(lambda: [0, 0, 0])
    for action in actions:
        seconds += float(action.metric_by_name("gpu__time_duration.sum").value()) * 1e-9
        warps, threads = _by_address(action, _WARP), _by_address(action, _THREAD)
        for address, count in warps.items():
            at = executed[_location(action, address)]
            at[0] += count
            at[1] += threads.get(address, 0)
        for space, (taken, needed) in _TRAFFIC.items():
            least = _by_address(action, needed)
            for address, count in _by_address(action, taken).items():
                site = traffic[space, _location(action, address)]
                for index, more in enumerate((warps.get(address, 0), count, least.get(address, 0))):
                    site[index] += more
    return Counted(
        seconds=seconds,
        lines=tuple(
            LineProfile(file=file, line=line, warp_instructions=warps, thread_instructions=threads)
            for (file, line), (warps, threads) in sorted(executed.items())
            if warps
        ),
        sites=tuple(
            AccessSite(
                space=space,
                file=file,
                line=line,
                store=False,
                requests=requests,
                transactions=taken,
                ideal=needed,
            )
            for (space, (file, line)), (requests, taken, needed) in sorted(traffic.items())
            if requests
        ),
    )


def _by_address(action: Any, name: str) -> dict[int, int]:
    """A per-instruction metric by instruction address; empty where it is not reported."""
    metric = action.metric_by_name(name)
    if metric is None or not metric.num_instances():
        return {}
    addresses = metric.correlation_ids()
    return {addresses.as_uint64(i): metric.as_uint64(i) for i in range(metric.num_instances())}


def _location(action: Any, address: int) -> _Location:
    """The file's name, without its folder, and the line; ``("", 0)`` for an instruction without a line."""
    found = action.source_info(address)
    return ("", 0) if found is None else (Path(found.file_name()).name, int(found.line()))
