"""A reason from a process that ran student code is one that a build gives, or none."""

import pytest

from grader.grading.sanitize_reason import MAX_REASON, sanitize_reason
from grader.messages.catalogue import CATALOGUE, SAID_BY_BUILDS
from grader.model.location import SourceLocation
from grader.model.reason import Reason, as_written, reason
from tools.messages import english

FILES = {"mine.cu"}
REFUSED = "worker-answer-unreadable"
HERE = SourceLocation(file="mine.cu", line=3)


def sanitized(said: Reason) -> Reason:
    return sanitize_reason(said, FILES)


@pytest.mark.parametrize(
    "said",
    [
        as_written('expected a ";"'),
        reason("source-too-large", file="mine.cu", size=2_000_000, limit=1_000_000),
        reason("at-location", location=HERE, reason=reason("brace-not-closed")),
        reason("kernel-missing-others", kernel="f", others=("g", "h"), wanted="void f()"),
        reason("kernel-defined-twice", kernel="f", places=(reason("code-location", location=HERE),)),
    ],
    ids=lambda said: said.code,
)
def test_an_honest_reason_stays_as_it_is(said: Reason) -> None:
    assert sanitized(said) == said


@pytest.mark.parametrize("code", sorted(set(CATALOGUE) - SAID_BY_BUILDS))
def test_a_statement_of_another_table_is_refused(code: str) -> None:
    message = CATALOGUE[code]
    forged = Reason(code=code, params=dict.fromkeys(message.params, 1))
    assert sanitized(forged).code == REFUSED
    inside = sanitized(reason("at-location", location=HERE, reason=forged)).params["reason"]
    assert isinstance(inside, Reason)
    assert inside.code == REFUSED


@pytest.mark.parametrize(
    "forged",
    [
        reason("source-too-large", file="mine.cu", size="many", limit=1),
        reason("source-too-large", file="mine.cu", size=reason("code-has-nul"), limit=1),
        reason("source-too-large", file="mine.cu", size=(1, 2), limit=1),
        reason("source-too-large", file=None, size=1, limit=1),
        reason("kernel-missing-others", kernel="f", others="g", wanted="void f()"),
        reason("source-empty"),
        reason("source-empty", file="mine.cu", more="x"),
        reason("no-such-statement"),
    ],
    ids=lambda said: f"{said.code} {list(said.params)}",
)
def test_parameters_of_wrong_types_are_refused(forged: Reason) -> None:
    assert sanitized(forged).code == REFUSED


def test_a_reason_reveals_no_case() -> None:
    forged = Reason(code="source-empty", params={"file": "mine.cu"}, case="hidden-1")
    assert sanitized(forged).cases() == frozenset()


def test_locations_of_other_files_are_dropped_at_every_depth() -> None:
    elsewhere = SourceLocation(file="/etc/shadow", line=1)
    inner = reason("code-location", location=elsewhere)
    forged = reason("kernel-defined-twice", kernel="f", places=(inner, inner))
    assert "shadow" not in english(sanitized(forged))


def test_deep_nesting_is_cut() -> None:
    forged = as_written("innermost")
    for _ in range(500):
        forged = reason("at-location", location=HERE, reason=forged)
    assert "innermost" not in english(sanitized(forged))


@pytest.mark.parametrize("item", ["x" * 10_000, 1, reason("code-location")], ids=["text", "number", "reason"])
def test_a_huge_list_is_cut(item: str | int | Reason) -> None:
    forged = reason("kernel-missing-others", kernel="f", others=(item,) * 100_000, wanted="void f()")
    assert len(english(sanitized(forged))) <= MAX_REASON


def test_control_characters_are_escaped_at_every_depth() -> None:
    forged = reason("kernel-missing-others", kernel="\x1b[31m", others=("a\nb", "\u202e"), wanted="w")
    text = english(sanitized(forged))
    assert text.isprintable()
    assert "\n" not in text
