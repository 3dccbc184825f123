"""The workspace of a process that runs for a term: staff change points in ``grader.toml`` while it does.

Only the changes to labs take effect, because nothing that is open depends on them; other settings need a restart.
"""

import threading
from dataclasses import replace

from grader.config.load import FILE_NAME, load
from grader.course.rules import Stamp, stamp_of
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.logs import Event, log


class LiveWorkspace:
    """Follows the file of a workspace; threads may share it."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._path = workspace.config.source or workspace.config.base / FILE_NAME
        self._stamp = self._read_stamp()
        self._lock = threading.Lock()

    def current(self) -> Workspace:
        """The workspace by the file as it is now: the same object until the labs' tables in the file change.

        A file with a mistake changes nothing until it is corrected; the log has the mistake.
        """
        with self._lock:
            stamp = self._read_stamp()
            if stamp != self._stamp:
                self._stamp = stamp
                self._workspace = self._changed()
            return self._workspace

    def _read_stamp(self) -> Stamp | None:
        return stamp_of(self._path) if self._path.is_file() else None

    def _changed(self) -> Workspace:
        try:
            overlays = load(self._path).overlays
            config = replace(self._workspace.config, overlays=overlays, source=self._path)
            changed = replace(self._workspace, config=config)
            changed.registry  # noqa: B018 - finds mistakes in the tables
        except UserError as error:
            log(Event.SETTINGS_REFUSED, file=FILE_NAME, error=str(error))
            return self._workspace
        return changed
