"""Programs with a function that our ``main`` calls: host pointers in, an answer through its output parameters."""

import json
import socket
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.format import dtype_to_descr

from grader.grading.programs.forms import Answer, Execute, Inputs, StartIn, workspace
from grader.labs.program import ProgramRequest
from grader.model.kernel import Param
from grader.model.plan import Role, poison_byte
from grader.model.program import ProgramRun
from grader.model.reason import Reason, reason
from grader.programs.call_window import CallWindow
from grader.programs.harness.sources import returned
from grader.programs.harness.wire import (
    DESCRIPTION,
    VARIABLE,
    NoAnswerError,
    ProgramAnswer,
    ProgramCall,
    await_ready,
    prepare,
    receive_answer,
    send_call,
)

_GRACE_SECONDS = 10.0
"""How long after its end a program's answer may still be on its way."""


class FunctionForm:
    """Calls the function of a program."""

    def __init__(self, program: ProgramRequest) -> None:
        self._program = program
        self._returned = returned(program.params)

    def run(
        self, inputs: Inputs, start_in: StartIn, execute: Execute, seconds: float
    ) -> tuple[ProgramRun, Answer]:
        """See ``Form``."""
        call = ProgramCall(values=tuple(_value(param, inputs) for param in self._program.params))
        blank = tuple(
            _blank(param, value) for param, value in zip(self._program.params, call.values, strict=True)
        )
        sizes = [len(call.values[index]) for index in self._returned]
        description = self._description(inputs)
        judge, theirs = socket.socketpair()
        with workspace() as (folder, streams, printed), judge, theirs:
            window = CallWindow()
            conversation = _Conversation(judge, blank, call, sizes, window, seconds)
            inner = start_in(folder, streams)

            @contextmanager
            def start(
                command: Sequence[str], folder: Path, variables: Mapping[str, str], inherited: Sequence[int]
            ) -> Iterator["subprocess.Popen[bytes]"]:
                known = {**variables, VARIABLE: str(theirs.fileno()), DESCRIPTION: description}
                with inner(command, folder, known, (*inherited, theirs.fileno())) as process:
                    theirs.close()
                    conversation.start()
                    yield process

            try:
                done = execute(start, (), window)
            finally:
                result = conversation.result()
            return done, self._answer(result, printed())

    def _description(self, inputs: Inputs) -> str:
        """What to call, for an interpreter."""
        parameters = [_described(param, inputs) for param in self._program.params]
        asked = {"function": self._program.name, "parameters": parameters, "returned": self._returned}
        return json.dumps(asked)

    def _answer(self, result: ProgramAnswer | Reason, printed: str) -> Answer:
        if isinstance(result, Reason):
            return Answer(printed=printed, missing=result)
        if result.status:
            return Answer(printed=printed, status=result.status)
        names = [self._program.params[index].name for index in self._returned]
        outputs = dict(zip(names, result.outputs, strict=True))
        return Answer(outputs=outputs, printed=printed, status=result.status)


def _described(param: Param, inputs: Inputs) -> tuple[Any, tuple[int, ...] | None]:
    """NumPy's description of a parameter's type, and the shape of an array."""
    if not param.is_array:
        return dtype_to_descr(param.dtype.numpy), None
    buffer = inputs.plan.buffer(param.name)
    return dtype_to_descr(buffer.dtype.numpy), buffer.array_shape


def _value(param: Param, inputs: Inputs) -> bytes:
    """The bytes of an argument; an output holds what shows that nothing was written."""
    if not param.is_array:
        return np.array(inputs.sizes[param.name], param.dtype.numpy).tobytes()
    buffer = inputs.plan.buffer(param.name)
    if buffer.role is Role.OUTPUT:
        return bytes([poison_byte(buffer.dtype)]) * buffer.nbytes
    return inputs.data[param.name]


def _blank(param: Param, value: bytes) -> bytes:
    """What an argument holds while the program prepares: the inputs are not there yet."""
    return bytes(len(value)) if param.is_array else value


class _Conversation:
    """The preparation and one call of the function, in a thread of its own."""

    def __init__(  # noqa: PLR0913, PLR0917 - what is said, and for how long
        self,
        judge: socket.socket,
        blank: tuple[bytes, ...],
        call: ProgramCall,
        sizes: Sequence[int],
        window: CallWindow,
        seconds: float,
    ) -> None:
        judge.settimeout(seconds + _GRACE_SECONDS)
        self._judge = judge
        self._blank = blank
        self._call = call
        self._sizes = sizes
        self._window = window
        self._seconds = seconds
        self._result: ProgramAnswer | Reason = reason("program-left")
        self._thread = threading.Thread(target=self._talk, name="program-answer", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def result(self) -> ProgramAnswer | Reason:
        """The answer, or why there is none; call it after the program's end."""
        if self._thread.ident is not None:
            self._thread.join()
        return self._result

    def _talk(self) -> None:
        try:
            await_ready(self._judge)
            status = prepare(self._judge, self._blank)
            if status:
                self._result = ProgramAnswer(status=status, outputs=())
                return
            if not self._window.await_open(self._seconds):
                raise NoAnswerError(reason("program-answer-invalid"))  # noqa: TRY301 - as what it sends otherwise
            send_call(self._judge, self._call)
            self._result = receive_answer(self._judge, self._call, self._sizes)
            self._window.close()
        except NoAnswerError as error:
            self._result = error.reason
        except TimeoutError:
            self._result = reason("program-left")
        finally:
            self._judge.shutdown(socket.SHUT_RDWR)
