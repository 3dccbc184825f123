"""In the program's process, before the program: load the driver's stand-in, and watch for Numba.

This module and ``numba_patches`` run beside the student's code. They import nothing that is slow to load, and keep no
secret.
"""

import atexit
import ctypes
import json
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import FrameType, ModuleType

from grader.programs.python.lines import ARGUMENT, LINE_BITS

_NUMBA = "numba.cuda"
_LACKING = {
    "cupy": "write the kernel with @numba.cuda.jit, and allocate arrays with numba.cuda.to_device",
    "pycuda": "write the kernel with @numba.cuda.jit, or run a CUDA C++ file with `grader run FILE.cu`",
}
"""Packages that need a GPU, and what to write instead."""

_SITE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_uint64), ctypes.c_int)
_PRINT = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_char), ctypes.c_uint64)


class Driver:
    """The driver's stand-in. While this object lives, the stand-in asks it for lines and lets it print."""

    def __init__(self, library: str, files: Sequence[str]) -> None:
        """``files`` are the program's, by absolute path, in the order of their numbers."""
        self.argument: int | None = None
        """The position of the argument that a launch copies at the moment."""

        self._numbers = {path: number for number, path in enumerate(files, 1)}
        self._library = ctypes.CDLL(library)  # loaded under this name, others that look for it find it
        self._site, self._print = _SITE(self._lines), _PRINT(_printed)
        self._library.grader_attach(self._site, self._print)
        atexit.register(self._library.grader_end)

    @contextmanager
    def untimed(self) -> Iterator[None]:
        """Context manager: the time of this thread is not the program's."""
        self._library.grader_stop_time()
        try:
            yield
        finally:
            self._library.grader_resume_time()

    def _lines(self, frames: "ctypes._Pointer[ctypes.c_uint64]", most: int) -> int:
        """Fill ``frames`` with the program's lines that are under way, innermost first."""
        count = 0
        if self.argument is not None:
            frames[count] = ARGUMENT | self.argument
            count += 1
        frame: FrameType | None = sys._getframe()  # noqa: SLF001 - no argument has the frames of the caller
        while frame is not None and count < most:
            number = self._numbers.get(frame.f_code.co_filename)
            if number is not None:
                frames[count] = number << LINE_BITS | frame.f_lineno
                count += 1
            frame = frame.f_back
        return count


def _printed(text: "ctypes._Pointer[ctypes.c_char]", size: int) -> None:
    """Print what kernels printed, behind what the program printed before."""
    sys.stdout.flush()
    os.write(1, ctypes.string_at(text, size))


class _Watcher(MetaPathFinder):
    """Patches Numba once it is imported, and says what to write instead of packages that need a GPU."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module's own specification, with a loader that patches it; ``None`` for other modules."""
        del path, target
        if fullname in _LACKING:
            msg = f"{fullname} does not run without a GPU: {_LACKING[fullname]}"
            raise ModuleNotFoundError(msg, name=fullname)
        if fullname != _NUMBA:
            return None
        sys.meta_path.remove(self)
        try:
            spec = find_spec(fullname)
        finally:
            sys.meta_path.insert(0, self)
        if spec is not None and spec.loader is not None:
            spec.loader = _Patching(spec.loader, self._driver)
        return spec


class _Patching(Loader):
    """Loads ``numba.cuda``, then patches it."""

    def __init__(self, loader: Loader, driver: Driver) -> None:
        self._loader = loader
        self._driver = driver

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """See ``Loader``."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """See ``Loader``."""
        self._loader.exec_module(module)
        from grader.programs.python.numba_patches import patch  # noqa: PLC0415 - imports Numba

        patch(self._driver)


def start(own: str) -> None:
    """Prepare this process for a program; ``own`` is the file that the interpreter imported to get here."""
    folder = str(Path(own).parent)
    sys.path[:] = [each for each in sys.path if each != folder]
    if "GRADER_DRIVER" in os.environ and _is_connected(int(os.environ["GRADER_CHANNEL"])):
        driver = Driver(os.environ["GRADER_DRIVER"], json.loads(os.environ["GRADER_FILES"]))
        sys.meta_path.insert(0, _Watcher(driver))


def _is_connected(channel: int) -> bool:
    """Whether this is the program's own process: those that it starts do not inherit the connection."""
    try:
        return stat.S_ISSOCK(os.fstat(channel).st_mode)
    except OSError:
        return False
