"""Device memory of one plan: its buffers and its modules' variables, each in its own window.

Windows are 64 GiB apart and their contents start in the middle, so an index out of bounds, in either direction, hits
unmapped memory and still identifies the buffer.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.engines.emulator.arrays import address_of, aligned_bytes, aligned_records
from grader.engines.emulator.core.addresses import GRID_WINDOW, GRID_WORKSPACE_BYTES, HEAP_WINDOW, WINDOWS
from grader.engines.emulator.core.codes import WindowFlag
from grader.engines.emulator.core.records import WINDOW
from grader.engines.emulator.core.shadow_words import (
    BYTE_SHADOW_PLANES,
    SHADOW_WORD_BYTES,
    WORD_SHADOW_PLANES,
)
from grader.engines.emulator.decode.functions import function_addresses
from grader.engines.emulator.decode.geometries import Geometry
from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.decode.variables import (
    PARAMETER_WINDOW,
    VARIABLE_WINDOW,
    module_variables,
    window_origin,
)
from grader.engines.emulator.ptx.parser import type_bytes
from grader.engines.emulator.ptx.syntax import Module, Variable
from grader.engines.emulator.services.heap import ARENA_BYTES, Heap
from grader.engines.emulator.services.samplers import Sampler
from grader.engines.emulator.services.surfaces import Surface
from grader.model.plan import Buffer, LaunchPlan, Role, Transfer, poison_byte
from grader.model.texture import Texture

POISON_WORD = 0x7FFDA5A5
"""Content of unwritten memory: a NaN as float32 and, twice, as float64; as an integer, far from any result."""

MAX_VARIABLE_BYTES = 1 << 30
"""Limit for all variables of a module together."""

_FLAGS = {
    Role.INPUT: WindowFlag.INPUT,
    Role.OUTPUT: WindowFlag.UNINITIALISED,
    Role.SCRATCH: WindowFlag.UNINITIALISED,
}
_FIRST_BUFFER = 1
_GEOMETRIES = {1: Geometry.LINE, 2: Geometry.PLANE}
_TEXTURE_ORIGIN = 0x7E << 40
_PIECE = 1 << 20
_MOST_TRACKED_BY_BYTES = 4 << 20
_WORD = 4
_REFERENCE = re.compile(r"(?:generic\()?([A-Za-z_$][\w$]*)\)?(?:\s*\+\s*(\d+))?")


@dataclass(slots=True)
class Region:
    """Contents of one window. ``shadow`` is ``None`` if accesses are not tracked."""

    name: str
    data: NDArray[np.uint8]
    flags: int
    shadow: NDArray[np.uint8] | None = None

    def window(self, origin: int) -> tuple[int, int, int, int, int]:
        """The fields of a ``WINDOW`` record."""
        shadow = 0 if self.shadow is None else address_of(self.shadow)
        return origin, len(self.data), address_of(self.data), shadow, self.flags


class DeviceMemory:
    """Buffers and variables during all launches of a plan."""

    def __init__(self, plan: LaunchPlan, inputs: Mapping[str, bytes], *, track: bool) -> None:
        """Copy the inputs into buffers and poison the rest. ``track``: keep shadows for the diagnosis.

        Raises: ``ValueError`` if an input is missing or has the wrong size.
        """
        self._track = track
        self.stamp = 0
        self.regions: dict[int, Region] = {}
        self._buffers: dict[str, int] = {}
        self._inputs = inputs
        self._plan = plan
        self._variables: dict[int, list[Region]] = {}
        self._heap: Heap | None = None
        self.samplers: dict[int, Sampler] = {}
        self.surfaces: dict[int, Surface] = {}
        self._handles: dict[Texture, int] = {}
        if len(plan.buffers) >= PARAMETER_WINDOW:
            msg = f"a plan of {len(plan.buffers)} buffers; the emulator has room for {PARAMETER_WINDOW - 1}"
            raise ValueError(msg)
        for index, buffer in enumerate(plan.buffers):
            self._buffers[buffer.name] = _FIRST_BUFFER + index
            self.regions[_FIRST_BUFFER + index] = self._region(buffer, inputs)

    def address(self, name: str | Texture) -> int:
        """The device address of a buffer, or the handle of a texture.

        Raises: ``ValueError`` if the buffer does not fit the texture.
        """
        if isinstance(name, Texture):
            return self._handle(name)
        return self.origin(self._buffers[name])

    def origin(self, window: int) -> int:
        """The virtual address of the contents of a window."""
        return window_origin(window)

    def _handle(self, texture: Texture) -> int:
        if texture in self._handles:
            return self._handles[texture]
        buffer = self._plan.buffer(texture.buffer)
        if buffer.role is not Role.INPUT:
            msg = f"texture {texture.buffer} is no input"
            raise ValueError(msg)
        width, height = texture.extents(buffer.shape, buffer.nbytes)
        data = self.regions[self._buffers[buffer.name]].data[: buffer.nbytes]
        sampling = texture.sampling
        handle = self._handles[texture] = _TEXTURE_ORIGIN + len(self.samplers)
        self.samplers[handle] = Sampler(
            geometry=Geometry.MEMORY if sampling.fetched else _GEOMETRIES[texture.dimensions],
            texels=data.view(texture.texel.value).reshape(1, 1, height, width, texture.channels),
            filtering=sampling.filtering,
            addressing=(sampling.addressing,) * 3,
            normalised=sampling.normalised,
            values_normalised=texture.values_normalised,
        )
        return handle

    @property
    def heap(self) -> Heap:
        """The heap of ``malloc`` in kernels. Raises: ``LookupError`` if no heap is open."""
        if self._heap is None:
            msg = "no heap"
            raise LookupError(msg)
        return self._heap

    def open_heap(self) -> None:
        """Create the heap, if there is none, and map its window."""
        if self._heap is None:
            self._heap = heap = Heap.empty(shadow_for(ARENA_BYTES) if self._track else None)
            flags = WindowFlag.HEAP | WindowFlag.UNINITIALISED
            self.regions[HEAP_WINDOW] = Region("the heap", heap.data, int(flags), heap.shadow)

    @property
    def heap_owners(self) -> int:
        """Host address of the heap's allocation numbers; 0 if no kernel of the plan has used a heap."""
        return 0 if self._heap is None else address_of(self._heap.owners)

    def map_module(self, unit: int, module: Module) -> None:
        """Map the variables of ``module``, with the values that earlier launches left."""
        if unit not in self._variables:
            variables = module_variables(module)
            total = sum((each.count or 0) * type_bytes(each.type) for each in variables)
            if total > MAX_VARIABLE_BYTES:
                largest = max(variables, key=lambda each: (each.count or 0) * type_bytes(each.type))
                raise UnsupportedError(largest.name, code="too-large-variables", bytes=total)
            addresses = {v.name: window_origin(VARIABLE_WINDOW + index) for index, v in enumerate(variables)}
            addresses |= function_addresses(module)
            self._variables[unit] = [self._variable(variable, addresses) for variable in variables]
        for number in [number for number in self.regions if VARIABLE_WINDOW <= number < HEAP_WINDOW]:
            del self.regions[number]
        for index, region in enumerate(self._variables[unit]):
            self.regions[VARIABLE_WINDOW + index] = region

    def track_bytes(self) -> None:
        """Give the shadows of buffers and variables planes for single bytes: the next program accesses such.

        Large buffers and the heap do without: there, one access stands for four bytes.
        """
        for number, region in self.regions.items():
            if region.shadow is None or number == HEAP_WINDOW or region.flags & WindowFlag.NARROW:
                continue
            if len(region.data) <= _MOST_TRACKED_BY_BYTES:
                before, region.shadow = region.shadow, shadow_for(len(region.data), narrow=True)
                region.flags |= WindowFlag.NARROW
                if self.stamp:
                    region.shadow[: len(before)] = before

    def windows(self, parameter_window: int, parameters: NDArray[np.uint8]) -> NDArray[Any]:
        """The window table for one launch with ``parameters``."""
        table = aligned_records(WINDOW, WINDOWS)
        for number, region in self.regions.items():
            table[number] = region.window(self.origin(number))
        shadow = shadow_for(GRID_WORKSPACE_BYTES) if self._track else None
        self._workspace = Region("the grid's workspace", aligned_bytes(GRID_WORKSPACE_BYTES), 0, shadow)
        table[GRID_WINDOW] = self._workspace.window(window_origin(GRID_WINDOW))
        block = Region("the kernel's parameters", parameters, WindowFlag.READ_ONLY)
        table[parameter_window] = block.window(window_origin(parameter_window))
        return table

    def carry(self, step: Transfer) -> None:
        """Set a whole buffer as ``step`` says. What was uninitialised in its source stays so in its target."""
        target = self.regions[self._buffers[step.target]]
        if not step.source:
            target.data[:] = step.byte
            self._set_shadow(target, None)
            return
        source = self.regions[self._buffers[step.source]]
        target.data[:] = source.data[: len(target.data)]
        self._set_shadow(target, source)

    def fill_variable(self, unit: int, name: str, source: str) -> None:
        """Copy the buffer ``source`` to the variable ``name`` of a mapped module. Raises: ``StopIteration``."""
        region = next(each for each in self._variables[unit] if each.name == name)
        data = self.regions[self._buffers[source]].data
        region.data[: len(data)] = data

    def is_set(self, name: str) -> bool:
        """Whether the first element of the buffer ``name`` is not 0."""
        return bool(self.regions[self._buffers[name]].data[: self._plan.buffer(name).dtype.itemsize].any())

    @staticmethod
    def _set_shadow(target: Region, source: Region | None) -> None:
        """Have all of ``target`` written, or as uninitialised as ``source``."""
        written = source is None or source.shadow is None
        target.flags &= ~WindowFlag.UNINITIALISED
        if not written and source is not None:
            target.flags |= source.flags & WindowFlag.UNINITIALISED
        if target.shadow is None:
            return
        if written or source is None or source.shadow is None:
            target.shadow = shadow_for(len(target.data), narrow=bool(target.flags & WindowFlag.NARROW))
        else:
            target.flags = target.flags & ~WindowFlag.NARROW | source.flags & WindowFlag.NARROW
            target.shadow = source.shadow.copy()

    def end_tracking(self) -> None:
        """Free the shadows, which take twice the memory of the data, before results are copied."""
        self._track = False
        for region in (*self.regions.values(), *(r for regions in self._variables.values() for r in regions)):
            region.shadow = None

    def outputs(self) -> dict[str, bytes]:
        """The contents of every OUTPUT and INOUT buffer."""
        return {
            buffer.name: self.regions[self._buffers[buffer.name]].data[: buffer.nbytes].tobytes()
            for buffer in self._plan.returned
        }

    def changed_inputs(self) -> tuple[str, ...]:
        """The INPUT buffers with changed contents."""
        return tuple(
            buffer.name
            for buffer in self._plan.buffers
            if buffer.role is Role.INPUT and self._changed(buffer, self._inputs[buffer.name])
        )

    def _changed(self, buffer: Buffer, given: bytes) -> bool:
        """Whether a buffer differs from its input; compared in pieces, because a copy may be large."""
        now, before = self.regions[self._buffers[buffer.name]].data, np.frombuffer(given, np.uint8)
        return any(
            not np.array_equal(now[start : start + _PIECE], before[start : start + _PIECE])
            for start in range(0, buffer.nbytes, _PIECE)
        )

    def _region(self, buffer: Buffer, inputs: Mapping[str, bytes]) -> Region:
        data = aligned_bytes(buffer.nbytes)[: buffer.nbytes]
        if buffer.role in {Role.INPUT, Role.INOUT}:
            given = inputs.get(buffer.name)
            if given is None or len(given) != buffer.nbytes:
                msg = f"buffer {buffer.name} needs {buffer.nbytes} bytes of input"
                raise ValueError(msg)
            data[:] = np.frombuffer(given, np.uint8)
        else:
            data[:] = poison_byte(buffer.dtype)
        flags = _FLAGS.get(buffer.role, 0)
        # An input that is only read needs no shadow; ``changed_inputs`` finds an input that is written.
        tracked = self._track and buffer.role is not Role.INPUT
        return Region(buffer.name, data, int(flags), shadow_for(buffer.nbytes) if tracked else None)

    def _variable(self, variable: Variable, addresses: Mapping[str, int]) -> Region:
        size = (variable.count or 0) * type_bytes(variable.type)
        if len(variable.initial) > (variable.count or 0):
            raise UnsupportedError(variable.name, code="unsupported-initial-values")
        data = aligned_bytes(size)[:size]
        width = type_bytes(variable.type)
        for index, text in enumerate(variable.initial):
            value = _initial_value(text, width, addresses, is_float=variable.type[0] == "f")
            data[index * width : (index + 1) * width] = np.frombuffer(value, np.uint8)
        constant = variable.space == "const"
        shadow = shadow_for(size) if self._track and not constant else None
        return Region(variable.name, data, int(WindowFlag.READ_ONLY) if constant else 0, shadow)


