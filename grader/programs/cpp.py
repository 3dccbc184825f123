"""CUDA C++, as a language of whole programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.programs.build import BuiltProgram, Sources, build
from grader.programs.read_sources import read_sources
from grader.programs.toolchain import find_toolchain


@dataclass(frozen=True, slots=True)
class CppProgram:
    """A program in CUDA C++ that was read."""

    sources: Sources

    @property
    def visible(self) -> Sequence[Path]:
        """See ``ReadProgram.visible``: the folder of the executable is visible anyway."""
        return ()

    def build(self) -> BuiltProgram:
        """See ``ReadProgram.build``."""
        return build(self.sources, find_toolchain())


class Cpp:
    """Files and folders of CUDA C++."""

    def takes(self, path: Path) -> bool:
        """See ``ProgramLanguage.takes``: it also says what is wrong with other files."""
        del path
        return True

    def read(self, path: Path, include: Sequence[Path]) -> CppProgram:
        """See ``ProgramLanguage.read``."""
        return CppProgram(read_sources(path, include))
