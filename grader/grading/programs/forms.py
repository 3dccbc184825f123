"""How a program gets its inputs and gives its answer."""

import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from grader.model.plan import LaunchPlan
from grader.model.program import ProgramRun
from grader.model.reason import Reason
from grader.programs.call_window import CallWindow
from grader.programs.start import Start
from grader.sandbox.program_start import Streams

_MOST_PRINTED = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """A case as a program gets it: its buffers, the bytes of its inputs by name, and its sizes."""

    plan: LaunchPlan
    data: Mapping[str, bytes]
    sizes: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back: the outputs by name, and the text that was printed.

    ``status`` is what the function returned. ``missing`` says why there is no answer, if there is none.
    """

    outputs: Mapping[str, bytes] = field(default_factory=dict)
    printed: str = ""
    status: int = 0
    missing: Reason | None = None


class Execute(Protocol):
    """Runs a built program to its end."""

    def __call__(
        self, start: Start, arguments: Sequence[str], window: CallWindow | None = None
    ) -> ProgramRun:
        """``window`` is the time of the call of its function, where one is called."""


StartIn = Callable[[Path, Streams], Start]
"""What starts a program in a folder with these standard streams."""


class Form(Protocol):
    """One way to pass inputs and answers."""

    def run(
        self, inputs: Inputs, start_in: StartIn, execute: Execute, seconds: float
    ) -> tuple[ProgramRun, Answer]:
        """Run the program once on ``inputs``, for at most ``seconds``."""


@contextmanager
def workspace() -> Iterator[tuple[Path, Streams, Callable[[], str]]]:
    """A folder for the program, streams that capture its output, and what reads the output."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="grader-work-")))
        printed = stack.enter_context(tempfile.TemporaryFile())

        def read() -> str:
            printed.seek(0)
            return printed.read(_MOST_PRINTED).decode("utf-8", "replace")

        yield folder, Streams(input=subprocess.DEVNULL, output=printed.fileno()), read
