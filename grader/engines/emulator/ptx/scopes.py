"""Names of inner blocks: registers, variables and labels that end with their ``}``.

Call sequences and inline assembly open inner blocks and reuse the same names in each. A name that an inner block
declares becomes unique in the function: ``name@number``.
"""

import re
from dataclasses import dataclass, field

from grader.engines.emulator.ptx.syntax import Function, Instruction, PtxError

MAX_DEPTH = 64
"""Most nested blocks; compilers nest three or four."""

_NAME = re.compile(r"(?<![\w$%.])[\w$%]+")
_DIGITS = "0123456789"
_JUMPS = {"bra", "brx", "call"}


@dataclass(slots=True)
class _Scope:
    number: int
    start: int
    declared: list[str] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)
    tables: list[str] = field(default_factory=list)


class Scopes:
    """The open blocks; the outermost is the function body."""

    def __init__(self) -> None:
        self._open: list[_Scope] = []
        self._count = 0
        self._names: dict[str, list[str]] = {}

    def __len__(self) -> int:
        return len(self._open)

    def open(self, function: Function | None) -> None:
        """Open a block at a ``{``. Raises: ``PtxError`` beyond ``MAX_DEPTH``."""
        if len(self._open) == MAX_DEPTH:
            msg = f"more than {MAX_DEPTH} blocks within blocks"
            raise PtxError(msg)
        self._count += 1
        self._open.append(_Scope(self._count, len(function.body) if function else 0))

    def close(self, function: Function | None) -> None:
        """Close a block at a ``}``: release its names and resolve the jumps inside it. Raises: ``PtxError``."""
        if not self._open:
            msg = "a } without its {"
            raise PtxError(msg)
        scope = self._open.pop()
        for name in scope.declared:
            self._names[name].pop()
            if not self._names[name]:
                del self._names[name]
        if scope.labels and function is not None:
            _rename_jumps(function, scope)

    def declare(self, name: str) -> str:
        """The unique name of a register or variable; a family such as ``%r<8>`` is declared as ``%r<``."""
        if len(self._open) <= 1:
            return name
        scope = self._open[-1]
        unique = f"{name.removesuffix('<')}@{scope.number}" + ("@" if name.endswith("<") else "")
        scope.declared.append(name)
        self._names.setdefault(name, []).append(unique)
        return unique

    def label(self, name: str) -> str:
        """The unique name of a label."""
        if len(self._open) <= 1:
            return name
        scope = self._open[-1]
        scope.labels[name] = f"{name}@{scope.number}"
        return scope.labels[name]

    def table(self, label: str) -> None:
        """Register ``label`` (a unique name) as the start of a list of branch targets."""
        if self._open:
            self._open[-1].tables.append(label)

    def resolve(self, text: str) -> str:
        """Operands with every name of an inner block replaced by its unique one."""
        return _NAME.sub(self._unique, text) if self._names else text

    def _unique(self, match: re.Match[str]) -> str:
        name = match[0]
        if name in self._names:
            return self._names[name][-1]
        stem = name.rstrip(_DIGITS)
        family = self._names.get(stem + "<") if stem != name else None
        return family[-1] + name[len(stem) :] if family else name


def _rename_jumps(function: Function, scope: _Scope) -> None:
    """Rename jumps at the end of a block, because labels may follow the jumps to them."""
    labels = scope.labels
    for index in range(scope.start, len(function.body)):
        ins = function.body[index]
        if ins.opcode[0] in _JUMPS and not labels.keys().isdisjoint(ins.operands):
            operands = tuple(labels.get(operand, operand) for operand in ins.operands)
            function.body[index] = Instruction(ins.opcode, operands, ins.guard, ins.negated, ins.location)
    for table in scope.tables:
        function.tables[table] = tuple(labels.get(target, target) for target in function.tables[table])
