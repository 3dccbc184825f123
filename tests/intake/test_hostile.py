"""Hostile submissions: nothing outside them is read, nothing hangs, and the student still gets a verdict."""

import io
import os
import shutil
import socket
import time
import zipfile
from pathlib import Path

import pytest

from grader.config.settings import LimitSettings
from grader.intake import Intake, Rejected, collect
from grader.intake.tree import Folder, TooLargeError
from grader.model.reason import reason
from grader.model.submission import Language
from grader.model.verdict import Verdict

LIMITS = LimitSettings(max_source_kib=4, max_files=3)


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    folder = tmp_path / "class" / "matmul"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret.cu").write_text("the answers")
    return folder


def intake(lab: Path) -> Intake:
    return collect(lab.parent, labs=["matmul"], limits=LIMITS)


def only_rejected(lab: Path) -> Rejected:
    found = intake(lab)
    assert found.submissions == ()
    (rejected,) = found.rejected
    assert reason("submission-rejected", path=rejected.path, reason=rejected.reason) in found.warnings
    return rejected


class TestLinks:
    """No link below the path is followed."""

    def test_a_file_that_is_a_link_is_rejected(self, lab: Path, secret: Path) -> None:
        (lab / "student-01.cu").symlink_to(secret / "secret.cu")
        rejected = only_rejected(lab)
        assert rejected.student == "student-01"
        assert rejected.verdict is Verdict.FAILED_TO_BUILD
        assert rejected.reason.code == "submission-is-link"

    def test_a_folder_that_is_a_link_is_named_and_skipped(self, lab: Path, secret: Path) -> None:
        (lab / "student-01").symlink_to(secret)
        (lab / "student-02.cu").touch()
        found = intake(lab)
        assert [submission.student for submission in found.submissions] == ["student-02"]
        assert found.warnings == (reason("link-ignored", path=f"{lab}/student-01"),)

    def test_a_lab_folder_that_is_a_link_is_named_and_skipped(self, lab: Path, secret: Path) -> None:
        (lab / "student-02.cu").touch()
        (lab.parent / "row-sum").symlink_to(secret)
        found = collect(lab.parent, labs=["matmul", "row-sum"], limits=LIMITS)
        assert [submission.lab for submission in found.submissions] == ["matmul"]
        assert found.warnings == (reason("link-ignored", path=f"{lab.parent}/row-sum"),)

    def test_links_inside_a_students_folder_are_left_out(self, lab: Path, secret: Path) -> None:
        own = lab / "student-01"
        own.mkdir()
        (own / "main.cu").write_text("mine")
        (own / "header.cuh").symlink_to(secret / "secret.cu")
        (own / "inner").symlink_to(secret)
        found = intake(lab)
        assert [file.name for file in found.submissions[0].files] == ["main.cu"]
        assert [warning.code for warning in found.warnings] == ["link-ignored"] * 2

    def test_a_file_swapped_for_a_link_after_it_was_seen_is_not_read(self, lab: Path, secret: Path) -> None:
        (lab / "a.cu").symlink_to(secret / "secret.cu")
        (lab / "inner").symlink_to(secret)
        with Folder.at(lab) as folder:
            for name in ("a.cu", "inner/secret.cu"):
                with pytest.raises(OSError, match=r"symbolic links|Not a directory"):
                    folder.read(name, 100)


