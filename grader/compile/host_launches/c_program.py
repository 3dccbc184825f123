"""Collect what the host code of a CUDA C submission launches, from its source.

``main`` is followed first, with the functions that it calls, then every function that nothing calls. All steps are
counted, so no source makes this slow.
"""

from collections.abc import Mapping
from contextlib import suppress

from grader.compile.cpp_outline import Outline, Shape
from grader.compile.host_launches.c_follower import Follower
from grader.compile.host_launches.c_functions import HostFunction, class_body, host_functions
from grader.compile.host_launches.c_macros import Macros
from grader.compile.host_launches.c_state import Frame, Program
from grader.compile.host_launches.c_tokens import words
from grader.compile.host_launches.values import Expression, HostFacts, Variable, whole

_ENTRY = "main"
_WITHOUT_ARGUMENTS = {"argc": whole(1)}


def read_cuda_c(outlines: Mapping[str, Outline]) -> HostFacts:
    """What the host code in all files launches. Never fails."""
    macros = Macros(file.tokens for file in outlines.values())
    functions = host_functions(outlines, macros)
    managed = {
        name
        for contents in outlines.values()
        for item in contents.items
        if item.mentions("__managed__")
        for name in words(item.tokens)
    }
    program = Program(
        macros=macros,
        functions={each.name: each for each in reversed(functions)},
        managed=frozenset(managed),
    )
    for file, contents in outlines.items():
        for item in contents.items:
            if item.shape is Shape.OTHER and class_body(item) is None and not item.mentions("__global__"):
                frame = Frame(file, None)
                end = len(item.tokens) - (item.tokens[-1].text == ";")
                with suppress(RecursionError):
                    Follower(program, frame).simple(macros.expand(item.tokens[:end]))
                program.globals |= frame.values
    for function in sorted(functions, key=lambda each: each.name != _ENTRY):
        if not function.device and function.name not in program.followed:
            program.followed.add(function.name)
            with suppress(RecursionError):  # code that is nested too deeply is read up to there
                Follower(program, _frame(function)).block(function.body)
    return program.facts


def _frame(function: HostFunction) -> Frame:
    """The frame of a function that nothing calls: its parameters have no known value."""
    known: Mapping[str, Expression] = _WITHOUT_ARGUMENTS if function.name == _ENTRY else {}
    values: dict[str, Expression] = {
        each.name: known.get(each.name, Variable(each.name, None, each.type, line=function.line))
        for each in function.parameters
    }
    return Frame(function.file, function.name, values=values)
