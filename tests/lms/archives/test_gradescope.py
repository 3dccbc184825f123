"""Gradescope's exports: a metadata file in Ruby's YAML beside folders."""

from pathlib import Path

import pytest

from grader.errors import UserError
from grader.lms.archives.received import TimeSource
from tests.lms.archives.builders import KERNEL, read, unpacked, utc, zipped

TOP = "assignment_42_export"


def entry(
    number: int, submitters: str, at: str = "2026-06-10 12:14:07.938335000 Z", history: str = " []"
) -> str:
    return (
        f"submission_{number}:\n  :submitters:{submitters}\n  :created_at: {at}\n  :score: 0.0\n"
        f"  :status: processed\n  :results:\n    score: 0.0\n    tests: []\n    extra_data: \n  :history:{history}\n"
    )


ADA = "\n  - :name: Ada Example\n    :sid: '06000001'\n    :email: ada@example.edu"
BO = "\n  - :name: 李波\n    :sid: 06000002\n    :email: bo@example.edu"


def export(tmp_path: Path, metadata: str, *folders: int) -> Path:
    files = {f"{TOP}/submission_{number}/row_sum.cu": KERNEL for number in folders}
    return zipped(tmp_path / f"{TOP}.zip", {f"{TOP}/submission_metadata.yml": f"---\n{metadata}", **files})


def test_ruby_symbols_and_ids_with_zeros_are_read(tmp_path: Path) -> None:
    found = read(export(tmp_path, entry(1, ADA) + entry(2, BO), 1, 2))
    assert (found.system, found.names) == ("gradescope", ["Ada Example", "李波"])
    # The second is not quoted: a YAML reader would make an octal number of it.
    assert found.ids == ["06000001", "06000002"]
    assert [each.submitters[0].email for each in found.received] == ["ada@example.edu", "bo@example.edu"]
    assert found.texts == ({"row_sum.cu": KERNEL},) * 2


def test_the_time_has_its_zone(tmp_path: Path) -> None:
    (only,) = read(export(tmp_path, entry(1, ADA), 1)).received
    assert (only.submitted_at, only.time_source) == (utc("2026-06-10 12:14:07"), TimeSource.STATED)


def test_a_group_is_listed_once_with_all_members(tmp_path: Path) -> None:
    (only,) = read(export(tmp_path, entry(1, ADA + BO), 1)).received
    assert [each.name for each in only.submitters] == ["Ada Example", "李波"]
    assert only.group == "Ada Example, 李波"


def test_an_activated_older_submission_says_so(tmp_path: Path) -> None:
    history = (
        "\n  - :submitters: []\n    :created_at: 2026-06-12 07:30:05.262325000 Z\n    :score: 0.0\n    :id: 9\n"
        "  - :submitters: []\n    :created_at: 2026-06-01 07:30:05.262325000 Z\n    :score: 0.0\n    :id: 8"
    )
    (only,) = read(export(tmp_path, entry(1, ADA, history=history), 1)).received
    assert only.number == 2
    assert only.submitted_at == utc("2026-06-10 12:14:07")
    assert [(note.code, dict(note.params)["count"]) for note in only.notes] == [
        ("gradescope-history", 2),
        ("gradescope-older-active", 1),
    ]


def test_entries_without_files_and_files_without_entries_are_named(tmp_path: Path) -> None:
    metadata = entry(1, ADA) + entry(2, BO) + entry(3, " []")
    found = read(export(tmp_path, metadata, 1, 3, 4))
    assert found.names == ["Ada Example"]
    assert found.ignored == {
        "submission_2": "gradescope-without-files",
        "submission_3": "gradescope-without-submitters",
        "submission_4/row_sum.cu": "gradescope-not-listed",
    }


def test_an_unpacked_export_is_the_same(tmp_path: Path) -> None:
    files = {"submission_metadata.yml": entry(1, ADA), "submission_1/src/row_sum.cu": KERNEL}
    found = read(unpacked(tmp_path / TOP, files))
    assert (found.names, found.texts) == (["Ada Example"], ({"src/row_sum.cu": KERNEL},))


def test_aliases_of_equal_values_are_read(tmp_path: Path) -> None:
    shared = "\n  - &1\n    :name: Ada Example\n    :sid: '1'\n  - *1"
    (only,) = read(export(tmp_path, entry(1, shared), 1)).received
    assert [each.name for each in only.submitters] == ["Ada Example"] * 2


@pytest.mark.parametrize("metadata", ["a: [", "&a [*a]: {", "a: b: c", "[" * 5000])
def test_damaged_metadata_is_one_line(metadata: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="damaged"):
        read(export(tmp_path, metadata, 1))


def test_no_tag_makes_an_object(tmp_path: Path) -> None:
    metadata = entry(
        1, "\n  - !!python/object/apply:os.system ['true']\n  - :name: Ada Example\n    :sid: '1'"
    )
    found = read(export(tmp_path, metadata, 1))
    assert found.received[0].submitters[-1].name == "Ada Example"
