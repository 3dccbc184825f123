"""A program in the timed mode: its process, its memory, and repetitions on the judge's clock.

The program gets a socket and a file of memory with all parameters. It maps the file, makes its context, prepares, and
announces itself. For each repetition the judge sends a wake-up call and then a nonce, and the program answers with it
once its function has returned. What else it sends, or when, ends the comparison.
"""

import fcntl
import mmap
import os
import select
import socket
import struct
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import psutil

from grader.model.kernel import Param
from grader.model.reason import Reason, reason
from grader.programs.start import Start
from grader.programs.timed.withheld import Array, Withheld, drawn_places, new_draw, release, with_decoys

_NONCE_BYTES = 16
_ANSWER = struct.Struct(f"<{_NONCE_BYTES}sii")
_PAGE = 4096
_POISON_BYTES = 1 << 20
_WAKE_UP, _WAKE_UP_SECONDS = b"!", 0.005
_SPIN_SECONDS = 0.1
_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
"""A program that shrank the file would end the judge, which reads it, by SIGBUS."""


class AnswerRefusedError(Exception):
    """The program gave no answer, or one that does not count."""

    def __init__(self, why: Reason) -> None:
        self.reason = why
        super().__init__(why.code)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of the function: an array of ``size`` elements, or a number, the same in all repetitions."""

    param: Param
    size: int = 1
    number: float = 0

    @property
    def nbytes(self) -> int:
        """Its bytes."""
        return self.size * self.param.dtype.numpy.itemsize

    @property
    def is_returned(self) -> bool:
        """Whether the function writes it."""
        return self.param.is_array and not self.param.const


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetition:
    """``seconds`` from the release of the inputs to the answer, and the answer's arrays by parameter."""

    seconds: float
    outputs: Mapping[str, Array]


