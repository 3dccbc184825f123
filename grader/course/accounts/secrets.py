"""Random secrets, of which only a digest is stored."""

import hashlib
import secrets

_BYTES = 32


def new_secret(prefix: str = "") -> str:
    """A secret of 256 random bits in characters that need no escape in a URL."""
    return prefix + secrets.token_urlsafe(_BYTES)


def digest(secret: str) -> str:
    """What is stored of ``secret``. It is random, so a fast hash without a salt will do."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
