"""What a notebook shows: reports as text and as a page, and the state of what runs."""

import html
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from IPython.display import DisplayHandle, Pretty
from rich.console import Console, RenderableType

from grader.messages import Speech
from grader.model.reason import Reason
from grader.report.text import safe_text

COLUMNS = 110
"""The width of text in a notebook."""


def plain(shown: RenderableType) -> str:
    """``shown`` as text without colours."""
    stream = io.StringIO()
    Console(file=stream, width=COLUMNS, color_system=None, highlight=False).print(shown)
    return stream.getvalue()


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report: ``text`` for a terminal, ``page`` for a notebook, where it stands in a frame of its own."""

    text: str
    page: str

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        del include, exclude  # IPython filters by itself
        frame = (
            f'<iframe sandbox srcdoc="{html.escape(self.page)}" title="Grader"'
            ' style="width: 100%; height: 40em; border: 0"></iframe>'
        )
        return {"text/plain": self.text, "text/html": frame}


@dataclass(frozen=True, slots=True)
class TextView:
    """Text that a notebook shows as it is."""

    text: str

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Notebook:
    """A ``Notifier`` below the cell, in the language of ``speech``."""

    speech: Speech

    def note(self, said: Reason) -> None:
        """Print a remark."""
        print(safe_text(self.speech(said)))  # noqa: T201 - a notebook shows what its cell prints

    def warn(self, said: Reason) -> None:
        """Print a warning."""
        print(f"{self.speech.word('warning')}: {safe_text(self.speech(said))}")  # noqa: T201 - as above

    @contextmanager
    def status(self, said: Reason) -> Iterator[Callable[[Reason], None]]:
        """Context manager: show ``said``; what it gives replaces it in place."""
        line = DisplayHandle()
        line.display(self._line(said))
        yield lambda changed: line.update(self._line(changed))

    def _line(self, said: Reason) -> Pretty:
        return Pretty(safe_text(self.speech(said)))
