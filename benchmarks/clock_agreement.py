"""The clock held against two others, Nsight Compute's and nvbench's, on every rung of every lab.

``python -m benchmarks.clock_agreement FOLDER [LAB...]``, on a machine with a GPU, ``ncu`` and ``cuda-bench``, writes
``clock-agreement.json`` into ``FOLDER``: for every rung on the first and the last of its lab's timing cases for a GPU
the seconds that each clock tells. ``python -m benchmarks.clock_agreement --page`` makes the table in the documentation
of what is recorded.
"""

import json
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import pages
from benchmarks.contenders import Contender, as_bytes, built, inputs_of, rungs
from benchmarks.profile_rungs import nsight_compute, rows
from grader.labs.lab import Lab
from grader.labs.manifest import Case, Use
from grader.model.module import DeviceModule
from tests.gpu.ladder import gpu_cases, labs

RESULTS = pages.RESULTS / "clock-agreement.json"
PAGE = pages.ROOT / "docs" / "how-we-time.md"
SECTION = "agreement"

LAPS = 15
"""Of our own clock, of which the median counts."""

PROFILED = 3
"""Launches under Nsight Compute, of which the median counts."""

SHORT = 20e-6
"""Seconds below which more disagreement is allowed."""

NVBENCH = ("--timeout", "0.3", "--min-samples", "10", "--min-time", "0.02")

_NCU_SECONDS = 250

_MEDIAN, _MEAN = "nv/cold/time/gpu/median", "nv/cold/time/gpu/mean"


@dataclass(frozen=True, slots=True)
class Subject:
    """One rung on one case, and its device code."""

    contender: Contender
    case: Case
    module: DeviceModule

    @property
    def key(self) -> str:
        """Its name among all."""
        return f"{self.contender.key} / {self.case.name}"


def cases(lab: Lab) -> list[Case]:
    """The first and the last of its timing cases for a GPU, which may be one."""
    timed = gpu_cases(lab, Use.TIME)
    return [timed[0], timed[-1]] if len(timed) > 1 else timed


def subjects(chosen: Sequence[Lab], arch: str) -> list[Subject]:
    """Every rung that was built, those of one case together."""
    outcomes = built([rung for lab in chosen for rung in rungs(lab)], arch)
    return [
        Subject(rung, case, module)
        for lab in chosen
        for case in cases(lab)
        for rung in rungs(lab)
        if (module := outcomes[rung.key].module) is not None
    ]


@contextmanager
def prepared(every: Sequence[Subject]) -> Iterator[Callable[[str], Any]]:
    """Within it, what is called ``key`` ready to be launched, on its inputs; one at a time."""
    from grader.engines.cuda.cupy_access import load_cupy  # noqa: PLC0415 - a page is made without it
    from grader.engines.cuda.device_info import describe  # noqa: PLC0415
    from grader.engines.cuda.prepared import Prepared  # noqa: PLC0415

    cupy = load_cupy()
    device = describe(cupy, 0)
    by_key = {subject.key: subject for subject in every}
    inputs: dict[tuple[str, str], dict[str, bytes]] = {}
    there: list[Prepared] = []

    def ready(key: str) -> Prepared:
        subject = by_key[key]
        lab, case = subject.contender.lab, subject.case
        if (lab.name, case.name) not in inputs:
            inputs.clear()
            inputs[lab.name, case.name] = as_bytes(inputs_of(lab, case))
        work = subject.contender.work(subject.module, case, inputs[lab.name, case.name])
        while there:
            there.pop().close()
        there.append(Prepared(cupy, device, work))
        there[0].add(work.inputs)
        return there[0]

    yield ready
    while there:
        there.pop().close()


