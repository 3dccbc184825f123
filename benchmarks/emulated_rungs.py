"""Every rung of every lab graded on the emulator.

``python -m benchmarks.emulated_rungs`` writes ``results/emulator-rungs.json``: for each kernel of each rung the cases
in which it was right, and its modelled time and speedup.
"""

import os
import platform
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from importlib.metadata import version

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.provenance import commit
from grader.grading.rungs import RungModules, rung_files, rung_sources, submission_of
from grader.grading.submission import grade
from grader.labs.lab import Lab
from grader.labs.manifest import Rung
from grader.model.devices import TESLA_T4
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.sandbox.process import ProcessSandbox
from tools.pages import RESULTS, keep
from tools.paths import CHECKOUT
from tools.rung_kernels import SCHEMA_VERSION, SEED, labs

RECORD = RESULTS / "emulator-rungs.json"

PACKAGES = ("numba", "numba-cuda", "numpy", "nvidia-cuda-nvrtc")


def main() -> None:
    """Grade them all, as many at once as there are cores."""
    cancelled = threading.Event()
    with (
        ProcessSandbox(cancelled) as sandbox,
        ThreadPoolExecutor(os.cpu_count() or 1) as executor,
    ):
        environment = GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, TESLA_T4.name, LimitSettings(), modelled_counts=True
        )
        modules = RungModules(environment)
        figures = [
            figure
            for of_lab in executor.map(lambda lab: list(_of_lab(lab, modules)), labs())
            for figure in of_lab
        ]
    provenance = {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(CHECKOUT),
        "device": TESLA_T4.name,
        "packages": {name: version(name) for name in PACKAGES},
        "python": platform.python_version(),
    }
    document = {"schema_version": SCHEMA_VERSION, "provenance": provenance, "figures": figures}
    keep(document, RECORD)


def _of_lab(lab: Lab, modules: RungModules) -> Iterator[dict[str, object]]:
    for rung in lab.manifest.rungs:
        for language in rung_sources(lab, rung):
            yield from _of_rung(lab, rung, language, modules)


def _of_rung(lab: Lab, rung: Rung, language: Language, modules: RungModules) -> Iterator[dict[str, object]]:
    submission = submission_of(lab, rung_files(lab, rung, language), language, rung.name)
    for kernel in grade(lab, submission, modules, SEED).kernels:
        if kernel.name in rung.kernels:
            yield {
                "lab": lab.name,
                "rung": rung.name,
                "kernel": kernel.name,
                "language": str(language),
                "right": [case.name for case in kernel.cases if case.verdict is Verdict.ACCEPTED],
                "seconds": kernel.seconds,
                "speedup": kernel.speedup.value if kernel.speedup else None,
            }


if __name__ == "__main__":
    main()
