"""What a launch passes: buffers, and values as a manifest or ``lab.py`` writes them: numbers, vectors and structs."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from grader.model.element_types import Composite, DType, Element, NumberKind
from grader.model.kernel import Param
from grader.model.texture import Texel, Texture

Number = int | float

Passable = str | Number | tuple[Number, ...] | Texture
"""An argument of a launch in a plan."""

Written = bool | int | float | str | list[bool | int | float | str]
"""A member of a struct, a number or the components of a vector in TOML. A ``str`` is an expression of sizes."""


def passed(param: Param, given: object) -> Passable:
    """The argument of a launch for ``param``: a value, a buffer by its name, or a texture of that buffer.

    Raises: ``ValueError`` for a value of another type than that of ``param``.
    """
    if not isinstance(given, str):
        return by_value(param, given)
    if param.sampling is None:
        return given
    return Texture(
        buffer=given, dimensions=len(param.dims), texel=Texel(str(param.dtype)), sampling=param.sampling
    )


def by_value(param: Param, given: object) -> Number | tuple[Number, ...]:
    """What a launch passes for ``param``: a number, or the numbers of a vector or struct in the order of addresses.

    ``given``: a number; the components of a vector in a sequence; the members of a struct in a mapping, or a record of
    NumPy.

    Raises: ``ValueError`` with what to write.
    """
    element = param.dtype
    if isinstance(element, DType):
        return _number(param.name, element, given)
    if element.vector:
        return tuple(_several(param.name, element.members[0].dtype, len(element.members), given))
    members = _members(param.name, element, given)
    numbers: list[Number] = []
    for member in element.members:
        name, value = f"{param.name}.{member.name}", members[member.name]
        single = member.count == 1
        numbers += (
            [_number(name, member.dtype, value)]
            if single
            else _several(name, member.dtype, member.count, value)
        )
    return tuple(numbers)


def example(element: Element) -> str:
    """A value of ``element`` in TOML: ``0.5``, ``[0.5, 0.5]`` or ``{ mass = 0.5 }``."""
    if isinstance(element, DType):
        return _EXAMPLES[element.kind if element is not DType.BOOL else element]
    if element.vector:
        return _list(element.members[0].dtype, len(element.members))
    members = (
        f"{each.name} = {example(each.dtype) if each.count == 1 else _list(each.dtype, each.count)}"
        for each in element.members
    )
    return f"{{ {', '.join(members)} }}"


_EXAMPLES = {
    DType.BOOL: "true",
    NumberKind.WHOLE: "1",
    NumberKind.FLOAT: "0.5",
    NumberKind.BRAIN: "0.5",
}


def _list(dtype: DType, count: int) -> str:
    return f"[{', '.join([example(dtype)] * count)}]"


def _number(name: str, dtype: DType, given: Any) -> Number:
    if isinstance(given, np.ndarray | np.generic) and given.ndim == 0:
        given = given.item()
    if isinstance(given, bool) and dtype is DType.BOOL:
        return int(given)
    whole = dtype.kind is NumberKind.WHOLE
    is_number = isinstance(given, int if whole else int | float) and not isinstance(given, bool)
    if not is_number:
        msg = f"{name} is {given!r}, and {dtype.value} needs a number such as {example(dtype)}"
        raise ValueError(msg)
    if whole and not _fits(given, dtype):
        msg = f"{name} is {given}, which {dtype.value} cannot hold; write a number in its range, or another type"
        raise ValueError(msg)
    number: Number = given
    return number


def _several(name: str, dtype: DType, count: int, given: object) -> list[Number]:
    values = list(given) if isinstance(given, Iterable) and not isinstance(given, str | Mapping) else []
    if len(values) != count:
        msg = f"{name} is {given!r}, and needs {count} numbers, e.g. {_list(dtype, count)}"
        raise ValueError(msg)
    return [_number(f"{name}[{index}]", dtype, value) for index, value in enumerate(values)]


def _members(name: str, struct: Composite, given: object) -> Mapping[str, Any]:
    if isinstance(given, np.void | np.ndarray) and given.dtype.names is not None and given.ndim == 0:
        given = {each: given[each] for each in given.dtype.names}
    wanted = {member.name for member in struct.members}
    if not isinstance(given, Mapping) or given.keys() != wanted:
        msg = f"{name} is {given!r}, and needs the members of {struct.name}, e.g. {example(struct)}"
        raise ValueError(msg)
    return given


def _fits(number: int, dtype: DType) -> bool:
    if dtype is DType.BOOL:
        return number in {0, 1}
    bits = 8 * dtype.itemsize
    signed = dtype.value.startswith("int")
    least, most = (-(1 << bits - 1), 1 << bits - 1) if signed else (0, 1 << bits)
    return least <= number < most
