"""A line of the log is one line, has its ids, and is written only if its level asks for it."""

import ast
import contextvars
import json
import threading
from collections.abc import Iterator

import pytest

from grader import logs
from grader.logs import Event, Level, LogFormat
from tools.log_lines import log_lines

HOSTILE = "ann\n2026-11-27 event='decision_stored'\r\x1b[31m\u2028\u202e'\"\udc80"


@pytest.fixture
def written() -> Iterator[list[str]]:
    """The lines of a log in text form, at every level."""
    lines: list[str] = []
    logs.configure(level=Level.DEBUG, write=lines.append)
    yield lines
    logs.configure()


def decide(reason: str = "fast") -> None:
    logs.log(Event.DECISION_STORED, decision="cleared", reviewer="Ada", reason=reason)


def test_a_hostile_name_stays_in_its_field(written: list[str]) -> None:
    with logs.bound_submission(HOSTILE, "row-sum", "0123456789abcdef"):
        decide(reason=HOSTILE)
    (line,) = written
    assert line.isprintable()
    assert len(line.splitlines()) == 1
    _, _, fields = line.partition(" student=")
    assert ast.literal_eval(fields.partition(" lab=")[0]) == HOSTILE


def test_a_hostile_name_stays_in_its_field_as_json() -> None:
    with log_lines() as lines, logs.bound_submission(HOSTILE, "row-sum", "0123456789abcdef"):
        decide()
    assert lines[0]["student"] == HOSTILE
    assert lines[0]["event"] == "decision_stored"
    assert lines[0]["submission"] == "0123456789ab"


def test_a_json_line_has_no_line_end_and_only_ascii() -> None:
    lines: list[str] = []
    logs.configure(level=Level.DEBUG, format=LogFormat.JSON, write=lines.append)
    decide(reason=HOSTILE)
    logs.configure()
    assert lines[0].isascii()
    assert lines[0].isprintable()
    assert json.loads(lines[0])["reason"] == HOSTILE


def test_a_long_field_is_cut(written: list[str]) -> None:
    decide(reason="x" * 100_000)
    assert len(written[0]) < 1000


def test_ids_end_with_their_block() -> None:
    with log_lines() as lines:
        with logs.bound(run="r1"):
            with logs.bound(job=7):
                decide()
            decide()
        decide()
    assert [(line.get("run"), line.get("job")) for line in lines] == [("r1", 7), ("r1", None), (None, None)]


def test_a_thread_with_a_copied_context_has_the_ids() -> None:
    with log_lines() as lines, logs.bound(run="r1"):
        thread = threading.Thread(target=contextvars.copy_context().run, args=(decide,))
        thread.start()
        thread.join()
    assert lines[0]["run"] == "r1"


@pytest.mark.parametrize("level", Level)
def test_a_level_leaves_out_what_matters_less(level: Level) -> None:
    lines: list[str] = []
    logs.configure(level=level, write=lines.append)
    logs.log(Event.COMMAND_FINISHED, code=0)
    logs.log(Event.GRADING_RETRIED, attempt=1, pause_seconds=1.0, error="no room")
    logs.log(Event.SUBMISSION_NOT_GRADABLE, error="no room")
    logs.configure()
    assert len(lines) == {Level.DEBUG: 3, Level.INFO: 3, Level.WARNING: 2, Level.ERROR: 1}[level]
