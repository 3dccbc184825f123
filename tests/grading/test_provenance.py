"""What a table of times was made with."""

from importlib.metadata import version
from pathlib import Path

import pytest

from grader.grading.provenance import COMMIT_VARIABLE, provenance
from grader.model.run import EngineKind
from tests.paths import CHECKOUT


def test_a_copy_without_gits_records_is_of_the_commit_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert provenance(EngineKind.EMULATOR, tmp_path).commit == ""
    monkeypatch.setenv(COMMIT_VARIABLE, "0123abc")
    made = provenance(EngineKind.EMULATOR, tmp_path)
    assert (made.commit, made.changed) == ("0123abc", False)


def test_the_releases_that_make_and_run_kernels_are_told_and_no_gpu_on_the_emulator() -> None:
    made = provenance(EngineKind.EMULATOR, CHECKOUT)
    for name in ("numba", "numba-cuda", "numpy", "cuda-bindings"):
        assert made.packages[name] == version(name)
    assert (made.driver, made.gpu) == ("", "")
