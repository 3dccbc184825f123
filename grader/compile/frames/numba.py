"""A student's functions in the frame of a lab, in Numba.

The frame imports names from ``student``. Each file has names of its own and none is run, so a student's file cannot
change the frame; only the kernels of the frame are compiled.
"""

import ast
import posixpath

from grader.compile.failure import BuildFailed
from grader.compile.frames.bodies import python_function
from grader.compile.frames.files import STUDENT, frame_sources, is_of_frame
from grader.compile.python.files import PythonFiles
from grader.compile.python.values import Function, Jit, JitTarget
from grader.compile.sources import Source
from grader.model.build import Frame
from grader.model.kernel import FunctionSpec
from grader.model.reason import reason

_SUFFIX = ".py"


def framed(frame: Frame, own: tuple[Source, ...]) -> tuple[Source, ...]:
    """The files to compile: the frame's, and the student's ``own``. Raises: ``BuildFailed``."""
    files = frame_sources(frame, frozenset({_SUFFIX}), own)
    if frame.body is not None:
        own = python_function(frame.body, own)
    if any(source.name == STUDENT + _SUFFIX for source in own):
        return (*files, *own)
    modules = (posixpath.splitext(source.name)[0].replace("/", ".") for source in own)
    text = "".join(f"from {module} import *\n" for module in modules)
    return (*files, Source(name=STUDENT + _SUFFIX, text=text, encoding="utf-8"), *own)


def check_functions(frame: Frame, files: PythonFiles) -> None:
    """Check that the student's files have the functions that the frame asks for. Raises: ``BuildFailed``."""
    for function in frame.functions:
        found = [
            value
            for scope in files.scopes
            if not is_of_frame(scope.file) and isinstance(value := scope.names.get(function.name), Function)
        ]
        if not found:
            raise BuildFailed(
                reason("frame-function-missing", function=function.name, wanted=function.numba_signature)
            )
        _check_arguments(function, found[0])
        if found[0].jit is None:
            _compile_for_device(found[0], files)


def _compile_for_device(function: Function, files: PythonFiles) -> None:
    """Have a plain function compiled as one that kernels call, wherever a file has it by name."""
    for scope in files.scopes:
        for name, value in scope.names.items():
            if isinstance(value, Function) and value.node is function.node:
                scope.names[name] = value.decorated(Jit(target=JitTarget.CUDA, options={"device": True}))


def _check_arguments(function: FunctionSpec, found: Function) -> None:
    given: ast.arguments = found.node.args
    fixed = [*given.posonlyargs, *given.args]
    extra = given.vararg or given.kwarg or given.kwonlyargs
    if extra or len(fixed) != len(function.params):
        raise BuildFailed(
            reason(
                "frame-function-differs",
                location=found.location,
                function=function.name,
                wanted=function.numba_signature,
            )
        )
