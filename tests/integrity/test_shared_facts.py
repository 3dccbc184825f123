"""Stored facts serve another submission only if everything that determines them is equal."""

from dataclasses import fields, replace
from typing import Any

import pytest

from grader.model.report import EngineInfo
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.store.values import FactsKey

KEY = FactsKey(
    submission="s",
    lab="matmul",
    lab_code="c",
    engine=EngineInfo(kind=EngineKind.EMULATOR, device="Tesla T4"),
    toolchain="t",
    trusted=False,
)
CHANGED: dict[str, Any] = {
    "submission": "other",
    "lab": "other",
    "lab_code": "other",
    "engine": EngineInfo(kind=EngineKind.CUDA, device="Tesla T4"),
    "toolchain": "other",
    "trusted": True,
}

FILE = SourceFile(name="a.cu", data=b"kernel")
MINE = Submission(student="ann", lab="matmul", language=Language.CUDA_C, files=(FILE,), path="x")


@pytest.mark.parametrize("name", [field.name for field in fields(FactsKey)])
def test_every_part_of_the_key_counts(name: str) -> None:
    assert replace(KEY, **{name: CHANGED[name]}).digest != KEY.digest


def test_neither_the_student_nor_the_path_counts() -> None:
    assert replace(MINE, student="bob", path="y").digest == MINE.digest


@pytest.mark.parametrize(
    "files",
    [
        (SourceFile(name="a.cu", data=b"kernel "),),
        (SourceFile(name="A.cu", data=b"kernel"),),
        (SourceFile(name="a.cuk", data=b"ernel"),),
        (FILE, SourceFile(name="b.cuh", data=b"")),
        (SourceFile(name="a.cu", data=b""), SourceFile(name="", data=b"kernel")),
        (),
    ],
)
def test_files_that_differ_in_anything_are_another_submission(files: tuple[SourceFile, ...]) -> None:
    assert replace(MINE, files=files).digest != MINE.digest


def test_another_language_is_another_submission() -> None:
    assert replace(MINE, language=Language.NUMBA).digest != MINE.digest