class TestSpecialFiles:
    """Special files are recognised without being opened, and opening one by a race does not hang."""

    def test_a_fifo_and_a_socket_are_rejected_without_waiting(
        self, lab: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        os.mkfifo(lab / "student-01.cu")
        monkeypatch.chdir(lab)
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("student-02.py")
            found = intake(lab)
        assert [(rejected.student, rejected.verdict) for rejected in found.rejected] == [
            ("student-01", Verdict.FAILED_TO_BUILD),
            ("student-02", Verdict.FAILED_TO_BUILD),
        ]
        assert found.rejected[1].language is Language.NUMBA

    def test_a_fifo_inside_a_folder_is_left_out(self, lab: Path) -> None:
        (lab / "student-01").mkdir()
        (lab / "student-01" / "a.cu").touch()
        os.mkfifo(lab / "student-01" / "b.cu")
        found = intake(lab)
        assert len(found.submissions[0].files) == 1
        assert found.warnings == (reason("special-file-ignored", path=f"{lab}/student-01/b.cu"),)

    def test_a_file_replaced_by_a_fifo_does_not_hang(self, lab: Path) -> None:
        os.mkfifo(lab / "a.cu")
        with Folder.at(lab) as folder, pytest.raises(OSError, match="not a regular file"):
            folder.read("a.cu", 100)


class TestLimits:
    """A submission over a limit is not read to its end, and the message names the limit."""

    def test_a_file_of_exactly_the_limit_is_taken(self, lab: Path) -> None:
        (lab / "student-01.cu").write_bytes(b"x" * 4096)
        assert len(intake(lab).submissions[0].files[0].data) == 4096

    def test_an_enormous_file_is_over_the_limit(self, lab: Path) -> None:
        with (lab / "student-01.cu").open("wb") as file:
            file.truncate(1 << 42)
        rejected = only_rejected(lab)
        assert rejected.verdict is Verdict.OVER_THE_LIMIT
        assert rejected.reason == reason("file-too-large", file="student-01.cu", limit=4)

    def test_the_files_of_a_folder_count_together(self, lab: Path) -> None:
        (lab / "student-01").mkdir()
        (lab / "student-01" / "a.cu").write_bytes(b"x" * 4000)
        (lab / "student-01" / "b.cu").write_bytes(b"x" * 97)
        rejected = only_rejected(lab)
        assert rejected.verdict is Verdict.OVER_THE_LIMIT
        assert rejected.reason == reason("sources-too-large", file="b.cu", limit=4)

    def test_a_file_without_a_stated_size_is_limited_too(self) -> None:
        with Folder.at(Path("/proc/self")) as folder:
            assert folder.read("status", 1 << 20).startswith(b"Name:")
            with pytest.raises(TooLargeError):
                folder.read("status", 10)

    def test_too_many_source_files_are_over_the_limit(self, lab: Path) -> None:
        (lab / "student-01").mkdir()
        for number in range(4):
            (lab / "student-01" / f"{number}.cu").touch()
        rejected = only_rejected(lab)
        assert rejected.verdict is Verdict.OVER_THE_LIMIT
        assert rejected.reason == reason("too-many-sources", count=4, limit=3)

    def test_a_flood_of_other_files_is_over_the_limit(self, lab: Path) -> None:
        (lab / "student-01").mkdir()
        for number in range(2001):
            os.mknod(lab / "student-01" / f"{number}.txt")
        assert only_rejected(lab).verdict is Verdict.OVER_THE_LIMIT

    def test_a_hundred_thousand_files_are_not_even_listed(self, lab: Path) -> None:
        own = lab / "student-01"
        own.mkdir()
        for number in range(100_000):
            os.mknod(own / f"{number}.cu")
        begun = time.process_time()
        rejected = only_rejected(lab)
        assert time.process_time() - begun < 1
        assert rejected.verdict is Verdict.OVER_THE_LIMIT
        assert rejected.reason == reason("too-many-entries", limit=2000)
        shutil.rmtree(own)

    def test_folders_without_end_are_over_the_limit(self, lab: Path) -> None:
        folder = os.open(lab, os.O_RDONLY)
        for _ in range(60):
            os.mkdir("student-01", dir_fd=folder)
            inner = os.open("student-01", os.O_RDONLY, dir_fd=folder)
            os.close(folder)
            folder = inner
        os.close(folder)
        rejected = only_rejected(lab)
        assert rejected.verdict is Verdict.OVER_THE_LIMIT
        assert rejected.reason == reason("folders-too-deep", limit=8)


def bomb() -> bytes:
    """A small archive of a large file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../student-01.cu", bytes(2**22))
    return packed.getvalue()


class TestArchives:
    """No archive is opened, and its student still gets a verdict."""

    @pytest.mark.parametrize("name", ["student-01.zip", "student-01.tar.gz", "student-01.RAR"])
    def test_an_archive_is_not_gradable_until_it_is_unpacked(self, lab: Path, name: str) -> None:
        (lab / name).write_bytes(bomb())
        rejected = only_rejected(lab)
        assert rejected.student == "student-01"
        assert rejected.verdict is Verdict.NOT_GRADABLE
        assert rejected.reason.code == "submission-is-archive"

    def test_an_archive_beside_its_folder_is_only_warned_about(self, lab: Path) -> None:
        (lab / "student-01.zip").write_bytes(bomb())
        (lab / "student-01").mkdir()
        (lab / "student-01" / "a.cu").write_text("mine")
        found = intake(lab)
        assert [submission.student for submission in found.submissions] == ["student-01"]
        assert found.rejected == ()
        assert found.warnings == (reason("archive-ignored", path=f"{lab}/student-01.zip"),)

    def test_a_folder_with_nothing_but_archives_says_so(self, lab: Path) -> None:
        (lab / "student-01").mkdir()
        (lab / "student-01" / "a\n.zip").write_bytes(bomb())
        rejected = only_rejected(lab)
        assert rejected.verdict is Verdict.FAILED_TO_BUILD
        assert rejected.reason.code == "only-archives"
        assert rejected.reason.params["archives"] == (r"a\n.zip",)


class TestUnclearSubmissions:
    """A folder without a kernel, or in two languages, is rejected with what to do."""

    @pytest.mark.parametrize("name", [None, "README.md", "only.cuh"])
    def test_a_folder_without_source_is_rejected(self, lab: Path, name: str | None) -> None:
        (lab / "student-01").mkdir()
        if name:
            (lab / "student-01" / name).touch()
        rejected = only_rejected(lab)
        assert rejected.verdict is Verdict.FAILED_TO_BUILD
        assert rejected.reason == reason("no-kernel-file", suffixes=(".cu", ".py"))

    def test_an_unreadable_file_is_not_gradable(self, lab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (lab / "student-01.cu").touch()
        (lab / "student-02.cu").touch()
        real = os.open

        def denied(path: str, flags: int, *, dir_fd: int | None = None) -> int:
            if path == "student-01.cu":
                raise PermissionError(13, "Permission denied")
            return real(path, flags, dir_fd=dir_fd)

        monkeypatch.setattr(os, "open", denied)
        found = intake(lab)
        assert [submission.student for submission in found.submissions] == ["student-02"]
        (rejected,) = found.rejected
        assert rejected.verdict is Verdict.NOT_GRADABLE
        assert rejected.reason == reason("submission-unreadable", error="Permission denied")


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("Anna Maria O'Neil.cu", "Anna Maria O'Neil"),
        ('say "hi".cu', 'say "hi"'),
        ("two\nlines.cu", "two lines"),
        ("👩‍💻.cu", "👩💻"),
        ("<script>alert(1)<.cu", "<script>alert(1)<"),
        ("=cmd|' '!A0.cu", "=cmd|' '!A0"),
        ("caf\udce9.cu", r"caf\xe9"),
        ("\x1b[2J.cu", r"\x1b[2J"),
        ("evil\u202euc.cu", "eviluc"),
        (" anna\u200b .cu", "anna"),
        ("\uff41nna\u00a0b.cu", "anna b"),
        ("a.b.c.cu", "a.b.c"),
        ("-rf.cu", "-rf"),
    ],
)
@pytest.mark.parametrize("folder", [False, True])
def test_any_name_a_file_system_allows_works_and_is_shown_safely(
    lab: Path, name: str, student: str, *, folder: bool
) -> None:
    if folder:
        own = lab / name.removesuffix(".cu")
        own.mkdir()
        (own / name).write_text("kernel")
    else:
        (lab / name).write_text("kernel")
    (submission,) = intake(lab).submissions
    assert submission.student == student
    assert submission.files[0].data == b"kernel"
    for text in (submission.student, submission.path, submission.files[0].name):
        assert len(text.splitlines()) == 1
        assert text.encode("utf-8")
    assert len(submission.digest) == 64


@pytest.mark.parametrize("name", [" .cu", "\u200b.cu", "\u202e\u2066.cu"])
def test_a_name_that_does_not_show_is_refused_by_its_path(lab: Path, name: str) -> None:
    (lab / name).write_text("kernel")
    rejected = only_rejected(lab)
    assert rejected.reason == reason("student-name-invisible")
    assert rejected.student.isprintable()
    assert rejected.student.endswith(".cu")


@pytest.mark.parametrize(
    ("name", "warned"),
    [("anna.cu", False), ("ann\u00e4.cu", False), ("anna .cu", True), ("an\u200dna.cu", True)],
)
def test_a_name_that_is_normalised_is_named_once(lab: Path, name: str, *, warned: bool) -> None:
    (lab / name).write_text("kernel")
    codes = [said.code for said in intake(lab).warnings]
    assert codes == ["student-name-normalised"] * warned


def test_names_that_differ_in_what_does_not_show_are_one_until_somebody_looks(lab: Path) -> None:
    for name in ("anna.cu", "anna\u200b.cu"):
        (lab / name).write_text("kernel")
    found = intake(lab)
    assert found.submissions == ()
    assert {rejected.reason.code for rejected in found.rejected} == {"student-names-alike"}


def test_two_students_with_one_face_are_graded_and_named(lab: Path) -> None:
    for name in ("anna.cu", "\u0430nna.cu", "bob.cu"):
        (lab / name).write_text("kernel")
    found = intake(lab)
    assert len(found.submissions) == 3
    (warning,) = found.warnings
    assert warning.code == "student-names-look-alike"
    assert warning.params["names"] == ("anna", "\u0430nna (U+0430 CYRILLIC SMALL LETTER A)")


def test_order_and_digests_do_not_depend_on_creation_order(lab: Path) -> None:
    names = ["b.cu", "B2/x.cu", "a10.py", "a9/z.cu", "a9/y.cu"]
    for name in names:
        (lab / name).parent.mkdir(exist_ok=True)
        (lab / name).write_text(name)
    first = intake(lab)
    for name in reversed(names):
        (lab / name).unlink()
        (lab / name).write_text(name)
    again = intake(lab)
    assert first == again
    assert [submission.student for submission in first.submissions] == ["a9", "a10", "b", "B2"]
