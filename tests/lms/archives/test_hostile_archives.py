"""Archives from strangers: nothing outside is read or written, nothing explodes, and each refusal has a reason."""

import gzip
import io
import stat
import tarfile
import zipfile
from datetime import UTC
from pathlib import Path

import pytest

from grader.errors import UserError
from grader.intake.tree import TooLargeError
from grader.lms.archives.entry_names import encoding_of, inner_path
from grader.lms.archives.limits import ArchiveLimits
from grader.lms.archives.open_tree import open_tree
from tests.lms.archives.builders import (
    KERNEL,
    code_page_zip,
    flagged_zip,
    read,
    unpacked,
    zip_bytes,
    zipped,
)

ADA = "Ada Example_1_assignsubmission_file"
SMALL = ArchiveLimits(entries=3, bytes=1000)


@pytest.mark.parametrize(
    "name",
    ["../a.cu", "/etc/a.cu", "a/../../b.cu", "..\\a.cu", "C:\\a.cu", "c:a.cu", "\\\\host\\a.cu", "\\a.cu"],
)
def test_a_name_that_leads_outside_is_refused(name: str, tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "x.zip", {f"{ADA}/ok.cu": KERNEL, name: "x"}))
    assert found.texts == ({"ok.cu": KERNEL},)
    assert list(found.ignored.values()) == ["entry-leads-outside"]


def test_backslashes_separate_folders(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "x.zip", {f"{ADA}\\src\\a.cu": KERNEL}))
    assert found.texts == ({"src/a.cu": KERNEL},)


@pytest.mark.parametrize(
    ("kind", "code"), [(stat.S_IFLNK, "entry-is-link"), (stat.S_IFIFO, "entry-is-special")]
)
def test_links_and_special_files_are_not_opened(kind: int, code: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(f"{ADA}/a.cu", KERNEL)
        entry = zipfile.ZipInfo(f"{ADA}/link.cu")
        entry.external_attr = (kind | 0o777) << 16
        archive.writestr(entry, "/etc/passwd")
    assert read(tmp_path / "x.zip").ignored == {f"{ADA}/link.cu": code}


def test_a_link_in_a_folder_is_not_followed(tmp_path: Path) -> None:
    folder = unpacked(tmp_path / "export", {f"{ADA}/a.cu": KERNEL})
    (folder / ADA / "passwd.cu").symlink_to("/etc/passwd")
    (folder / "Bo_2_assignsubmission_file").symlink_to("/etc")
    found = read(folder)
    assert found.texts == ({"a.cu": KERNEL},)
    assert set(found.ignored.values()) == {"entry-is-link"}


@pytest.mark.parametrize(
    ("clutter", "code"),
    [
        ("__MACOSX/Ada/._a.cu", "entry-of-operating-system"),
        (f"{ADA}/._a.cu", "entry-of-operating-system"),
        (f"{ADA}/Thumbs.db", "entry-of-operating-system"),
        (f"{ADA}/desktop.ini", "entry-of-operating-system"),
        (f"{ADA}/.DS_Store", "entry-hidden"),
        (f"{ADA}/.vscode/a.cu", "entry-hidden"),
    ],
)
def test_what_systems_leave_behind_is_named(clutter: str, code: str, tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "x.zip", {f"{ADA}/a.cu": KERNEL, clutter: "x"}))
    assert (found.texts, found.ignored) == (({"a.cu": KERNEL},), {clutter: code})


def test_an_encrypted_entry_is_named(tmp_path: Path) -> None:
    path = flagged_zip(tmp_path / "x.zip", {f"{ADA}/a.cu": KERNEL}, 0x1)
    with open_tree(path, UTC) as tree:
        assert [(each.path, each.why.code) for each in tree.ignored] == [(f"{ADA}/a.cu", "entry-encrypted")]


def test_a_later_entry_of_the_same_name_counts(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(f"{ADA}/a.cu", "old")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr(f"{ADA}/a.cu", KERNEL)
    found = read(tmp_path / "x.zip")
    assert (found.texts, found.ignored) == (({"a.cu": KERNEL},), {f"{ADA}/a.cu": "entry-replaced"})


def test_names_that_differ_in_case_are_two_files(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "x.zip", {f"{ADA}/A.cu": "1", f"{ADA}/a.cu": "2"}))
    assert found.texts == ({"A.cu": "1", "a.cu": "2"},)