def both_clocks(every: Sequence[Subject], folder: Path) -> dict[str, dict[str, Any]]:
    """What our own clock and nvbench's say of each, by its key."""
    from cuda import bench  # noqa: PLC0415 - only who measures needs it

    from grader.engines.cuda.cupy_access import load_cupy  # noqa: PLC0415

    cupy = load_cupy()
    own = OwnClock(cupy)
    found: dict[str, dict[str, Any]] = {}
    with prepared(every) as ready:

        def one(state: Any) -> None:
            key = state.get_string("subject")
            subject = ready(key)
            found[key] = own.time(subject)

            def launch(told: Any) -> None:
                with cupy.cuda.Stream.from_external(told.get_stream()):
                    subject.copies[0].start()

            # Several copies are for our clock only; nvbench launches the first.
            state.exec(launch, batched=False)

        benchmark = bench.register(one)
        benchmark.add_string_axis("subject", [subject.key for subject in every])
        report = folder / "nvbench.json"
        bench.run_all_benchmarks(["clock_agreement", "--json", str(report), *NVBENCH])
        theirs = {
            key: told for state in _states(report) for key, told in [(_axis(state), _told(state))] if told
        }
    return {
        subject.key: {
            "lab": subject.contender.lab.name,
            "language": str(subject.contender.language),
            "rung": subject.contender.label,
            "case": subject.case.name,
            "sizes": subject.case.sizes,
            **found[subject.key],
            "nvbench": theirs.get(subject.key),
        }
        for subject in every
        if subject.key in found
    }


class OwnClock:
    """Times what is prepared as grading times it, without a look at the answers."""

    def __init__(self, cupy: Any) -> None:
        from grader.engines.cuda.cold import ColdCache  # noqa: PLC0415
        from grader.engines.cuda.stopwatch import Stopwatch  # noqa: PLC0415
        from grader.engines.cuda.trusted import TrustedKernels  # noqa: PLC0415

        kernels = TrustedKernels(cupy)
        self._cupy = cupy
        self._stream = cupy.cuda.Stream()
        self._stopwatch = Stopwatch(cupy, kernels)
        self._cold = ColdCache(cupy, kernels, int(cupy.cuda.Device().attributes["L2CacheSize"]))

    def time(self, subject: Any) -> dict[str, Any]:
        """Seconds of one launch alone, of one in a batch where it is short, and which of them counts when grading."""
        from grader.engines.cuda.batch import batch_size  # noqa: PLC0415

        with self._stream:
            alone = self._median(subject)
            size = sum(buffer.nbytes for buffer in subject.work.plan.buffers)
            together = batch_size(alone, 2 * size)
            while len(subject.copies) < together:
                subject.add(subject.work.inputs)
            subject.multiply(together)
            mean = self._median(subject) / together if together > 1 else alone
        return {
            "kernels": len(subject.work.plan.launches),
            "launches": together,
            "alone": alone,
            "ours": mean,
        }

    def _median(self, subject: Any) -> float:
        seconds = []
        for _ in range(LAPS):
            self._cold.chill()
            seconds.append(self._stopwatch.time(subject.queue, lambda event: event.synchronize()).seconds)
        return median(seconds)


def _states(report: Path) -> list[dict[str, Any]]:
    document = json.loads(report.read_text(encoding="utf-8"))
    return [state for each in document["benchmarks"] for state in each["states"]]


def _axis(state: dict[str, Any]) -> str:
    return next(str(value["value"]) for value in state["axis_values"] if value["name"] == "subject")


def _told(state: dict[str, Any]) -> float | None:
    """Seconds at the median, or the mean where this version tells no median."""
    told = {
        summary["tag"]: float(summary["data"][0]["value"])
        for summary in state["summaries"] or ()
        if summary["tag"] in {_MEDIAN, _MEAN}
    }
    return told.get(_MEDIAN, told.get(_MEAN))


def profiled(every: Sequence[Subject], folder: Path) -> dict[str, float]:
    """What Nsight Compute says of each: the sum over its kernels, without what lies between them."""
    with tempfile.TemporaryDirectory() as scratch:
        modules, report = Path(scratch) / "subjects.pickle", folder / "durations.csv"
        modules.write_bytes(pickle.dumps([(s.contender.key, s.case.name, s.module) for s in every]))
        command = [
            *(nsight_compute(), "--csv", "--page", "raw", "--print-units", "base", "--print-fp"),
            *("--profile-from-start", "off", "--clock-control", "none", "--cache-control", "all"),
            *("--target-processes", "application-only", "--metrics", "gpu__time_duration.sum"),
            *("--log-file", str(report)),
            *(sys.executable, "-m", "benchmarks.clock_agreement", "--launch", str(modules)),
        ]
        subprocess.run(command, check=True, timeout=_NCU_SECONDS, stdout=subprocess.DEVNULL)
    told = [row["gpu__time_duration.sum"].replace(",", "") for row in rows(report.read_text())]
    durations = iter([float(nanoseconds) * 1e-9 for nanoseconds in told])
    found = {}
    for subject in every:
        kernels = len(subject.contender.work(subject.module, subject.case, {}).plan.launches)
        times = [sum(next(durations) for _ in range(kernels)) for _ in range(PROFILED)]
        found[subject.key] = median(times)
    return found


