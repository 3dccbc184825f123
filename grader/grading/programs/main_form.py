"""Programs with a ``main`` of their own: inputs as arguments and files, an answer in files or on standard output."""

import os
import re
import stat
from pathlib import Path
from typing import Any

import numpy as np

from grader.grading.programs.forms import Answer, Execute, Inputs, StartIn, workspace
from grader.labs.program import PLACEHOLDER, ProgramRequest
from grader.model.plan import Buffer, LaunchPlan, Role
from grader.model.program import ProgramRun
from grader.model.reason import reason
from grader.programs.harness.wire import NoAnswerError


class MainForm:
    """Runs a program from its start to its end."""

    def __init__(self, program: ProgramRequest) -> None:
        self._program = program
        self._arrays = {param.name for param in program.params if param.is_array}

    def run(
        self, inputs: Inputs, start_in: StartIn, execute: Execute, seconds: float
    ) -> tuple[ProgramRun, Answer]:
        """See ``Form``."""
        del seconds  # the program's end is the end of its answer
        with workspace() as (folder, streams, printed):
            for buffer in inputs.plan.buffers:
                if buffer.role is not Role.OUTPUT:
                    (folder / _file(buffer.name)).write_bytes(inputs.data[buffer.name])
            arguments = [self._argument(text, inputs) for text in self._program.arguments]
            done = execute(start_in(folder, streams), arguments)
            text = printed()
            try:
                return done, Answer(outputs=self._outputs(folder, text, inputs.plan), printed=text)
            except NoAnswerError as error:
                return done, Answer(printed=text, missing=error.reason)

    def _argument(self, text: str, inputs: Inputs) -> str:
        def value(match: re.Match[str]) -> str:
            return _file(match[1]) if match[1] in self._arrays else str(inputs.sizes[match[1]])

        return PLACEHOLDER.sub(value, text)

    def _outputs(self, folder: Path, text: str, plan: LaunchPlan) -> dict[str, bytes]:
        schema = self._program.stdout
        printed = {} if schema is None else _printed_arrays(schema, text, plan)
        written = {each.name: _read(folder, each) for each in plan.returned if each.name not in printed}
        return printed | written


def _file(name: str) -> str:
    return f"{name}.bin"


def _read(folder: Path, buffer: Buffer) -> bytes:
    """The bytes of an output's file, at most one more than it should have. Raises: ``NoAnswerError``."""
    name = _file(buffer.name)
    try:
        file = os.open(folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        raise NoAnswerError(reason("answer-file-missing", file=name)) from None
    with os.fdopen(file, "rb") as opened:
        if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
            raise NoAnswerError(reason("answer-file-missing", file=name))
        return opened.read(buffer.nbytes + 1)


_NUMBER = r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|nan|inf(?:inity)?)"


def _printed_arrays(schema: str, text: str, plan: LaunchPlan) -> dict[str, bytes]:
    """The arrays in the line of ``text`` that has the form ``schema``. Raises: ``NoAnswerError``."""
    pattern, names = _pattern(schema, plan)
    found = list(pattern.finditer(text))
    if not found:
        raise NoAnswerError(reason("answer-line-missing", line=schema))
    if len(found) > 1:
        raise NoAnswerError(reason("answer-line-repeated", line=schema, count=len(found)))
    return {name: _numbers(found[0][name], plan.buffer(name)) for name in names}


def _pattern(schema: str, plan: LaunchPlan) -> tuple[re.Pattern[str], list[str]]:
    """``schema`` as an expression: any space stands for any amount of it, and letters may be of either case."""
    parts, names = PLACEHOLDER.split(schema), []
    expression = ""
    for index, part in enumerate(parts):
        if index % 2:
            names.append(part)
            several = rf"(?:[\s,;]+{_NUMBER}){{0,{max(plan.buffer(part).size - 1, 0)}}}"
            expression += rf"(?P<{part}>{_NUMBER}{several})"
        else:
            expression += r"\s*".join(re.escape(word) for word in re.split(r"\s+", part))
    return re.compile(rf"^[^\S\n]*{expression}", re.IGNORECASE | re.MULTILINE), names


def _numbers(text: str, buffer: Buffer) -> bytes:
    """The numbers in ``text`` in the type of ``buffer``. Raises: ``NoAnswerError``."""
    words = re.findall(_NUMBER, text, re.IGNORECASE)
    dtype: np.dtype[Any] = buffer.dtype.numpy
    try:
        with np.errstate(over="ignore"):
            values = [float(word) if dtype.kind == "f" else int(word) for word in words]
            return np.array(values, dtype).tobytes()
    except (ValueError, OverflowError):
        raise NoAnswerError(
            reason("answer-number-invalid", name=buffer.name, type=str(buffer.dtype))
        ) from None
