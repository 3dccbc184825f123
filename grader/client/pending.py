"""Submissions that were sent and not yet answered: the key of each is stored before it is sent.

If the answer is lost, the same files are sent again with the same key, and the server makes no second attempt.
"""

import secrets
from collections.abc import Mapping
from pathlib import Path

import platformdirs

from grader.client.credentials import Login
from grader.client.private_file import write_private
from grader.digests import value_digest


class PendingSubmission:
    """The submission of ``files`` for ``lab`` by the person of ``login``."""

    def __init__(self, login: Login, lab: str, files: Mapping[str, bytes]) -> None:
        parts = (login.server, login.person, lab, *(item for pair in sorted(files.items()) for item in pair))
        self._path = _folder() / value_digest(parts)

    def key(self) -> str:
        """The stored key of this submission, or else a new one. Raises: ``UserError`` if none can be stored."""
        try:
            return self._path.read_text(encoding="ascii")
        except (FileNotFoundError, UnicodeDecodeError):
            key = secrets.token_urlsafe(24)
            write_private(self._path, key.encode("ascii"))
            return key

    def answered(self) -> None:
        """The server has it: the same files again are another attempt."""
        self._path.unlink(missing_ok=True)


def _folder() -> Path:
    return platformdirs.user_state_path("grader") / "pending"
