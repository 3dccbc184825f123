"""What travels between the server and a worker's host: words, numbers and files as JSON, never code."""

from dataclasses import dataclass
from typing import Self, TypeVar

import msgspec

from grader.errors import InfrastructureError
from grader.model.submission import Language, SourceFile, Submission

_Message = TypeVar("_Message")


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketFile:
    """One file of a submission. ``name`` is bytes, because it may hold some that are no UTF-8."""

    name: bytes
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """One attempt at a job: what to grade, by which version of the lab, with which toolchain.

    ``lab_code`` and ``toolchain`` are digests: a host that has others refuses the ticket. ``seed`` determines the
    inputs, so that each attempt draws the same. No student's name travels.
    """

    job: int
    attempt: int
    lab: str
    lab_code: str
    toolchain: str
    language: Language
    files: tuple[TicketFile, ...]
    seed: int
    trusted: bool

    def encode(self) -> bytes:
        """The ticket as JSON."""
        return msgspec.json.encode(self)

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Raises: ``InfrastructureError`` if ``data`` is no ticket."""
        return _decoded(data, cls)

    @property
    def submission(self) -> Submission:
        """The submission; its student has no name."""
        files = tuple(
            SourceFile(name=file.name.decode("utf-8", "surrogateescape"), data=file.data)
            for file in self.files
        )
        return Submission(
            student="", lab=self.lab, language=self.language, files=files, path=f"job {self.job}"
        )


def ticket_files(files: tuple[SourceFile, ...]) -> tuple[TicketFile, ...]:
    """The files of a submission as they travel."""
    return tuple(
        TicketFile(name=file.name.encode("utf-8", "surrogateescape"), data=file.data) for file in files
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a worker found: a document of facts or, in ``problem``, why there is none. ``host`` is the worker's."""

    job: int
    attempt: int
    host: str
    seconds: float = 0.0
    facts: bytes = b""
    problem: str = ""

    def encode(self) -> bytes:
        """The reply as JSON."""
        return msgspec.json.encode(self)

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Raises: ``InfrastructureError`` if ``data`` is no reply."""
        return _decoded(data, cls)


def _decoded(data: bytes, kind: type[_Message]) -> _Message:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.DecodeError as error:
        msg = f"what came is no {kind.__name__.lower()}: {error}"
        raise InfrastructureError(msg) from error
