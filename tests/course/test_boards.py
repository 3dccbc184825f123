"""A published board keeps students apart who look alike."""

from grader.config.nicknames import ANONYMOUS, Nicknames
from grader.course.boards import _public_names

CYRILLIC = "\u0430nna"


def test_two_students_with_one_face_have_different_public_names() -> None:
    shown = _public_names(Nicknames(), {"anna", CYRILLIC, "bob"})
    assert (shown("anna"), shown(CYRILLIC), shown("bob")) == ("anna [1]", f"{CYRILLIC} [2]", "bob")


def test_a_nickname_with_the_face_of_another_name_is_marked_as_well() -> None:
    shown = _public_names(Nicknames(chosen={"carl": CYRILLIC}), {"anna", "carl"})
    assert shown("anna") != shown("carl").replace("\u0430", "a")


def test_students_without_a_name_share_one() -> None:
    shown = _public_names(Nicknames(by_name=False), {"anna", CYRILLIC})
    assert {shown("anna"), shown(CYRILLIC)} == {ANONYMOUS}
