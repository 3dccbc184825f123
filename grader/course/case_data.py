"""Write the inputs and the expected outputs of cases as files, for a look at them with NumPy."""

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.grading.cases import prepare
from grader.labs.lab import Lab
from grader.labs.manifest import Case
from grader.report import json_files
from grader.report.files import write_atomically

INDEX = "index.json"

_README = """\
The inputs and the expected outputs of public cases, as NumPy arrays; index.json lists them.

    import numpy as np
    a = np.load("CASE/inputs/NAME.npy")
    expected = np.load("CASE/expected/NAME.npy")

Expected values have float64 precision, or are exact integers. Grader allows each element a small error.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayFile:
    """One array: its parameter's ``name``, and its ``file`` relative to the index."""

    name: str
    file: str
    dtype: str
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFiles:
    """The arrays of one case."""

    name: str
    sizes: Mapping[str, int]
    values: Mapping[str, Any]
    inputs: tuple[ArrayFile, ...]
    expected: tuple[ArrayFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseIndex:
    """Everything in the folder; ``seed`` gives the same inputs again."""

    schema_version: int
    lab: str
    lab_version: str
    seed: int
    cases: tuple[CaseFiles, ...]


def dump_cases(folder: Path, lab: Lab, cases: Iterable[Case], seed: int) -> None:
    """Write the arrays of ``cases`` for ``seed`` below ``folder``, with an index and a README.

    Raises: ``UserError`` if they cannot be written, ``InfrastructureError`` if the lab's code fails.
    """
    index = CaseIndex(
        schema_version=1,
        lab=lab.name,
        lab_version=lab.manifest.version,
        seed=seed,
        cases=tuple(_dump_case(folder, lab, case, seed) for case in cases),
    )
    json_files.write(folder / INDEX, index)
    write_atomically(folder / "README.txt", _README.encode())


def _dump_case(folder: Path, lab: Lab, case: Case, seed: int) -> CaseFiles:
    prepared = prepare(lab, case, seed)
    expected = {name: np.asarray(answer.value) for name, answer in prepared.expected.items()}
    return CaseFiles(
        name=case.name,
        sizes=case.sizes,
        values=case.values,
        inputs=tuple(_dump_arrays(folder, f"{case.name}/inputs", prepared.inputs.arrays)),
        expected=tuple(_dump_arrays(folder, f"{case.name}/expected", expected)),
    )


def _dump_arrays(folder: Path, below: str, arrays: Mapping[str, NDArray[Any]]) -> Iterator[ArrayFile]:
    for name, array in arrays.items():
        file = f"{below}/{name}.npy"
        data = io.BytesIO()
        np.save(data, array, allow_pickle=False)
        write_atomically(folder / file, data.getvalue())
        yield ArrayFile(name=name, file=file, dtype=array.dtype.name, shape=array.shape)
