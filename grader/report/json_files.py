"""Records as JSON files for other programs, and the JSON Schema of those files."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from grader.report.files import write_atomically
from grader.report.text import safe_text

Bounds = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""Constraints that Python types cannot express: type name, field name, JSON Schema keywords."""


def dump(document: object) -> bytes:
    """``document`` as indented UTF-8 JSON in field order; equal documents give equal bytes.

    Raises: ``ValueError`` for a number that JSON cannot encode (NaN, infinity).
    """
    return indented(_encodable(msgspec.to_builtins(document)))


def write(path: Path, document: object) -> None:
    """Write ``document`` to ``path`` as ``dump`` encodes it. Raises: ``UserError`` where that is not possible."""
    write_atomically(path, dump(document))


def indented(plain: object) -> bytes:
    """``plain`` as indented JSON with a final newline."""
    return msgspec.json.format(msgspec.json.encode(plain), indent=2) + b"\n"


def schema_of(document: type, title: str, bounds: Bounds) -> dict[str, Any]:
    """The JSON Schema (2020-12) of what ``dump`` writes of a ``document``.

    Every field is always written, so every field is required. Unknown fields are allowed: a later grader may add
    one without raising ``schema_version``.
    """
    generated = msgspec.json.schema(document)
    definitions = generated["$defs"]
    for name, definition in definitions.items():
        if "properties" not in definition:
            definition["type"] = "string"
            continue
        definition["required"] = list(definition["properties"])
        for field, bound in bounds.get(name, {}).items():
            _bound(definition["properties"][field], bound)
    root = definitions.pop(document.__name__)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **root,
        "title": title,
        "$defs": dict(sorted(definitions.items())),
    }


def _bound(field: dict[str, Any], bounds: Mapping[str, Any]) -> None:
    for branch in field.get("anyOf", [field]):
        if branch.get("type") != "null":
            branch.update(bounds)


def _encodable(value: Any) -> Any:
    """``value`` with the bytes of undecodable file names escaped, since JSON is UTF-8."""
    match value:
        case dict():
            return {key: _encodable(item) for key, item in value.items()}
        case list() | tuple():
            return [_encodable(item) for item in value]
        case str():
            return (
                value if _is_unicode(value) else "".join(c if _is_unicode(c) else safe_text(c) for c in value)
            )
        case float() if not math.isfinite(value):
            msg = f"a result is {value}, which JSON cannot encode"
            raise ValueError(msg)
    return value


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
