"""Get a token by a device link: the user confirms a code on a page where they are signed in."""

import time
from collections.abc import Callable

from grader.api.sign_in import DeviceClaim, DeviceCode, DeviceRequest, IssuedToken
from grader.client.connection import Connection
from grader.client.errors import RefusedError, UnreachableError
from grader.errors import UserError

PENDING = "device-pending"
"""The server's code while the user has not decided."""

_SLOWER_SECONDS = 5
"""What a program adds to its interval when it asks too often or gets no answer (RFC 8628, section 3.5)."""


def start(connection: Connection, label: str) -> DeviceCode:
    """Ask for a code; ``label`` names this machine to the user."""
    return connection.post("/device", DeviceRequest(label=label), DeviceCode)


def wait(
    connection: Connection, code: DeviceCode, sleep: Callable[[float], None] = time.sleep
) -> IssuedToken:
    """Wait until the user confirmed. Raises: ``UserError`` if they refuse or the code expires."""
    interval: float = code.interval
    ends = time.monotonic() + code.expires_in
    while time.monotonic() < ends:
        sleep(interval)
        try:
            return connection.post("/device/token", DeviceClaim(device_code=code.device_code), IssuedToken)
        except UnreachableError:
            interval += _SLOWER_SECONDS
        except RefusedError as refused:
            if refused.code != PENDING:
                raise
    msg = "The code was not confirmed in time."
    raise UserError(msg, hint="Run `grader login` again.")
