"""Where the figures of these tests go: one JSON file for each kind, with the provenance of all in it."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from grader.model.device import Device
from tests.gpu.provenance import provenance
from tests.paths import CHECKOUT

SCHEMA_VERSION = 1


def record(name: str, device: Device, figures: Iterable[dict[str, object]]) -> None:
    """Write ``figures`` to ``<name>.json`` in the folder ``GRADER_GPU_RESULTS``, by default ``benchmarks/results``."""
    folder = Path(os.environ.get("GRADER_GPU_RESULTS") or CHECKOUT / "benchmarks" / "results")
    folder.mkdir(parents=True, exist_ok=True)
    document = {
        "schema_version": SCHEMA_VERSION,
        "provenance": provenance(device, CHECKOUT),
        "figures": list(figures),
    }
    (folder / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n")
