"""Match compiled kernels to the kernels that the lab asks for, and explain missing ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.compile.bound_parameters import Binding, Declared, Unbound
from grader.compile.cpp_outline import Item, Shape
from grader.compile.cuda_c import CudaProgram, Unit
from grader.compile.declarations import declaration
from grader.compile.failure import failed_to_build
from grader.compile.kernel_reasons import kernel_defined_twice, kernel_missing
from grader.compile.messages import MAX_QUOTED, clean, located_message
from grader.compile.parameter_binding import bind
from grader.compile.parameter_names import declared_names
from grader.compile.parameter_reasons import binding_failed, binding_note
from grader.compile.parameter_types import c_type
from grader.compile.ptx import Entry, LineTable, entries
from grader.compile.row_lengths import row_lengths
from grader.compile.signatures import Signature, read_signature
from grader.compile.struct_layout import struct_declaration
from grader.compile.templates import kernel_templates
from grader.model.build import BuildRequest
from grader.model.diagnostic import Diagnostic
from grader.model.element_types import Composite
from grader.model.kernel import KernelSpec, Param
from grader.model.location import SourceLocation
from grader.model.module import Abi, FoundKernel
from grader.model.plan import Geometry
from grader.model.reason import Reason, first_of, reason
from grader.model.run import Fault

_MAX_INSTANCES = 8


@dataclass(frozen=True, slots=True)
class MatchedKernel:
    """A kernel that the lab asks for, and what is said about its parameters."""

    kernel: FoundKernel
    notes: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A compiled kernel. ``item`` is its declaration, unless a macro generates it."""

    unit: int
    entry: Entry
    signature: Signature | None
    item: Item | None
    location: SourceLocation

    @property
    def name(self) -> str:
        return self.entry.symbol if self.signature is None else self.signature.name


