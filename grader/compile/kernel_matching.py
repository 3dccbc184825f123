"""Match compiled kernels to the kernels that the lab asks for, and explain missing ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.compile.cpp_outline import Item, Shape
from grader.compile.cuda_c import CudaProgram, Unit, declaration
from grader.compile.failure import failed_to_build
from grader.compile.kernel_reasons import kernel_defined_twice, kernel_missing
from grader.compile.messages import MAX_QUOTED, clean
from grader.compile.ptx import Entry, LineTable, entries
from grader.compile.signatures import Signature, read_signature
from grader.model.build import BuildRequest
from grader.model.kernel import KernelSpec
from grader.model.location import SourceLocation
from grader.model.module import Abi, FoundKernel
from grader.model.plan import Geometry
from grader.model.reason import Reason, reason
from grader.model.run import Fault


@dataclass(frozen=True, slots=True)
class _Candidate:
    unit: int
    entry: Entry
    signature: Signature | None

    @property
    def name(self) -> str:
        return self.entry.symbol if self.signature is None else self.signature.name


class KernelMatcher:
    """The kernels of a compiled CUDA C submission.

    ``broken`` is the fault of a file that does not compile; a missing kernel may be in that file.
    """

    def __init__(
        self,
        program: CudaProgram,
        units: Sequence[Unit],
        request: BuildRequest,
        broken: Fault | None = None,
    ) -> None:
        self._program = program
        self._asked = {spec.name for spec in request.kernels}
        self._units = units
        self._broken = broken
        self._candidates = [
            _Candidate(index, entry, read_signature(entry.symbol))
            for index, unit in enumerate(units)
            for entry in entries(unit.ptx)
        ]

    def match(self, spec: KernelSpec, geometry: Geometry | None) -> FoundKernel | Fault:
        """The kernel that ``spec`` asks for, or the fault if none or more than one fits."""
        named = [candidate for candidate in self._candidates if candidate.name == spec.name]
        if not named:
            return self._broken or failed_to_build(self._missing(spec))
        signatures = [(candidate, self._signature(candidate)) for candidate in named]
        fitting = [candidate for candidate, signature in signatures if signature and signature.matches(spec)]
        if not fitting:
            return self._broken or failed_to_build(self._mismatch(spec, *signatures[0]))
        # A kernel in a file that several units include is compiled in each of them, and is still one kernel.
        locations = list(dict.fromkeys(self._location(candidate) for candidate in fitting))
        if len(locations) > 1:
            shown = [SourceLocation(file=file or self._units[0].name, line=line) for file, line in locations]
            return failed_to_build(kernel_defined_twice(spec.name, shown))
        return self._found(spec, fitting[0], geometry)

    def _signature(self, candidate: _Candidate) -> Signature | None:
        if candidate.signature is not None:
            return candidate.signature
        return self._program.function_type(self._units[candidate.unit], candidate.entry.symbol)

    def _found(self, spec: KernelSpec, candidate: _Candidate, geometry: Geometry | None) -> FoundKernel:
        file, line = self._location(candidate)
        return FoundKernel(
            name=spec.name,
            symbol=candidate.entry.symbol,
            unit=candidate.unit,
            abi=Abi.C,
            geometry=geometry,
            line=line,
            file=file,
        )

    def _location(self, candidate: _Candidate) -> tuple[str | None, int | None]:
        """File and line of the definition; the first line of its code if a macro generates the definition."""
        unit = self._units[candidate.unit]
        lines = LineTable(unit.ptx, self._program.outlines)
        file, line = lines.first_location(candidate.entry.start, candidate.entry.end)
        own = {name: self._program.outlines[name] for name in unit.texts}
        found = declaration(own, candidate.name, (file, line))
        return (file, line) if found is None else (found[0], found[2])

    def _mismatch(self, spec: KernelSpec, candidate: _Candidate, signature: Signature | None) -> Reason:
        file, line = self._location(candidate)
        location = SourceLocation(file=file or self._units[candidate.unit].name, line=line)
        if signature is None:
            return reason(
                "parameters-unreadable", location=location, kernel=spec.name, wanted=spec.c_signature
            )
        declared, number = clean(str(signature)), signature.first_difference(spec)
        if number is None:
            return reason(
                "parameters-differ",
                location=location,
                kernel=spec.name,
                wanted=spec.c_signature,
                declared=declared,
            )
        return reason(
            "parameter-differs",
            location=location,
            kernel=spec.name,
            number=number + 1,
            found=clean(signature.spelled(number), MAX_QUOTED),
            parameter=spec.params[number].c_declaration,
            wanted=spec.c_signature,
            declared=declared,
        )

    def _missing(self, spec: KernelSpec) -> Reason:
        found = declaration(self._program.outlines, spec.name)
        if found is not None:
            file, item, line = found
            location = SourceLocation(file=file, line=line)
            return reason(_why_unusable(item), location=location, kernel=spec.name, wanted=spec.c_signature)
        defined = {candidate.name for candidate in self._candidates} | self._program.kernel_names
        others = {clean(name, MAX_QUOTED) for name in defined - self._asked}
        return kernel_missing(spec.name, spec.c_signature, others)


def _why_unusable(item: Item) -> str:
    """The code of the statement why an item with the right name is not a kernel in the compiled code."""
    if item.mentions("template") and item.mentions("__global__"):
        return "kernel-is-template"
    if item.mentions("__global__") and item.shape is Shape.PROTOTYPE:
        return "kernel-without-body"
    if item.mentions("__global__"):
        return "kernel-not-compiled"
    if item.mentions("__device__"):
        return "kernel-is-device-function"
    return "kernel-is-host-function"
