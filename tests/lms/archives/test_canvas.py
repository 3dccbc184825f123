"""Canvas's zips: everything about a submission stands in the names of its files."""

from pathlib import Path

import pytest

from tests.lms.archives.builders import KERNEL, read, zipped

NUMBA = "from numba import cuda\n"


def test_the_late_mark_is_no_part_of_the_name(tmp_path: Path) -> None:
    files = {"exampleada_LATE_77_101_row_sum.cu": KERNEL, "exampleboris_78_102_row_sum.cu": KERNEL}
    found = read(zipped(tmp_path / "c.zip", files))
    assert (found.system, found.ids, found.names) == ("canvas", ["77", "78"], ["exampleada", "exampleboris"])
    assert [each.late for each in found.received] == [True, False]
    assert found.texts[0] == {"row_sum.cu": KERNEL}


@pytest.mark.parametrize("mark", ["", "LATE_"])
def test_anonymous_submissions_have_the_mark_in_front(mark: str, tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "c.zip", {f"{mark}anon_aB3dE_101_row_sum.cu": KERNEL}))
    assert (found.ids, found.names) == (["anon_aB3dE"], [""])
    assert found.received[0].late is bool(mark)


def test_a_text_entry_has_no_attachment_id(tmp_path: Path) -> None:
    page = "<html><head><title>Lab</title></head><body><p>from numba import cuda</p></body></html>"
    found = read(zipped(tmp_path / "c.zip", {"exampleada_LATE_77_text.html": page}))
    assert found.ids == ["77"]
    assert found.texts == ({"text.py": NUMBA},)
    assert found.received[0].late


def test_an_anonymous_text_entry_is_read(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "c.zip", {"anon_aB3dE_text.html": "<p>from numba import cuda</p>"}))
    assert (found.ids, found.texts) == (["anon_aB3dE"], ({"text.py": NUMBA},))


def test_an_upload_called_text_is_an_upload(tmp_path: Path) -> None:
    found = read(
        zipped(tmp_path / "c.zip", {"exampleada_77_101_text.html": "x", "exampleada_77_102_a.cu": KERNEL})
    )
    assert found.ids == ["77"]
    assert found.texts == ({"text.html": "x", "a.cu": KERNEL},)


def test_a_web_address_is_named_and_left_aside(tmp_path: Path) -> None:
    files = {"exampleada_77_link.html": "<a>", "exampleboris_78_102_a.cu": KERNEL}
    assert read(zipped(tmp_path / "c.zip", files)).ignored == {
        "exampleada_77_link.html": "canvas-link-ignored"
    }


def test_several_attachments_are_one_submission(tmp_path: Path) -> None:
    files = {"exampleada_77_101_row_sum.cu": KERNEL, "exampleada_77_102_my util.cuh": ""}
    assert read(zipped(tmp_path / "c.zip", files)).texts == ({"row_sum.cu": KERNEL, "my util.cuh": ""},)


def test_unicode_word_characters_stay_in_names(tmp_path: Path) -> None:
    files = {
        "müllerjürgen_77_101_a.cu": KERNEL,
        "примерада_78_102_a.cu": KERNEL,
        "王小明_79_103_a.cu": KERNEL,
    }
    found = read(zipped(tmp_path / "c.zip", files))
    assert dict(zip(found.ids, found.names, strict=True)) == {
        "77": "müllerjürgen",
        "78": "примерада",
        "79": "王小明",
    }


def test_a_name_may_hold_an_underscore(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "c.zip", {"example_ada_77_101_a_1_2_b.cu": KERNEL}))
    assert (found.ids, found.names, found.texts) == (["77"], ["example_ada"], ({"a_1_2_b.cu": KERNEL},))


def test_a_resubmission_gets_its_first_name_back(tmp_path: Path) -> None:
    files = {
        "exampleada_77_201_row_sum-2.cu": f'#include "util.cuh"\n{KERNEL}',
        "exampleada_77_202_util-1.cuh": "",
    }
    found = read(zipped(tmp_path / "c.zip", files))
    assert set(found.texts[0]) == {"row_sum.cu", "util.cuh"}
    assert [each.number for each in found.received] == [3]


def test_a_number_that_an_include_uses_is_the_students(tmp_path: Path) -> None:
    files = {
        "exampleada_77_201_row_sum.cu": f'#include "util-2.cuh"\n{KERNEL}',
        "exampleada_77_202_util-2.cuh": "",
    }
    found = read(zipped(tmp_path / "c.zip", files))
    assert set(found.texts[0]) == {"row_sum.cu", "util-2.cuh"}
    assert found.received[0].number == 1


def test_two_exports_in_one_folder_are_two_attempts(tmp_path: Path) -> None:
    files = {
        "exampleada_77_101_row_sum.cu": "first __global__",
        "exampleada_77_102_util.cuh": "",
        "exampleada_77_201_row_sum-1.cu": "second __global__",
    }
    found = read(zipped(tmp_path / "c.zip", files))
    assert [each.number for each in found.received] == [1, 2]
    assert found.texts == (
        {"row_sum.cu": "first __global__", "util.cuh": ""},
        {"row_sum.cu": "second __global__", "util.cuh": ""},
    )


def test_a_groups_file_appears_once_under_its_name(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "c.zip", {"team2_501_101_row_sum.cu": KERNEL}))
    assert (found.ids, found.names) == (["501"], ["team2"])


def test_a_stray_file_is_named(tmp_path: Path) -> None:
    files = {"exampleada_77_101_a.cu": KERNEL, "readme.txt": "x"}
    assert read(zipped(tmp_path / "c.zip", files)).ignored == {"readme.txt": "entry-of-no-submission"}
