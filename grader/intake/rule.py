"""Which files of a student's folder belong to a submission: the patterns that a lab or a course states."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Self

from grader.intake.tree import Entry
from grader.labs.registry import Registry


@dataclass(frozen=True, slots=True)
class FileRule:
    """Patterns for source files, such as ``src/*.cu``; without a pattern, every source file belongs.

    Patterns are relative to the student's folder and ignore upper and lower case. ``*`` and ``?`` match within one
    name, ``**`` matches any folders. Headers belong to every submission, so no pattern is needed for them.
    ``host_code``: the lab asks for whole programs, so files with host code alone belong, too.
    """

    patterns: tuple[str, ...] = ()
    host_code: bool = False

    def takes(self, name: str) -> bool:
        """Whether the source file ``name`` of a folder belongs to its submission."""
        return not self.patterns or any(_matches(pattern, name) for pattern in self.patterns)

    def takes_alone(self, entry: Entry) -> bool:
        """Whether a file can be a whole submission. It has the student's name, so only the suffix is compared."""
        suffixes = {PurePosixPath(pattern).suffix for pattern in self.patterns}
        return not suffixes or any(_matches(f"*{suffix}", entry.name) for suffix in suffixes)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabRules:
    """What intake asks about a lab by its name: which files count, and whether the lab cannot be loaded."""

    files: Callable[[str], FileRule] = lambda _: FileRule()
    is_broken: Callable[[str], bool] = lambda _: False

    @classmethod
    def of(cls, registry: Registry) -> Self:
        """The rules of the labs in ``registry``."""

        def rule(name: str) -> FileRule:
            manifest = registry.labs[name].manifest
            return FileRule(manifest.files, host_code=manifest.program is not None)

        return cls(files=rule, is_broken=registry.is_broken)


def _matches(pattern: str, name: str) -> bool:
    return re.fullmatch(_expression(pattern), name, re.IGNORECASE) is not None


def _expression(pattern: str) -> str:
    *folders, last = pattern.split("/")
    steps = ("(?:[^/]+/)*" if folder == "**" else f"{_component(folder)}/" for folder in folders)
    return "".join(steps) + ("(?:[^/]+/)*[^/]+" if last == "**" else _component(last))


def _component(pattern: str) -> str:
    wild = {"*": "[^/]*", "?": "[^/]"}
    return "".join(wild.get(char, re.escape(char)) for char in pattern)
