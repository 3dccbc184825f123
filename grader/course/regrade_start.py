"""Start the run of a regrade set in a process of its own, so that it outlives the request for it."""

import subprocess
import sys
import threading

from grader.course.records import Records
from grader.course.regrade import find
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.store.regrade_tables import RowState

_GRADER = (sys.executable, "-m", "grader.cli")


def start(workspace: Workspace, number: int) -> None:
    """Run what waits in the set ``number``; its rows show how far it is. Raises: ``UserError`` if nothing waits."""
    with Records(workspace) as records:
        if not find(records, number).counts.get(RowState.WAITING):
            msg = f"Nothing of regrade {number} waits."
            raise UserError(msg)
    config = workspace.config
    log = config.base / ".grader" / f"regrade-{number}.log"
    log.parent.mkdir(exist_ok=True)
    with log.open("ab") as output:
        process = subprocess.Popen(  # noqa: S603 - Grader's own command, with a number
            [*_GRADER, "regrade", "run", str(number)],
            cwd=config.base,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    # Nothing waits for the run, but its entry in the table of processes must go when it ends.
    threading.Thread(target=process.wait, name=log.stem, daemon=True).start()
