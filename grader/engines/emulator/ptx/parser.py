"""PTX text to a ``Module``. Grammar: PTX ISA, "Syntax" and "State Spaces, Types, and Variables"."""

import re
from collections.abc import Collection

from grader.engines.emulator.ptx.locations import LocationTracker, Place
from grader.engines.emulator.ptx.syntax import Function, Instruction, Module, PtxError, Variable

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_STATEMENT = re.compile(
    r"""\s*(?:
      (?P<place>\.(?:loc|file)\b[^\n]*)
    | (?P<ignored>\.(?:version|target|address_size)\b[^\n]*|\.section\b[^{]*\{[^}]*\}|\.pragma\b[^;]*;|\.alias\b[^;]*;)
    | (?P<label>[\w$%]+):(?!:)
    | (?P<open>\{)
    | (?P<close>\})
    | (?P<header>(?:\.(?:visible|extern|weak)\s+)*\.(?:entry|func)\b[^{;]*)(?P<end>;)?
    | (?P<plain>[^;{}][^;]*);
    )""",
    re.VERBOSE,
)
_INSTRUCTION = re.compile(
    r"(?:@(?P<not>!)?(?P<guard>[\w$%]+)\s+)?(?P<opcode>[a-z][\w.:]*)\s*(?P<operands>.*)", re.DOTALL
)
_VARIABLE = re.compile(
    r"""(?:\.(?:visible|extern|weak|common)\s+)*
    \.(?P<space>global|const|shared|local|param)\s+
    (?P<qualifiers>(?:\.(?:align\s+\d+|attribute\([^)]*\)|ptr|global|const|shared|local|v[24])\s*)*)
    \.(?P<type>[a-z]\w*)\s+
    (?:\.ptr\s+(?:\.\w+\s+)*(?:\.align\s+\d+\s+)?)?
    (?P<name>[\w$%.]+)\s*
    (?P<extents>(?:\[\s*\d*\s*\]\s*)*)
    (?:=\s*(?P<initial>.*))?$""",
    re.VERBOSE | re.DOTALL,
)
_REGISTERS = re.compile(r"\.reg\s*(?:\.v[24]\s+)?\.(\w+)\s+(.*)", re.DOTALL)
_HEADER = re.compile(
    r".*?\.(?P<kind>entry|func)\s*(?:\((?P<returns>[^)]*)\))?\s*(?P<name>[\w$]+)\s*(?P<rest>.*)", re.DOTALL
)
_TYPE = re.compile(r"[a-z]+(8|16|32|64|128)(?:x([24]))?")
_WORD = re.compile(r"[\w$%]+")
_ALIGN = re.compile(r"\.align\s+(\d+)")


def parse(text: str, user_files: Collection[str]) -> Module:
    """The module in ``text``, with locations in ``user_files``. Raises: ``PtxError``."""
    return _Parser(text, user_files).module()


def type_bytes(name: str) -> int:
    """The size of a fundamental type: 4 for ``f32``. Raises: ``PtxError``."""
    match = _TYPE.fullmatch(name)
    if match is None:
        msg = f"type .{name} has no size"
        raise PtxError(msg)
    return int(match[1]) * int(match[2] or 1) // 8


