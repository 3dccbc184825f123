"""The invented term: its files are those of the systems, and its grades are what the rules give."""

from pathlib import Path

import pytest

from benchmarks.term_class import CLASS, DECIDED, LABS, STUDENTS, ZONE, TermLab, expected, uploads
from benchmarks.term_files import archive, sheet
from grader.lms.archives.port import ReadContext
from grader.lms.archives.read_archive import read_archive
from grader.lms.words import System


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_an_archive_has_each_submission_of_its_lab(lab: TermLab, tmp_path: Path) -> None:
    own = {each.members for each in uploads() if each.lab is lab}
    context = ReadContext(zone=ZONE, labs=(lab.name,))
    with read_archive(archive(tmp_path, lab), context, None) as found:
        assert found.format.key == lab.system.value
        assert len(found.contents.received) == len(own)
        assert not found.contents.ignored


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.name)
def test_a_grade_changes_one_cell_of_a_sheet(lab: TermLab) -> None:
    before, after = sheet(lab, {}), sheet(lab, {"s007": "12.5"})
    (changed,) = (
        (old, new) for old, new in zip(before.splitlines(), after.splitlines(), strict=True) if old != new
    )
    assert changed[1].replace(b"12.5", b"") == changed[0]


def test_every_case_of_the_rules_occurs() -> None:
    full = expected(
        {(lab.name, kind): 100.0 for lab in LABS for kind in ("global", "second", "expert", "broken")}
    )
    assert len(full) == STUDENTS * len(LABS)
    assert {None, 100.0, 90.0, 80.0, 70.0} <= {
        None if each is None else round(each, 6) for each in full.values()
    }
    assert all(full[key] is None for key in DECIDED.excused)
    assert all(full[key] == points for key, points in DECIDED.overrides.items())
    assert {lab.system for lab in LABS} == {System.MOODLE, System.CANVAS, System.GRADESCOPE}
    assert len({each.name for each in CLASS}) < STUDENTS / 2
