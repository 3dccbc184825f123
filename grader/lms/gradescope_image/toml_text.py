"""Settings as TOML, for the container: Python reads TOML and writes none."""

import json
from collections.abc import Mapping
from typing import Any


def toml(document: Mapping[str, Mapping[str, Any]]) -> str:
    """``document`` as TOML: a table for each key, with values on a line each."""
    tables = (
        "".join([f"[{_key(name)}]\n", *(f"{_key(key)} = {_value(value)}\n" for key, value in table.items())])
        for name, table in document.items()
    )
    return "\n".join(tables)


def _key(name: str) -> str:
    return ".".join(json.dumps(part) for part in name.split("."))


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case Mapping():
            inside = ", ".join(f"{json.dumps(str(key))} = {_value(each)}" for key, each in value.items())
            return f"{{{inside}}}"
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case _:
            # Strings and numbers of JSON are strings and numbers of TOML.
            return json.dumps(value)
