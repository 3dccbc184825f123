"""Share the work with other graders on the same store: each submission is claimed by one of them."""

import contextlib
import secrets
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from grader.errors import UserError
from grader.model.report import EngineInfo
from grader.model.submission import Submission
from grader.store.ports import Claims

LEASE_SECONDS = 30.0
"""A killed grader's claims are free after this time."""

POLL_SECONDS = 0.5
"""How long a grader waits before it asks again for a submission that another one holds."""

_RENEWAL_SECONDS = LEASE_SECONDS / 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """The claims of one grader, which runs submissions on ``engine``."""

    claims: Claims
    engine: EngineInfo
    owner: str = field(default_factory=lambda: secrets.token_hex(16))

    def claim(self, submission: Submission) -> bool:
        """Take ``submission``, unless another grader holds it."""
        return self.claims.claim(self._key(submission), self.owner, LEASE_SECONDS)

    def release(self, submission: Submission) -> None:
        """Give ``submission`` back."""
        self.claims.release(self._key(submission), self.owner)

    @contextlib.contextmanager
    def renewed(self) -> Iterator[None]:
        """Context manager: the claims last until its end, and not longer."""
        ended = threading.Event()
        renewal = threading.Thread(target=self._renew, args=(ended,), name="claims", daemon=True)
        renewal.start()
        try:
            yield
        finally:
            ended.set()
            renewal.join()
            with contextlib.suppress(UserError):
                self.claims.extend(self.owner, 0.0)

    def _renew(self, ended: threading.Event) -> None:
        while not ended.wait(_RENEWAL_SECONDS):
            # A store that cannot be written now may be writable before the lease ends.
            with contextlib.suppress(UserError):
                self.claims.extend(self.owner, LEASE_SECONDS)

    def _key(self, submission: Submission) -> str:
        return f"{self.engine.kind} {self.engine.device} {submission.lab} {submission.student}"
