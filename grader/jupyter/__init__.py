"""``%load_ext grader.jupyter``: check and submit the cells of a notebook with ``%%grader``."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def load_ipython_extension(shell: "InteractiveShell") -> None:
    """Called by ``%load_ext``."""
    from grader.jupyter.magics import GraderMagics  # noqa: PLC0415 - loads the client when the notebook asks for it

    shell.register_magics(GraderMagics)
