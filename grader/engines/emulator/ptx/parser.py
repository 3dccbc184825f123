"""Parse PTX text into a ``Module``. Grammar: PTX ISA, "Syntax"."""

import re
from collections.abc import Callable, Collection
from dataclasses import replace

from grader.engines.emulator.ptx.locations import InlinedLocation, LocationTracker
from grader.engines.emulator.ptx.scopes import Scopes
from grader.engines.emulator.ptx.source import Kind, Source, Statement
from grader.engines.emulator.ptx.syntax import Function, Instruction, Module, Prototype, PtxError, Variable
from grader.engines.emulator.ptx.variables import parameters, type_bytes, variable

__all__ = ["parse", "split_operands", "type_bytes"]

_INSTRUCTION = re.compile(
    r"(?:@ ?(?P<not>!)? ?(?P<guard>[\w$%]+) )?(?P<opcode>[a-z][\w.:]*) ?(?P<operands>.*)"
)
_REGISTERS = re.compile(r"\.reg ?(?:\.v[24] ?)?\.(\w+) (.*)")
_REGISTER = re.compile(r"([\w$%]+)(?: ?< ?\d+ ?>)?")
_SIGNATURE = re.compile(
    r"(?:\.\w+ )*?\.(?P<kind>entry|func|callprototype) ?(?:\((?P<returns>[^)]*)\))? ?(?P<name>[\w$]+)"
    r" ?(?:\((?P<params>[^)]*)\))?(?P<rest>.*)"
)
_WORD = re.compile(r"[\w$%]+")
_ALIAS = re.compile(r"\.alias ([\w$]+) ?, ?([\w$]+)")
_IGNORED = (".pragma", ".noreturn", ".maxnreg", ".section")


def parse(text: str, user_files: Collection[str]) -> Module:
    """The module in ``text``, with locations in ``user_files``. Raises: ``PtxError`` with the PTX line."""
    return _Parser(text, user_files).module()


