"""The compilers this installation builds with: their versions, and getting them ready ahead of time."""

from importlib import metadata

from grader.build.builder import build
from grader.errors import InfrastructureError, UserError
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

    Raises: ``UserError`` where a compiler is not installed, ``InfrastructureError`` where it does not work.
    """
    spec = KernelSpec(name="warm_up", params=(Param.parse("int32 out[n]"),))
    for language in languages:
        name, data = _SAMPLES[language]
        file = SourceFile(name=name, data=data)
        outcome = build(BuildRequest(language=language, files=(file,), kernels=(spec,)))
        if outcome.fault is not None:
            msg = f"the {language} compiler does not work: {outcome.fault.reason}"
            raise InfrastructureError(msg)
