"""How many of NVIDIA's cuda-samples run to their own success message on the emulator.

``python -m benchmarks.cuda_samples FOLDER`` takes the folder of a checkout of NVIDIA's cuda-samples, runs each console
sample that needs no library beyond the runtime, cooperative groups, Thrust and CUB, and writes
``results/cuda-samples.json`` and ``tables/cuda-samples.md``. Nothing of the samples enters this repository.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tools import pages
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "cuda-samples.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "cuda-samples.md"
GROUPS = ("0_Introduction", "1_Utilities", "2_Concepts_and_Techniques", "3_CUDA_Features", "6_Performance")
SECONDS = 300

ARGUMENTS = {
    "reduction": ["--n=65536"],
    "matrixMul": ["-wA=64", "-hA=64", "-wB=64", "-hB=64"],
    "alignedTypes": [],
}
"""Smaller sizes, for samples that take them."""

_EXCLUDED = (
    (
        "graphics",
        re.compile(
            r"\b(?:GL/|GLFW|glut|EGL|vulkan|d3d\d+|FreeImage|cuda_gl_interop|rendercheck)", re.IGNORECASE
        ),
    ),
    (
        "another library",
        re.compile(
            r"<(?:cublas|cufft|curand|cusparse|cusolver|npp|nvjpeg|nvrtc|cudla|mpi|NvSci)\w*(?:_v2)?\.h>|nvrtc_helper"
        ),
    ),
    (
        "the driver API",
        re.compile(r"[<\"](?:cuda\.h|cuda_drvapi|cuda_drvapi_dynlink\.h|helper_cuda_drvapi\.h)[>\"]"),
    ),
    ("several processes", re.compile(r"helper_multiprocess\.h|cudaIpc\w+")),
)
_SUCCESS = re.compile(r"\b(?:pass(?:ed|ing)?|success(?:ful|fully)?|OK|completed|done)\b", re.IGNORECASE)
_FAILURE = re.compile(r"\bfail(?:ed|ure)?\b|\berror\b", re.IGNORECASE)
_MISSING = re.compile(
    r"(cuda\w+) is missing in Grader's runtime|The program calls ([^,]+)|(The program does not compile[^\n]*\n[^\n]*)"
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one sample did. ``excluded``: why it is not among those that can run; else ``passed``, or why not."""

    sample: str
    excluded: str = ""
    passed: bool = False
    why: str = ""
    seconds: float = 0.0
    findings: int = 0


def samples(folder: Path) -> Iterator[Path]:
    """The folders of the samples of all groups."""
    for group in GROUPS:
        yield from (each for each in sorted((folder / "Samples" / group).iterdir()) if each.is_dir())


def exclusion(sample: Path) -> str:
    """Why the sample cannot count, empty if it can."""
    texts = [
        path.read_text(errors="replace")
        for path in sample.rglob("*")
        if path.suffix in {".cu", ".cpp", ".h", ".cuh", ".c"}
    ]
    if not any(sample.rglob("*.cu")):
        return "no .cu file"
    return next((why for why, pattern in _EXCLUDED if any(pattern.search(text) for text in texts)), "")


def outcome(sample: Path, common: Path) -> Outcome:
    """Run one sample."""
    if why := exclusion(sample):
        return Outcome(sample.name, excluded=why)
    command = [sys.executable, "-c", "from grader.cli.app import main; main()", "run", ".", "-I", str(common)]
    command += ["--seconds", str(SECONDS), "--trust", "--", *ARGUMENTS.get(sample.name, [])]
    started = time.monotonic()
    try:
        done = subprocess.run(
            command,
            cwd=sample,
            env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS + 120,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Outcome(sample.name, why="takes too long", seconds=SECONDS + 120.0)
    seconds = time.monotonic() - started
    said = " ".join(done.stdout.split())
    # Some samples print no message of success: those succeed by their exit code.
    passed = done.returncode == 0 and (bool(_SUCCESS.search(said)) or not _FAILURE.search(said))
    missing = _MISSING.search(" ".join(done.stderr.split()))
    why = "" if passed else _reason(done.returncode, done.stdout, done.stderr, missing)
    return Outcome(
        sample.name, passed=passed, why=why, seconds=round(seconds, 1), findings=done.stderr.count("error: ")
    )


def _reason(code: int, stdout: str, stderr: str, missing: "re.Match[str] | None") -> str:
    if missing is not None:
        return f"{next(filter(None, missing.groups()))} is missing"
    lines = [line for line in (*stdout.splitlines(), *stderr.splitlines()) if _FAILURE.search(line)]
    return (
        f"exit code {code}: {lines[-1].strip()[:160] if lines else (stderr.strip() or stdout.strip())[-160:]}"
    )


def table(results: dict[str, Any]) -> str:
    """The samples that count, and how each ended."""
    rows = [
        (f"`{each['sample']}`", "yes" if each["passed"] else "no", each["why"], f"{each['seconds']:.1f} s")
        for each in results["samples"]
        if not each["excluded"]
    ]
    passed = sum(row[1] == "yes" for row in rows)
    return f"{passed} of {len(rows)} samples.\n\n{pages.table(('sample', 'runs', 'reason', 'time'), rows, 1)}"


def main() -> None:
    """Run the samples, and write the record and the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--only", action="append", help="A sample (repeatable); nothing is recorded then.")
    given = options.parse_args()
    common = (given.folder / "Common").resolve()
    found = []
    for sample in samples(given.folder.resolve()):
        if given.only and sample.name not in given.only:
            continue
        found.append(outcome(sample, common))
        sys.stderr.write(json.dumps(asdict(found[-1])) + "\n")
    if not given.only:
        results = {
            "schema_version": 1,
            "provenance": machine_provenance(),
            "samples": list(map(asdict, found)),
        }
        pages.keep(results, RESULTS)
        pages.write({"samples": table(results)}, PAGE)


if __name__ == "__main__":
    main()
