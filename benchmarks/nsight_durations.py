"""How long Nsight Compute says that launches take.

``python -m benchmarks.nsight_durations FILE`` is the program that it watches; ``profiled`` starts both.
"""

import pickle
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from cuda.bindings import driver

from benchmarks.agreement_subjects import TimedCase, cases, prepared
from benchmarks.candidates import rungs
from benchmarks.profile_rungs import nsight_compute, rows
from grader.engines.cuda.device import load_cupy
from tools.rung_kernels import labs

PROFILED = 3
"""Launches of each, of which the median counts."""

_SECONDS = 400

_DURATION = "gpu__time_duration.sum"


def profiled(every: Sequence[TimedCase], folder: Path) -> dict[str, float]:
    """Seconds of each by its key: of all its kernels, without what lies between them; the log is in ``folder``."""
    with tempfile.TemporaryDirectory() as scratch:
        modules, report = Path(scratch) / "subjects.pickle", folder / "durations.csv"
        modules.write_bytes(pickle.dumps([(s.candidate.key, s.case.name, s.module) for s in every]))
        command = [
            *(nsight_compute(), "--csv", "--page", "raw", "--print-units", "base", "--print-fp"),
            *("--profile-from-start", "off", "--clock-control", "none", "--cache-control", "all"),
            *("--target-processes", "application-only", "--metrics", _DURATION),
            *("--log-file", str(report)),
            *(sys.executable, "-m", "benchmarks.nsight_durations", str(modules)),
        ]
        subprocess.run(command, check=True, timeout=_SECONDS, stdout=subprocess.DEVNULL)
    durations_text = [row[_DURATION].replace(",", "") for row in rows(report.read_text())]
    durations = iter([float(nanoseconds) * 1e-9 for nanoseconds in durations_text])
    found = {}
    for subject in every:
        kernels = len(subject.candidate.job(subject.module, subject.case, {}).plan.launches)
        times = [sum(next(durations) for _ in range(kernels)) for _ in range(PROFILED)]
        found[subject.key] = median(times)
    return found


def main() -> None:
    """Every subject's launches, some times over; a first time unseen, which loads what they need."""
    known = {
        (rung.key, case.name): (rung, case) for lab in labs() for case in cases(lab) for rung in rungs(lab)
    }
    asked = pickle.loads(Path(sys.argv[1]).read_bytes())  # noqa: S301 - ``profiled`` wrote it
    every = [TimedCase(*known[key, case], module) for key, case, module in asked]
    runtime = load_cupy().cuda.runtime
    with prepared(every) as ready:
        for subject in every:
            job = ready(subject.key).prepared
            job.queue()
            runtime.deviceSynchronize()
            driver.cuProfilerStart()
            for _ in range(PROFILED):
                job.queue()
            runtime.deviceSynchronize()
            driver.cuProfilerStop()


if __name__ == "__main__":
    main()
