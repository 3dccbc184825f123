"""The login is kept where only its user can read it."""

import stat
from pathlib import Path

import pytest

from grader.client import credentials
from grader.client.credentials import Login
from grader.errors import UserError

KEPT = "gr_secret"
LOGIN = Login(server="https://grader.example.org", token=KEPT, person="ada")


def test_a_saved_login_is_read_again() -> None:
    path = credentials.save(LOGIN)
    assert credentials.load() == LOGIN
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [each.name for each in path.parent.iterdir()] == ["login.json"]


def test_another_login_takes_its_place() -> None:
    credentials.save(LOGIN)
    other = Login(server="https://other.example.org", token=KEPT[::-1], person="ada")
    credentials.save(other)
    assert credentials.load() == other


def test_a_token_that_others_may_read_is_refused() -> None:
    credentials.save(LOGIN).chmod(0o640)
    with pytest.raises(UserError, match="Other users"):
        credentials.load()


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"\xff"])
def test_a_damaged_file_is_one_line(data: bytes) -> None:
    path = credentials.save(LOGIN)
    path.write_bytes(data)
    with pytest.raises(UserError, match="damaged"):
        credentials.load()


def test_a_forgotten_login_is_gone() -> None:
    path = credentials.save(LOGIN)
    credentials.forget()
    credentials.forget()
    assert not path.exists()
    with pytest.raises(UserError, match="logged in to no server"):
        credentials.load()


def test_a_folder_that_cannot_be_made_is_one_line(home: Path) -> None:
    (home / "XDG_CONFIG_HOME").write_bytes(b"")
    with pytest.raises(UserError, match="cannot be written"):
        credentials.save(LOGIN)
