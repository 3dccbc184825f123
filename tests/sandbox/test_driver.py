"""The driver's libraries are found where the machine installs them."""

from pathlib import Path

import pytest

from grader.sandbox import loader_cache
from grader.sandbox.driver import driver_libraries


def driver_in(folder: Path, *names: str) -> Path:
    folder.mkdir()
    for name in names:
        (folder / name).write_bytes(name.encode())
    return folder


def test_what_starts_kernels_and_what_compiles_for_them_is_found(tmp_path: Path) -> None:
    names = (
        "libcuda.so.1",
        "libnvidia-ptxjitcompiler.so.1",
        "libnvidia-gpucomp.so.580.1",
        "libnvidia-nvvm.so.4",
    )
    folder = driver_in(tmp_path / "lib", *names, "libcudart.so.13", "libnvidia-glcore.so.580.1")
    assert driver_libraries([folder]) == {name: folder / name for name in names}


def test_a_link_is_followed_and_keeps_its_name(tmp_path: Path) -> None:
    folder = driver_in(tmp_path / "lib", "libcuda.so.580.1")
    (folder / "libcuda.so.1").symlink_to("libcuda.so.580.1")
    assert driver_libraries([folder]) == {"libcuda.so.1": folder / "libcuda.so.580.1"}


def test_the_first_folder_counts(tmp_path: Path) -> None:
    newer, older = (driver_in(tmp_path / name, "libcuda.so.1") for name in ("newer", "older"))
    assert driver_libraries([tmp_path / "absent", newer, older]) == {"libcuda.so.1": newer / "libcuda.so.1"}


def test_the_loaders_path_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = driver_in(tmp_path / "lib", "libcuda.so.1")
    monkeypatch.setenv("LD_LIBRARY_PATH", f":{folder}")
    assert driver_libraries()["libcuda.so.1"] == folder / "libcuda.so.1"


def test_the_loaders_cache_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = driver_in(tmp_path / "lib", "libcuda.so.1")
    linker = tmp_path / "ldconfig"
    line = f"\tlibcuda.so.1 (libc6,x86-64) => {folder}/libcuda.so.1"
    linker.write_text(f"#!/bin/sh\necho '1 libs found in cache'\necho '{line}'\n")
    linker.chmod(0o755)
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    monkeypatch.setattr(loader_cache, "_LINKER", str(linker))
    assert driver_libraries()["libcuda.so.1"] == folder / "libcuda.so.1"
