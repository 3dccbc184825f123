"""GitHub Classroom: checkouts, read without git."""

import os
import shutil
import subprocess
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from grader.lms.archives.received import TimeSource
from tests.lms.archives.builders import KERNEL, read

AT = datetime(2026, 6, 10, 14, 14, tzinfo=timezone(timedelta(hours=-7)))

GIT = shutil.which("git")


def git(folder: Path, *arguments: str) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_DATE": AT.isoformat(),
        "GIT_COMMITTER_DATE": AT.isoformat(),
    }
    options = (
        "-c",
        "user.name=Ada > 1 +0000",
        "-c",
        "user.email=ada@example.edu",
        "-c",
        "init.defaultBranch=main",
    )
    assert GIT is not None
    subprocess.run([GIT, *options, *arguments], cwd=folder, env=environment, check=True, capture_output=True)


def checkout(folder: Path, commits: int = 1) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init")
    for number in range(commits):
        (folder / "row_sum.cu").write_text(KERNEL + "//\n" * number, "utf-8")
        git(folder, "add", ".")
        git(folder, "commit", "-m", f"a message that repeats {number}\n\ncommitter x <y> 1 +0000")
    return folder


pytestmark = pytest.mark.skipif(GIT is None, reason="git makes the checkouts of these tests")


@pytest.mark.parametrize(
    "packing", [(), ("gc",), ("pack-refs", "--all")], ids=["loose", "packed", "packed-refs"]
)
def test_the_time_is_that_of_the_commit_checked_out(packing: tuple[str, ...], tmp_path: Path) -> None:
    folder = checkout(tmp_path / "row-sum-submissions" / "row-sum-ada-1", commits=4)
    if packing:
        git(folder, *packing)
    found = read(folder.parent)
    assert (found.system, found.names) == ("github", ["ada-1"])
    assert (found.received[0].submitted_at, found.received[0].time_source) == (AT, TimeSource.COMMIT)
    assert set(found.texts[0]) == {"row_sum.cu"}
    assert found.received[0].assignment == "row-sum"


def test_the_common_start_of_names_is_the_assignment(tmp_path: Path) -> None:
    for name in ("row-sum-ada-1", "row-sum-ada-2", "row-sum-bo"):
        checkout(tmp_path / "class" / name)
    found = read(tmp_path / "class")
    assert found.names == ["ada-1", "ada-2", "bo"]
    assert {each.assignment for each in found.received} == {"row-sum"}


def test_every_split_of_a_name_is_a_candidate(tmp_path: Path) -> None:
    for name in ("row-sum-ada-1", "row-sum-ada-2"):
        checkout(tmp_path / "class" / name)
    (first, _) = read(tmp_path / "class").received
    assert [each.value for each in first.submitters[0].ids] == ["1", "row-sum-ada-1", "sum-ada-1", "ada-1"]


def test_one_checkout_is_a_class_of_one(tmp_path: Path) -> None:
    found = read(checkout(tmp_path / "row-sum-ada"))
    assert (found.system, found.received[0].submitted_at) == ("github", AT)
    assert "ada" in [each.value for each in found.received[0].submitters[0].ids]


def test_a_hostile_configuration_starts_nothing(tmp_path: Path) -> None:
    folder = checkout(tmp_path / "row-sum-submissions" / "row-sum-ada")
    mark = tmp_path / "started"
    hook = folder / ".git" / "hooks" / "post-index-change"
    hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
    hook.chmod(0o755)
    with (folder / ".git" / "config").open("a") as config:
        config.write(
            f'[core]\n\tfsmonitor = "touch {mark}"\n\tpager = "touch {mark}"\n[alias]\n\tlog = "!touch {mark}"\n'
        )
    assert read(folder.parent).received[0].submitted_at == AT
    assert not mark.exists()


def test_a_damaged_history_leaves_the_files_time(tmp_path: Path) -> None:
    folder = checkout(tmp_path / "row-sum-submissions" / "row-sum-ada")
    for file in (folder / ".git" / "objects").rglob("*"):
        if file.is_file():
            file.chmod(0o644)
            file.write_bytes(b"x")
    (only,) = read(folder.parent).received
    assert only.time_source is TimeSource.FILE


def test_a_git_file_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    folder = checkout(tmp_path / "class" / "row-sum-ada")
    checkout(tmp_path / "class" / "row-sum-bo")
    shutil.move(folder / ".git", tmp_path / "elsewhere")
    (folder / ".git").write_text(f"gitdir: {tmp_path / 'elsewhere'}\n")
    found = read(tmp_path / "class")
    assert [each.path for each in found.received] == ["row-sum-bo"]
    assert found.ignored == {"row-sum-ada/row_sum.cu": "entry-of-no-checkout"}
