"""A worker process as the grader sees it: its pid, its three pipes and its exit code."""

import fcntl
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

from grader.errors import InfrastructureError

PIPE_BYTES = 2**20
"""Capacity of a pipe: the most that Linux gives an ordinary user; the default is a sixteenth of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipes:
    """The grader's ends of a worker's pipes, as non-blocking file descriptors."""

    requests: int
    replies: int
    errors: int

    def close(self) -> None:
        """Close all three."""
        for descriptor in (self.requests, self.replies, self.errors):
            os.close(descriptor)


@dataclass(frozen=True, slots=True, kw_only=True)
class Streams:
    """The worker's ends: its standard input, output and error."""

    requests: int
    replies: int
    errors: int

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Close the grader's copies; the worker has its own."""
        for descriptor in self.descriptors:
            os.close(descriptor)

    @property
    def descriptors(self) -> list[int]:
        """In the order of file descriptors 0, 1 and 2."""
        return [self.requests, self.replies, self.errors]


def make_pipes() -> tuple[Pipes, Streams]:
    """Make both ends of a worker's pipes. Raises: ``InfrastructureError`` where too many files are open."""
    with os_operation("make pipes for a worker"):
        (worker_in, requests), (replies, worker_out), (errors, worker_err) = os.pipe(), os.pipe(), os.pipe()
    for descriptor in (requests, replies, errors):
        os.set_blocking(descriptor, False)
    for descriptor in (requests, replies):
        # The number of large pipes per user is limited; a small one works as well, only slower.
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    pipes = Pipes(requests=requests, replies=replies, errors=errors)
    return pipes, Streams(requests=worker_in, replies=worker_out, errors=worker_err)


@contextmanager
def os_operation(what: str) -> Iterator[None]:
    """Raise an ``OSError`` in the block, such as a full disk, as ``InfrastructureError``: cannot ``what``."""
    try:
        yield
    except OSError as error:
        msg = f"this machine cannot {what}: {error.strerror}"
        raise InfrastructureError(msg) from error


class Child(Protocol):
    """A started worker."""

    @property
    def pid(self) -> int:
        """Its process id and session id."""

    def wait(self) -> int:
        """Wait for its end; the exit code, negative for a signal. Can be called again."""


def spawn(
    command: list[str],
    streams: Streams,
    folder: Path,
    environment: dict[str, str],
    inherited: tuple[int, ...] = (),
) -> Child:
    """Start ``command`` in a new session; it inherits ``streams`` and the ``inherited`` descriptors.

    Raises: ``InfrastructureError``.
    """
    with os_operation("start a worker process"):
        return subprocess.Popen(  # noqa: S603 - the grader builds the command
            command,
            stdin=streams.requests,
            stdout=streams.replies,
            stderr=streams.errors,
            cwd=folder,
            env=environment,
            start_new_session=True,
            pass_fds=inherited,
        )
