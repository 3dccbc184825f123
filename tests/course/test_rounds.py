"""Work in the background goes on after a round that fails."""

import threading

from grader.course.rounds import Rounds


class Failing(Rounds):
    """Fails in its first round; the second one sets ``went_on``."""

    def __init__(self) -> None:
        super().__init__("failing", 0.01, at_once=True)
        self.errors: list[Exception] = []
        self.went_on = threading.Event()

    def round(self) -> None:
        if not self.errors:
            raise OSError
        self.went_on.set()

    def failed(self, error: Exception) -> None:
        self.errors.append(error)


def test_a_round_that_fails_is_not_the_last_one() -> None:
    with Failing() as failing:
        assert failing.went_on.wait(30)
    assert [type(error) for error in failing.errors] == [OSError]
