"""The requests that all processes of a server answered: each writes its counts, and reads those of the others.

They are in a folder for temporary files that is the user's own: a server may have no right to write in its course.
"""

import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Self

import msgspec

from grader.course.rounds import Rounds
from grader.errors import InfrastructureError
from grader.execution.starter import server_identity
from grader.logs import Event, log
from grader.portal.metrics import CountsDocument, RequestCounts
from grader.report.files import write_atomically
from grader.sandbox.process_identity import is_dead, own_identity

PERIOD_SECONDS = 1.0
"""How old the counts of another process may be."""


class SharedCounts(Rounds):
    """Keeps a file in a folder of the server while it is open."""

    def __init__(self, counts: RequestCounts, period: float = PERIOD_SECONDS) -> None:
        super().__init__("counts", period)
        self._all = Path(tempfile.gettempdir()) / f"grader-request-counts-{os.getuid()}"
        self._folder = self._all / server_identity()
        self._file = self._folder / f"{own_identity()}.json"
        self._counts = counts
        self._written = b""

    def __enter__(self) -> Self:
        """Raises: ``InfrastructureError`` where another user made the folder."""
        self._all.mkdir(mode=0o700, exist_ok=True)
        found = self._all.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            msg = f"{self._all} belongs to another user; remove it"
            raise InfrastructureError(msg)
        self._folder.mkdir(exist_ok=True)
        for old in self._all.iterdir():
            if is_dead(old.name):
                shutil.rmtree(old, ignore_errors=True)
        return super().__enter__()

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        self.round()

    def summed(self) -> RequestCounts:
        """The counts of every process of the server, of those that ended too."""
        found = RequestCounts()
        found.add_all(self._counts.document())
        for file in self._folder.glob("*.json"):
            if file != self._file:
                found.add_all(msgspec.json.decode(file.read_bytes(), type=CountsDocument))
        return found

    def round(self) -> None:
        """Write the counts if they changed."""
        text = msgspec.json.encode(self._counts.document())
        if text != self._written:
            write_atomically(self._file, text)
            self._written = text

    def failed(self, error: Exception) -> None:
        """The others go without these counts until the next round."""
        log(Event.PAGE_FAILED, page="/metrics", error=repr(error), where=__name__)
