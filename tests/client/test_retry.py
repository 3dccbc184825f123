"""A server that is away is asked again, more and more rarely, and not for ever."""

from collections.abc import Iterator

import pytest

from grader.client.errors import UnreachableError
from grader.client.retry import Patience

AWAY = UnreachableError("https://a.org", "refused")


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses, which take no time."""
    found: list[float] = []
    monkeypatch.setattr("grader.client.retry.time.sleep", found.append)
    monkeypatch.setattr("grader.client.retry.time.monotonic", lambda: sum(found))
    return found


def test_pauses_grow_and_an_answer_ends_them(pauses: list[float]) -> None:
    lost: list[UnreachableError] = []
    patience = Patience(lost.append, seconds=100)
    answers: Iterator[UnreachableError | int] = iter([AWAY, AWAY, AWAY, 1, AWAY, 2])

    def request() -> int:
        answer = next(answers)
        if isinstance(answer, UnreachableError):
            raise answer
        return answer

    assert patience.until_answered(request) == 1
    assert pauses == [0.5, 1, 2]
    assert patience.until_answered(request) == 2
    assert pauses == [0.5, 1, 2, 0.5]
    assert lost == [AWAY] * 4


def test_patience_ends(pauses: list[float]) -> None:
    patience = Patience(lambda _: None, seconds=60)

    def request() -> int:
        raise AWAY

    with pytest.raises(UnreachableError):
        patience.until_answered(request)
    assert 45 <= sum(pauses) <= 60
    assert max(pauses) == 10
