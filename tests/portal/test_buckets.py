"""A bucket gives a burst, and then one use in each interval."""

from grader.portal.buckets import Buckets, Rate

RATE = Rate(name="test", burst=3, seconds=10.0)


class Clock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_after_a_burst_there_is_one_use_in_each_interval() -> None:
    clock = Clock()
    buckets = Buckets(clock)
    assert [buckets.wait(RATE, "ada") for _ in range(4)] == [0.0, 0.0, 0.0, 10.0]
    clock.now = 10.0
    assert [buckets.wait(RATE, "ada") for _ in range(2)] == [0.0, 10.0]
    clock.now = 1000.0
    assert [buckets.wait(RATE, "ada") for _ in range(4)] == [0.0, 0.0, 0.0, 10.0]


def test_visitors_and_rates_have_buckets_of_their_own() -> None:
    buckets = Buckets(Clock())
    for _ in range(3):
        buckets.wait(RATE, "ada")
    assert buckets.wait(RATE, "bob") == 0.0
    assert buckets.wait(Rate(name="other", burst=1, seconds=1.0), "ada") == 0.0
