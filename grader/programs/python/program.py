"""Numba, as a language of whole programs."""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from grader.errors import UserError
from grader.model.reason import Reason
from grader.model.text import printable
from grader.programs.language import Command, ProgramSources, Sites
from grader.programs.python.lines import PythonLines
from grader.programs.python.names import PythonNames
from grader.programs.python.tracebacks import raised
from grader.programs.python.wording import WORDING
from grader.programs.runtime_library import DRIVER, runtime_library
from grader.programs.toolchain import find_host_compiler
from grader.programs.units import Unit

SUFFIX = ".py"
START_UP = "sitecustomize.py"
"""What the interpreter imports before it runs a program."""

_START = "from grader.programs.python.start_up import start\n\nstart(__file__)\n"
_CALL = "grader.programs.python.call"
_OWN_FOLDER = "source"
_MOST_FILES = 500
_MOST_BYTES = 32 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonSources:
    """The files of a program by their names in its folder, and that folder's absolute path.

    Without one, the files are written for each run.
    """

    files: Mapping[str, bytes]
    folder: Path | None = None

    def home(self, folder: Path) -> Path:
        """The folder with the files of the program that is installed in ``folder``."""
        return self.folder or folder / _OWN_FOLDER

    def write(self, folder: Path) -> None:
        """Write the files, if they lie nowhere yet."""
        if self.folder is None:
            for name, data in self.files.items():
                path = self.home(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)

    @property
    def lines(self) -> dict[str, list[str]]:
        """The lines of each file, by its name without folder."""
        return {
            Path(name).name: data.decode(errors="replace").splitlines() for name, data in self.files.items()
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonProgram:
    """A program that can be started: the name of the file that is run, all files, and the driver's stand-in.

    ``is_called``: the judge calls a function of it, and otherwise it is run from its beginning to its end.
    """

    script: str
    sources: PythonSources
    library: bytes
    is_called: bool = False
    units: Sequence[Unit] = ()
    is_managed: bool = True

    def paths(self, folder: Path) -> Mapping[str, str]:
        """See ``Program.paths``."""
        home = self.sources.home(folder)
        return {str(home / name): Path(name).name for name in self.sources.files}

    @property
    def wording(self) -> Mapping[str, str]:
        """See ``Program.wording``."""
        return WORDING

    def install(self, folder: Path) -> Command:
        """See ``Program.install``."""
        self.sources.write(folder)
        driver = folder / DRIVER.name
        driver.write_bytes(self.library)
        (folder / START_UP).write_text(_START, encoding="utf-8")
        path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
        variables = {
            "PYTHONPATH": path,
            "GRADER_DRIVER": str(driver),
            "GRADER_FILES": json.dumps(list(self.paths(folder))),
        }
        script = str(self.sources.home(folder) / self.script)
        words = [sys.executable, *(("-m", _CALL) if self.is_called else ()), script]
        return Command(words=words, variables=variables)

    def sites(self, folder: Path, sources: ProgramSources) -> AbstractContextManager[Sites]:
        """See ``Program.sites``."""
        del sources
        return nullcontext(PythonLines(tuple(self.paths(folder).values())))

    def failure(self, printed: str, sources: ProgramSources) -> Reason | None:
        """See ``Program.failure``: the exception that ended it."""
        return raised(printed, sources.lines)

    def names(self, sources: ProgramSources) -> PythonNames:
        """See ``Program.names``."""
        return PythonNames(sources.files)


def driver_library() -> bytes:
    """The driver's stand-in. Raises: ``UserError`` where numba-cuda or a compiler is missing."""
    if find_spec("numba_cuda") is None:
        msg = "The package numba-cuda is not installed, and a Numba program needs it."
        raise UserError(msg, hint="Install it with `pip install numba-cuda`.")
    return runtime_library(find_host_compiler(), DRIVER)


@dataclass(frozen=True, slots=True)
class ReadPython:
    """A program that was read."""

    script: str
    sources: PythonSources

    @property
    def visible(self) -> Sequence[Path]:
        """See ``ReadProgram.visible``."""
        return () if self.sources.folder is None else (self.sources.folder,)

    def build(self) -> PythonProgram:
        """See ``ReadProgram.build``: Numba compiles the kernels while the program runs."""
        return PythonProgram(script=self.script, sources=self.sources, library=driver_library())


class Numba:
    """Python files."""

    def takes(self, path: Path) -> bool:
        """See ``ProgramLanguage.takes``."""
        return path.suffix == SUFFIX

    def read(self, path: Path, include: Sequence[Path]) -> ReadPython:
        """See ``ProgramLanguage.read``: the file, and the modules and packages beside it."""
        if include:
            msg = "A Python program has no folders of headers."
            raise UserError(msg, hint="Leave out --include; put modules beside the program.")
        if not path.is_file():
            msg = f"There is no file {printable(str(path))}."
            raise UserError(msg)
        script = path.resolve()
        files: dict[str, bytes] = {}
        try:
            for each in (script, *_modules(script.parent)):
                files[str(each.relative_to(script.parent))] = each.read_bytes()
                if len(files) >= _MOST_FILES or sum(map(len, files.values())) > _MOST_BYTES:
                    break  # modules beyond have no lines in findings
        except OSError as error:
            msg = f"{printable(str(path))} cannot be read: {error.strerror}."
            raise UserError(msg) from error
        return ReadPython(script.name, PythonSources(folder=script.parent, files=files))


def _modules(folder: Path) -> Iterator[Path]:
    """The modules in ``folder``, and those of the packages in it."""
    for each in sorted(folder.iterdir()):
        if each.suffix == SUFFIX and each.is_file():
            yield each
        elif (each / "__init__.py").is_file():
            yield from _modules(each)