class TimedProgram:
    """A running program. Use ``timed_program``."""

    def __init__(self, parameters: Sequence[Parameter], seconds: float) -> None:
        """``seconds`` is the most that the start or a repetition may take. Raises: ``OSError``."""
        self._parameters = parameters
        self._seconds = seconds
        self._draw = new_draw()
        self.pid = 0
        self._offsets, end = [], 0
        for each in parameters:
            self._offsets.append(end)
            end += max(1, -(-each.nbytes // _PAGE)) * _PAGE
        with ExitStack() as undo:
            self.file = os.memfd_create("parameters", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
            undo.callback(os.close, self.file)
            os.ftruncate(self.file, end)
            fcntl.fcntl(self.file, fcntl.F_ADD_SEALS, _SEALS)
            self._map = mmap.mmap(self.file, end)
            self._judge, self.theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            undo.callback(self._judge.close)
            undo.callback(self.theirs.close)
            self._undo = undo.pop_all()
        self._arrays = {
            each.param.name: np.frombuffer(self._map, each.param.dtype.numpy, each.size, offset)
            for each, offset in zip(parameters, self._offsets, strict=True)
        }
        for each in parameters:
            if not each.param.is_array:
                self._arrays[each.param.name][:] = each.number

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._undo.close()

    @property
    def variables(self) -> dict[str, str]:
        """The environment in which the program finds its socket and its memory."""
        places = zip(self._parameters, self._offsets, strict=True)
        return {
            "GRADER_JUDGE": str(self.theirs.fileno()),
            "GRADER_MEMORY": str(self.file),
            "GRADER_LAYOUT": "".join(f"{offset}:{each.nbytes}," for each, offset in places),
        }

    def await_ready(self) -> None:
        """Wait until the program has prepared. Raises: ``AnswerRefusedError``."""
        nonce, status = self._received()
        if nonce != bytes(_NONCE_BYTES):
            raise AnswerRefusedError(reason("timed-answer-unknown"))
        if status:
            raise AnswerRefusedError(reason("timed-prepare-failed", status=status))

    @property
    def pids(self) -> frozenset[int]:
        """Its processes, and those around it that the sandbox made."""
        try:
            outermost = psutil.Process(self.pid)
            return frozenset({self.pid, *(each.pid for each in outermost.children(recursive=True))})
        except psutil.NoSuchProcess:
            return frozenset()

    def exercise(self, seconds: float) -> None:
        """Repeat the last repetition for ``seconds``, without a look at the answers. Raises: ``AnswerRefusedError``."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self._ask([])

    def repeat(self, inputs: Mapping[str, Array]) -> Repetition:
        """One repetition on flat ``inputs``, the arrays that the function reads, by parameter.

        Raises: ``AnswerRefusedError``.
        """
        withheld = []
        for each in self._parameters:
            memory = self._arrays[each.param.name]
            if each.param.name in inputs:
                shown, kept = with_decoys(inputs[each.param.name], self._draw)
                memory[:] = shown
                withheld.append((memory, kept))
            elif each.is_returned:
                memory.view(np.uint8)[:] = np.resize(self._poison(each.nbytes), each.nbytes)
        returned = [each.param.name for each in self._parameters if each.is_returned]
        places = [(name, drawn_places(self._arrays[name], self._draw)) for name in returned]
        begin = self._ask(withheld)
        first = {name: self._arrays[name][found] for name, found in places}
        seconds = time.perf_counter() - begin
        outputs = {name: self._arrays[name].copy() for name in returned}
        for name, found in places:
            outputs[name][found] = first[name]
        return Repetition(seconds=seconds, outputs=outputs)

    def _ask(self, withheld: Sequence[tuple[Array, Withheld]]) -> float:
        """Release what is ``withheld`` and wait for the answer; when the clock started."""
        nonce = os.urandom(_NONCE_BYTES)
        if withheld:
            self._send(_WAKE_UP)
            for array, kept in withheld:
                array[kept.places]  # into the judge's cache
            time.sleep(_WAKE_UP_SECONDS)
        if self._has_message():
            raise AnswerRefusedError(reason("timed-answer-early"))
        begin = time.perf_counter()
        release(withheld)
        self._send(nonce)
        self._spin(begin + _SPIN_SECONDS)
        answered, status = self._received()
        if answered != nonce:
            raise AnswerRefusedError(reason("timed-answer-unknown"))
        if status:
            raise AnswerRefusedError(reason("timed-status", status=status))
        return begin

    def _poison(self, nbytes: int) -> Array:
        return self._draw.integers(0, 256, max(1, min(nbytes, _POISON_BYTES)), np.uint8)

    def _has_message(self) -> bool:
        return bool(select.select([self._judge], [], [], 0)[0])

    def _spin(self, end: float) -> None:
        """Wait for a message until ``end`` without sleeping, because waking up takes time, and not always the same."""
        while not self._has_message() and time.perf_counter() < end:
            pass

    def _send(self, message: bytes) -> None:
        try:
            self._judge.send(message)
        except OSError:
            raise AnswerRefusedError(reason("timed-program-left")) from None

    def _received(self) -> tuple[bytes, int]:
        self._judge.settimeout(self._seconds)
        try:
            message = self._judge.recv(_ANSWER.size + 1)
        except TimeoutError:
            raise AnswerRefusedError(reason("timed-answer-late", seconds=self._seconds)) from None
        except OSError:
            message = b""
        if not message:
            raise AnswerRefusedError(reason("timed-program-left"))
        if len(message) != _ANSWER.size:
            raise AnswerRefusedError(reason("timed-answer-unknown"))
        nonce, status, _ = _ANSWER.unpack(message)
        return nonce, status


@contextmanager
def timed_program(
    executable: bytes, parameters: Sequence[Parameter], start: Start, seconds: float
) -> Iterator[TimedProgram]:
    """A started program that has prepared; at the end of the block its process is gone.

    Raises: ``AnswerRefusedError``.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="grader-timed-")))
        path = folder / "program"
        path.write_bytes(executable)
        path.chmod(0o755)
        program = stack.enter_context(TimedProgram(parameters, seconds))
        inherited = (program.theirs.fileno(), program.file)
        program.pid = stack.enter_context(start([str(path)], folder, program.variables, inherited)).pid
        program.theirs.close()
        program.await_ready()
        yield program
