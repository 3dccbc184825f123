"""Record the figures of these tests: the cases in which each rung was right, with their provenance."""

import json
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from grader.engines.cuda.engine import CudaEngine
from tools.gpu_provenance import provenance
from tools.paths import CHECKOUT
from tools.rung_kernels import SCHEMA_VERSION

RIGHT = "gpu-rungs"
"""The test property that holds a figure (a case in which a kernel was right), and the file name."""


class Recorder:
    """A pytest plugin: collects the figures that tests record, and writes them at the end even if tests fail."""

    def __init__(self) -> None:
        self._found: list[Any] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the figures of a test that passed."""
        if report.when == "call" and report.passed:
            self._found += [value for name, value in report.user_properties if name == RIGHT]

    def pytest_sessionfinish(self) -> None:
        """Write the figures into the folder ``GRADER_GPU_RESULTS``, by default ``benchmarks/results``."""
        if not self._found:
            return
        folder = Path(os.environ.get("GRADER_GPU_RESULTS") or CHECKOUT / "benchmarks" / "results")
        folder.mkdir(parents=True, exist_ok=True)
        engine = CudaEngine()
        document = {
            "schema_version": SCHEMA_VERSION,
            "provenance": provenance(engine.device, CHECKOUT),
            "figures": _by_kernel(self._found),
        }
        engine.close()
        (folder / f"{RIGHT}.json").write_text(json.dumps(document, indent=1) + "\n")


def _by_kernel(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return one figure per kernel, with all the cases in which it was right."""
    cases: dict[tuple[tuple[str, str], ...], list[str]] = defaultdict(list)
    for kernel in found:
        cases[tuple((name, value) for name, value in kernel.items() if name != "case")].append(kernel["case"])
    return [{**dict(kernel), "right": right} for kernel, right in cases.items()]
