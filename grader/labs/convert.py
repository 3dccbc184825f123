"""Convert a parsed TOML table to a msgspec type, with errors in the words of TOML."""

import re
import types
import typing
from collections.abc import Mapping
from enum import Enum
from typing import Any, NoReturn, TypeVar

import msgspec

from grader.config.lines import KeyPath
from grader.config.wording import dotted, nearest, one_of, shown

T = TypeVar("T")

_LOCATION = re.compile(r"^(?P<what>.*?) - at (?P<key>`key` in )?`\$(?P<path>.*)`$", re.DOTALL)
_STEP = re.compile(r"\.(?P<key>[^.\[]+)|\[(?P<index>\d+)\]|(?P<any>\[\.\.\.\])")
_FIELD = re.compile(r"(?P<how>missing required|unknown) field `(?P<name>[^`]+)`")

_KINDS = {
    "str": "text in quotes",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "an array",
    "object": "a table",
}


class ManifestError(ValueError):
    """A manifest, or a course's table for a lab, is invalid: ``problem``, at the path ``where``.

    Elements of arrays of tables may be given by their names.
    """

    def __init__(self, problem: str, where: KeyPath = ()) -> None:
        self.problem = problem
        self.where = where
        super().__init__(problem)


def refuse(problem: str, *where: str | int) -> NoReturn:
    """Reject the manifest because of ``problem``. Raises: ``ManifestError``, always."""
    raise ManifestError(problem, where)


def convert(content: Mapping[str, Any], expected: type[T], prefix: KeyPath = ()) -> T:
    """``content`` as a value of ``expected``. ``prefix`` is the path of the table, for the message.

    Raises: ``ManifestError`` for the first mistake.
    """
    try:
        return msgspec.convert(content, expected)
    except msgspec.ValidationError as error:
        raise _mistake(str(error), content, expected, prefix) from None


def _mistake(message: str, content: Mapping[str, Any], expected: Any, prefix: KeyPath) -> ManifestError:
    """The error for msgspec's ``message``."""
    found = _LOCATION.match(message)
    what, steps = (found["what"], found["path"]) if found else (message, "")
    where, kind, value = _walk(content, expected, steps)
    full = (*prefix, *where)
    if field := _FIELD.search(what):
        name = field["name"]
        if field["how"] != "unknown":
            return ManifestError(f"{dotted((*full, name))} is missing", where)
        known = [each.encode_name for each in msgspec.structs.fields(kind)]
        near = nearest(name, known)
        hint = f"did you mean {near}?" if near else f"known here: {', '.join(known)}"
        return ManifestError(f"there is no key {dotted((*full, name))}; {hint}", (*where, name))
    if found and found["key"]:
        keys, _ = typing.get_args(kind)
        value = next(key for key in value if not _is(key, keys))
        return ManifestError(
            f"a key of {dotted(full)} must be {_wanted(keys, what)}, not {shown(value)}", where
        )
    return ManifestError(f"{dotted(full)} must be {_wanted(kind, what)}, not {shown(value)}", where)


def _wanted(kind: Any, what: str) -> str:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return one_of(str(member.value) for member in kind)
    names = re.findall(r"\w+", what.partition("`")[2].partition("`")[0])
    return " or ".join(dict.fromkeys(_KINDS.get(name, name) for name in names if name != "null"))


def _walk(content: Any, expected: Any, steps: str) -> tuple[KeyPath, Any, Any]:
    """The path that msgspec writes as ``steps``, the type that is expected there, and the value."""
    where: list[str | int] = []
    value, kind = content, expected
    for step in _STEP.finditer(steps):
        kind = _without_none(kind)
        key: str | int
        if step["any"]:
            key, kind = _first_bad(value, kind)
        elif step["key"] is not None:
            key = step["key"]
            kind = next(each.type for each in msgspec.structs.fields(kind) if each.encode_name == key)
        else:
            key = int(step["index"])
            kind = typing.get_args(kind)[0]
        where.append(key)
        value = value[key]
    return tuple(where), _without_none(kind), value


def _first_bad(table: Mapping[str, Any], kind: Any) -> tuple[str, Any]:
    """The first key of ``table`` with a value that is not of ``kind``'s, and the type of values."""
    _, wanted = typing.get_args(kind)
    return next(key for key, value in table.items() if not _is(value, wanted)), wanted


def _is(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _without_none(kind: Any) -> Any:
    if isinstance(kind, types.UnionType):
        (*rest,) = (each for each in typing.get_args(kind) if each is not types.NoneType)
        return rest[0] if len(rest) == 1 else kind
    return kind
