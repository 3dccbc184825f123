"""Load the interpreter; compile it on the first start per machine and version."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from grader.engines.emulator.arrays import aligned_records
from grader.engines.emulator.machine_code import is_compiled


def is_warm() -> bool:
    """Whether the interpreter's machine code is in the disk cache."""
    return is_compiled()


def warm_up() -> None:
    """Load the interpreter, and compile it if its machine code is not on disk, which takes about 15 seconds."""
    _load()


@cache
def _load() -> None:
    with _no_collection():
        from grader.engines.emulator.core.records import CONTEXT  # noqa: PLC0415 - loads the interpreter, which takes a while
        from grader.engines.emulator.core.scheduler import run  # noqa: PLC0415 - loads the interpreter, which takes a while
        from grader.engines.emulator.findings.wavefronts import wavefronts  # noqa: PLC0415 - loads the interpreter, which takes a while

        run(aligned_records(CONTEXT, 1), 1)
        wavefronts((0,), (0,), 4, load=True)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Disable the garbage collector, which frees little and takes a tenth of the compilation time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
