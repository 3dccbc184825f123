"""The ``[program]`` and ``[[rubric.structure]]`` tables of ``lab.toml``."""

import math
from collections.abc import Sequence

import msgspec

from grader.errors import UserError
from grader.labs.convert import refuse
from grader.labs.program import PLACEHOLDER, ProgramRequest, StructureCheck, StructureRule
from grader.model.devices import by_name
from grader.model.element_types import Composite, NumberKind
from grader.model.kernel import Param


class ProgramTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The ``[program]`` table."""

    device: str
    params: list[str]
    function: str | None = None
    arguments: list[str] = []
    stdout: str | None = None


class StructureTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A ``[[rubric.structure]]`` table."""

    check: StructureCheck
    points: float
    at_least: float | None = None
    at_most: float | None = None


_AT_LEAST: dict[StructureCheck, float | None] = {
    StructureCheck.PINNED: 0.9,
    StructureCheck.OVERLAP: None,
    StructureCheck.ERRORS_CHECKED: 1.0,
}
"""Checks of a share, and the least one unless the lab says otherwise; ``None``: the lab must say it."""

_AT_MOST: dict[StructureCheck, float | None] = {
    StructureCheck.COPIED_ONCE: 1.1,
    StructureCheck.SYNCHRONISATIONS: None,
}
"""Checks of an amount, and the most unless the lab says otherwise."""


def program_request(table: ProgramTable) -> ProgramRequest:
    """The program of ``table``. Raises: ``ManifestError``."""
    params = tuple(_param(text, index) for index, text in enumerate(table.params))
    try:
        device = by_name(table.device).name
    except UserError as error:
        refuse(f"program.device: {error}", "program", "device")
    made = ProgramRequest(
        params=params,
        device=device,
        function=table.function,
        arguments=tuple(table.arguments),
        stdout=table.stdout,
    )
    _check_form(made)
    _check_names(made)
    return made


def structure_rules(tables: Sequence[StructureTable]) -> tuple[StructureRule, ...]:
    """The rules of ``rubric.structure``. Raises: ``ManifestError``."""
    return tuple(
        StructureRule(check=table.check, points=_points(table, index), bound=_bound(table, index))
        for index, table in enumerate(tables)
    )


def _param(text: str, index: int) -> Param:
    where = ("program", "params", index)
    try:
        param = Param.parse(text)
    except ValueError as error:
        refuse(f"program: {error}", *where)
    if param.sampling is not None or param.fixed:
        refuse(f"program: {text!r} is for kernels; write 'const {param.dtype} {param.name}[n]'", *where)
    if not param.is_array and isinstance(param.dtype, Composite):
        refuse(f"program: {param.name} is passed by value; write a size, e.g. 'int32 n'", *where)
    if not param.is_array and param.dtype.numbers[0].kind is not NumberKind.WHOLE:
        refuse(f"program: {param.name} is a size, so its type must be one of the integers", *where)
    return param


def _check_form(program: ProgramRequest) -> None:
    if program.function is None:
        if not program.arguments and program.stdout is None:
            refuse(
                'program needs function = "NAME" for a function that Grader calls, '
                "or arguments and stdout for a program with a main of its own",
                "program",
            )
        return
    if not program.function.isidentifier():
        refuse(
            f"program.function is {program.function!r}; write a name such as vector_add",
            "program",
            "function",
        )
    for key in ("arguments", "stdout"):
        if getattr(program, key):
            refuse(
                f"program.{key} belongs to a program with a main of its own; remove it, or remove function",
                *("program", key),
            )


def _check_names(program: ProgramRequest) -> None:
    known = {param.name: param for param in program.params}
    outputs = [param.name for param in program.params if param.is_array and not param.const]
    if not outputs:
        refuse(
            "program.params has no output; write one without const, such as 'float32 sum[1]'",
            "program",
            "params",
        )
    for index, text in enumerate(program.arguments):
        for name in PLACEHOLDER.findall(text):
            if name not in known:
                names = ", ".join(f"{{{each}}}" for each in known)
                refuse(
                    f"program.arguments: there is no {{{name}}}; use {names}", "program", "arguments", index
                )
    for name in program.printed:
        if name not in outputs:
            refuse(
                f"program.stdout: {{{name}}} is no output; the outputs are {', '.join(outputs)}",
                *("program", "stdout"),
            )
    if program.function is None:
        named = {name for text in program.arguments for name in PLACEHOLDER.findall(text)}
        for param in program.params:
            if param.is_array and param.name not in named | set(program.printed):
                where = "arguments or stdout" if param.name in outputs else "arguments"
                refuse(f"program: {{{param.name}}} must be in {where}", "program", "arguments")


def _points(table: StructureTable, index: int) -> float:
    if not 0 <= table.points < math.inf:
        refuse(f"points must be zero or more, not {table.points:g}", "rubric", "structure", index, "points")
    return table.points


def _bound(table: StructureTable, index: int) -> float:
    own, other, defaults, most = (
        ("at_least", "at_most", _AT_LEAST, 1.0)
        if table.check in _AT_LEAST
        else ("at_most", "at_least", _AT_MOST, math.inf)
    )
    where = ("rubric", "structure", index)
    if getattr(table, other) is not None or (
        table.check is StructureCheck.NO_LEAK and table.at_most is not None
    ):
        wrong = other if getattr(table, other) is not None else own
        refuse(f"{wrong} does not belong to {table.check}; remove it", *where, wrong)
    if table.check is StructureCheck.NO_LEAK:
        return 0.0
    given = getattr(table, own)
    bound = defaults[table.check] if given is None else given
    if bound is None:
        refuse(f"{table.check} needs {own}", *where)
    if not 0 <= bound <= most:
        refuse(f"{own} of {table.check} is {bound:g}; it is from 0 to {most:g}", *where, own)
    return float(bound)
