"""In the program's process: calls the student's function, one time for each request of the judge.

The protocol is that of ``harness/wire.py``, and things happen in the order of ``harness/main.cpp``. Numba compiles a
kernel when it is launched first, so the preparation calls the function once, with zeros in its arrays. This module runs
beside the student's code: it keeps no secret, and an answer of it counts only if it is right.
"""

import ctypes
import importlib.util
import json
import mmap
import os
import socket
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.lib.format import descr_to_dtype

from grader.programs.harness.wire import (
    ANSWER,
    DESCRIPTION,
    HEAD,
    PLACE,
    PREPARE,
    READY,
    SIZE,
    VARIABLE,
    Clock,
)

_FAILED, _NO_FUNCTION = 1, 2
_WARM_UPS = 2


@dataclass(frozen=True, slots=True)
class _Called:
    """The functions of a program, and the types and shapes of their parameters; a number has no shape."""

    module: ModuleType
    name: str
    parameters: Sequence[tuple[np.dtype[Any], tuple[int, ...] | None]]

    def status(self, hook: str, arguments: Sequence[Any]) -> int:
        """Call the function, or that with the suffix ``hook`` if there is one. Returns: 0, or what it returned."""
        function: Callable[..., Any] | None = getattr(self.module, self.name + hook, None)
        if function is None and hook:
            return 0
        if function is None:
            raise SystemExit(_NO_FUNCTION)
        returned = function(*arguments)
        if returned is not None and not isinstance(returned, int | np.integer | np.bool_):
            msg = f"{self.name}{hook} returned {type(returned).__name__}; write the answer into the arrays that it gets"
            raise TypeError(msg)
        return int(returned or 0)

    def warm_up(self, arguments: Sequence[Any]) -> int:
        """Call the function until Numba and the interpreter have prepared themselves. Returns: as ``status``."""
        return next(filter(None, (self.status("", arguments) for _ in range(_WARM_UPS))), 0)


class _Arguments:
    """The memory of all calls, and the arguments that lie in it."""

    def __init__(self, called: _Called, places: Sequence[tuple[int, int]], file: int) -> None:
        size = max(1, *(offset + size for offset, size in places))
        memory = mmap.mmap(file, size, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE)
        self._places = places
        self._called = called
        self._bytes = [
            np.frombuffer(memory, np.uint8, count=size, offset=offset) if size else np.empty(0, np.uint8)
            for offset, size in places
        ]

    @property
    def values(self) -> list[Any]:
        """Arrays, and numbers of Python."""
        return [
            data.view(dtype)[0].item() if shape is None else data.view(dtype).reshape(shape)
            for data, (dtype, shape) in zip(self._bytes, self._called.parameters, strict=True)
        ]

    def read(self, places: Sequence[tuple[int, int]], file: int) -> None:
        """Fill the arrays from ``file``."""
        for data, (offset, _) in zip(self._bytes, places, strict=True):
            done = 0
            while done < data.size:
                done += os.preadv(file, [data[done:].data], offset + done)

    def returned(self, index: int) -> bytes:
        """The bytes of a parameter."""
        return self._bytes[index].tobytes()


class _Judge:
    """The connection to the judge."""

    def __init__(self, descriptor: int) -> None:
        self._socket = socket.socket(fileno=descriptor)
        self._socket.sendall(READY)

    def request(self) -> tuple[bytes, int, list[tuple[int, int]], int] | None:
        """Nonce, kind, places and file of the next request; ``None`` where there is no more."""
        head, files, _, _ = socket.recv_fds(self._socket, HEAD.size, 1)
        if not head:
            return None
        nonce, count, kind = HEAD.unpack(head)
        places = self._socket.recv(count * PLACE.size, socket.MSG_WAITALL)
        return nonce, kind, list(PLACE.iter_unpack(places)), files[0]

    def answer(self, nonce: bytes, status: int, outputs: Sequence[bytes]) -> None:
        """Answer a request."""
        self._socket.sendall(ANSWER.pack(nonce, status, len(outputs)))
        for each in outputs:
            self._socket.sendall(SIZE.pack(len(each)))
            self._socket.sendall(each)


def _loaded(script: Path) -> ModuleType:
    """The student's module, as ``import`` loads it from its folder."""
    sys.path.insert(0, str(script.parent))
    spec = importlib.util.spec_from_file_location(script.stem, script)
    if spec is None or spec.loader is None:
        raise SystemExit(_FAILED)
    module = importlib.util.module_from_spec(spec)
    sys.modules[script.stem] = module
    spec.loader.exec_module(module)
    return module


def serve(script: Path) -> None:
    """Answer the judge's requests by the functions of ``script``."""
    asked = json.loads(os.environ[DESCRIPTION])
    parameters = [(descr_to_dtype(dtype), shape and tuple(shape)) for dtype, shape in asked["parameters"]]
    clock = ctypes.CDLL(os.environ["GRADER_DRIVER"]).grader_clock
    called = _Called(_loaded(script), asked["function"], parameters)
    judge, arguments = _Judge(int(os.environ[VARIABLE])), None
    while (request := judge.request()) is not None:
        nonce, kind, places, file = request
        if kind == PREPARE or arguments is None:
            arguments = _Arguments(called, places, file)
            status = called.status("_prepare", arguments.values) or called.warm_up(arguments.values)
            clock(Clock.PREPARED)
            judge.answer(nonce, status, ())
        else:
            arguments.read(places, file)
            values = arguments.values
            clock(Clock.RUNS)
            status = called.status("", values)
            clock(Clock.STOPPED)
            judge.answer(nonce, status, [arguments.returned(index) for index in asked["returned"]])
        os.close(file)
    if arguments is not None:
        called.status("_finish", arguments.values)


if __name__ == "__main__":
    try:
        serve(Path(sys.argv[1]))
    except Exception:  # noqa: BLE001 - whatever the student's code raises
        traceback.print_exc()
        with suppress(OSError):
            sys.stdout.flush()
        raise SystemExit(_FAILED) from None
