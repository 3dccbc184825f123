"""A line of a source file."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLocation:
    """A source line that has a part in a finding. ``line`` is 1-based; both are ``None`` where unknown."""

    file: str | None = None
    line: int | None = None
