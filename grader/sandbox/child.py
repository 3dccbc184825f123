"""A worker process as the grader holds it: its pid, its three pipes and, once it has ended, how."""

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
"""What a pipe may hold on its way: as much as Linux gives an ordinary user, instead of a sixteenth of it."""


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
    """Both ends of a conversation. Raises: ``InfrastructureError`` where there are too many open files."""
    with os_operation("make pipes for a worker"):
        (worker_in, requests), (replies, worker_out), (errors, worker_err) = os.pipe(), os.pipe(), os.pipe()
    for descriptor in (requests, replies, errors):
        os.set_blocking(descriptor, False)
    for descriptor in (requests, replies):
        # A user may have so many large pipes and no more; a small one carries the same, only slower.
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    pipes = Pipes(requests=requests, replies=replies, errors=errors)
    return pipes, Streams(requests=worker_in, replies=worker_out, errors=worker_err)


@contextmanager
def os_operation(what: str) -> Iterator[None]:
    """Tell a refusal, such as that of a full disk, as what was asked. Raises: ``InfrastructureError``."""
    try:
        yield
    except OSError as error:
        msg = f"this machine did not {what}: {error.strerror}"
        raise InfrastructureError(msg) from error


class Child(Protocol):
    """A started worker."""

    @property
    def pid(self) -> int:
        """Its process id, which is also its session's."""

    def wait(self) -> int:
        """How it ended: an exit code, negative for a signal. Blocks until it has; may be asked again."""


def spawn(
    command: list[str],
    streams: Streams,
    folder: Path,
    environment: dict[str, str],
    inherited: tuple[int, ...] = (),
) -> Child:
    """Start ``command`` in a session of its own, with ``inherited`` descriptors beside its streams.

    Raises: ``InfrastructureError``.
    """
    with os_operation("start a worker process"):
        return subprocess.Popen(  # noqa: S603 - the command is the grader's own
            command,
            stdin=streams.requests,
            stdout=streams.replies,
            stderr=streams.errors,
            cwd=folder,
            env=environment,
            start_new_session=True,
            pass_fds=inherited,
        )
