"""A language of whole programs, and what a program of it must offer to run beside the device process."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from grader.model.location import SourceLocation
from grader.model.reason import Reason
from grader.programs.units import Unit
from grader.programs.wire import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What starts a program, without its own arguments, and what it needs in its environment."""

    words: Sequence[str]
    variables: Mapping[str, str] = field(default_factory=dict)


class Sites(Protocol):
    """Finds the program's line that made a call."""

    def location(self, site: Site) -> SourceLocation:
        """The innermost line of the program's own sources at ``site``; without file and line where it has none."""

    def is_own(self, site: Site) -> bool:
        """Whether the program's own sources make the call, not a library that is compiled with them."""


class AssignedNames(Protocol):
    """Names of allocations."""

    def assigned(self, location: SourceLocation, site: Site) -> str:
        """The variable that the allocation of a call at ``location`` goes to; empty where the line does not say."""


class ProgramSources(Protocol):
    """The files of a program, by their names."""

    @property
    def files(self) -> Mapping[str, bytes]:
        """Content by name."""

    @property
    def lines(self) -> Mapping[str, Sequence[str]]:
        """The lines of each file, by its name without folder."""


class Program(Protocol):
    """A program that can be started."""

    @property
    def units(self) -> Sequence[Unit]:
        """The units with its kernels that are known before it starts."""

    def paths(self, folder: Path) -> Mapping[str, str]:
        """The names of its files by the paths in PTX that it compiles itself; it was installed in ``folder``."""

    @property
    def is_managed(self) -> bool:
        """Whether its language releases memory by itself, and raises errors."""

    @property
    def wording(self) -> Mapping[str, str]:
        """Codes of statements that name functions of CUDA C++, with those that its language has instead."""

    def install(self, folder: Path) -> Command:
        """Write into ``folder`` what the program needs."""

    def sites(self, folder: Path, sources: ProgramSources) -> AbstractContextManager[Sites]:
        """Finds lines of the program that was installed in ``folder``."""

    def failure(self, printed: str, sources: ProgramSources) -> Reason | None:
        """Why the program ended with an exit code that is not 0, where ``printed`` says so."""

    def names(self, sources: ProgramSources) -> AssignedNames:
        """Finds names of allocations."""


class ProgramLanguage(Protocol):
    """How programs of one language are read and made ready."""

    def takes(self, path: Path) -> bool:
        """Whether ``path`` is a program of this language."""

    def read(self, path: Path, include: Sequence[Path]) -> "ReadProgram":
        """Read a program; ``include`` are further folders of headers. Raises: ``UserError`` where there is none."""


class ReadProgram(Protocol):
    """A program that was read, and is not compiled yet."""

    @property
    def sources(self) -> ProgramSources:
        """Its files."""

    @property
    def visible(self) -> Sequence[Path]:
        """What it must be able to read inside a sandbox, beside the current folder."""

    def build(self) -> Program:
        """Compile it. Raises: ``UserError`` for code that does not compile, and where a compiler is missing."""
