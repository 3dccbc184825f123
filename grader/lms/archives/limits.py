"""Limits for archives from strangers: how many entries, how many bytes, how strongly compressed."""

from dataclasses import dataclass, field

from grader.errors import UserError

MIB = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveLimits:
    """``entries``, ``bytes``: of what a course downloads. The others: of an archive that a student submitted in it."""

    entries: int = 200_000
    bytes: int = 2048 * MIB
    nested_entries: int = 2000
    nested_bytes: int = 64 * MIB
    nested_file_bytes: int = 16 * MIB
    ratio: int = 200


@dataclass(slots=True)
class Budget:
    """The bytes that may still be read from one archive, so that many small files cannot add up."""

    limits: ArchiveLimits
    left: int = field(init=False)

    def __post_init__(self) -> None:
        self.left = self.limits.bytes

    def take(self, count: int) -> None:
        """Count bytes that were read. Raises: ``UserError`` beyond the limit."""
        self.left -= count
        if self.left < 0:
            msg = f"The archive holds more than {self.limits.bytes // MIB} MiB of source files."
            raise UserError(msg, hint="Split it, or remove what is no submission.")
