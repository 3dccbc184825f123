"""Numba submissions: find the kernels in the student's syntax trees, and compile each for the lab's types."""

import linecache
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from numba.cuda.core.sigutils import normalize_signature
from numba.cuda.np.numpy_support import from_dtype

from grader.compile.failure import BuildFailed
from grader.compile.frames.files import is_of_frame
from grader.compile.kernel_reasons import kernel_defined_twice, kernel_missing
from grader.compile.messages import MAX_QUOTED, clean, located_message
from grader.compile.numba_array_names import named_shared_arrays, shared_array_names
from grader.compile.numba_functions import NumbaFunctions
from grader.compile.numba_messages import compile_failure
from grader.compile.numba_no_device import no_device
from grader.compile.numba_parameters import bind_parameters, one_line
from grader.compile.numba_values import type_by_value
from grader.compile.parameter_reasons import binding_note
from grader.compile.ptx import COMPUTE_CAPABILITY, entries, rename_files
from grader.compile.python.files import PythonFiles
from grader.compile.python.libraries import cuda
from grader.compile.python.signatures import read_signature
from grader.compile.python.values import Function, Jit, JitTarget, Unavailable
from grader.compile.sources import Source
from grader.errors import InfrastructureError
from grader.model.arguments import ArgumentMap
from grader.model.build import BuildRequest
from grader.model.diagnostic import Diagnostic
from grader.model.element_types import DType
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
    arguments: ArgumentMap | None
    notes: tuple[Diagnostic, ...]


class NumbaProgram:
    """The files of one Numba submission. Create it with the context manager ``opened``."""

    def __init__(self, files: PythonFiles) -> None:
        self.files = files
        self._functions = NumbaFunctions()

    @classmethod
    @contextmanager
    def opened(cls, sources: Sequence[Source], macros: Mapping[str, int]) -> Iterator["NumbaProgram"]:
        """Read the files; kernels can be compiled inside the context. Raises: ``BuildFailed``."""
        files = PythonFiles(sources, macros)
        with warnings.catch_warnings(), _quotable(sources), no_device():
            warnings.simplefilter("ignore")
            with named_shared_arrays(shared_array_names(files)):
                yield cls(files)

    def compile(self, spec: KernelSpec, request: BuildRequest) -> NumbaKernel:
        """Find and compile one kernel. Raises: ``BuildFailed``."""
        textures = [param.name for param in spec.params if param.sampling is not None]
        if textures:
            raise BuildFailed(reason("texture-in-numba", kernel=spec.name, parameter=textures[0]))
        foreign = [param for param in spec.params if DType.BFLOAT16 in param.dtype.numbers]
        if foreign:
            raise BuildFailed(
                reason(
                    "type-in-numba",
                    kernel=spec.name,
                    parameter=foreign[0].name,
                    type=DType.BFLOAT16.value,
                )
            )
        kernel, jit = self._find(
            spec, {other.name for other in request.kernels}, in_frame=request.frame is not None
        )
        location = kernel.location
        binding = bind_parameters(spec, kernel)
        params = [spec.params[taken.source] for taken in binding.taken]
        _check_signatures(spec.name, params, jit.signatures, location)
        max_registers = _max_registers(jit.options, location)
        try:
            ptx, _ = cuda.compile_ptx(
                self._functions.function(kernel),
                cuda.types.void(*map(_numba_type, params)),
                device=False,
                cc=COMPUTE_CAPABILITY,
                lineinfo=True,
                fastmath=jit.options.get("fastmath", False),
                opt=jit.options.get("opt", True),
                launch_bounds=jit.options.get("launch_bounds"),
            )
        except BuildFailed:
            raise
        except Exception as error:  # noqa: BLE001 - Numba's compiler raises anything on what it cannot type or lower
            failure = compile_failure(error, self.files.names, location)
            raise BuildFailed(located_message(failure), (failure,)) from None
        ptx = rename_files(ptx, self._student_name)
        return NumbaKernel(
            symbol=_only_symbol(spec, ptx),
            ptx=ptx,
            max_registers=max_registers,
            file=location.file,
            line=location.line,
            arguments=binding.arguments(spec.params),
            notes=binding_note(spec, binding, lambda param: param.name, location),
        )

    def _find(self, spec: KernelSpec, asked: set[str], *, in_frame: bool) -> tuple[Function, Jit]:
        """The kernel ``spec`` with its decorator; ``asked`` are all the lab's kernels. Raises: ``BuildFailed``.

        ``in_frame``: only kernels of the lab's frame count.
        """
        found = list(self.files.bound(spec.name))
        usable = _kernels(found) or _kernels(self.files.nested(spec.name))
        if in_frame:
            usable = [(kernel, jit) for kernel, jit in usable if is_of_frame(kernel.scope.file)]
        # A file that imports the kernel from another file has the name too, and it is still one kernel.
        locations = dict.fromkeys(kernel.location for kernel, _ in usable)
        if len(locations) > 1:
            raise BuildFailed(kernel_defined_twice(spec.name, locations))
        if usable:
            return usable[0]
        raise BuildFailed(self._why_missing(spec, found, asked))

    def _why_missing(self, spec: KernelSpec, found: Sequence[object], asked: set[str]) -> Reason:
        """Why no kernel ``spec`` is among the values of its name that are ``found``."""
        wanted = one_line(spec)
        in_class = self.files.in_class(spec.name)
        if not found and in_class is not None:
            return reason("python-in-class", location=in_class, kernel=spec.name, wanted=wanted)
        present = {kernel.name: kernel.location for kernel in self.files.kernels()}
        others, missing = present.keys() - asked, asked - present.keys()
        # Host code often has a function of the lab's name that launches a kernel of another name.
        if not found or (others and all(isinstance(each, Function) and each.jit is None for each in found)):
            return kernel_missing(spec.name, wanted, present, others, missing)
        value = found[0]
        if isinstance(value, Unavailable):
            return reason("python-not-taken", kernel=spec.name, problem=value.problem)
        location = value.location if isinstance(value, Function) else SourceLocation(file=self.files.first)
        return reason(_why_unusable(value), location=location, kernel=spec.name, wanted=wanted)

    def _student_name(self, path: str) -> str:
        names = self.files.names
        return next((name for name in names if path == name or path.endswith(f"/{name}")), "numba")


