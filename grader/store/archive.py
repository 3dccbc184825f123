"""The file of a backup: a zip with one JSON line for each row, and a manifest with counts and checksums.

``manifest.json`` is a ``Manifest``; ``NAME.jsonl`` holds the rows of a table as arrays in the order of its columns.
Values are JSON's; bytes are base64. No part depends on a database.
"""

import base64
import binascii
import hashlib
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from grader.store.documents import DamagedError

FORMAT = 1
"""Version of the file; it rises when readers of the old version would misread the new one."""

_MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEntry:
    """What a backup holds of one table. ``binary`` are the columns that hold bytes; ``sha256`` is of its lines."""

    name: str
    columns: tuple[str, ...]
    binary: tuple[str, ...]
    rows: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The content of a backup. ``schema`` is that of the store, ``created_at`` ISO 8601 in UTC.

    Tables come before those that refer to them.
    """

    format: int
    schema: str
    created_at: str
    tables: tuple[TableEntry, ...]

    @property
    def rows(self) -> int:
        """How many rows there are in all tables."""
        return sum(table.rows for table in self.tables)


class ArchiveWriter:
    """Writes a backup table by table."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._tables: list[TableEntry] = []

    def add(
        self, name: str, columns: Sequence[str], binary: Sequence[str], rows: Iterable[Sequence[Any]]
    ) -> None:
        """Write the rows of one table."""
        digest, count = hashlib.sha256(), 0
        with self._archive.open(_entry(name), "w", force_zip64=True) as file:
            for row in rows:
                line = msgspec.json.encode(list(row)) + b"\n"
                digest.update(line)
                file.write(line)
                count += 1
        entry = TableEntry(
            name=name, columns=tuple(columns), binary=tuple(binary), rows=count, sha256=digest.hexdigest()
        )
        self._tables.append(entry)

    def finish(self, schema: str, created_at: str) -> Manifest:
        """Write the manifest."""
        manifest = Manifest(format=FORMAT, schema=schema, created_at=created_at, tables=tuple(self._tables))
        self._archive.writestr(_MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
        return manifest


class ArchiveReader:
    """Reads a backup. Raises: ``DamagedError`` if a part is missing, cut or changed."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        with _damage():
            data = archive.read(_MANIFEST)
            self.manifest = msgspec.json.decode(data, type=Manifest)
        if self.manifest.format != FORMAT:
            msg = f"it has format {self.manifest.format}, and this grader reads format {FORMAT}"
            raise DamagedError(msg)

    def rows(self, table: TableEntry) -> Iterator[dict[str, Any]]:
        """The rows of ``table`` by column. The last step raises if the lines are not those that were written."""
        digest, count = hashlib.sha256(), 0
        with _damage(), self._archive.open(_entry(table.name)) as file:
            for line in file:
                digest.update(line)
                count += 1
                yield _row(table, line)
        if (count, digest.hexdigest()) != (table.rows, table.sha256):
            msg = f"the rows of {table.name} are not those that were written"
            raise DamagedError(msg)


@contextmanager
def reading(file: Path) -> Iterator[ArchiveReader]:
    """Open the backup at ``file``. Raises: ``DamagedError``, ``OSError``."""
    with _damage(), zipfile.ZipFile(file) as archive:
        yield ArchiveReader(archive)


@contextmanager
def writing(file: Path) -> Iterator[ArchiveWriter]:
    """Write a backup to ``file``. Raises: ``OSError``."""
    with zipfile.ZipFile(file, "x", compression=zipfile.ZIP_DEFLATED) as archive:
        yield ArchiveWriter(archive)


def _entry(table: str) -> str:
    return f"{table}.jsonl"


def _row(table: TableEntry, line: bytes) -> dict[str, Any]:
    row = dict(zip(table.columns, msgspec.json.decode(line, type=list[Any]), strict=True))
    for name in table.binary:
        if row[name] is not None:
            row[name] = base64.b64decode(row[name], validate=True)
    return row


@contextmanager
def _damage() -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        msg = f"it is no whole zip file: {error}"
        raise DamagedError(msg) from error
    except KeyError as error:
        msg = f"a part is missing: {error.args[0]}"
        raise DamagedError(msg) from error
    except (msgspec.DecodeError, binascii.Error) as error:
        raise DamagedError(str(error)) from error