@dataclass(frozen=True, slots=True)
class _Reading:
    """A candidate with its parameters as declared, and how they take the lab's arguments."""

    candidate: _Candidate
    written: str
    declared: tuple[Declared, ...]
    binding: Binding | Unbound


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
            self._candidate(index, entry) for index, unit in enumerate(units) for entry in entries(unit.ptx)
        ]

    def match(self, spec: KernelSpec, geometry: Geometry | None) -> MatchedKernel | Fault:
        """The kernel that ``spec`` asks for, or the fault if none or more than one fits."""
        named = [candidate for candidate in self._candidates if candidate.name == spec.name]
        if not named:
            return self._broken or self._broken_instance(spec) or failed_to_build(self._missing(spec))
        readings = [self._read(candidate, spec) for candidate in named]
        bound = [
            (each.candidate, each.binding) for each in readings if each and isinstance(each.binding, Binding)
        ]
        # Of overloads, one with the lab's own parameters is meant.
        fitting = [pair for pair in bound if not pair[1].differs(spec.params)] or bound
        if not fitting:
            differing = failed_to_build(_mismatch(spec, named[0], readings[0]))
            return self._broken or self._broken_instance(spec) or differing
        # A kernel in a file that several units include is compiled in each of them, and is still one kernel.
        locations = list(dict.fromkeys(candidate.location for candidate, _ in fitting))
        if len(locations) > 1:
            return failed_to_build(kernel_defined_twice(spec.name, locations))
        instances = {candidate.entry.symbol: candidate for candidate, _ in fitting}
        if len(instances) > 1:
            return failed_to_build(_several_instances(spec, list(instances.values())))
        candidate, binding = fitting[0]
        differing_struct = self._differing_struct(candidate, spec, binding)
        if differing_struct is not None:
            return failed_to_build(differing_struct)
        kernel = FoundKernel(
            name=spec.name,
            symbol=candidate.entry.symbol,
            unit=candidate.unit,
            abi=Abi.C,
            geometry=geometry,
            line=candidate.location.line,
            file=candidate.location.file,
            arguments=binding.arguments(spec.params),
        )
        return MatchedKernel(kernel, binding_note(spec, binding, _spelled, candidate.location))

    def _differing_struct(self, candidate: _Candidate, spec: KernelSpec, binding: Binding) -> Reason | None:
        """What is said about the first struct that has another layout in the file of ``candidate``."""
        for own, taken in zip(binding.declared, binding.taken, strict=True):
            struct = spec.params[taken.source].dtype
            if own.type.struct is None or not isinstance(struct, Composite):
                continue
            if not self._program.has_layout(self._units[candidate.unit], struct):
                return reason(
                    "struct-differs",
                    location=candidate.location,
                    kernel=spec.name,
                    struct=struct.name,
                    wanted=struct_declaration(struct),
                )
        return None

    def _candidate(self, index: int, entry: Entry) -> _Candidate:
        """A compiled kernel, at its definition or, if a macro generates it, at the first line of its code."""
        unit = self._units[index]
        signature = read_signature(entry.symbol)
        name = entry.symbol if signature is None else signature.name
        code = LineTable(unit.ptx, self._program.outlines).first_location(entry.start, entry.end)
        found = declaration({file: self._program.outlines[file] for file in unit.texts}, name, code)
        file, item, line = (code[0], None, code[1]) if found is None else found
        return _Candidate(index, entry, signature, item, SourceLocation(file=file or unit.name, line=line))

    def _read(self, candidate: _Candidate, spec: KernelSpec) -> _Reading | None:
        """How the parameters of a candidate take the arguments of ``spec``; ``None`` if they cannot be read."""
        signature = candidate.signature or self._program.function_type(
            self._units[candidate.unit], candidate.entry.symbol
        )
        if signature is None:
            return None
        names = declared_names(candidate.item, candidate.name, len(signature.types))
        lengths = row_lengths(candidate.item, names)
        declared = tuple(
            Declared(
                name,
                c_type(kind, handles=spec.has_textures),
                signature.spelled(index),
                lengths.get(name or "", frozenset()),
            )
            for index, (name, kind) in enumerate(zip(names, signature.types, strict=True))
        )
        return _Reading(candidate, clean(str(signature)), declared, bind(spec.params, declared))

    def _broken_instance(self, spec: KernelSpec) -> Fault | None:
        """The fault of an instance that does not compile, if the kernel is a template."""
        errors = [error for unit in self._units for error in unit.instance_errors]
        if not errors or not kernel_templates(self._program.outlines, spec.name):
            return None
        return failed_to_build(located_message(errors[0]))

    def _missing(self, spec: KernelSpec) -> Reason:
        found = declaration(self._program.outlines, spec.name)
        if found is not None:
            file, item, line = found
            location = SourceLocation(file=file, line=line)
            for template in kernel_templates(self._program.outlines, spec.name):
                return reason(
                    "kernel-is-template",
                    location=location,
                    kernel=spec.name,
                    example=template.example(spec),
                    wanted=spec.c_signature,
                )
            return reason(_why_unusable(item), location=location, kernel=spec.name, wanted=spec.c_signature)
        present = self._program.template_kernels | {each.name: each.location for each in self._candidates}
        others = present.keys() - self._asked
        fitting = {
            each.name
            for each in self._candidates
            # Without a signature in its name, each kernel would need a compilation of its own.
            if each.name in others and each.signature is not None
            if (read := self._read(each, spec)) and isinstance(read.binding, Binding)
        }
        missing = self._asked - present.keys()
        return kernel_missing(spec.name, spec.c_signature, present, fitting or others, missing)


def _spelled(param: Param) -> str:
    return param.c_declaration


def _mismatch(spec: KernelSpec, candidate: _Candidate, reading: _Reading | None) -> Reason:
    if reading is None or isinstance(reading.binding, Binding):
        return reason(
            "parameters-unreadable",
            location=candidate.location,
            kernel=spec.name,
            wanted=spec.c_signature,
        )
    return binding_failed(
        spec,
        reading.binding,
        reading.declared,
        written=reading.written,
        wanted=spec.c_signature,
        spell=_spelled,
        location=candidate.location,
    )


def _several_instances(spec: KernelSpec, instances: Sequence[_Candidate]) -> Reason:
    """Several instances of one template take the lab's arguments."""
    shown = [f"`{clean(each.signature.instance, MAX_QUOTED)}`" for each in instances if each.signature]
    return reason(
        "kernel-instances",
        location=instances[0].location,
        kernel=spec.name,
        instances=first_of(shown, _MAX_INSTANCES),
    )


def _why_unusable(item: Item) -> str:
    """The code of the statement why an item with the right name is not a kernel in the compiled code."""
    if item.mentions("__global__") and item.shape is Shape.PROTOTYPE:
        return "kernel-without-body"
    if item.mentions("__global__"):
        return "kernel-not-compiled"
    if item.mentions("__device__"):
        return "kernel-is-device-function"
    return "kernel-is-host-function"
