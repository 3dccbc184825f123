"""Built rungs are cached between runs, only for the same sources, grader and compilers."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader.cache import CACHE_VARIABLE
from grader.grading import rung_cache as module
from grader.grading.rung_cache import RungCache, rung_cache
from grader.model.build import BuildRequest
from grader.model.kernel import KernelSpec, Param
from grader.model.module import Abi, BuiltKernel, DeviceModule, DeviceUnit, KernelResources
from grader.model.submission import Language, SourceFile

PARAMS = (Param.parse("int32 out[n]"),)
REQUEST = BuildRequest(
    language=Language.CUDA_C,
    files=(SourceFile(name="rung.cu", data=b"__global__ void k(int *out) {}"),),
    kernels=(KernelSpec(name="k", params=PARAMS),),
)
MODULE = DeviceModule(
    units=(DeviceUnit(name="rung.cu", ptx=".version 8.0", cubins={"sm_75": b"\x7fELF"}),),
    kernels=(
        BuiltKernel(
            name="k",
            symbol="_Z1kPi",
            unit=0,
            abi=Abi.C,
            params=PARAMS,
            resources=KernelResources(
                registers=8, spill_bytes=0, local_bytes=0, shared_bytes=0, max_threads=1024
            ),
        ),
    ),
    user_files=("rung.cu",),
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RungCache:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    return rung_cache()


def test_a_module_is_read_as_it_was_written(cache: RungCache) -> None:
    assert cache.read(REQUEST) is None
    cache.write(REQUEST, MODULE)
    assert cache.read(REQUEST) == MODULE


def test_another_source_or_device_is_another_entry(cache: RungCache) -> None:
    cache.write(REQUEST, MODULE)
    source = SourceFile(name="rung.cu", data=b"__global__ void k(int *out) { *out = 1; }")
    assert cache.read(replace(REQUEST, files=(source,))) is None
    assert cache.read(replace(REQUEST, arch="sm_90")) is None


@pytest.mark.parametrize(
    ("name", "answer"),
    [("grader_digest", "other"), ("toolchain", {"nvrtc": "99.0"})],
    ids=["grader", "compiler"],
)
def test_another_version_is_another_entry(
    cache: RungCache, name: str, answer: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache.write(REQUEST, MODULE)
    monkeypatch.setattr(module, name, lambda: answer)
    assert cache.read(REQUEST) is None


def test_a_damaged_module_is_built_again(cache: RungCache, tmp_path: Path) -> None:
    cache.write(REQUEST, MODULE)
    (entry,) = (tmp_path / "rungs").iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])
    assert cache.read(REQUEST) is None
