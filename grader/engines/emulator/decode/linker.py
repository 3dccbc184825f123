"""Link a parsed module into the program of one kernel: decode and place its functions, and resolve their jumps."""

import struct
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from grader.engines.emulator.core.codes import Op
from grader.engines.emulator.core.records import INSTRUCTION
from grader.engines.emulator.decode.arithmetic import Handler
from grader.engines.emulator.decode.assembler import Assembler, Emitted
from grader.engines.emulator.decode.chains import waits
from grader.engines.emulator.decode.comparing import COMPARING
from grader.engines.emulator.decode.constants import ConstantArea
from grader.engines.emulator.decode.control import CONTROL
from grader.engines.emulator.decode.converting import CONVERTING
from grader.engines.emulator.decode.dataflow import access_flags
from grader.engines.emulator.decode.floating import ARITHMETIC
from grader.engines.emulator.decode.flop_counting import operations_of
from grader.engines.emulator.decode.functions import call_of, function_addresses, reachable, signature
from grader.engines.emulator.decode.matrices import MATRICES
from grader.engines.emulator.decode.memory import MEMORY
from grader.engines.emulator.decode.moving import BLOCK_ROWS, MOVING
from grader.engines.emulator.decode.program import (
    Program,
    ServiceCall,
    Span,
    UnsupportedError,
)
from grader.engines.emulator.decode.stack import Needs, stack_bytes
from grader.engines.emulator.decode.surfaces import SURFACES
from grader.engines.emulator.decode.textures import TEXTURES
from grader.engines.emulator.decode.validate import validated
from grader.engines.emulator.decode.variables import (
    PARAMETER_WINDOW,
    lay_out,
    lay_out_shared,
    named_addresses,
    window_origin,
)
from grader.engines.emulator.decode.wmma import WMMA
from grader.engines.emulator.ptx.syntax import Function, Location, Module

HANDLERS: dict[str, Handler] = (
    ARITHMETIC | COMPARING | CONVERTING | MOVING | MEMORY | MATRICES | WMMA | TEXTURES | SURFACES | CONTROL
)
"""Decoders of all supported PTX instructions by the base of the opcode."""

END_OF_CODE = "the end of a function"
"""The text of the trap behind each function: compilers omit ``ret`` only on paths with undefined behaviour."""

MAX_LOCAL_BYTES = 512 << 10
"""Most local memory of a thread (CUDA C++ Programming Guide, compute capability 7.5)."""

MAX_SHARED_BYTES = 1 << 20
"""Most static shared memory that a program may declare; devices have less."""

MAX_FRAMES_BYTES = 16 << 20
"""Most bytes that a program's registers may take in one warp, recursion included."""

_LOCAL_ALIGN = 16
_ACCESSES = {Op.LOAD, Op.STORE, Op.ATOMIC}


def link(module: Module, kernel: str) -> Program:
    """Decode ``kernel`` and all it calls.

    Raises: ``UnsupportedError`` naming the unsupported feature and its location; ``KeyError`` if there is no such
    kernel.
    """
    return validated(_Linker(module, module.functions[kernel]).program())


@dataclass(slots=True)
class _Placed:
    """A decoded function: where its code starts and the size of its frame."""

    assembler: Assembler
    start: int = 0
    callees: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        """Its index in the program; a trap follows every function."""
        return Span(self.start, self.start + len(self.assembler.emitted) + 1, self.assembler.frame_bytes)


