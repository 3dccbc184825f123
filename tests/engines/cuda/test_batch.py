"""How many short launches are timed together."""

import pytest

from grader.engines.cuda.batch import (
    ENOUGH,
    GROUPS,
    MOST,
    ROOM,
    SHORT,
    VISITS,
    batch_size,
    visits,
)


@pytest.mark.parametrize(
    ("seconds", "nbytes", "launches"),
    [
        (SHORT, 4, 1),
        (1.0, 4, 1),
        (SHORT * 0.99, 4, 3),
        (ENOUGH / 10, 4, 10),
        (1e-6, 4, MOST),
        (1e-6, ROOM // 5, 5),
        (1e-6, 2 * ROOM, 1),
        (1e-6, 0, MOST),
    ],
    ids=["long", "very long", "nearly long", "short", "very short", "large", "too large", "without buffers"],
)
def test_as_many_as_last_long_enough_and_fit(seconds: float, nbytes: int, launches: int) -> None:
    assert batch_size(seconds, nbytes) == launches


@pytest.mark.parametrize(("visited", "brief"), VISITS)
def test_what_is_brief_and_timed_alone_is_timed_in_several_places(visited: int, brief: float) -> None:
    many = visited * GROUPS
    assert visits(brief * 0.99, 1, many) == visited
    assert visits(brief, 1, many) < visited, "slow"
    assert visits(brief * 0.99, 2, many) == 1, "several together"
    assert visits(brief * 0.99, 1, many - 1) < visited, "few places"
