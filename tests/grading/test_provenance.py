"""Provenance of a table of times."""

from importlib.metadata import version
from pathlib import Path

import pytest

from grader.grading import provenance as module
from grader.grading.provenance import COMMIT_VARIABLE, provenance
from grader.model.run import EngineKind
from tools.paths import CHECKOUT


def test_a_copy_without_git_uses_the_named_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert provenance(EngineKind.EMULATOR, tmp_path).commit == ""
    monkeypatch.setenv(COMMIT_VARIABLE, "0123abc")
    made = provenance(EngineKind.EMULATOR, tmp_path)
    assert (made.commit, made.changed) == ("0123abc", False)


def test_toolchain_releases_are_reported_without_a_gpu() -> None:
    made = provenance(EngineKind.EMULATOR, CHECKOUT)
    for name in ("numba", "numba-cuda", "numpy", "cuda-bindings"):
        assert made.packages[name] == version(name)
    assert (made.driver, made.gpu) == ("", "")


@pytest.mark.parametrize(
    ("text", "driver"),
    [
        (
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build\nGCC 14.2.1\n",
            "580.159.04",
        ),
        ("NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54  Tue Apr 1 12:00:00 UTC 2025\n", "550.54"),
        ("a driver of another kind\n", "a driver of another kind"),
    ],
)
def test_the_drivers_release_is_reported(
    text: str, driver: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "version").write_text(text)
    monkeypatch.setattr(module, "_DRIVER", tmp_path / "version")
    monkeypatch.setattr(module, "chosen_uuid", lambda: "GPU-1")
    assert provenance(EngineKind.CUDA, tmp_path).driver == driver
