"""Names that look alike have one face, and a mark keeps them apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.lookalikes import TABLE, alike, apart, face

TWINS = [
    ("anna", "\u0430nna"),  # Cyrillic a
    ("anna", "an\u200bna"),  # a space without width
    ("anna", "anna\u202e"),  # a direction override
    ("anna", "Anna"),
    ("Bob", "\u0412\u043e\u042c"),  # Cyrillic only
    ("student-1", "student-l"),
    ("student-10", "student-1O"),
    ("marnie", "rnarnie"),
    ("anna", "\uff41nna"),  # full width
    ("jose\u0301", "jos\u00e9"),
    ("\u03bfscar", "oscar"),  # Greek omicron
    ("anna maria", "anna\u00a0maria"),
]


@pytest.mark.parametrize(("one", "other"), TWINS)
def test_names_that_look_alike_have_one_face(one: str, other: str) -> None:
    assert face(one) == face(other)
    (group,) = alike([one, other, "zoe"])
    assert set(group) == {one, other}


@pytest.mark.parametrize(
    ("one", "other"), [("anna", "ann"), ("jose", "jos\u00e9"), ("a-1", "a-2"), ("李", "王")]
)
def test_other_names_have_another(one: str, other: str) -> None:
    assert face(one) != face(other)
    assert alike([one, other]) == []


def test_a_class_of_ordinary_names_has_no_twins() -> None:
    assert alike(f"student-{number:03}" for number in range(1000)) == []


@given(st.lists(st.text(), max_size=8))
def test_what_is_shown_differs_wherever_names_do(names: list[str]) -> None:
    shown = apart(names)
    assert shown.keys() == set(names)
    assert len(set(shown.values())) == len(shown)


@given(st.text())
def test_a_face_has_itself_as_its_face(name: str) -> None:
    assert face(face(name)) == face(name)


def test_the_table_maps_single_characters_once() -> None:
    lines = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()]
    mapped = [char for _, chars in lines for char in chars]
    assert len(lines) > 1000
    assert len(mapped) == len(set(mapped))
    assert not set(mapped) & {text for text, _ in lines}