@contextmanager
def _quotable(sources: Sequence[Source]) -> Iterator[None]:
    """Context manager: Numba finds the lines of the files, which exist in memory only."""
    for source in sources:
        lines = source.text.splitlines(keepends=True)
        linecache.cache[source.name] = (len(source.text), None, lines, source.name)
    try:
        yield
    finally:
        for source in sources:
            linecache.cache.pop(source.name, None)


def _kernels(values: Iterable[object]) -> list[tuple[Function, Jit]]:
    return [
        (value, value.jit)
        for value in values
        if isinstance(value, Function) and value.jit is not None and value.is_kernel
    ]


def _check_signatures(
    kernel: str, params: Sequence[Param], signatures: Sequence[object], location: SourceLocation
) -> None:
    """Check that an eager signature accepts the arguments; otherwise Numba would refuse the launch."""
    problems = [_disagreement(params, signature) for signature in signatures]
    if problems and None not in problems:
        raise BuildFailed(reason("signature-differs", location=location, kernel=kernel, problem=problems[0]))


def _numba_type(param: Param) -> Any:
    if param.is_array:
        return cuda.types.Array(from_dtype(param.dtype.numpy), param.rank, "C")
    return type_by_value(param.dtype)


def _why_unusable(value: object) -> str:
    """The code of the statement why a value with the right name is not a CUDA kernel."""
    match value:
        case Function(jit=None):
            return "numba-kernel-is-plain-function"
        case Function(jit=Jit(target=JitTarget.CPU)):
            return "numba-kernel-is-cpu-function"
        case Function():
            return "numba-kernel-is-device-function"
    return "numba-kernel-is-no-function"


def _disagreement(params: Sequence[Param], signature: object) -> Reason | None:
    """How an eager signature differs from the types of ``params``; ``None`` if it fits."""
    try:
        given, _ = normalize_signature(read_signature(signature) if isinstance(signature, str) else signature)
    except (TypeError, ValueError, NameError, SyntaxError) as error:
        return reason("signature-unreadable", error=clean(type(error).__name__, MAX_QUOTED))
    if len(given) != len(params):
        return reason("signature-count", found=len(given), wanted=len(params))
    for kind, param in zip(given, params, strict=True):
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
