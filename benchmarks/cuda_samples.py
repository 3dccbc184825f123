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
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tools import pages
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "cuda-samples.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "cuda-samples.md"
GROUPS = (
    *("0_Introduction", "1_Utilities", "2_Concepts_and_Techniques", "3_CUDA_Features", "5_Domain_Specific"),
    "6_Performance",
)
SECONDS = 240
"""Wall time of one sample."""

ARGUMENTS = {
    "reduction": ["--n=65536"],
    "matrixMul": ["-wA=64", "-hA=64", "-wB=64", "-hB=64"],
    "reductionMultiBlockCG": ["--n=65536"],
    "eigenvalues": ["--iters-timing=1", "--matrix-size=256"],
    "radixSortThrust": ["--n=16384", "--iterations=1"],
    "transpose": ["--dimX=128", "--dimY=128"],
    "globalToShmemAsyncCopy": ["-wA=128", "-hA=128", "-wB=128", "-hB=128"],
    "UnifiedMemoryPerf": ["--kernel-iterations=1"],
    "FDTD3d": ["--dimx=96", "--dimy=96", "--dimz=96", "--timesteps=1"],
}
"""Smaller sizes, for samples that take them."""

_DYNAMIC = (
    "its kernels launch kernels, which is not carried out: host and device code are compiled without linking"
)
_SLOW = "does not end within the limit on this machine"

KNOWN = {
    **dict.fromkeys(
        (
            *("cdpAdvancedQuicksort", "cdpBezierTessellation", "cdpQuadtree", "cdpSimplePrint"),
            "cdpSimpleQuicksort",
        ),
        _DYNAMIC,
    ),
    **dict.fromkeys(
        (
            *(
                "BlackScholes",
                "HSOpticalFlow",
                "UnifiedMemoryPerf",
                "alignedTypes",
                "convolutionTexture",
                "scan",
            ),
            *("simpleAttributes", "simplePitchLinearTexture", "stereoDisparity"),
        ),
        _SLOW,
    ),
    "graphConditionalNodes": "conditional nodes of graphs are not carried out",
    "graphMemoryFootprint": "nodes of graphs that allocate memory are not carried out",
    "graphMemoryNodes": "allocation while a stream is captured, and nodes that allocate, are not carried out",
    "reduction": "with few elements it reads lanes that take no part in a shuffle: undefined, and reported at its line",
    "segmentationTreeThrust": "with the installed CCCL its headers do not declare `thrust::make_tuple`",
}
"""Why samples are known to fail, in the place of their last message."""

OPTIONS = {
    "simpleAttributes": ["--device", "h200"],
    "simpleP2P": ["--devices", "2"],
    "simpleMultiGPU": ["--devices", "2"],
    "streamOrderedAllocationP2P": ["--devices", "2"],
    "p2pBandwidthLatencyTest": ["--devices", "2"],
}
"""The imitated devices, for samples that do nothing with one of compute capability 7.5."""

_SOURCES = frozenset({".cu", ".cpp", ".h", ".cuh", ".c"})
_COMPILED = frozenset({".cu", ".cpp"})

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
            r"<(?:nvtx3/|cublas|cufft|curand|cusparse|cusolver|npp|nvjpeg|nvrtc|cudla|mpi|NvSci)\w*(?:_v2)?\.h>|nvrtc_helper"
        ),
    ),
    (
        "the driver API",
        re.compile(r"[<\"](?:cuda\.h|cuda_drvapi|cuda_drvapi_dynlink\.h|helper_cuda_drvapi\.h)[>\"]"),
    ),
    ("several processes", re.compile(r"helper_multiprocess\.h|cudaIpc\w+")),
)
_SUCCESS = re.compile(r"\b(?:pass(?:ed|ing)?|success(?:ful|fully)?|OK|completed|done)\b", re.IGNORECASE)
_FAILURE = re.compile(r"\bfail(?:ed|ure)?\b|\berror\b(?!\s*[:=]\s*0(?:\.0*)?(?![.\d]))", re.IGNORECASE)
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
    texts = [path.read_text(errors="replace") for path in sample.rglob("*") if path.suffix in _SOURCES]
    if not any(path.suffix in _COMPILED for path in sample.rglob("*")):
        return "no program"
    return next((why for why, pattern in _EXCLUDED if any(pattern.search(text) for text in texts)), "")


def outcome(sample: Path, common: Path) -> Outcome:
    """Run one sample."""
    if why := exclusion(sample):
        return Outcome(sample.name, excluded=why)
    command = [sys.executable, "-c", "from grader.cli.app import main; main()", "run", ".", "-I", str(common)]
    for folder in sorted({path.parent for path in sample.rglob("*.h") if path.parent != sample}):
        command += ["-I", str(folder)]
    command += ["--seconds", str(SECONDS), "--trust", "--fast", *OPTIONS.get(sample.name, [])]
    command += ["--", *ARGUMENTS.get(sample.name, [])]
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
    """The samples that count, and how each ended; then those that do not, by the reason."""
    counted = [each for each in results["samples"] if not each["excluded"]]
    rows = [
        (
            f"`{each['sample']}`",
            "yes" if each["passed"] else "no",
            "" if each["passed"] else KNOWN.get(each["sample"], each["why"]),
            f"{each['seconds']:.1f} s",
        )
        for each in counted
    ]
    passed = sum(each["passed"] for each in counted)
    made = results["provenance"]
    left_out = defaultdict(list)
    for each in results["samples"]:
        if each["excluded"]:
            left_out[each["excluded"]].append(f"`{each['sample']}`")
    share = f"{passed} of {len(counted)} samples run ({passed / max(len(counted), 1):.0%})"
    machine = f"a machine with {made['cores']} cores that did other work too (load {made['load']:.0f})"
    measured = f"commit `{made['commit'][:7]}`, {made['measured_at'][:10]}, {machine}"
    return "\n\n".join(
        (
            f"{share}, each within {results['seconds']} s; {measured}.",
            pages.table(("sample", "runs", "reason", "time"), rows, 3),
            "Left out:",
            "\n".join(f"- {why}: {', '.join(names)}" for why, names in sorted(left_out.items())),
        )
    )


def record(found: Iterable[Outcome]) -> None:
    """Put outcomes in the place of earlier ones of the same samples, and write the page."""
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"samples": []}
    rows = {each["sample"]: each for each in kept["samples"]} | {each.sample: asdict(each) for each in found}
    results = {
        "schema_version": 1,
        "provenance": machine_provenance(),
        "seconds": SECONDS,
        "samples": [rows[name] for name in sorted(rows)],
    }
    pages.keep(results, RESULTS)
    pages.write({"samples": table(results)}, PAGE)


def main() -> None:
    """Run the samples, and write the record and the page after each."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--only", action="append", help="A sample to run again (repeatable).")
    options.add_argument("--workers", type=int, default=1, help="How many samples run at a time.")
    given = options.parse_args()
    common = (given.folder / "Common").resolve()
    chosen = [each for each in samples(given.folder.resolve()) if not given.only or each.name in given.only]
    with ThreadPoolExecutor(given.workers) as pool:
        for found in pool.map(lambda sample: outcome(sample, common), chosen):
            sys.stderr.write(json.dumps(asdict(found)) + "\n")
            record((found,))


if __name__ == "__main__":
    main()
