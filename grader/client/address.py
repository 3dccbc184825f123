"""The address of a server, as a person types it."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from grader.errors import UserError
from grader.model.text import printable

_SCHEMES = {"http", "https"}


def server_address(typed: str) -> str:
    """The address that ``typed`` means, without a path; ``https`` where no scheme is given. Raises: ``UserError``."""
    text = typed.strip()
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if not host or parts.scheme not in _SCHEMES or parts.username is not None or not host.isprintable():
        msg = f"{printable(text)} is no address of a server."
        raise UserError(msg, hint="Give it as in https://grader.example.org.")
    named = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{named}" + ("" if port is None else f":{port}")


def is_private(server: str) -> bool:
    """Whether what is sent to ``server`` is unreadable on the way."""
    parts = urlsplit(server)
    return parts.scheme == "https" or _is_this_machine(parts.hostname or "")


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
