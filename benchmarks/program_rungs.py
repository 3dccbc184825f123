"""The rungs of the program labs in CUDA C++, timed end to end on a real GPU over their baseline.

``python -m benchmarks.program_rungs FOLDER [LAB...]`` grades every rung on the GPU, writes ``program-rungs.json`` into
``FOLDER``, again after every rung, and prints the tables. Of all program labs by default; it needs a GPU.
``python -m benchmarks.program_rungs --page`` puts the recorded tables into the labs' handouts.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from grader.grading.rungs import rung_files, rung_sources
from grader.grading.validate import handout_name
from grader.labs.lab import Lab
from grader.model.report import SpeedupKind
from grader.model.submission import Language
from tools import pages
from tools.labs import built_in_labs
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "program-rungs.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """What a handout says, in one language."""

    caption: str
    header: tuple[str, ...]


_WORDS = {
    "en": _Words(
        caption="Measured {where}; {sizes}; CUDA C++, end to end.",
        header=("rung", "time, µs", "over `{baseline}`", "pairs"),
    ),
    "ru": _Words(
        caption="Измерено: {where}; {sizes}; CUDA C++, от начала до конца.",
        header=("программа", "время, мкс", "к `{baseline}`", "пар"),
    ),
    "zh": _Words(
        caption="{where} 实测，{sizes}，CUDA C++，端到端。",
        header=("参考程序", "时间，µs", "相对 `{baseline}`", "对数"),
    ),
}

Rung = Mapping[str, Any]
"""Seconds of the baseline and of the rung itself, pair by pair."""


def program_labs() -> Iterator[Lab]:
    """The labs that ask for whole programs."""
    return (lab for lab in built_in_labs().labs.values() if lab.manifest.program is not None)


def measured_pairs(report: Mapping[str, Any], baseline: str) -> Rung:
    """The measured pairs over ``baseline`` in a document of ``grader check --json``.

    Raises: ``ValueError`` where none were measured: the rung is wrong there, or no GPU timed it.
    """
    (graded,) = report["reports"]
    (kernel,) = graded["kernels"]
    for timing in kernel["timings"]:
        if timing["rung"] == baseline and timing["kind"] == SpeedupKind.MEASURED:
            return {side: [pair[side] for pair in timing["pairs"]] for side in ("baseline", "submission")}
    msg = f"{graded['lab']}: {graded['verdict']}, and nothing was measured over {baseline}"
    raise ValueError(msg)


def table(rungs: Mapping[str, Rung], baseline: str, language: str = "en") -> str:
    """The table of a lab's rungs."""
    header = [each.format(baseline=baseline) for each in _WORDS[language].header]
    return pages.table(header, (_row(name, pairs) for name, pairs in rungs.items()), 1)


def _row(name: str, pairs: Rung) -> tuple[str, ...]:
    ratios = [base / own for base, own in zip(pairs["baseline"], pairs["submission"], strict=True)]
    time = median(pairs["submission"])
    return f"`{name}`", f"{time * 1e6:.0f}", f"{median(ratios):.2f}", str(len(ratios))


def section(document: Mapping[str, Any], lab: Lab, language: str = "en") -> str:
    """What a handout says of the recorded run."""
    case = next(case for case in reversed(lab.manifest.cases) if "time" in case.use)
    sizes = ", ".join(f"{name} = {value}" for name, value in case.sizes.items())
    caption = _WORDS[language].caption.format(where=pages.measured_on(document["provenance"]), sizes=sizes)
    return f"{caption}\n\n{table(document['labs'][lab.name], lab.manifest.baseline, language)}"


def _graded(lab: Lab, rung: str) -> Rung:
    """The rung, graded on the GPU as a submission is."""
    files = rung_files(lab, lab.manifest.rung(rung), Language.CUDA_C)
    with tempfile.TemporaryDirectory(prefix="grader-rung-") as folder:
        document = Path(folder) / "results.json"
        source, *_ = files
        asked = ["check", str(source), "--lab", lab.name, "--engine", "cuda", "--json", str(document)]
        subprocess.run([Path(sys.executable).with_name("grader"), *asked], check=True, cwd=CHECKOUT)
        return measured_pairs(json.loads(document.read_text(encoding="utf-8")), lab.manifest.baseline)


def main() -> int:
    """Measure and write, or make the tables of the handouts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("labs", nargs="*")
    parser.add_argument("--page", action="store_true")
    asked = parser.parse_args()
    labs = [lab for lab in program_labs() if not asked.labs or lab.name in asked.labs]
    if asked.page:
        document = json.loads(RESULTS.read_text(encoding="utf-8"))
        for lab in labs:
            for code in lab.manifest.handouts:
                said = {pages.HANDOUT_SECTION: section(document, lab, code)}
                pages.write(said, lab.folder / handout_name(code))
        return 0
    from grader.engines.cuda.engine import CudaEngine  # noqa: PLC0415 - needs a GPU
    from tools.gpu_provenance import provenance  # noqa: PLC0415 - needs a GPU

    document = {"schema_version": 1, "provenance": provenance(CudaEngine().device, CHECKOUT), "labs": {}}
    asked.folder.mkdir(parents=True, exist_ok=True)
    for lab in labs:
        rungs = document["labs"].setdefault(lab.name, {})
        for rung in lab.manifest.rungs:
            if Language.CUDA_C in rung_sources(lab, rung):
                rungs[rung.name] = _graded(lab, rung.name)
                pages.keep(document, asked.folder / RESULTS.name)
        sys.stdout.write(f"{lab.name}\n\n{section(document, lab)}\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