def launch_all(path: Path) -> None:
    """The program that the profiler watches: every subject's launches, some times over."""
    from cuda.bindings import driver  # noqa: PLC0415

    from grader.engines.cuda.cupy_access import load_cupy  # noqa: PLC0415

    by_name = {
        (rung.key, case.name): (rung, case) for lab in labs() for case in cases(lab) for rung in rungs(lab)
    }
    every = [Subject(*by_name[key, case], module) for key, case, module in pickle.loads(path.read_bytes())]  # noqa: S301 - our own file
    runtime = load_cupy().cuda.runtime
    with prepared(every) as ready:
        for subject in every:
            work = ready(subject.key)
            work.queue()
            runtime.deviceSynchronize()
            driver.cuProfilerStart()
            for _ in range(PROFILED):
                work.queue()
            runtime.deviceSynchronize()
            driver.cuProfilerStop()


HEADER = (
    "our time",
    "compared with",
    "rungs",
    "median difference",
    "90 % within",
    "largest",
    "within 3 %",
    "within 10 %",
)


def table(record: dict[str, Any]) -> str:
    """How far our times are from the others', below what was measured where."""
    where = record["provenance"]
    told = (
        f"{len(record['times'])} rungs and cases on {where['device']}, driver {where['driver']}, at commit "
        f"`{where['commit'][:7]}`, {where['measured_at'][:10]}."
    )
    bands: list[tuple[str, Callable[[float], bool]]] = [
        ("under 20 µs", lambda seconds: seconds < SHORT),
        ("20 to 100 µs", lambda seconds: SHORT <= seconds < 5 * SHORT),
        ("over 100 µs", lambda seconds: seconds >= 5 * SHORT),
    ]
    comparisons = [
        ("Nsight Compute", partial(_differences, other="ncu", mine="ours")),
        ("nvbench", partial(_differences, other="nvbench", mine="ours")),
        ("nvbench, launched alone", partial(_differences, other="nvbench", mine="alone")),
    ]
    lines = []
    for band, belongs in bands:
        for name, differences in comparisons:
            found = sorted(
                abs(each) for each in differences([t for t in record["times"] if belongs(t["ours"])])
            )
            if found:
                lines.append((band, name, *_summary(found)))
    return f"{told}\n\n{pages.table(HEADER, lines, 2)}"


def _differences(times: Sequence[dict[str, Any]], other: str, mine: str) -> list[float]:
    return [each[mine] / each[other] - 1 for each in times if each[other]]


def _summary(found: Sequence[float]) -> tuple[str, ...]:
    return (
        str(len(found)),
        f"{median(found):.1%}",
        f"{found[round(0.9 * (len(found) - 1))]:.1%}",
        f"{found[-1]:.1%}",
        *(f"{sum(each <= most for each in found)}" for most in (0.03, 0.1)),
    )


def main() -> None:
    """Measure, or make the page, or be profiled."""
    if sys.argv[1] == "--page":
        pages.write({SECTION: table(json.loads(RESULTS.read_text(encoding="utf-8")))}, PAGE)
        return
    if sys.argv[1] == "--launch":
        launch_all(Path(sys.argv[2]))
        return
    from grader.engines.cuda.cupy_access import load_cupy  # noqa: PLC0415
    from grader.engines.cuda.device_info import describe  # noqa: PLC0415
    from tests.gpu.provenance import provenance  # noqa: PLC0415

    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    device = describe(load_cupy(), 0)
    every = subjects([lab for lab in labs() if not sys.argv[2:] or lab.name in sys.argv[2:]], device.arch)
    durations = profiled(every, folder)
    times = [told | {"ncu": durations[key]} for key, told in both_clocks(every, folder).items()]
    record = {"schema_version": 1, "provenance": provenance(device, pages.ROOT), "times": times}
    (folder / RESULTS.name).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(table(record) + "\n")


if __name__ == "__main__":
    main()
