"""Match compiled kernels to the kernels that the lab asks for, and explain missing ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.compile.cpp_outline import Item, Shape
from grader.compile.cuda_c import CudaProgram, Unit, declaration
from grader.compile.failure import failed_to_build
from grader.compile.messages import defined_twice, did_you_mean, location_text
from grader.compile.ptx import Entry, LineTable, entries
from grader.compile.signatures import Signature, read_signature
from grader.model.build import BuildRequest
from grader.model.kernel import KernelSpec
from grader.model.module import Abi, FoundKernel
from grader.model.plan import Geometry
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
            return self._broken or self._missing(spec)
        signatures = [(candidate, self._signature(candidate)) for candidate in named]
        fitting = [candidate for candidate, signature in signatures if signature and signature.matches(spec)]
        if not fitting:
            return self._broken or self._mismatch(spec, *signatures[0])
        # A kernel in a file that several units include is compiled in each of them, and is still one kernel.
        locations = list(dict.fromkeys(self._location(candidate) for candidate in fitting))
        if len(locations) > 1:
            return failed_to_build(
                defined_twice(spec.name, [(file or self._units[0].name, line) for file, line in locations])
            )
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

    def _mismatch(self, spec: KernelSpec, candidate: _Candidate, signature: Signature | None) -> Fault:
        file, line = self._location(candidate)
        where = "your file" if file is None else location_text(file, line)
        if signature is None:
            return failed_to_build(
                f"the parameters of {spec.name} ({where}) cannot be read; "
                f"declare it outside every namespace as `{spec.c_signature}`"
            )
        return failed_to_build(
            f"{spec.name} has the wrong parameters: the lab asks for `{spec.c_signature}`, "
            f"but {where} declares `{signature}`"
        )

    def _missing(self, spec: KernelSpec) -> Fault:
        found = declaration(self._program.outlines, spec.name)
        asks = f"the lab asks for `{spec.c_signature}`"
        if found is not None:
            file, item, line = found
            return failed_to_build(f"{spec.name} ({location_text(file, line)}) {_why_unusable(item)}; {asks}")
        hint = did_you_mean(spec.name, {candidate.name for candidate in self._candidates} - self._asked)
        return failed_to_build(f"there is no kernel {spec.name}{hint}; {asks}")


def _why_unusable(item: Item) -> str:
    """Why an item with the right name is not a kernel in the compiled code, and how to fix it."""
    if item.mentions("template") and item.mentions("__global__"):
        return "is a template without a compiled instance: remove template<...>, or replace its argument by a #define"
    if item.mentions("__global__") and item.shape is Shape.PROTOTYPE:
        return "is declared but never defined: add its body"
    if item.mentions("__global__"):
        return "is not part of the compiled code: remove static, or the #if that excludes it"
    if item.mentions("__device__"):
        return "is a __device__ function, not a kernel: write __global__ instead"
    return "is a host function, not a kernel: add __global__"
