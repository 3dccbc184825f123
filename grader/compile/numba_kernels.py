"""Numba submissions: import the student's Python, find the kernels, compile each for the lab's types."""

import inspect
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

from grader.compile.failure import BuildFailed
from grader.compile.kernel_reasons import kernel_defined_twice, kernel_missing
from grader.compile.messages import MAX_QUOTED, clean, located_message
from grader.compile.numba_messages import compile_failure
from grader.compile.numba_modules import StudentModules
from grader.compile.numba_no_device import (
    COMPUTE_CAPABILITY,
    CUDADispatcher,
    Signatures,
    cuda,
    no_device,
    normalize_signature,
)
from grader.compile.ptx import entries, rename_files
from grader.compile.sources import Source
from grader.errors import InfrastructureError
from grader.model.build import BuildRequest
from grader.model.kernel import KernelSpec, Param
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason


@dataclass(frozen=True, slots=True)
class NumbaKernel:
    """One compiled kernel, in a unit of its own. ``symbol`` is its mangled name, ``line`` the line of its ``def``."""

    symbol: str
    ptx: str
    max_registers: int | None
    file: str | None
    line: int | None


class NumbaProgram:
    """The imported files of one Numba submission. Create it with the context manager ``opened``."""

    def __init__(
        self, modules: StudentModules, loaded: Sequence[ModuleType], declared: dict[int, Signatures]
    ) -> None:
        self.modules = modules
        self._loaded = loaded
        self._declared = declared

    @classmethod
    @contextmanager
    def opened(cls, sources: Sequence[Source], macros: Mapping[str, int]) -> Iterator["NumbaProgram"]:
        """Import the files; kernels can be compiled inside the context. Raises: ``BuildFailed``."""
        modules = StudentModules(sources, macros)
        declared: dict[int, Signatures] = {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with no_device(declared), modules.importable():
                yield cls(modules, modules.import_all(), declared)

    def compile(self, spec: KernelSpec, request: BuildRequest) -> NumbaKernel:
        """Find and compile one kernel. Raises: ``BuildFailed``."""
        textures = [param.name for param in spec.params if param.sampling is not None]
        if textures:
            raise BuildFailed(reason("texture-in-numba", kernel=spec.name, parameter=textures[0]))
        kernel = self._find(spec, {other.name for other in request.kernels})
        function = kernel.py_func
        location = self._location(function)
        _check_parameters(spec, function, location)
        _check_signatures(spec, self._declared.get(id(kernel), []), location)
        options = kernel.targetoptions
        try:
            ptx, _ = cuda.compile_ptx(
                function,
                cuda.types.void(*map(_numba_type, spec.params)),
                device=False,
                cc=COMPUTE_CAPABILITY,
                lineinfo=True,
                fastmath=options.get("fastmath", False),
                opt=options.get("opt", True),
                launch_bounds=options.get("launch_bounds"),
            )
        except Exception as error:  # noqa: BLE001 - Numba's compiler raises anything on what it cannot type or lower
            failure = compile_failure(error, self.modules.files, location)
            raise BuildFailed(located_message(failure), (failure,)) from None
        ptx = rename_files(ptx, self._student_name)
        return NumbaKernel(
            symbol=_only_symbol(spec, ptx),
            ptx=ptx,
            max_registers=_max_registers(options, location),
            file=location.file,
            line=location.line,
        )

    def _find(self, spec: KernelSpec, asked: set[str]) -> Any:
        """The dispatcher of the kernel ``spec``; ``asked`` are all kernel names of the lab."""
        found = [vars(module)[spec.name] for module in self._loaded if spec.name in vars(module)]
        usable = [value for value in found if _is_kernel(value)]
        # A file that imports the kernel from another file has the name too, and it is still one kernel.
        locations = dict.fromkeys(self._location(kernel.py_func) for kernel in usable)
        if len(locations) > 1:
            raise BuildFailed(kernel_defined_twice(spec.name, locations))
        if usable:
            return usable[0]
        if not found:
            present = {
                name: self._location(value.py_func)
                for module in self._loaded
                for name, value in vars(module).items()
                if _is_kernel(value)
            }
            raise BuildFailed(kernel_missing(spec.name, _one_line(spec), present, present.keys() - asked))
        location = self._location(getattr(found[0], "py_func", found[0]))
        raise BuildFailed(
            reason(_why_unusable(found[0]), location=location, kernel=spec.name, wanted=_one_line(spec))
        )

    def _location(self, value: object) -> SourceLocation:
        """File and line of a function's ``def``; the first file if ``value`` is not a function."""
        code = getattr(value, "__code__", None)
        if code is None or code.co_filename not in self.modules.files:
            return SourceLocation(file=self.modules.first_file)
        line = int(code.co_firstlineno)
        while self.modules.text(code.co_filename, line).startswith(("@", "#")):
            line += 1
        return SourceLocation(file=code.co_filename, line=line)

    def _student_name(self, path: str) -> str:
        return next(
            (name for name in self.modules.files if path == name or path.endswith(f"/{name}")), "numba"
        )


def _check_parameters(spec: KernelSpec, function: FunctionType, location: SourceLocation) -> None:
    parameters = list(inspect.signature(function).parameters.values())
    if len(parameters) == len(spec.params) and all(
        parameter.kind is parameter.POSITIONAL_OR_KEYWORD for parameter in parameters
    ):
        return
    # Without annotations and default values, which are the student's objects.
    bare = [inspect.Parameter(parameter.name, parameter.kind) for parameter in parameters]
    declared = clean(f"def {function.__name__}{inspect.Signature(bare)}:")
    raise BuildFailed(
        reason(
            "parameters-differ",
            location=location,
            kernel=spec.name,
            wanted=_one_line(spec),
            declared=declared,
        )
    )


def _check_signatures(spec: KernelSpec, signatures: Signatures, location: SourceLocation) -> None:
    """Check that an eager signature accepts the lab's arguments; otherwise Numba would refuse the launch."""
    problems = [_disagreement(spec, signature) for signature in signatures]
    if problems and None not in problems:
        raise BuildFailed(
            reason("signature-differs", location=location, kernel=spec.name, problem=problems[0])
        )


def _is_kernel(value: object) -> bool:
    return isinstance(value, CUDADispatcher) and not value.targetoptions.get("device")


def _one_line(spec: KernelSpec) -> str:
    return spec.numba_signature.replace("\n", " ")


def _numba_type(param: Param) -> Any:
    element = getattr(cuda.types, param.dtype.value)
    return cuda.types.Array(element, len(param.dims), "C") if param.is_array else element


def _why_unusable(value: object) -> str:
    """The code of the statement why an object with the right name is not a CUDA kernel."""
    if isinstance(value, CUDADispatcher):
        return "numba-kernel-is-device-function"
    if hasattr(value, "py_func"):
        return "numba-kernel-is-cpu-function"
    if isinstance(value, FunctionType):
        return "numba-kernel-is-plain-function"
    return "numba-kernel-is-no-function"


def _disagreement(spec: KernelSpec, signature: object) -> Reason | None:
    """How an eager signature differs from the lab's types; ``None`` if it fits."""
    try:
        given, _ = normalize_signature(signature)
    except Exception as error:  # noqa: BLE001 - Numba evaluates the text of a signature
        return reason("signature-unreadable", error=clean(type(error).__name__, MAX_QUOTED))
    if len(given) != len(spec.params):
        return reason("signature-count", found=len(given), wanted=len(spec.params))
    for kind, param in zip(given, spec.params, strict=True):
        wanted = _numba_type(param)
        if param.is_array:
            same = (
                isinstance(kind, cuda.types.Array)
                and (str(kind.dtype), kind.ndim) == (str(wanted.dtype), wanted.ndim)
                and kind.layout in "AC"
            )
        else:
            same = type(kind) is type(wanted)
        if not same:
            return reason(
                "signature-type", parameter=param.name, wanted=str(wanted), found=clean(str(kind), MAX_QUOTED)
            )
    return None


def _max_registers(options: Mapping[str, object], location: SourceLocation) -> int | None:
    """The register limit in the decorator. Raises: ``BuildFailed`` if it is not a whole number."""
    given = options.get("max_registers")
    if given is None or type(given) is int:
        return given
    found = clean(type(given).__name__, MAX_QUOTED)
    raise BuildFailed(reason("max-registers-invalid", location=location, found=found))


def _only_symbol(spec: KernelSpec, ptx: str) -> str:
    """The symbol of the only kernel in ``ptx``. Raises: ``InfrastructureError`` if there is not exactly one."""
    found = entries(ptx)
    if len(found) != 1:
        msg = f"numba-cuda made {len(found)} kernels of {spec.name}"
        raise InfrastructureError(msg)
    return found[0].symbol
