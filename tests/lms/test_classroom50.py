"""classroom50: whole points that add up, and scores that its collector accepts and keeps."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import UserError
from grader.lms.classroom50 import ResultContext, result, scores_with
from grader.lms.classroom50.result import whole
from grader.lms.gradebooks import Entry
from grader.lms.words import System
from grader.model.reason import as_written
from grader.model.report import Part

NOON = datetime(2026, 6, 10, 12, tzinfo=UTC)
CONTEXT = ResultContext(
    classroom="cs",
    assignment="row-sum",
    submission="submit/2026",
    commit="https://example.org/c",
    release="https://example.org/r",
)


def part(name: str, score: float, most: float) -> Part:
    return Part(name=name, score=score, max_score=most, reason=as_written("because"))


def require_valid(document: dict[str, Any]) -> None:
    """Fail where the collector of classroom50 would refuse ``document``."""
    assert document["schema"] == "classroom50/result/v1"
    assert document["submission"].startswith("submit/")
    assert all(document[key] for key in ("commit", "release", "review", "datetime"))
    for scored in (document, *document["tests"]):
        assert type(scored["score"]) is int
        assert type(scored["max-score"]) is int
        assert 0 <= scored["score"] <= scored["max-score"]
    assert all(test["test-name"] and type(test["passed"]) is bool for test in document["tests"])
    assert sum(test["score"] for test in document["tests"]) == document["score"]
    assert sum(test["max-score"] for test in document["tests"]) == document["max-score"]


PARTS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(1, 60)).map(lambda each: (each[0] * each[1], each[1])),
    min_size=1,
    max_size=6,
)


@given(PARTS)
def test_every_result_is_valid_and_close(parts: list[tuple[float, int]]) -> None:
    points, most = sum(score for score, _ in parts), sum(limit for _, limit in parts)
    lines = [part(f"line {number}", score, limit) for number, (score, limit) in enumerate(parts)]
    document = result(CONTEXT, lines, points, most, NOON)
    require_valid(document)
    assert abs(document["score"] - points) <= 1
    assert document["max-score"] == most


def test_points_after_a_penalty_are_one_test() -> None:
    document = result(CONTEXT, [part("correct", 60.0, 60.0), part("fast", 40.0, 40.0)], 90.0, 100.0, NOON)
    require_valid(document)
    assert [(test["test-name"], test["score"]) for test in document["tests"]] == [("row-sum", 90)]


@given(st.lists(st.floats(0, 50), max_size=8))
def test_whole_numbers_add_up_to_the_rounded_sum(values: list[float]) -> None:
    found = whole(values)
    assert abs(sum(found) - sum(values)) <= 0.5 + 1e-6
    assert all(abs(number - value) < 1 + 1e-6 for number, value in zip(found, values, strict=True))


SCORES: dict[str, Any] = {
    "schema": "classroom50/scores/v1",
    "assignments": {
        "warm-up": {"type": "individual", "entries": [{"owner": "ada", "submissions": [], "note": "ü"}]},
        "row-sum": {
            "type": "group",
            "entries": [
                {
                    "owner": "Ada",
                    "member_usernames": ["ada", "bo"],
                    "submissions": [
                        {"schema": "x", "submission": "submit/1", "score": 1, "max-score": 2, "tests": []}
                    ],
                }
            ],
        },
    },
}


def entry(student: str, points: float | None, *logins: str) -> Entry:
    return Entry(
        student=student, points=points, max_points=100.0, ids={System.GITHUB: logins} if logins else {}
    )


def test_scores_are_changed_added_and_kept() -> None:
    people = (
        entry("ada", 87.5, "ADA"),
        entry("eve", 50.0, "eve"),
        entry("li", None, "li"),
        entry("nobody", 1.0),
    )
    data, left = scores_with(json.dumps(SCORES).encode(), people, "cs", "row-sum", NOON)
    document = json.loads(data)
    assert document["assignments"]["warm-up"] == SCORES["assignments"]["warm-up"]
    ada, eve = document["assignments"]["row-sum"]["entries"]
    assert (ada["override"], ada["submissions"][0]["score"], ada["submissions"][0]["submission"]) == (
        True,
        88,
        "submit/1",
    )
    assert (eve["owner"], eve["override"]) == ("eve", True)
    require_valid(eve["submissions"][0])
    assert [each.student for each in left] == ["li", "nobody"]


@pytest.mark.parametrize(
    "data", [b"{", b"[]", b'{"schema": "other"}', b'{"schema": "classroom50/scores/v1", "submissions": []}']
)
def test_other_documents_are_refused(data: bytes) -> None:
    with pytest.raises(UserError):
        scores_with(data, (), "cs", "row-sum", NOON)


def test_an_empty_file_becomes_a_document() -> None:
    data, _ = scores_with(b"", (entry("ada", 1.0, "ada"),), "cs", "row-sum", NOON)
    assert json.loads(data)["schema"] == "classroom50/scores/v1"
