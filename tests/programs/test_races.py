"""Races of two streams and missing waits are found at both lines, and nothing in correct concurrent programs."""

import pytest

from tests.programs.running import DATA, cases, expected, ran

RACES, CORRECT = "stream_races.cu", "streams.cu"


@pytest.mark.parametrize("number", cases(RACES))
def test_a_race_is_found_at_its_line(number: str) -> None:
    found = ran(RACES, number).run.diagnostics
    assert {(each.message.code, each.line) for each in found} == expected(RACES, number)


def test_a_race_names_the_line_of_the_earlier_work() -> None:
    (found,) = ran(RACES, "2").run.diagnostics
    lines = (DATA / RACES).read_text().splitlines()
    (other,) = found.related
    assert "cudaMemcpyAsync(d, h" in lines[(other.line or 0) - 1]
    assert found.advice is not None
    assert found.advice.params["line"] == other.line
    assert (found.message.params["first_stream"], found.message.params["second_stream"]) == (1, 2)
    assert found.message.params["name"] == "d"


def test_advice_about_the_default_stream_names_it() -> None:
    (found,) = ran(RACES, "5").run.diagnostics
    assert found.advice is not None
    assert found.advice.code == "default-stream-does-not-wait"


@pytest.mark.parametrize("number", cases(CORRECT))
def test_nothing_is_found_in_a_correct_concurrent_program(number: str) -> None:
    done = ran(CORRECT, number)
    assert done.run.diagnostics == ()
    assert done.printed.split() == ["1"]
