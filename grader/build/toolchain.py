"""The compilers this installation builds with: their versions, and getting them ready ahead of time."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata

from cuda import pathfinder

from grader.build.failure import BuildFailed
from grader.build.translation import translate
from grader.errors import UserError
from grader.model.build import BuildRequest
from grader.model.kernel import KernelSpec, Param
from grader.model.submission import Language, SourceFile

_LIBRARIES = {"nvrtc": "nvidia-cuda-nvrtc", "nvjitlink": "nvidia-nvjitlink", "nvvm": "nvidia-nvvm"}
"""Packages of libraries that a CUDA toolkit on the machine may bring as well."""

_PACKAGES = {"numba": "numba", "numba-cuda": "numba-cuda"}

_FROM_TOOLKIT = "of the CUDA toolkit on this machine"

_SAMPLES = {
    Language.CUDA_C: (
        "warm_up.cu",
        b"__global__ void warm_up(int *out) { out[threadIdx.x] = threadIdx.x; }\n",
    ),
    Language.NUMBA: (
        "warm_up.py",
        b"from numba import cuda\n@cuda.jit\ndef warm_up(out):\n    out[cuda.grid(1)] = cuda.grid(1)\n",
    ),
}

_PTX = ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry warm_up() { ret; }\n"

_MEND = "Install Grader's dependencies anew; for the docker sandbox, remove its image and `make image`."


def toolchain() -> dict[str, str]:
    """Versions of what turns source into device code, by name; an outcome may change when one of them does.

    Raises: ``UserError`` where one is not installed.
    """
    try:
        packages = {name: metadata.version(distribution) for name, distribution in _PACKAGES.items()}
    except metadata.PackageNotFoundError as error:
        problem = f"the compiler package {error.name} is not installed."
        raise UserError(problem, mend=f"Run `pip install {error.name}`.") from error
    return {name: _library_version(distribution) for name, distribution in _LIBRARIES.items()} | packages


def _library_version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return _FROM_TOOLKIT


def warm_up(languages: tuple[Language, ...] = tuple(Language)) -> None:
    """Load the compilers and compile one small kernel in each language, so that a waiting worker answers sooner.

    Raises: ``UserError`` where one is not installed or does not work.
    """
    spec = KernelSpec(name="warm_up", params=(Param.parse("int32 out[n]"),))
    for language in languages:
        name, data = _SAMPLES[language]
        request = BuildRequest(language=language, files=(SourceFile(name=name, data=data),), kernels=(spec,))
        with _working(f"the {language} compiler"):
            fault = translate(request).fault
            if fault is not None:
                raise BuildFailed(fault.reason)


def warm_up_linker() -> None:
    """The same for what makes device code of PTX. Raises: ``UserError`` as above."""
    from grader.build.resources import link  # noqa: PLC0415 - it loads the linker, which not every user needs

    with _working("the CUDA linker"):
        link(_PTX, "sm_75", ())


@contextmanager
def _working(tool: str) -> Iterator[None]:
    """Our own sample is right, so ``tool`` is at fault if it is refused. Raises: ``UserError``."""
    try:
        yield
    except (BuildFailed, pathfinder.DynamicLibNotFoundError) as error:
        problem = f"{tool} does not work here: {str(error).splitlines()[0]}."
        raise UserError(problem, mend=_MEND) from error
