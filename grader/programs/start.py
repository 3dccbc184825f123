"""Starts the program's process."""

import subprocess
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol


class Start(Protocol):
    """Starts ``command`` with standard streams of its own; its ``folder`` must be readable inside.

    ``variables`` are added to its environment, and it inherits the descriptors ``inherited``. At the end of the block
    the process is gone.
    """

    def __call__(
        self, command: Sequence[str], folder: Path, variables: Mapping[str, str], inherited: Sequence[int]
    ) -> "AbstractContextManager[subprocess.Popen[bytes]]":
        """The process."""
