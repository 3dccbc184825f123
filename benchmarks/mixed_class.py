"""A class as it hands in: kernels that are right, on all rungs of the ladders, and mutants, in both languages.

Every submission differs from all others, so none is known before.
"""

import random
import tomllib
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from grader.grading.mutants import mutant_files, read_mutant
from grader.grading.rungs import rung_files, rung_sources
from grader.labs.lab import Lab
from grader.labs.registry import discover
from grader.languages import by_suffix, support
from grader.model.submission import Language
from tools.paths import CHECKOUT

LABS = ("row-sum", "transpose", "matmul")
MUTANTS, NUMBA = 0.25, 0.2
"""Shares of the class: mutants, and kernels in Numba."""

_COMMENTS = {Language.CUDA_C: "//", Language.NUMBA: "#"}


def write_class(folder: Path, count: int, seed: int = 1, names: Sequence[str] = LABS) -> None:
    """Write ``count`` submissions of the labs ``names`` in turn into ``folder``, one folder each."""
    rng = random.Random(seed)
    registry = discover()
    labs = [registry.get(name) for name in names]
    is_mutant, is_numba = (_chosen(rng, count, share) for share in (MUTANTS, NUMBA))
    for number in range(count):
        lab, language = labs[number % len(labs)], Language.NUMBA if is_numba[number] else Language.CUDA_C
        choose = _mutant if is_mutant[number] else _right
        files = choose(lab, language, rng)
        student = folder / lab.name / f"student-{number:03}"
        student.mkdir(parents=True)
        _write(student, lab, files, f"{_COMMENTS[language]} variant {number}\n")


def _chosen(rng: random.Random, count: int, share: float) -> list[bool]:
    chosen = round(count * share)
    flags = [True] * chosen + [False] * (count - chosen)
    rng.shuffle(flags)
    return flags


def _mutant(lab: Lab, language: Language, rng: random.Random) -> list[Path]:
    suffix = support(language).suffix
    path = rng.choice(sorted((lab.folder / "mutants").glob(f"*{suffix}")))
    return mutant_files(lab, read_mutant(path))


def _right(lab: Lab, language: Language, rng: random.Random) -> list[Path]:
    """Files of a right submission: a sample, or rungs that together have every kernel of the lab."""
    ways: Sequence[Callable[[], list[Path]]] = (
        lambda: _rungs(lab, language, rng),
        *(lambda path=path: [path] for path in _samples(lab, language)),
    )
    return rng.choice(ways)()


def _samples(lab: Lab, language: Language) -> Iterator[Path]:
    expected = tomllib.loads((CHECKOUT / "submissions" / "expected.toml").read_text(encoding="utf-8"))
    for each in expected["expected"]:
        if each["lab"] == lab.name and each["verdict"] == "accepted":
            path = CHECKOUT / "submissions" / lab.name / f"{each['student']}{support(language).suffix}"
            if path.is_file():
                yield path


def _rungs(lab: Lab, language: Language, rng: random.Random) -> list[Path]:
    files: list[Path] = []
    kernels: set[str] = set()
    for request in lab.manifest.kernels:
        fitting = [
            rung
            for rung in lab.manifest.rungs
            if request.spec.name in rung.kernels and language in rung_sources(lab, rung)
        ]
        if request.spec.name not in kernels:
            rung = rng.choice(fitting)
            kernels.update(rung.kernels)
            files += rung_files(lab, rung, language)
    return list(dict.fromkeys(files))


def _write(folder: Path, lab: Lab, files: Sequence[Path], end: str) -> None:
    """Write one file with all kernels, as a student hands them in, and the files that they share."""
    kernels = [path for path in files if path.suffix in by_suffix() and path.parent != lab.common]
    text = b"\n".join(chain((path.read_bytes() for path in kernels), [end.encode()]))
    (folder / f"kernels{kernels[0].suffix}").write_bytes(text)
    for path in files:
        if path not in kernels:
            (folder / path.name).write_bytes(path.read_bytes())
