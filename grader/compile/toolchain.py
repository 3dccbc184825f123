"""The installed compilers: their versions, and warming them up before the first request."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import metadata

from cuda import pathfinder

from grader.errors import UserError
from grader.languages import LanguageSupport
from grader.model.build import BuildRequest
from grader.model.kernel import KernelSpec, Param

_LIBRARIES = {"nvrtc": "nvidia-cuda-nvrtc", "nvjitlink": "nvidia-nvjitlink", "nvvm": "nvidia-nvvm"}
"""Packages of libraries that a CUDA toolkit on the machine may provide as well."""

_PACKAGES = {"numba": "numba", "numba-cuda": "numba-cuda"}

_FROM_TOOLKIT = "of the CUDA toolkit on this machine"

_HOW_TO_FIX = "Install the releases in constraints.txt; `grader doctor` tries again."

_PTX = ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry warm_up() { ret; }\n"


def toolchain() -> dict[str, str]:
    """Versions of the compilers and linkers, by name. A build's outcome may depend on each of them.

    Raises: ``UserError`` if one is not installed.
    """
    try:
        packages = {name: metadata.version(distribution) for name, distribution in _PACKAGES.items()}
    except metadata.PackageNotFoundError as error:
        problem = f"the compiler package {error.name} is not installed."
        raise UserError(problem, hint=f"Run `pip install {error.name}`.") from error
    return {name: _library_version(distribution) for name, distribution in _LIBRARIES.items()} | packages


def _library_version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return _FROM_TOOLKIT


def load_compilers(languages: Iterable[LanguageSupport]) -> None:
    """Load the libraries that compile ``languages`` to PTX. Raises: ``UserError`` if one is not installed."""
    toolchain()
    for library in {library for language in languages for library in language.libraries}:
        with _installed(library):
            pathfinder.load_nvidia_dynamic_lib(library)


def warm_up(languages: Iterable[LanguageSupport]) -> None:
    """Compile the sample kernel of each language, so that a worker's first request is faster.

    Raises: ``UserError`` if a compiler does not work.
    """
    for language in languages:
        try:
            fault = language.translate(sample_request(language)).fault
        except UserError:
            raise
        except Exception as error:
            raise _broken(language, f"{type(error).__name__}: {error}") from error
        if fault is not None:
            from grader.messages import render  # noqa: PLC0415 - a worker renders nothing but this error

            raise _broken(language, render(fault.reason))


def sample_request(language: LanguageSupport, arch: str = "sm_75") -> BuildRequest:
    """A request to build a kernel that writes each thread's index: ``warm_up(int32 out[n])``."""
    spec = KernelSpec(name="warm_up", params=(Param.parse("int32 out[n]"),))
    return BuildRequest(language=language.key, files=(language.sample,), kernels=(spec,), arch=arch)


def _broken(language: LanguageSupport, reason: str) -> UserError:
    return UserError(f"{language.label} does not work here: {reason.rstrip('.')}.", hint=_HOW_TO_FIX)


def warm_up_linker() -> None:
    """Link a few lines of PTX, which loads the linker. Raises: ``UserError`` if it is not installed."""
    from grader.compile.resources import link  # noqa: PLC0415 - loads the linker, which not every caller needs

    with _installed("nvjitlink"):
        link(_PTX, "sm_75", ())


@contextmanager
def _installed(library: str) -> Iterator[None]:
    try:
        yield
    except pathfinder.DynamicLibNotFoundError as error:
        package = _LIBRARIES[library]
        problem = f"a library of CUDA's compilers, {library}, is not installed."
        raise UserError(
            problem, hint=f"Run `pip install {package}`; for Docker, rebuild the worker image."
        ) from error