class _Parser:
    def __init__(self, text: str, user_files: Collection[str]) -> None:
        self._text = _COMMENT.sub("", text)
        self._user_files = user_files
        self._locations = LocationTracker()
        self._module = Module()
        self._function: Function | None = None
        self._scopes: list[dict[str, str]] = []
        self._scope_count = 0
        self._chains: dict[str, list[tuple[Place, ...]]] = {}

    def module(self) -> Module:
        position, end = 0, len(self._text.rstrip())
        while position < end:
            match = _STATEMENT.match(self._text, position)
            if match is None:
                msg = f"cannot read {self._text[position : position + 60].strip()!r}"
                raise PtxError(msg)
            position = match.end()
            self._take(match)
        for name, chains in self._chains.items():
            function = self._module.functions[name]
            places = {chain: self._locations.resolve(chain, self._user_files) for chain in set(chains)}
            function.body = [
                Instruction(i.opcode, i.operands, i.guard, i.negated, places[chain])
                for i, chain in zip(function.body, chains, strict=True)
            ]
        return self._module

    def _take(self, match: re.Match[str]) -> None:
        kind = match.lastgroup
        if kind == "plain":
            self._plain(match["plain"].strip())
        elif kind == "place":
            self._locations.see(match["place"])
        elif kind == "label":
            self._label(match["label"])
        elif kind == "open":
            self._scope_count += 1
            self._scopes.append({})
        elif kind == "close":
            self._close()
        elif kind in {"header", "end"}:
            self._header(match["header"], declared_only=match["end"] is not None)

    def _close(self) -> None:
        if not self._scopes:
            msg = "unmatched }"
            raise PtxError(msg)
        self._scopes.pop()
        if not self._scopes:
            self._function = None
            self._locations.current = None

    def _header(self, header: str, *, declared_only: bool) -> None:
        match = _HEADER.match(header)
        if match is None:
            msg = f"cannot read {header[:60]!r}"
            raise PtxError(msg)
        params = re.match(r"\(([^)]*)\)", match["rest"])
        function = Function(
            name=match["name"],
            is_kernel=match["kind"] == "entry",
            params=_parameters(params[1] if params else ""),
            returns=_parameters(match["returns"] or ""),
            has_body=not declared_only,
        )
        known = self._module.functions.get(function.name)
        if known is not None and known.has_body and not declared_only:
            msg = f"{function.name} is defined twice"
            raise PtxError(msg)
        if known is None or not known.has_body:
            self._module.functions[function.name] = function
        if not declared_only:
            self._function = function
            function.variables |= {variable.name: variable for variable in function.params + function.returns}
            self._chains[function.name] = []

    def _label(self, name: str) -> None:
        if self._function is None:
            msg = f"label {name} outside a function"
            raise PtxError(msg)
        self._function.labels[name] = len(self._function.body)

    def _plain(self, statement: str) -> None:
        if statement.startswith(".reg"):
            self._registers(statement)
        elif statement.startswith(".branchtargets"):
            self._targets(statement)
        elif statement.startswith("."):
            self._variable(statement)
        else:
            self._instruction(statement)

    def _registers(self, statement: str) -> None:
        match = _REGISTERS.fullmatch(statement)
        if match is None or self._function is None:
            msg = f"cannot read {statement!r}"
            raise PtxError(msg)
        for name in (part.strip() for part in match[2].split(",")):
            if name.endswith(">"):
                self._function.register_families[name.split("<")[0]] = match[1]
            else:
                self._function.registers[self._declare(name)] = match[1]

    def _targets(self, statement: str) -> None:
        function = self._function
        if function is None or not function.labels:
            msg = ".branchtargets without a label"
            raise PtxError(msg)
        label = next(reversed(function.labels))
        function.tables[label] = tuple(_WORD.findall(statement.removeprefix(".branchtargets")))

    def _variable(self, statement: str) -> None:
        variable = _variable(statement)
        if self._function is None:
            self._module.variables[variable.name] = variable
            return
        name = self._declare(variable.name)
        self._function.variables[name] = Variable(
            name, variable.space, variable.type, variable.align, variable.count, variable.initial
        )

    def _declare(self, name: str) -> str:
        """A name of its own for what is declared in an inner scope: call sequences reuse theirs."""
        if len(self._scopes) < 2:  # noqa: PLR2004 - one is the function's own
            return name
        unique = f"{name}@{self._scope_count}"
        self._scopes[-1][name] = unique
        return unique

    def _instruction(self, statement: str) -> None:
        function = self._function
        names = {name: unique for scope in self._scopes[1:] for name, unique in scope.items()}
        if names:
            statement = _WORD.sub(lambda word: names.get(word[0], word[0]), statement)
        match = _INSTRUCTION.fullmatch(statement)
        if match is None or function is None:
            msg = f"cannot read {statement[:60]!r}"
            raise PtxError(msg)
        function.body.append(
            Instruction(
                tuple(match["opcode"].split(".")),
                split_operands(match["operands"]),
                match["guard"],
                match["not"] is not None,
                None,
            )
        )
        self._chains[function.name].append(self._locations.snapshot())


def split_operands(text: str) -> tuple[str, ...]:
    """Operands at top-level commas, whitespace removed at their ends."""
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


def _parameters(text: str) -> tuple[Variable, ...]:
    return tuple(_variable(part.strip()) for part in text.split(",") if part.strip())


def _variable(statement: str) -> Variable:
    match = _VARIABLE.match(statement)
    if match is None:
        msg = f"cannot read {statement[:80]!r}"
        raise PtxError(msg)
    size = type_bytes(match["type"])
    extents = re.findall(r"\[\s*(\d*)\s*\]", match["extents"])
    count: int | None = 1
    for extent in extents:
        count = None if extent == "" or count is None else count * int(extent)
    align = _ALIGN.search(match["qualifiers"])
    vector = re.search(r"\.v([24])", match["qualifiers"])
    if vector and count is not None:
        count *= int(vector[1])
    initial = (match["initial"] or "").strip()
    elements = tuple(part.strip() for part in initial.strip("{} \n\t").split(",")) if initial else ()
    return Variable(
        name=match["name"],
        space=match["space"],
        type=match["type"],
        align=int(align[1]) if align else size,
        count=count,
        initial=elements,
    )