def test_a_zip64_archive_is_read(tmp_path: Path) -> None:
    with (
        zipfile.ZipFile(tmp_path / "x.zip", "w") as archive,
        archive.open(f"{ADA}/a.cu", "w", force_zip64=True) as file,
    ):
        file.write(KERNEL.encode())
    assert read(tmp_path / "x.zip").texts == ({"a.cu": KERNEL},)


def test_a_truncated_archive_is_one_line(tmp_path: Path) -> None:
    data = zipped(tmp_path / "x.zip", {f"{ADA}/a.cu": KERNEL}).read_bytes()
    (tmp_path / "cut.zip").write_bytes(data[: len(data) // 2])
    with pytest.raises(UserError, match="not a whole one"):
        read(tmp_path / "cut.zip")


def test_an_unknown_compression_is_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr(f"{ADA}/a.cu", KERNEL)
    with open_tree(tmp_path / "x.zip", UTC) as tree:
        assert [each.why.code for each in tree.ignored] == ["entry-compression-unknown"]


class TestBombs:
    """Sizes and counts are limited before anything is unpacked."""

    def test_too_many_entries_are_one_line(self, tmp_path: Path) -> None:
        path = zipped(tmp_path / "x.zip", {f"{number}.cu": "x" for number in range(4)})
        with pytest.raises(UserError, match="more than 3 files"), open_tree(path, UTC, SMALL):
            pass

    def test_what_is_read_in_all_is_limited(self, tmp_path: Path) -> None:
        path = zipped(tmp_path / "x.zip", {"a.cu": "x" * 600, "b.cu": "x" * 600})
        with open_tree(path, UTC, SMALL) as tree:
            first, second = tree.files
            assert len(first.read(1000)) == 600
            with pytest.raises(UserError, match="MiB"):
                second.read(1000)

    def test_a_large_file_is_never_unpacked_beyond_what_is_asked(self, tmp_path: Path) -> None:
        path = zipped(tmp_path / "x.zip", {"a.cu": bytes(50_000_000)})
        with open_tree(path, UTC) as tree, pytest.raises(TooLargeError):
            tree.files[0].read(1000)

    def test_a_false_size_gives_no_more_bytes(self, tmp_path: Path) -> None:
        data = zipped(tmp_path / "x.zip", {"a.cu": bytes(5_000_000)}).read_bytes()
        (tmp_path / "x.zip").write_bytes(
            data.replace((5_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
        )
        with open_tree(tmp_path / "x.zip", UTC) as tree, pytest.raises(OSError, match="damaged"):
            tree.files[0].read(1000)

    @pytest.mark.parametrize(
        ("inner", "code"),
        [
            ({f"{number}.cu": "" for number in range(2001)}, "too-many-entries"),
            ({"a.cu": bytes(65 << 20)}, "archive-unpacks-too-large"),
        ],
        ids=["count", "ratio"],
    )
    def test_a_students_bomb_is_refused_alone(
        self, inner: dict[str, bytes], code: str, tmp_path: Path
    ) -> None:
        files: dict[str, str | bytes] = {
            f"{ADA}/bomb.zip": zip_bytes(tmp_path, inner),
            "Bo_2_assignsubmission_file/a.cu": KERNEL,
        }
        found = read(zipped(tmp_path / "x.zip", files))
        assert found.texts == ({}, {"a.cu": KERNEL})
        assert found.ignored == {f"{ADA}/bomb.zip": code}


class TestArchivesInArchives:
    """A student's zip is opened, one level deep."""

    def test_an_archive_inside_it_is_named(self, tmp_path: Path) -> None:
        deep = zip_bytes(tmp_path, {"b.cu": KERNEL})
        inner = zip_bytes(tmp_path, {"a.cu": KERNEL, "deep.zip": deep})
        found = read(zipped(tmp_path / "x.zip", {f"{ADA}/p.zip": inner}))
        assert (found.texts, found.ignored) == (
            ({"a.cu": KERNEL},),
            {f"{ADA}/p.zip/deep.zip": "archive-in-archive"},
        )

    def test_one_beside_files_keeps_a_folder_of_its_name(self, tmp_path: Path) -> None:
        inner = zip_bytes(tmp_path, {"util.cuh": ""})
        found = read(zipped(tmp_path / "x.zip", {f"{ADA}/a.cu": KERNEL, f"{ADA}/lib.zip": inner}))
        assert found.texts == ({"a.cu": KERNEL, "lib/util.cuh": ""},)

    @pytest.mark.parametrize("name", ["p.rar", "p.7z", "p.tar.zst"])
    def test_other_kinds_stay_closed_for_intake_to_name(self, name: str, tmp_path: Path) -> None:
        found = read(zipped(tmp_path / "x.zip", {f"{ADA}/{name}": "x"}))
        assert found.texts == ({name: "x"},)

    @pytest.mark.parametrize(
        ("name", "code"), [("p.zip", "archive-damaged"), ("p.tar", "tar-damaged"), ("p.tgz", "tar-damaged")]
    )
    def test_a_damaged_one_is_named(self, name: str, code: str, tmp_path: Path) -> None:
        found = read(zipped(tmp_path / "x.zip", {f"{ADA}/{name}": "PK no"}))
        assert found.ignored == {f"{ADA}/{name}": code}

    def test_a_tar_that_unpacks_too_large_is_refused(self, tmp_path: Path) -> None:
        data = gzip.compress(bytes(ArchiveLimits().nested_bytes + 1), 1)
        found = read(zipped(tmp_path / "x.zip", {f"{ADA}/p.tar.gz": data}))
        assert found.ignored == {f"{ADA}/p.tar.gz": "archive-unpacks-too-large"}

    def test_links_and_names_in_a_tar_are_refused_too(self, tmp_path: Path) -> None:
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as archive:
            for name, kind in {
                "a.cu": tarfile.REGTYPE,
                "../b.cu": tarfile.REGTYPE,
                "c.cu": tarfile.SYMTYPE,
            }.items():
                entry = tarfile.TarInfo(name)
                entry.type, entry.linkname = kind, "/etc/passwd"
                archive.addfile(entry, io.BytesIO())
        found = read(zipped(tmp_path / "x.zip", {f"{ADA}/p.tar": buffer.getvalue()}))
        assert found.texts == ({"a.cu": ""},)
        assert found.ignored == {
            f"{ADA}/p.tar/../b.cu": "entry-leads-outside",
            f"{ADA}/p.tar/c.cu": "entry-is-link",
        }

    def test_its_links_and_names_are_refused_too(self, tmp_path: Path) -> None:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("a.cu", KERNEL)
            archive.writestr("../../b.cu", KERNEL)
        found = read(zipped(tmp_path / "x.zip", {f"{ADA}/p.zip": buffer.getvalue()}))
        assert found.texts == ({"a.cu": KERNEL},)
        assert found.ignored == {f"{ADA}/p.zip/../../b.cu": "entry-leads-outside"}


class TestNamesThatAreNotUtf8:
    """Without flag bit 11 the code page is that of the machine; all names of a zip share it."""

    @pytest.mark.parametrize(
        ("name", "encoding"),
        [
            ("Иван Пример", "cp866"),
            ("张伟", "gbk"),
            ("Müller Jürgen", "cp437"),
            ("José Núñez", "cp437"),
            ("Ада Пример", "utf-8"),
            ("ليلى مثال", "utf-8"),
        ],
    )
    def test_a_name_is_read_in_its_code_page(self, name: str, encoding: str, tmp_path: Path) -> None:
        raw = f"{name}_12_assignsubmission_file/a.cu".encode(encoding)
        found = read(code_page_zip(tmp_path / "x.zip", {raw: KERNEL}))
        assert found.names == [name]

    def test_all_names_decide_together(self) -> None:
        russian = [name.encode("cp866") for name in ("Пётр Образцов", "Анна-Мария Пример", "readme")]
        assert encoding_of(russian) == "cp866"
        chinese = [name.encode("gbk") for name in ("王小明", "李波 row sum", "欧阳娜娜")]
        assert encoding_of(chinese) == "gbk"
        western = [name.encode("cp437") for name in ("Åsa Öberg", "François Élève", "Weiß")]
        assert encoding_of(western) == "cp437"

    def test_control_characters_of_a_name_do_not_reach_the_terminal(self, tmp_path: Path) -> None:
        found = read(zipped(tmp_path / "x.zip", {f"{ADA}/a\x1b[31m.cu": KERNEL}))
        assert found.texts == ({"a\\x1b[31m.cu": KERNEL},)

    def test_a_composed_and_a_decomposed_name_are_one(self) -> None:
        assert inner_path("Mu\u0308ller/a.cu") == inner_path("M\u00fcller/a.cu")