class _Parser:
    def __init__(self, text: str, user_files: Collection[str]) -> None:
        self._source = Source(text)
        self._user_files = user_files
        self._locations = LocationTracker()
        self._module = Module()
        self._function: Function | None = None
        self._scopes = Scopes()
        self._label_before: str | None = None
        self._location_chains: dict[str, list[InlinedLocation | None]] = {}
        self._aliases: list[tuple[str, str]] = []
        self._takers: dict[Kind, Callable[[str], None]] = {
            Kind.PLAIN: self._plain,
            Kind.HEADER: self._header,
            Kind.DECLARATION: self._declaration,
            Kind.LABEL: self._label,
            Kind.LINE: self._locations.see,
            Kind.OPEN: lambda _text: self._scopes.open(self._function),
            Kind.CLOSE: lambda _text: self._close(),
        }

    def module(self) -> Module:
        for statement in self._source.statements():
            self._take(statement)
        if self._scopes:
            msg = "the text ends inside a block"
            raise PtxError(msg)
        for name, chains in self._location_chains.items():
            body = self._module.functions[name].body
            for index, chain in enumerate(chains):
                i = body[index]
                location = self._locations.resolve(chain, self._user_files)
                body[index] = Instruction(i.opcode, i.operands, i.guard, i.negated, location)
        for name, target in self._aliases:
            if target in self._module.functions:
                self._module.functions[name] = replace(self._module.functions[target], name=name)
        return self._module

    def _take(self, statement: Statement) -> None:
        try:
            self._takers[statement.kind](statement.text)
        except PtxError as error:
            line = self._source.line_at(statement.position)
            msg = f"line {line}: {error}"
            raise PtxError(msg) from None
        if statement.kind is not Kind.LABEL:
            self._label_before = None

    def _close(self) -> None:
        self._scopes.close(self._function)
        if not self._scopes:
            self._function = None
            self._locations.current = None

    def _header(self, header: str) -> None:
        if self._function is not None:
            msg = f"a function inside {self._function.name}"
            raise PtxError(msg)
        function = _signature(header, has_body=True)
        known = self._module.functions.get(function.name)
        if known is not None and known.has_body:
            msg = f"{function.name} is defined twice"
            raise PtxError(msg)
        self._module.functions[function.name] = self._function = function
        function.variables |= {each.name: each for each in function.params + function.returns}
        self._location_chains[function.name] = []
        self._scopes.open(function)

    def _declaration(self, header: str) -> None:
        function = _signature(header, has_body=False)
        self._module.functions.setdefault(function.name, function)

    def _label(self, name: str) -> None:
        function = self._inside(name)
        unique = self._scopes.label(name)
        if unique in function.labels:
            msg = f"label {name} is there twice"
            raise PtxError(msg)
        function.labels[unique] = len(function.body)
        self._label_before = unique

    def _plain(self, statement: str) -> None:
        if statement[0] != ".":
            self._instruction(statement)
        elif statement.startswith((".reg ", ".reg.")):
            self._registers(statement)
        elif statement.startswith(".branchtargets"):
            self._targets(statement)
        elif statement.startswith(".callprototype"):
            self._prototype(statement)
        elif match := _ALIAS.fullmatch(statement):
            self._aliases.append((match[1], match[2]))
        elif not statement.startswith(_IGNORED):
            self._variable(statement)

    def _registers(self, statement: str) -> None:
        match = _REGISTERS.fullmatch(statement)
        if match is None:
            raise _unreadable(statement)
        function = self._inside(statement)
        for part in match[2].split(","):
            register = _REGISTER.fullmatch(part.strip())
            if register is None:
                raise _unreadable(statement)
            if register[0] == register[1]:
                function.registers[self._scopes.declare(register[1])] = match[1]
            else:
                family = self._scopes.declare(register[1] + "<").removesuffix("<")
                function.register_families[family] = match[1]

    def _targets(self, statement: str) -> None:
        function, label = self._inside(statement), self._labelled(statement)
        function.tables[label] = tuple(_WORD.findall(statement.removeprefix(".branchtargets")))
        self._scopes.table(label)

    def _prototype(self, statement: str) -> None:
        function, label = self._inside(statement), self._labelled(statement)
        like = _signature(statement, has_body=False)
        function.prototypes[label] = Prototype(like.returns, like.params)

    def _variable(self, statement: str) -> None:
        found = variable(statement)
        if self._function is None:
            self._module.variables[found.name] = found
            return
        name = self._scopes.declare(found.name)
        self._function.variables[name] = Variable(
            name, found.space, found.type, found.align, found.count, found.initial
        )

    def _instruction(self, statement: str) -> None:
        match = _INSTRUCTION.fullmatch(statement)
        if match is None:
            raise _unreadable(statement)
        function = self._inside(statement)
        guard = match["guard"]
        function.body.append(
            Instruction(
                tuple(match["opcode"].split(".")),
                split_operands(self._scopes.resolve(match["operands"])),
                None if guard is None else self._scopes.resolve(guard),
                match["not"] is not None,
                None,
            )
        )
        self._location_chains[function.name].append(self._locations.current)

    def _inside(self, what: str) -> Function:
        if self._function is None:
            msg = f"outside a function: {what[:60]!r}"
            raise PtxError(msg)
        return self._function

    def _labelled(self, statement: str) -> str:
        """The label directly before a directive, to which the directive belongs."""
        if self._label_before is None:
            msg = f"no label before {statement[:60]!r}"
            raise PtxError(msg)
        return self._label_before


def split_operands(text: str) -> tuple[str, ...]:
    """Split operands at top-level commas and strip whitespace."""
    if "{" not in text and "(" not in text:
        return tuple(part.strip() for part in text.split(",")) if text.strip() else ()
    parts: list[str] = []
    depth = start = 0
    for index, char in enumerate(text):
        if char in "{([":
            depth += 1
        elif char in "})]":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    parts.append(text[start:].strip())
    return tuple(parts)


def _signature(text: str, *, has_body: bool) -> Function:
    match = _SIGNATURE.fullmatch(text)
    if match is None:
        raise _unreadable(text)
    return Function(
        name=match["name"],
        is_kernel=match["kind"] == "entry",
        params=parameters(match["params"] or ""),
        returns=parameters(match["returns"] or ""),
        has_body=has_body,
    )


def _unreadable(statement: str) -> PtxError:
    return PtxError(f"cannot read {statement[:60]!r}")
