"""Server-sent events are read as the HTML standard defines them."""

from grader.client.event_stream import ServerEvent, server_events


def test_events_end_at_an_empty_line() -> None:
    lines = [
        "event: state",
        'data: {"a": 1}',
        "",
        ": a comment",
        "",
        "data:one",
        "data: two",
        "id: 7",
        "",
        "event: end",
    ]
    assert list(server_events(lines)) == [
        ServerEvent("state", '{"a": 1}'),
        ServerEvent("message", "one\ntwo"),
    ]


def test_an_event_that_the_end_cuts_off_is_dropped() -> None:
    assert list(server_events(["event: state", "data: 1"])) == []


def test_an_event_without_data_is_none() -> None:
    assert list(server_events(["event: end", "", "data: 1", ""])) == [ServerEvent("message", "1")]
