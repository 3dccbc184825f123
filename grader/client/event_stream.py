"""Server-sent events, as the HTML standard defines their format."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event; ``data`` has a line feed between its lines."""

    kind: str
    data: str


def server_events(lines: Iterable[str]) -> Iterator[ServerEvent]:
    """The events in the ``lines`` of a stream; an event that the stream's end cuts off is dropped."""
    kind, data = "", list[str]()
    for line in lines:
        if not line:
            if data:
                yield ServerEvent(kind or "message", "\n".join(data))
            kind, data = "", []
            continue
        field, _, value = line.partition(":")
        text = value.removeprefix(" ")
        if field == "event":
            kind = text
        elif field == "data":
            data.append(text)
