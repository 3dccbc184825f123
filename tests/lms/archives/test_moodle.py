"""Moodle's zips in all their forms."""

from pathlib import Path

import pytest

from grader.lms.archives.received import OWN, ExternalId, TimeSource
from tests.lms.archives.builders import AT_STAMP, KERNEL, read, unpacked, zip_bytes, zipped

FOLDER = "Ada Example_12345_assignsubmission_file"


@pytest.mark.parametrize("make", [zipped, unpacked], ids=["zip", "folder"])
def test_files_below_a_participant_keep_their_own_folders(make: object, tmp_path: Path) -> None:
    assert callable(make)
    found = read(
        make(tmp_path / "CS-Lab-77.zip", {f"{FOLDER}/src/row_sum.cu": KERNEL, f"{FOLDER}/src/u.cuh": ""})
    )
    assert (found.system, found.ids, found.names) == ("moodle", ["12345"], ["Ada Example"])
    assert found.texts == ({"src/row_sum.cu": KERNEL, "src/u.cuh": ""},)


def test_the_time_is_that_of_the_newest_file_in_the_courses_zone(tmp_path: Path) -> None:
    (only,) = read(zipped(tmp_path / "m.zip", {f"{FOLDER}/a.cu": KERNEL})).received
    assert (only.submitted_at, only.time_source) == (AT_STAMP, TimeSource.FILE)


def test_flat_files_are_those_of_the_folder_form(tmp_path: Path) -> None:
    flat = read(zipped(tmp_path / "m.zip", {f"{FOLDER}_row_sum.cu": KERNEL, f"{FOLDER}_u.cuh": ""}))
    assert flat.ids == ["12345"]
    assert flat.texts == ({"row_sum.cu": KERNEL, "u.cuh": ""},)


def test_an_older_folder_ends_with_an_underscore(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "m.zip", {"Full_Name_657792_assignsubmission_file_/a.cu": KERNEL}))
    assert (found.ids, found.names) == (["657792"], ["Full Name"])
    assert found.texts == ({"a.cu": KERNEL},)


def test_a_login_in_front_is_another_id(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "m.zip", {"ada01_Ada Example_12345_assignsubmission_file/a.cu": KERNEL}))
    (submitter,) = found.received[0].submitters
    assert submitter.name == "Ada Example"
    assert submitter.ids[0].value == "12345"
    assert ExternalId(system=OWN, value="ada01") in submitter.ids


def test_online_text_becomes_a_source_file(tmp_path: Path) -> None:
    page = "<p>__global__ void f(float *x)</p><p>{</p><p>&nbsp; if (x[0] &lt; 1) x[0] = 1;<br>}</p>"
    text = "Ada Example_12345_assignsubmission_onlinetext/onlinetext.html"
    found = read(zipped(tmp_path / "m.zip", {text: page}))
    assert found.texts == (
        {"onlinetext.cu": "__global__ void f(float *x)\n{\n  if (x[0] < 1) x[0] = 1;\n}\n"},
    )


def test_flat_online_text_in_numba_becomes_python(tmp_path: Path) -> None:
    page = "<pre>from numba import cuda\n@cuda.jit\ndef f(x):\n    x[0] = 1</pre>"
    text = "Ada Example_12345_assignsubmission_onlinetext_onlinetext.html"
    found = read(zipped(tmp_path / "m.zip", {text: page}))
    assert found.texts == ({"onlinetext.py": "from numba import cuda\n@cuda.jit\ndef f(x):\n    x[0] = 1\n"},)


def test_online_text_beside_files_is_a_comment(tmp_path: Path) -> None:
    text = "Ada Example_12345_assignsubmission_onlinetext/onlinetext.html"
    found = read(zipped(tmp_path / "m.zip", {f"{FOLDER}/a.cu": KERNEL, text: "<p>my __global__ one</p>"}))
    assert found.texts == ({"a.cu": KERNEL},)
    assert found.ignored == {f"{FOLDER}/onlinetext.html": "text-beside-files"}


@pytest.mark.parametrize("word", ["Participant", "Teilnehmerin", "参与者", "مشارك", "Участник"])
def test_blind_participants_have_ids_and_no_names(word: str, tmp_path: Path) -> None:
    files = {f"{word}_{number}_assignsubmission_file/a.cu": KERNEL for number in (101, 102, 103)}
    found = read(zipped(tmp_path / "m.zip", files))
    assert found.ids == ["101", "102", "103"]
    assert found.names == ["", "", ""]


@pytest.mark.parametrize("word", ["Participant", "Teilnehmerin", "Участник"])
def test_a_single_blind_participant_is_known_by_the_word(word: str, tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "m.zip", {f"{word}_101_assignsubmission_file/a.cu": KERNEL}))
    assert (found.ids, found.names) == (["101"], [""])


def test_namesakes_are_two_participants(tmp_path: Path) -> None:
    files = {f"王伟_{number}_assignsubmission_file/a.cu": KERNEL for number in (7, 8)}
    found = read(zipped(tmp_path / "m.zip", files))
    assert (found.ids, found.names) == (["7", "8"], ["王伟", "王伟"])


@pytest.mark.parametrize("name", ["Ада Пример", "ليلى مثال", "王小明", "Zoë O'Example-Šedá"])
def test_names_of_any_script_are_read(name: str, tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "m.zip", {f"{name}_12345_assignsubmission_file/a.cu": KERNEL}))
    assert (found.ids, found.names) == (["12345"], [name])


@pytest.mark.parametrize("group", ["Default group", "Standardgruppe", "默认组"])
def test_a_team_without_a_group_has_no_number(group: str, tmp_path: Path) -> None:
    (only,) = read(zipped(tmp_path / "m.zip", {f"{group}_assignsubmission_file/a.cu": KERNEL})).received
    assert (only.submitters, only.group) == ((), group)


def test_leading_zeros_of_an_id_stay(tmp_path: Path) -> None:
    found = read(zipped(tmp_path / "m.zip", {"Ada Example_00123_assignsubmission_file/a.cu": KERNEL}))
    assert found.ids == ["00123"]


def test_a_submitted_zip_is_opened(tmp_path: Path) -> None:
    inner = zip_bytes(tmp_path, {"project/src/a.cu": KERNEL, "project/__MACOSX/._a.cu": "x"})
    found = read(zipped(tmp_path / "m.zip", {f"{FOLDER}/project.zip": inner}))
    assert found.texts == ({"src/a.cu": KERNEL},)
    assert found.ignored == {f"{FOLDER}/project.zip/project/__MACOSX/._a.cu": "entry-of-operating-system"}


def test_other_plugins_and_strays_are_named(tmp_path: Path) -> None:
    files = {
        f"{FOLDER}/a.cu": KERNEL,
        "Ada Example_12345_assignsubmission_comments/c.html": "x",
        "notes.txt": "x",
    }
    found = read(zipped(tmp_path / "m.zip", files))
    assert found.ignored == {
        "Ada Example_12345_assignsubmission_comments/c.html": "moodle-plugin-ignored",
        "notes.txt": "entry-of-no-submission",
    }
