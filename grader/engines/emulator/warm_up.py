"""The first start: compiling the interpreter, once per machine and version."""

from collections.abc import Callable

from grader.engines.emulator.arrays import aligned_records


def is_warm() -> bool:
    """Whether the interpreter's machine code is on disk already. Costs no compilation."""
    from grader.engines.emulator.core.jit import machine_code_folder  # noqa: PLC0415 - Numba takes a while to import

    return any(machine_code_folder().glob("*.nbc"))


def warm_up(progress: Callable[[str], None] | None = None) -> None:
    """Load the interpreter, compiling it first where no earlier process did.

    ``progress`` is told in a sentence when that will take more than a moment.
    """
    if progress is not None and not is_warm():
        progress("Preparing the emulator: compiled once per machine, about 15 seconds")
    from grader.engines.emulator.core.records import CONTEXT  # noqa: PLC0415 - as above
    from grader.engines.emulator.core.scheduler import run  # noqa: PLC0415 - as above

    run(aligned_records(CONTEXT, 1), 1)
