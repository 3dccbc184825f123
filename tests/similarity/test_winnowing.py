"""Winnowing: what two sequences are sure to share, and what changes nothing."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from grader.similarity.winnowing import Symbol, Winnowing

WINNOWING = Winnowing(gram=5, window=4)
SYMBOLS = st.sampled_from([Symbol(letter) for letter in "abcdef"])
SEQUENCES = st.lists(SYMBOLS, max_size=40)


def hashes(symbols: list[Symbol]) -> set[int]:
    return {each.hash for each in WINNOWING.fingerprints(symbols)}


@given(
    SEQUENCES,
    SEQUENCES,
    st.lists(SYMBOLS, min_size=WINNOWING.guaranteed, max_size=30),
    SEQUENCES,
    SEQUENCES,
)
def test_a_shared_run_of_the_guaranteed_length_is_found(
    before: list[Symbol], after: list[Symbol], run: list[Symbol], left: list[Symbol], right: list[Symbol]
) -> None:
    assert hashes(before + run + after) & hashes(left + run + right)


@given(st.lists(SYMBOLS, max_size=WINNOWING.gram - 1))
def test_a_sequence_shorter_than_a_run_has_no_fingerprint(symbols: list[Symbol]) -> None:
    assert WINNOWING.fingerprints(symbols) == ()


@given(st.lists(SYMBOLS, min_size=WINNOWING.gram, max_size=60))
def test_every_window_has_a_fingerprint(symbols: list[Symbol]) -> None:
    numbered = [Symbol(each.text, (), "f", line) for line, each in enumerate(symbols, start=1)]
    starts = [each.lines[0][1] for each in WINNOWING.fingerprints(numbered)]
    assert starts[0] <= WINNOWING.window
    gaps = [after - before for before, after in pairwise(starts)]
    assert all(1 <= gap <= WINNOWING.window for gap in gaps)


def named(names: str) -> list[Symbol]:
    return [Symbol("name", (name,)) for name in names]


def test_a_consistent_renaming_changes_no_fingerprint() -> None:
    assert hashes(named("abacabadab")) == hashes(named("xyxzxyxwxy"))


def test_an_inconsistent_renaming_changes_fingerprints() -> None:
    assert not hashes(named("abacabadab")) & hashes(named("abcdefghij"))


def test_a_name_used_earlier_changes_no_later_fingerprint() -> None:
    later = named("abacabadabacab")
    assert hashes(named("zy") + later) >= hashes(later) - hashes(later[: WINNOWING.guaranteed])


def test_a_fingerprint_has_the_lines_of_its_run() -> None:
    symbols = [Symbol(str(n), (), "k.cu", 1 + n // 2) for n in range(5)]
    (found,) = WINNOWING.fingerprints(symbols)
    assert found.lines == (("k.cu", 1), ("k.cu", 2), ("k.cu", 3))
