"""Where the figures of these tests go: one JSON file for each kind, with the provenance of all in it."""

import json
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from grader.engines.cuda.engine import CudaEngine
from tests.gpu.provenance import provenance
from tests.paths import CHECKOUT

SCHEMA_VERSION = 1

RIGHT, TIMED = "gpu-rungs", "gpu-ladder"
"""The properties of tests that are figures, and what their files are called: a case in which a kernel was right, and
a kernel's times on a case."""


class Recorder:
    """A pytest plugin: keeps what tests recorded, and writes it in the end, whatever failed on the way."""

    def __init__(self) -> None:
        self._found: dict[str, list[dict[str, Any]]] = defaultdict(list)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the figures of a test that passed."""
        if report.when == "call" and report.passed:
            for name, value in report.user_properties:
                if name in (RIGHT, TIMED):
                    self._found[name].append(value)  # type: ignore[arg-type]

    def pytest_sessionfinish(self) -> None:
        """Write ``<name>.json`` into the folder ``GRADER_GPU_RESULTS``, by default ``benchmarks/results``."""
        documents = {TIMED: self._found[TIMED], RIGHT: _by_kernel(self._found[RIGHT])}
        if not any(documents.values()):
            return
        folder = Path(os.environ.get("GRADER_GPU_RESULTS") or CHECKOUT / "benchmarks" / "results")
        folder.mkdir(parents=True, exist_ok=True)
        engine = CudaEngine()
        of_all = provenance(engine.device, CHECKOUT)
        engine.close()
        for name, figures in documents.items():
            if figures:
                document = {"schema_version": SCHEMA_VERSION, "provenance": of_all, "figures": figures}
                (folder / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n")


def _by_kernel(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One figure of each kernel, with all the cases in which it was right."""
    cases: dict[tuple[tuple[str, str], ...], list[str]] = defaultdict(list)
    for kernel in found:
        cases[tuple((name, value) for name, value in kernel.items() if name != "case")].append(kernel["case"])
    return [{**dict(kernel), "right": right} for kernel, right in cases.items()]
