"""Reads the files of a program in CUDA C++."""

from collections.abc import Sequence
from pathlib import Path

from grader.errors import UserError
from grader.model.text import printable
from grader.programs.build import DEVICE_SOURCES, HEADERS, HOST_SOURCES, Sources

_KNOWN = DEVICE_SOURCES | HOST_SOURCES | HEADERS
_MOST_FILES = 500
_MOST_BYTES = 32 << 20


def read_sources(path: Path, include: Sequence[Path] = ()) -> Sources:
    """The files of a program: ``path`` and the headers beside it, or all sources and headers of a folder.

    ``include`` are further folders of headers.

    Raises: ``UserError`` where there is none, or where they are too many.
    """
    try:
        if path.is_dir():
            files = {
                str(each.relative_to(path)): each for each in sorted(path.rglob("*")) if _is_source(each)
            }
        elif path.is_file():
            beside = (
                each for each in sorted(path.parent.iterdir()) if each.suffix in HEADERS and each.is_file()
            )
            files = {each.name: each for each in (path, *beside)}
        else:
            msg = f"There is no file or folder {printable(str(path))}."
            raise UserError(msg)
        if len(files) > _MOST_FILES or sum(each.stat().st_size for each in files.values()) > _MOST_BYTES:
            msg = f"{printable(str(path))} has more than {_MOST_FILES} files or {_MOST_BYTES >> 20} MiB of sources."
            raise UserError(msg, hint="Name the program's own file or folder.")
        found = Sources(
            files={name: each.read_bytes() for name, each in files.items()},
            included=tuple(map(_headers, include)),
        )
    except OSError as error:
        msg = f"{printable(str(path))} cannot be read: {error.strerror}."
        raise UserError(msg) from error
    if not found.compiled:
        msg = f"{printable(str(path))} has no CUDA C++ source."
        raise UserError(
            msg, hint="Name a .cu file, a folder with .cu and .cpp files, or a .py file with Numba kernels."
        )
    return found


def _headers(folder: Path) -> dict[str, bytes]:
    """The headers below ``folder``."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.suffix in HEADERS and path.is_file() and not path.is_symlink()
    }


def _is_source(path: Path) -> bool:
    return path.suffix in _KNOWN and path.is_file() and not path.is_symlink()
