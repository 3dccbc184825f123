"""How many short launches are timed together."""

import pytest

from grader.engines.cuda.batch import BRIEF, ENOUGH, MANY, MOST, ROOM, SHORT, batch_size, visits


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


@pytest.mark.parametrize(
    ("seconds", "launches", "places", "visited"),
    [(BRIEF * 0.99, 1, MANY, 2), (BRIEF, 1, MANY, 1), (BRIEF / 2, 2, MANY, 1), (BRIEF / 2, 1, MANY - 2, 1)],
    ids=["brief", "slow", "several together", "few places"],
)
def test_what_is_brief_and_timed_alone_is_timed_in_two_places(
    seconds: float, launches: int, places: int, visited: int
) -> None:
    assert visits(seconds, launches, places) == visited
