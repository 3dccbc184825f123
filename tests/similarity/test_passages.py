"""Matching passages: the longest first, each fingerprint in one."""

from hypothesis import given
from hypothesis import strategies as st

from grader.model.similarity import Fingerprint, Lines, View
from grader.similarity.passages import passages


def prints(text: str, file: str = "k.cu") -> list[Fingerprint]:
    return [Fingerprint(ord(char), ((file, line),)) for line, char in enumerate(text, start=1)]


def found(first: str, second: str, holders: int = 2) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    counts = {ord(char): holders for char in first + second}
    made = passages(View.TOKENS, prints(first), prints(second), counts)
    return [(each.first[0].lines, each.second[0].lines) for each in made]


def test_the_longest_passage_comes_first() -> None:
    assert found("xabcydefg", "defgzabc") == [((6, 7, 8, 9), (1, 2, 3, 4)), ((2, 3, 4), (6, 7, 8))]


def test_nothing_in_common_is_no_passage() -> None:
    assert found("abc", "xyz") == []


def test_a_repeated_passage_matches_once() -> None:
    assert found("abab", "ab") == [((1, 2), (1, 2))]


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_no_fingerprint_is_in_two_passages(first: str, second: str) -> None:
    made = found(first, second)
    for side in (0, 1):
        lines = [line for each in made for line in each[side]]
        assert len(lines) == len(set(lines))
    both = sum(min(first.count(char), second.count(char)) for char in "abc")
    assert sum(len(each[0]) for each in made) == both


def test_a_passage_says_how_many_others_have_it() -> None:
    counts = {ord("a"): 9, ord("b"): 5}
    (made,) = passages(View.TOKENS, prints("ab"), prints("ab"), counts)
    assert (made.others, made.runs) == (3, 2)


def test_the_lines_of_several_files_are_apart() -> None:
    own = [*prints("a", "k.cu"), *prints("b", "k.cuh")]
    (made,) = passages(View.TOKENS, own, own, {ord("a"): 2, ord("b"): 2})
    assert made.first == (Lines(file="k.cu", lines=(1,)), Lines(file="k.cuh", lines=(1,)))
