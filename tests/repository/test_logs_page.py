"""The page about the log lists every event; the code writes every event, with the fields that the page names."""

import ast
import re

import pytest

from grader.logs import SUBMISSION_IDS, Event
from tools.paths import CHECKOUT

PAGE = CHECKOUT / "docs" / "operator" / "logs.md"


def _written() -> dict[str, set[tuple[str, ...]]]:
    """The fields of each call of ``log`` in the package, by the name of the event."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for path in CHECKOUT.glob("grader/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id="log"),
                    args=[ast.Attribute(value=ast.Name(id="Event"), attr=name)],
                    keywords=keywords,
                ):
                    found.setdefault(name, set()).add(tuple(str(keyword.arg) for keyword in keywords))
    return found


WRITTEN = _written()


@pytest.mark.parametrize("event", Event, ids=lambda event: event.label)
def test_every_event_is_written_with_its_fields(event: Event) -> None:
    assert WRITTEN.get(event.name) == {event.fields}


def test_the_table_of_events_is_that_of_the_code() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*) \| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    expected = [
        (each.label, each.level, each.meaning, ", ".join(f"`{field}`" for field in each.fields))
        for each in Event
    ]
    assert rows == expected


def test_the_table_of_ids_is_that_of_the_code() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert dict(rows) == SUBMISSION_IDS
