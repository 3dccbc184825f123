"""Everything about one person, as values for an export."""

import base64
import contextlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from grader.model.submission import SourceFile
from grader.store.database import Database
from grader.store.documents import decompress
from grader.store.personal import read_files, read_rows

_JSON_BITS = 63
"""Longer integers, such as seeds, are text in JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmittedFile:
    """A file that the person submitted for ``lab``; ``submission`` is the digest of the work."""

    lab: str
    submission: str
    file: SourceFile


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonData:
    """Every row about a person by table, with documents as JSON values, and their files."""

    rows: Mapping[str, tuple[Mapping[str, Any], ...]]
    files: tuple[SubmittedFile, ...]


def read_person(database: Database, student: str) -> PersonData:
    """See ``Store.person_data``."""
    with database.read() as connection:
        rows, files = read_rows(connection, student), read_files(connection, student)
    with database.damage_named(f"A file of {student}"):
        return PersonData(
            rows={name: tuple(map(_readable, found)) for name, found in rows.items() if found},
            files=tuple(
                SubmittedFile(lab=lab, submission=digest, file=SourceFile(name=name, data=decompress(data)))
                for lab, digest, name, data in files
            ),
        )


def _readable(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in row.items()}


def _plain(value: Any) -> Any:
    match value:
        case datetime():
            return value.isoformat()
        case bytes():
            return _document(value)
        case int() if value.bit_length() > _JSON_BITS:
            return str(value)
    return value


def _document(data: bytes) -> Any:
    """The JSON document in ``data``, which may be compressed; other bytes in base64."""
    with contextlib.suppress(zlib.error):
        data = zlib.decompress(data)
    try:
        return msgspec.json.decode(data)
    except msgspec.DecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}
