"""Students choose what they are called in public, and nobody can pass for somebody else."""

from pathlib import Path

import pytest

from grader.config.nicknames import load_nicknames
from grader.errors import UserError


def _file(folder: Path, text: str) -> Path:
    path = folder / "names.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_student_is_called_as_they_chose(tmp_path: Path) -> None:
    text = '[students]\na = "Zaphod"\nb = false\n"c d" = true\ne = "e"\n'
    names = load_nicknames(_file(tmp_path, text), by_name=False)
    assert [names.shown(student) for student in ("a", "b", "c d", "e")] == ["Zaphod", "someone", "c d", "e"]


@pytest.mark.parametrize(("by_name", "called"), [(True, "a"), (False, "someone")])
def test_who_chose_nothing_is_called_as_the_course_says(
    tmp_path: Path, called: str, *, by_name: bool
) -> None:
    assert load_nicknames(None, by_name=by_name).shown("a") == called
    assert load_nicknames(_file(tmp_path, ""), by_name=by_name).shown("a") == called


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ('""', "is empty"),
        ('"  "', "is empty"),
        ('"' + "x" * 33 + '"', "has 33 characters; the most is 32"),
        (r'"red\u001b[31m"', r"invisible characters: red\x1b[31m"),
        (r'"ab\u202Ecd"', r"invisible characters: ab\u202ecd"),
        ('"Someone"', "is the name of everybody without one"),
        ('"STUDENT-02"', "is that of student-02"),
        ('"Ford"', "is that of student-02"),
        ('"\uff26ord"', "is that of student-02"),
        ("3", "is neither text nor true nor false"),
    ],
)
def test_a_bad_nickname_gets_one_line_with_its_place(tmp_path: Path, choice: str, message: str) -> None:
    path = _file(tmp_path, f'[students]\nstudent-02 = "Ford"\nstudent-01 = {choice}\n')
    with pytest.raises(UserError) as caught:
        load_nicknames(path, by_name=True)
    assert "names.toml line 3: the nickname of student-01 " in str(caught.value)
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("text", ["[students", "[teachers]\n", "students = 3\n", 'a = "b"\n', "\x00"])
def test_a_file_of_another_form_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError, match=r"names\.toml"):
        load_nicknames(_file(tmp_path, text), by_name=True)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"away\.toml cannot be read"):
        load_nicknames(tmp_path / "away.toml", by_name=True)


def test_a_name_of_a_student_without_nickname_is_refused(tmp_path: Path) -> None:
    names = load_nicknames(_file(tmp_path, '[students]\na = "Bob"\n'), by_name=True)
    names.refuse_impostors(["a", "carl"])
    with pytest.raises(UserError, match="the nickname of a is the name of bob"):
        names.refuse_impostors(["a", "bob"])


def test_a_nickname_that_looks_like_a_students_name_is_refused(tmp_path: Path) -> None:
    names = load_nicknames(_file(tmp_path, '[students]\na = "\u0430nna"\n'), by_name=True)
    with pytest.raises(UserError, match="is the name of anna"):
        names.refuse_impostors(["a", "anna"])
