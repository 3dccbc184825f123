"""The library that records a program's work through CUPTI, built once for each toolkit."""

import hashlib
import importlib.util
import tempfile
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from grader.cache import CacheFolder
from grader.errors import UserError
from grader.programs.compiler import run_compiler
from grader.programs.toolchain import Toolchain

_SOURCE = "recorder.cpp"
_LIBRARY = "libcupti.so.13"
_FOLDERS = ("lib", "lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib", "extras/CUPTI/lib64")
_HEADERS = ("include", "targets/x86_64-linux/include", "targets/sbsa-linux/include", "extras/CUPTI/include")
_USUAL_HOME = Path("/usr/local/cuda")
_PACKAGE = "nvidia.cu13"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cupti:
    """The folders of CUPTI's library and headers."""

    library: Path
    include: Path


def find_cupti(toolchain: Toolchain) -> Cupti:
    """CUPTI of the toolkit or of an installed package. Raises: ``UserError`` that says how to get it."""
    homes = [toolchain.nvcc.resolve().parent.parent, _USUAL_HOME, *_packages()]
    libraries = (home / name for home in homes for name in _FOLDERS)
    headers = (home / name for home in homes for name in _HEADERS)
    library = next((each for each in libraries if (each / _LIBRARY).is_file()), None)
    include = next((each for each in headers if (each / "cupti.h").is_file()), None)
    if library is None or include is None:
        msg = "CUPTI, which measures a program's timeline on a GPU, is not installed."
        hint = (
            "Install the CUDA toolkit, or `pip install nvidia-cuda-cupti`. "
            "Without `--engine cuda`, the timeline is modelled and needs neither."
        )
        raise UserError(msg, hint=hint)
    return Cupti(library=library, include=include)


def recorder(toolchain: Toolchain, cupti: Cupti) -> bytes:
    """The library. Raises: ``UserError``, ``InfrastructureError`` where it cannot be built."""
    source = (resources.files("grader.programs.gpu") / _SOURCE).read_bytes()
    parts = (toolchain.version.encode(), str(cupti.library).encode(), source)
    cache, name = CacheFolder("gpu-recorder"), hashlib.sha256(b"\0".join(parts)).hexdigest()
    kept = cache.read(name)
    if kept is not None:
        return kept
    with tempfile.TemporaryDirectory(prefix="grader-recorder-") as made:
        folder = Path(made)
        (folder / _SOURCE).write_bytes(source)
        headers = ("-I", str(cupti.include), "-I", str(toolchain.include))
        linked = (str(cupti.library / _LIBRARY), f"-Wl,-rpath,{cupti.library}")
        flags = ("-std=c++17", "-O2", "-shared", "-fPIC", *headers)
        run_compiler([str(toolchain.cxx), *flags, "-o", "recorder.so", _SOURCE, *linked], folder)
        built = (folder / "recorder.so").read_bytes()
    cache.write(name, built)
    return built


def _packages() -> list[Path]:
    try:
        found = importlib.util.find_spec(_PACKAGE)
    except ModuleNotFoundError:
        return []
    return [] if found is None else [Path(folder) for folder in found.submodule_search_locations or ()]
