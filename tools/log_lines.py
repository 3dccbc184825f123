"""Collect the lines that Grader logs while a test runs."""

import contextlib
import json
from collections.abc import Iterator
from typing import Any

from grader import logs


@contextlib.contextmanager
def log_lines() -> Iterator[list[dict[str, Any]]]:
    """Context manager: the lines that are logged inside, at every level, as decoded JSON."""
    lines: list[dict[str, Any]] = []
    logs.configure(
        level=logs.Level.DEBUG, format=logs.LogFormat.JSON, write=lambda line: lines.append(json.loads(line))
    )
    try:
        yield lines
    finally:
        logs.configure()


def of_event(lines: list[dict[str, Any]], event: logs.Event) -> list[dict[str, Any]]:
    """The lines about ``event``."""
    return [line for line in lines if line["event"] == event.label]
