"""Source lines of return addresses, through ``addr2line``."""

import shutil
import subprocess
from collections.abc import Collection, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from grader.errors import UserError
from grader.model.location import SourceLocation
from grader.programs.wire import Site

_NOWHERE = SourceLocation()
_END = "0xffffffffffffffff"
_WRAPPERS = "cuda_runtime.h"
"""NVIDIA's header with forms of the runtime's functions for C++."""

_OF_NVCC = ".cudafe1.cpp"


class CallSites:
    """Looks lines up in the debug information of one program; answers are kept."""

    def __init__(self, executable: Path, files: Collection[str]) -> None:
        """``files`` are the names of the program's own sources. Raises: ``UserError`` where addr2line is missing."""
        tool = shutil.which("addr2line")
        if tool is None:
            msg = "The tool addr2line, which names the lines of findings, is not installed."
            raise UserError(msg, hint="Install it, on Debian and Ubuntu with `apt install binutils`.")
        self._files = frozenset(files)
        self._known: dict[int, tuple[SourceLocation, ...]] = {}
        self._process = subprocess.Popen(  # noqa: S603 - a tool of this machine
            [tool, "-a", "-i", "-e", str(executable)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def location(self, site: Site) -> SourceLocation:
        """The innermost line of the program's own sources at ``site``; without file and line where it has none."""
        return next(self._own(site), _NOWHERE)

    def launch(self, site: Site) -> SourceLocation:
        """As ``location``, of a launch: its innermost lines are those of the kernel, which its stub claims to have."""
        kernel = self.location(site)
        return next((each for each in self._own(site) if each != kernel), kernel)

    def _own(self, site: Site) -> Iterator[SourceLocation]:
        """The lines of the program's own sources at ``site``, innermost first."""
        for address in site:
            yield from (found for found in self._lines(address) if found.file in self._files)

    def is_own(self, site: Site) -> bool:
        """Whether the program's own sources make the call, not a library such as Thrust that is compiled with them."""
        lines = self._lines(site[0]) if site else ()
        return bool(lines) and (lines[0].file in self._files or lines[0].file == _WRAPPERS)

    def _lines(self, address: int) -> tuple[SourceLocation, ...]:
        """The lines at a return address: that of the call, then those it was inlined into."""
        if address not in self._known:
            self._known[address] = tuple(self._asked(address - 1))
        return self._known[address]

    def _asked(self, address: int) -> list[SourceLocation]:
        read, write = self._process.stdout, self._process.stdin
        if read is None or write is None:
            return []
        write.write(f"{address:#x}\n{_END}\n")
        write.flush()
        read.readline()  # the address itself
        found = []
        while (line := read.readline()).strip() not in {"", _END}:
            file, _, number = line.split(" ")[0].rpartition(":")
            if number.strip().isdigit():
                found.append(SourceLocation(file=_source_name(file), line=int(number)))
        read.readline()  # what the end marks
        return found


def _source_name(path: str) -> str:
    """The source of a line: nvcc counts the lines of some functions as in the source, but names its own file."""
    name = Path(path).name
    return name.removesuffix(_OF_NVCC) + ".cu" if name.endswith(_OF_NVCC) else name
