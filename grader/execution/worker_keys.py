"""The keys of workers: the server has a folder with its own, and each host gets one that holds no secret of others.

Anybody with a host's folder can connect as a worker. Parsl wants a file with a secret key of the server in it, although
a worker uses only the public one; a random secret stands there.
"""

import shutil
from pathlib import Path

import zmq
import zmq.auth

from grader.errors import UserError

_PUBLIC, _SECRET = ".key", ".key_secret"


def server_keys(folder: Path) -> Path:
    """The server's folder of keys below ``folder``, made if it is missing."""
    keys = folder / "keys"
    if not (keys / f"server{_SECRET}").exists():
        keys.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in ("server", "client"):
            zmq.auth.create_certificates(keys, name)
    keys.chmod(0o700)
    return keys


def host_keys(folder: Path, host: str, target: Path) -> Path:
    """Make a key for ``host``, and write what the host needs into ``target``, a new folder.

    Raises: ``UserError`` if the host has a key, or ``target`` exists.
    """
    keys = server_keys(folder)
    public = keys / f"host-{host}{_PUBLIC}"
    if public.exists():
        msg = f"There is a key for {host} already."
        raise UserError(msg, hint=f"Remove {public} to revoke it.")
    try:
        target.mkdir(mode=0o700, parents=True)
    except OSError as error:
        msg = f"{target} cannot be made: {error.strerror}."
        raise UserError(msg, hint="Name a folder that does not exist.") from error
    zmq.auth.create_certificates(target, "client")
    shutil.copyfile(target / f"client{_PUBLIC}", public)
    server, _ = zmq.auth.load_certificate(keys / f"server{_PUBLIC}")
    _, secret = zmq.curve_keypair()
    text = f'metadata\ncurve\n    public-key = "{server.decode()}"\n    secret-key = "{secret.decode()}"\n'
    (target / f"server{_SECRET}").write_text(text, encoding="ascii")
    for file in target.iterdir():
        file.chmod(0o600)
    return target