def shadow_for(nbytes: int, *, narrow: bool = False) -> NDArray[np.uint8]:
    """An empty shadow, with planes for single bytes if accesses are ``narrow``.

    Only touched pages take physical memory: in the first plane 2 bytes for each byte.
    """
    return aligned_bytes(shadow_bytes(nbytes, narrow=narrow))


def shadow_bytes(nbytes: int, *, narrow: bool = False) -> int:
    """The size of the shadow of ``nbytes``."""
    planes = BYTE_SHADOW_PLANES if narrow else WORD_SHADOW_PLANES
    return -(-nbytes // _WORD) * SHADOW_WORD_BYTES * planes


def _initial_value(text: str, width: int, addresses: Mapping[str, int], *, is_float: bool) -> bytes:
    """One element of an initialiser: a number, a float's bits, or the address of a variable or function."""
    match = _REFERENCE.fullmatch(text)
    try:
        if text[:2] in {"0f", "0F", "0d", "0D"}:
            digits = text[2:]
            return int(digits, 16).to_bytes(width, "little")
        if match and match[1] in addresses:
            return (addresses[match[1]] + int(match[2] or 0)).to_bytes(width, "little")
        if is_float:
            return np.array(float(text), np.dtype(f"<f{width}")).tobytes()
        return (int(text, 0) & ((1 << (8 * width)) - 1)).to_bytes(width, "little")
    except (ValueError, OverflowError, TypeError):
        raise UnsupportedError(text, code="unsupported-initial-value") from None
