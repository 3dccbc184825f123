"""Parse declarations of variables and parameters. Grammar: PTX ISA, "State Spaces, Types, and Variables"."""

import re
from collections.abc import Iterator

from grader.engines.emulator.ptx.syntax import PtxError, Variable

_TYPE = re.compile(r"[a-z]{1,4}(8|16|32|64|128)(?:x([24]))?")
_TOKEN = re.compile(r"\.\w++|[\w$%]++|\[[^\]]*+\]|\([^)]*+\)|\S")
_LINKAGE = {".visible", ".extern", ".weak", ".common", ".ptr", ".managed"}
_SPACES = {".global", ".const", ".shared", ".local", ".param"}
_VECTORS = {".v2": 2, ".v4": 4}
_NUMBER = re.compile(r"\d{1,18}|0[xX][0-9a-fA-F]{1,15}")

MAX_BYTES = 1 << 40
"""Largest size of a variable. Whether it fits a device is checked when it is placed."""


def type_bytes(name: str) -> int:
    """The size of a fundamental type: 4 for ``f32``. Raises: ``PtxError``."""
    match = _TYPE.fullmatch(name)
    if match is None:
        msg = f"type .{name[:40]} has no size"
        raise PtxError(msg)
    return int(match[1]) * int(match[2] or 1) // 8


def parameters(text: str) -> tuple[Variable, ...]:
    """The variables of a parameter list. Raises: ``PtxError``."""
    return tuple(variable(part.strip()) for part in text.split(",") if part.strip())


def variable(statement: str) -> Variable:
    """One declaration, without linkage directives. Raises: ``PtxError``."""
    declared, _, initial = statement.partition("=")
    tokens = iter(_TOKEN.findall(declared))
    space = type_ = name = ""
    count: int | None = 1
    lanes, align = 1, 0
    for word in tokens:
        if word in _LINKAGE:
            continue
        if word == ".align":
            align = _number(next(tokens, ""), statement)
        elif word == ".attribute":
            next(tokens, "")
        elif word in _SPACES:
            space = space or word[1:]  # a second state space is that of a pointer's target
        elif word in _VECTORS:
            lanes = _VECTORS[word]
        elif word[0] == "." and not type_:
            type_ = word[1:]
        elif word[0] == "[" and name:
            extent = word[1:-1].strip()
            count = None if not extent or count is None else count * _number(extent, statement)
        elif (word[0].isalnum() or word[0] in "_$%") and not name:
            name = word
        else:
            raise _unreadable(statement)
    if not (space and type_ and name):
        raise _unreadable(statement)
    size = type_bytes(type_)
    if max(size * (count or 0) * lanes, align) > MAX_BYTES:
        msg = f"{name[:40]} is too large"
        raise PtxError(msg)
    return Variable(
        name=name,
        space=space,
        type=type_,
        align=align or size,
        count=None if count is None else count * lanes,
        initial=tuple(_elements(initial)),
    )


def _elements(initial: str) -> Iterator[str]:
    """The values of an initialiser; inner braces only group them."""
    flat = initial.replace("{", "").replace("}", "").strip()
    return (part.strip() for part in flat.split(",")) if flat else iter(())


def _number(text: str, statement: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise _unreadable(statement)
    return int(text, 0 if text[:2] in {"0x", "0X"} else 10)


def _unreadable(statement: str) -> PtxError:
    return PtxError(f"cannot read {statement[:60]!r}")
