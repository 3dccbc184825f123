"""Cache of built rungs on disk: every student's check times kernels against the same rungs."""

import hashlib

from grader.cache import CacheFolder
from grader.compile import toolchain
from grader.digests import grader_digest
from grader.model.build import BuildRequest
from grader.model.module import DeviceModule
from grader.worker import wire

_MOST_BYTES = 64 * 2**20
"""Some thousand rungs."""


class RungCache:
    """Modules keyed by all their inputs: the request with the lab's sources, this grader, the compilers.

    The grader writes modules that its workers built from a lab's sources. No submission's module is ever stored.
    """

    def __init__(self, folder: CacheFolder) -> None:
        self._folder = folder

    def read(self, request: BuildRequest) -> DeviceModule | None:
        """The cached module of ``request``, if it exists and is undamaged."""
        kept = self._folder.read(request_key(request))
        return None if kept is None else wire.decode(kept, DeviceModule)

    def write(self, request: BuildRequest, module: DeviceModule) -> None:
        """Store ``module``, if the folder is writable."""
        self._folder.write(request_key(request), wire.encode(module))


def rung_cache() -> RungCache:
    """The cache of this user."""
    return RungCache(CacheFolder("rungs", most_bytes=_MOST_BYTES))


def request_key(request: BuildRequest) -> str:
    """The name in a cache for what this grader and these compilers make of ``request``."""
    parts = (wire.encode(request), grader_digest().encode(), wire.encode(sorted(toolchain().items())))
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()
