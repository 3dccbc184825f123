"""Which submissions are selected, by what is known about them."""

import pytest

from grader.course.known import Known
from grader.course.select import Only, Selection
from grader.model.verdict import Verdict
from tests.store.examples import submission

ADA = submission("ada")
KEY = ("ada", "row-sum")


def selected(only: set[Only], verdict: Verdict | None, digest: str = ADA.digest) -> bool:
    known = {} if verdict is None else {KEY: Known(verdict=verdict, submission=digest)}
    return Selection(only=frozenset(only)).states(known)(ADA)


@pytest.mark.parametrize(
    ("verdict", "states"),
    [
        (None, {Only.CHANGED}),
        (Verdict.ACCEPTED, set()),
        (Verdict.SUSPICIOUS, set()),
        (Verdict.CRASHED, {Only.FAILED}),
        (Verdict.NOT_GRADABLE, {Only.NOT_GRADABLE}),
    ],
)
def test_the_latest_verdict_decides_the_state(verdict: Verdict | None, states: set[Only]) -> None:
    assert {only for only in Only if selected({only}, verdict)} == states


def test_other_files_are_a_change_of_whatever_verdict() -> None:
    assert selected({Only.CHANGED}, Verdict.ACCEPTED, "other")
    assert selected({Only.FAILED}, Verdict.WRONG, "other")
    assert not selected({Only.FAILED}, Verdict.ACCEPTED, "other")


def test_everything_is_selected_without_a_state() -> None:
    assert selected(set(), Verdict.ACCEPTED)
