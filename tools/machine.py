"""Provenance of a benchmark on the CPU: when, on which commit, on what machine."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from grader.grading.provenance import commit
from tools.paths import CHECKOUT


def machine_provenance(**more: Any) -> dict[str, Any]:
    """The record's provenance, with ``more`` of the benchmark's own. ``load`` is the machine's over the last minute."""
    return {
        "measured_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(CHECKOUT),
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "kernel": platform.release(),
        "python": platform.python_version(),
        **more,
    }


def _cpu() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.machine())
