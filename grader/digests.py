"""Digests of folders, values and the installed package."""

import functools
import hashlib
import os
from pathlib import Path

import msgspec

import grader


def folder_digest(*folders: Path) -> str:
    """SHA-256 over the names and bytes of all files below ``folders``, in the order given.

    Hidden files, Python's caches and the folder's path do not count. A missing folder has a distinct digest.
    Raises: ``OSError`` if a file cannot be read.
    """
    digest = hashlib.sha256()
    for folder in folders:
        digest.update(b"\1" if folder.is_dir() else b"\0")
        for name, path in sorted(_files(folder)):
            digest.update(len(name).to_bytes(8) + name)
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def file_digests(folder: Path) -> dict[str, str]:
    """SHA-256 of each file that ``folder_digest`` counts, by its name relative to ``folder``; empty without a folder.

    Raises: ``OSError`` if a file cannot be read.
    """
    return {
        os.fsencode(name).decode(errors="backslashreplace"): hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in sorted(_files(folder))
    }


def _files(folder: Path) -> list[tuple[bytes, Path]]:
    found = []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not _ignored(name)]
        paths = [Path(where, name) for name in names if not _ignored(name)]
        found += [(os.fsencode(path.relative_to(folder)), path) for path in paths if path.is_file()]
    return found


def _ignored(name: str) -> bool:
    return name.startswith(".") or name == "__pycache__"


@functools.cache
def grader_digest() -> str:
    """The digest of the installed package, so that a changed grader grades again."""
    return folder_digest(*map(Path, grader.__path__))


def value_digest(value: object) -> str:
    """SHA-256 over ``value`` as JSON: frozen dataclasses, enumerations, numbers, text and containers of them."""
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()