class _Linker:
    def __init__(self, module: Module, kernel: Function) -> None:
        self._module = module
        self._kernel = kernel
        self._constants = ConstantArea()
        self._operands: list[int] = []
        self._services: list[ServiceCall] = []
        self._functions = function_addresses(module)
        self._order = reachable(module, kernel)
        self._shared, self._static_shared = lay_out_shared(module, self._order)
        self._addresses = named_addresses(module, kernel.name, self._shared) | self._functions
        self._placed: dict[str, _Placed] = {}

    def program(self) -> Program:
        block_rows = [self._constants.launch_value(name) for name in BLOCK_ROWS]
        parameter_bytes = 0
        for function in self._order:
            assembler = self._assembler(function)
            if function is self._kernel:
                parameter_bytes = lay_out(function.params, assembler.param_offsets, 0)
            self._placed[function.name] = _Placed(assembler)
        for function in self._order:
            self._decode(function)
        start = 0
        for placed in self._placed.values():
            placed.start = start
            start += len(placed.assembler.emitted) + 1
        frame_bytes, local_bytes = self._stack()
        if local_bytes > MAX_LOCAL_BYTES or self._static_shared > MAX_SHARED_BYTES:
            raise UnsupportedError(self._kernel.name, code="too-much-memory")
        if frame_bytes > MAX_FRAMES_BYTES:
            raise UnsupportedError(self._kernel.name, code="too-many-virtual-registers")
        emitted, ends, work, locations, texts = self._collect(start)
        return Program(
            kernel=self._kernel.name,
            code=emitted,
            operands=np.array(self._operands or [0], np.int32),
            services=tuple(self._services),
            locations=tuple(locations),
            texts=tuple(texts),
            ends=ends,
            units=work[:, 0].astype(np.int64),
            operations=work[:, 1].astype(np.int64),
            waits=work[:, 2:],
            entry=0,
            spans=tuple(placed.span for placed in self._placed.values()),
            constants=bytes(self._constants.data),
            parameters=tuple(self._constants.parameters),
            parameter_bytes=parameter_bytes,
            launch_rows=dict(self._constants.launch_rows),
            block_rows=~block_rows[0],
            frame_bytes=frame_bytes,
            local_bytes=-(-max(local_bytes, 1) // _LOCAL_ALIGN) * _LOCAL_ALIGN,
            shared=self._shared,
            static_shared_bytes=self._static_shared,
        )

    def _assembler(self, function: Function) -> Assembler:
        addresses = self._addresses
        assembler = Assembler(function, self._constants, self._operands, self._services, addresses)
        top = 0
        if function.is_kernel:
            base = window_origin(PARAMETER_WINDOW)
            offsets: dict[str, int] = {}
            lay_out(function.params, offsets, 0)
            assembler.addresses = addresses | {name: base + offset for name, offset in offsets.items()}
        else:
            top = lay_out(function.returns + function.params, assembler.local_offsets, 0)
        depots = [v for v in function.variables.values() if v.space == "local"]
        top = lay_out(tuple(depots), assembler.local_offsets, top)
        assembler.local_bytes = -(-top // _LOCAL_ALIGN) * _LOCAL_ALIGN
        return assembler

    def _decode(self, function: Function) -> None:
        placed = self._placed[function.name]
        assembler = placed.assembler
        self._place_arguments(function, assembler)
        for ins in function.body:
            assembler.begin(ins)
            handler = HANDLERS.get(ins.opcode[0])
            if handler is None:
                raise UnsupportedError(ins.text, ins.location)
            before = len(assembler.emitted)
            try:
                handler(assembler, ins)
            except UnsupportedError as error:
                raise error.at(ins.location) from None
            except (IndexError, KeyError, TypeError, ValueError, ArithmeticError, struct.error) as error:
                whole = " ".join((ins.text, ", ".join(ins.operands)))
                raise UnsupportedError(whole, ins.location) from error
            assembler.owners.extend(
                [len(assembler.instruction_starts) - 1] * (len(assembler.emitted) - before)
            )
            assembler.work.append(operations_of(ins, assembler.unit))
        direct = {e.callee for e in assembler.emitted if e.callee is not None}
        indirect = {
            name
            for e in assembler.emitted
            if e.prototype is not None
            for name in self._fitting(function, e.prototype)
        }
        placed.callees = tuple(sorted(direct | indirect))

    def _fitting(self, function: Function, prototype: str) -> list[str]:
        """The functions that an indirect call through ``prototype`` may reach."""
        known = function.prototypes.get(prototype)
        if known is None:
            raise UnsupportedError(prototype, code="unsupported-indirect-call")
        wanted = signature(known.returns, known.params)
        return [
            f.name for f in self._order if f is not self._kernel and signature(f.returns, f.params) == wanted
        ]

    def _place_arguments(self, function: Function, assembler: Assembler) -> None:
        """Place a call's argument variables where the callee expects them: just behind the caller's local memory."""
        for ins in function.body:
            if ins.opcode[0] != "call":
                continue
            call = call_of(ins)
            names = (*call.returns, *call.arguments)
            variables = [function.variables[name] for name in names if name in function.variables]
            offsets: dict[str, int] = {}
            size = lay_out(tuple(variables), offsets, 0)
            assembler.local_offsets |= {
                name: assembler.local_bytes + offset for name, offset in offsets.items()
            }
            assembler.argument_bytes = max(assembler.argument_bytes, size)

    def _stack(self) -> tuple[int, int]:
        """Bytes of frames and of local memory that the kernel may need."""
        needs = {}
        for name, placed in self._placed.items():
            own = placed.assembler
            needs[name] = Needs(own.frame_bytes, own.local_bytes + own.argument_bytes, placed.callees)
        return stack_bytes(needs, self._kernel.name)

    def _collect(
        self, length: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[Location | None], list[str]]:
        self._fill_call_tables()
        rows, locations, texts = [], [], []
        ends, work = np.zeros(length, np.int64), np.zeros((length, 5))
        names = INSTRUCTION.names or ()
        for placed in self._placed.values():
            assembler, body = placed.assembler, placed.assembler.function.body
            flags, shares = access_flags(assembler.function), waits(assembler.function)
            for emitted, owner in zip(assembler.emitted, assembler.owners, strict=True):
                fields = emitted.fields
                self._resolve(placed, emitted)
                if fields["op"] in _ACCESSES:
                    fields["flags"] |= flags.get(owner, 0)
                rows.append(tuple(fields.get(name, 0) for name in names))
                locations.append(body[owner].location)
                texts.append(body[owner].text)
            bounds = pairwise([*assembler.instruction_starts, len(assembler.emitted)])
            for owner, (start, stop) in enumerate(bounds):
                if stop > start:
                    ends[placed.start + stop - 1] = 1
                    work[placed.start + stop - 1] = *assembler.work[owner], *shares[owner]
            rows.append(tuple({"op": int(Op.TRAP), "guard": -1}.get(name, 0) for name in names))
            locations.append(body[-1].location if body else None)
            texts.append(END_OF_CODE)
        try:
            code = np.array(rows, INSTRUCTION)
        except OverflowError:
            raise UnsupportedError(self._kernel.name, code="too-large-offset") from None
        return code, ends, work, locations, texts

    def _fill_call_tables(self) -> None:
        """Reserve the operand-list entries of every indirect call before code refers to them."""
        tables: dict[tuple[str, ...], int] = {}
        for placed in self._placed.values():
            for emitted in placed.assembler.emitted:
                if emitted.prototype is None:
                    continue
                fitting = tuple(self._fitting(placed.assembler.function, emitted.prototype))
                if fitting not in tables:
                    tables[fitting] = len(self._operands)
                    for name in self._functions:
                        self._operands.extend(self._entry(name) if name in fitting else (-1, 0, 0))
                emitted.fields["target"] = tables[fitting]
                emitted.fields["count"] = len(self._functions)
                emitted.fields["imm"] = placed.assembler.frame_bytes
                emitted.fields["c"] = placed.assembler.local_bytes

    def _entry(self, name: str) -> tuple[int, int, int]:
        """Where a function starts, and the bytes of frame and of local memory that it needs."""
        inner = self._placed[name]
        assembler = inner.assembler
        return inner.start, assembler.frame_bytes, assembler.local_bytes + assembler.argument_bytes

    def _resolve(self, placed: _Placed, emitted: Emitted) -> None:
        label, callee, fields = emitted.label, emitted.callee, emitted.fields
        if label is not None and fields["op"] == Op.BRANCH_INDEXED:
            for index, name in enumerate(placed.assembler.function.tables[label]):
                self._operands[fields["target"] + index] = self._position(placed, name)
        elif label is not None:
            fields["target"] = self._position(placed, label)
        if callee is not None:
            fields["target"], fields["d"], fields["b"] = self._entry(callee)
            fields["imm"] = placed.assembler.frame_bytes
            fields["c"] = placed.assembler.local_bytes

    @staticmethod
    def _position(placed: _Placed, label: str) -> int:
        """Index of the micro-operation that follows a label."""
        assembler = placed.assembler
        if label not in assembler.function.labels:
            raise UnsupportedError(label, code="unsupported-jump")
        instruction = assembler.function.labels[label]
        starts = assembler.instruction_starts
        offset = starts[instruction] if instruction < len(starts) else len(assembler.emitted)
        return placed.start + offset
