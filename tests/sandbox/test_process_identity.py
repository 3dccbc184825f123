"""A process identity is unique, whatever the clock says."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from grader.sandbox import process_identity
from grader.sandbox.process_identity import is_dead, own_identity
from grader.sandbox.scratch import PREFIX, remove_leftovers, scratch_folder

NAME = "from grader.sandbox.process_identity import own_identity; print(own_identity())"


def name_of_another() -> str:
    command = [sys.executable, "-c", NAME]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_this_process_is_alive() -> None:
    assert not is_dead(own_identity())


def test_one_that_ended_is_dead() -> None:
    assert is_dead(name_of_another())


def test_a_reused_pid_is_another_process() -> None:
    host, pid, start = own_identity().rsplit("-", 2)
    assert is_dead(f"{host}-{pid}-{int(start) + 1}")


@pytest.mark.parametrize("name", ["", "x", "../../etc", "0-0-0-0"])
def test_an_invalid_name_is_not_dead(name: str) -> None:
    assert not is_dead(name)


def test_a_process_of_another_namespace_is_not_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    name = name_of_another()
    monkeypatch.setattr(process_identity, "_host", lambda: "0123456789ab-1")
    assert not is_dead(name)


def test_leftovers_of_an_earlier_boot_are_removed(tmp_path: Path) -> None:
    boot, rest = own_identity().split("-", 1)
    left = tmp_path / f"{PREFIX}{boot[::-1]}-{rest}-x"
    left.mkdir()
    elsewhere = tmp_path / f"grader-worker-another-{boot[::-1]}-{rest}-x"
    elsewhere.mkdir()
    assert remove_leftovers(tmp_path) == 1
    assert not left.exists()
    assert elsewhere.exists()


def test_a_folder_in_use_stays_and_a_link_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (tmp_path / f"{PREFIX}{name_of_another()}-link").symlink_to(precious)
    left = tmp_path / f"{PREFIX}{name_of_another()}-x"
    left.mkdir()
    (left / "file").touch()
    used = tmp_path / f"{PREFIX}{own_identity()}-x"
    used.mkdir()
    assert remove_leftovers(tmp_path) == 1
    assert not left.exists()
    assert used.exists()
    assert precious.exists()
    # What other tests' graders leave in the machine's folder is theirs.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with scratch_folder() as folder:
        assert remove_leftovers() == 0
        assert Path(folder).exists()
