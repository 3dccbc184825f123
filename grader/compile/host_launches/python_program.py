"""Collect what the host code of a Numba submission launches, from its syntax trees.

The top level of each file is followed, with the functions that it calls, then every function that nothing calls. All
steps are counted, so no source makes this slow.
"""

import ast
from collections.abc import Mapping
from contextlib import suppress

from grader.compile.host_launches.python_follower import Body, PythonFollower, PythonFrame, PythonProgram
from grader.compile.host_launches.values import HostFacts, Variable

_DEEPEST = 8


def read_python(files: Mapping[str, Body]) -> HostFacts:
    """What the host code in all files launches. Never fails."""
    program = PythonProgram()
    for body in files.values():
        program.functions |= {each.name: each for each in _host_functions(body, 0)}
    for file, body in files.items():
        frame = PythonFrame(file, None)
        with suppress(RecursionError):  # code that is nested too deeply is read up to there
            PythonFollower(program, frame).block(body, 0)
        program.globals |= frame.values
    for file, body in files.items():
        for function in _host_functions(body, 0):
            if function.name not in program.followed:
                program.followed.add(function.name)
                frame = PythonFrame(file, function.name)
                for argument in function.args.args:
                    frame.values[argument.arg] = Variable(argument.arg, line=function.lineno)
                with suppress(RecursionError):
                    PythonFollower(program, frame).block(function.body, 0)
    return program.facts


def _host_functions(body: Body, depth: int) -> list[ast.FunctionDef]:
    """The functions without a decorator, also those in classes and below a main guard."""
    found: list[ast.FunctionDef] = []
    for node in body if depth < _DEEPEST else ():
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:
            found.append(node)
        elif isinstance(node, ast.ClassDef | ast.If):
            found += _host_functions(node.body, depth + 1)
    return found
