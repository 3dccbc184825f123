"""The header folders of the CUDA toolkit on this machine, and the packages that bring them."""

import posixpath
import re
from functools import cache
from pathlib import Path

from cuda import pathfinder

from grader.errors import UserError

NEEDED = {
    "nvidia-cuda-runtime": Path("cooperative_groups.h"),
    "nvidia-cuda-cccl": Path("cuda", "std", "cstdint"),
    "nvidia-cuda-crt": Path("crt", "mma.h"),
}
"""The packages that hold the toolkit's headers, each with one header that shows whether it is installed."""

_LIBRARIES = ("cudart", "cccl", "curand")
"""The libraries with device headers, by the names that pathfinder gives them; only cuRAND's may be absent."""

_NESTED_FOLDERS = (Path("cooperative_groups"), Path("cooperative_groups", "details"), Path("crt"))
"""Folders with headers that include each other by file name. NVRTC does not search the folder of the including file."""

_INCLUDE = re.compile(r"""^\s*#\s*include\s*["<]([^">\n]+)[">]""", re.MULTILINE)

_MAX_NAME = 255
"""Length of the longest file name on Linux file systems."""


def toolkit_options() -> list[str]:
    """Compiler options that make the toolkit's device headers reachable.

    Raises: ``UserError`` where the headers are not installed.
    """
    folders = _folders()
    for package, header in NEEDED.items():
        if not any((folder / header).is_file() for folder in folders):
            problem = f"a part of the CUDA headers ({header}) is not installed."
            raise UserError(problem, hint=f"Install {package}.")
    nested = [folder / inner for folder in folders for inner in _NESTED_FOLDERS if (folder / inner).is_dir()]
    return [f"-I{folder}" for folder in (*folders, *nested)]


def toolkit_folders() -> tuple[str, ...]:
    """Folders of the toolkit's headers, as they appear in compiler messages: an inner folder before an outer one."""
    return tuple(sorted(map(str, _folders()), key=len, reverse=True))


def toolkit_header(name: str) -> Path | None:
    """The file that ``#include <name>`` reads; ``None`` if the toolkit has none. ``name`` must not contain ``..``."""
    if len(name) > _MAX_NAME:
        return None
    return next((folder / name for folder in _folders() if (folder / name).is_file()), None)


def toolkit_name(path: str) -> str:
    """A header's name below the toolkit's folder; another ``path`` as it is."""
    for folder in toolkit_folders():
        path = path.removeprefix(f"{folder}/")
    return path


def includes_header(name: str, wanted: str) -> bool:
    """Whether the toolkit's header ``name`` is or includes the one called ``wanted``, directly or not."""
    waiting, seen = [name], {name}
    while waiting:
        current = waiting.pop()
        if current == wanted:
            return True
        path = toolkit_header(current)
        text = "" if path is None else path.read_text(encoding="utf-8", errors="replace")
        folder = posixpath.dirname(current)
        for include in _INCLUDE.findall(text):
            found = {posixpath.normpath(posixpath.join(folder, include)), include} - seen
            seen |= found
            waiting += found
    return False


def _folders() -> tuple[Path, ...]:
    found = (_header_folder(library) for library in _LIBRARIES)
    return tuple(dict.fromkeys(folder for folder in found if folder is not None))


@cache
def _header_folder(library: str) -> Path | None:
    found = pathfinder.find_nvidia_header_directory(library)
    return None if found is None else Path(found)
