"""Numba submissions: import the student's Python, find the kernels, compile each for the lab's types."""

import inspect
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

from grader.compile.failure import BuildFailed
from grader.compile.messages import defined_twice, diagnostic_text, did_you_mean, location_text
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
            msg = f"{spec.name} reads {textures[0]} as a texture, which Numba does not support: write it in CUDA C"
            raise BuildFailed(msg)
        kernel = self._find(spec, {other.name for other in request.kernels})
        function = kernel.py_func
        file, line = self._location(function)
        where = location_text(file, line)
        self._check_parameters(spec, function, where)
        self._check_signatures(spec, self._declared.get(id(kernel), []), where)
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
            failure = compile_failure(error, self.modules.files, file, line)
            raise BuildFailed(diagnostic_text(failure), (failure,)) from None
        ptx = rename_files(ptx, self._student_name)
        return NumbaKernel(_only_symbol(spec, ptx), ptx, _max_registers(options, where), file, line)

    def _find(self, spec: KernelSpec, asked: set[str]) -> Any:
        """The dispatcher of the kernel ``spec``; ``asked`` are all kernel names of the lab."""
        found = [vars(module)[spec.name] for module in self._loaded if spec.name in vars(module)]
        usable = [value for value in found if _is_kernel(value)]
        # A file that imports the kernel from another file has the name too, and it is still one kernel.
        locations = dict.fromkeys(self._location(kernel.py_func) for kernel in usable)
        if len(locations) > 1:
            raise BuildFailed(defined_twice(spec.name, locations))
        if usable:
            return usable[0]
        asks = f"the lab asks for `{_one_line(spec)}`"
        if not found:
            kernels = {
                name for module in self._loaded for name in vars(module) if _is_kernel(vars(module)[name])
            }
            msg = f"there is no kernel {spec.name}{did_you_mean(spec.name, kernels - asked)}; {asks}"
            raise BuildFailed(msg)
        file, line = self._location(getattr(found[0], "py_func", found[0]))
        msg = f"{spec.name} ({location_text(file, line)}) {_why_unusable(found[0])}; {asks}"
        raise BuildFailed(msg)

    def _location(self, value: object) -> tuple[str, int | None]:
        """File and line of a function's ``def``; the first file if ``value`` is not a function."""
        code = getattr(value, "__code__", None)
        if code is None or code.co_filename not in self.modules.files:
            return self.modules.first_file, None
        line = int(code.co_firstlineno)
        while self.modules.text(code.co_filename, line).startswith(("@", "#")):
            line += 1
        return code.co_filename, line

    def _check_parameters(self, spec: KernelSpec, function: FunctionType, where: str) -> None:
        parameters = list(inspect.signature(function).parameters.values())
        plain = all(parameter.kind is parameter.POSITIONAL_OR_KEYWORD for parameter in parameters)
        if plain and len(parameters) == len(spec.params):
            return
        declared = f"def {function.__name__}({', '.join(map(str, parameters))}):"
        msg = (
            f"{spec.name} has the wrong parameters: "
            f"the lab asks for `{_one_line(spec)}`, but {where} has `{declared}`"
        )
        raise BuildFailed(msg)

    def _check_signatures(self, spec: KernelSpec, signatures: Signatures, where: str) -> None:
        """Check that an eager signature accepts the lab's arguments; otherwise Numba would refuse the launch."""
        if not signatures:
            return
        reasons = [_disagreement(spec, signature) for signature in signatures]
        if None in reasons:
            return
        msg = (
            f"{where}: the signature given to @cuda.jit does not fit {spec.name}: {reasons[0]}; "
            "remove the signature and write `@cuda.jit`"
        )
        raise BuildFailed(msg)

    def _student_name(self, path: str) -> str:
        return next(
            (name for name in self.modules.files if path == name or path.endswith(f"/{name}")), "numba"
        )


def _is_kernel(value: object) -> bool:
    return isinstance(value, CUDADispatcher) and not value.targetoptions.get("device")


def _one_line(spec: KernelSpec) -> str:
    return spec.numba_signature.replace("\n", " ")


def _numba_type(param: Param) -> Any:
    element = getattr(cuda.types, param.dtype.value)
    return cuda.types.Array(element, len(param.dims), "C") if param.is_array else element


def _why_unusable(value: object) -> str:
    """Why an object with the right name is not a CUDA kernel, and how to fix it."""
    if isinstance(value, CUDADispatcher):
        return "is a device function, not a kernel: remove device=True"
    if hasattr(value, "py_func"):
        return "is compiled for the CPU: decorate it with @cuda.jit"
    if isinstance(value, FunctionType):
        return "is a plain Python function: decorate it with @cuda.jit"
    return "is not a function: define it with `def` and @cuda.jit"


def _disagreement(spec: KernelSpec, signature: object) -> str | None:
    """How an eager signature differs from the lab's types; ``None`` if it fits."""
    try:
        given, _ = normalize_signature(signature)
    except Exception as error:  # noqa: BLE001 - Numba evaluates the text of a signature
        return f"it cannot be read ({type(error).__name__})"
    if len(given) != len(spec.params):
        return f"it has {len(given)} types for {len(spec.params)} parameters"
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
            return f"{param.name} is {wanted}, not {kind}"
    return None


def _max_registers(options: Mapping[str, object], where: str) -> int | None:
    """The register limit in the decorator. Raises: ``BuildFailed`` if it is not a whole number."""
    given = options.get("max_registers")
    if given is None or type(given) is int:
        return given
    msg = f"{where}: max_registers={given!r} is not a whole number; write one or remove the option"
    raise BuildFailed(msg)


def _only_symbol(spec: KernelSpec, ptx: str) -> str:
    """The symbol of the only kernel in ``ptx``. Raises: ``InfrastructureError`` if there is not exactly one."""
    found = entries(ptx)
    if len(found) != 1:
        msg = f"numba-cuda made {len(found)} kernels of {spec.name}"
        raise InfrastructureError(msg)
    return found[0].symbol
