"""Published leaderboards: ``leaderboard.json`` with its schema, and a page, with the names that students chose."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from grader.config.nicknames import ANONYMOUS, Nicknames
from grader.model.report import SpeedupKind
from grader.report import json_files, public_leaderboard
from grader.report.leaderboard import boards
from grader.report.public_leaderboard import Leaderboards
from tests.report.examples import CUDA, DOCUMENT, HTML_NAME, NASTY_NAMES, kernel, report, speedup

VALIDATOR = Draft202012Validator(public_leaderboard.schema())
SPEEDS = {"student-01": 4.0, "student-02": 3.95, "student-03": 2.0, "student-04": 2.0}
NAMES = Nicknames(
    chosen={"student-01": "Zaphod", "student-02": ANONYMOUS, "student-03": "Trillian", "student-04": "Arthur"}
)


def _published(names: Nicknames = NAMES, speeds: dict[str, float] = SPEEDS) -> Leaderboards:
    entrants = tuple(
        replace(
            report(name, "matmul", kernel("matmul", fast=speedup(value, SpeedupKind.MEASURED, 0.05))),
            lab_version="1.0",
        )
        for name, value in speeds.items()
    )
    found = boards([replace(DOCUMENT, engine=CUDA, reports=entrants)])
    return public_leaderboard.public_leaderboards(
        found, names.shown, grader_version="1", created_at="2024-03-01T12:00:00+00:00"
    )


def _written(document: Leaderboards, folder: Path) -> tuple[str, str]:
    public_leaderboard.write_json(folder / "board.json", document)
    public_leaderboard.write_html(folder / "board.html", document)
    return (folder / "board.json").read_text("utf-8"), (folder / "board.html").read_text("utf-8")


def test_everybody_keeps_their_rank_and_is_called_as_they_chose() -> None:
    (board,) = _published().boards
    assert [(e.rank, e.shared, e.student) for e in board.entries] == [
        (1, True, "Zaphod"),
        (1, True, "someone"),
        (3, True, "Arthur"),
        (3, True, "Trillian"),
    ]


def test_no_name_that_a_student_hid_is_in_what_is_written(tmp_path: Path) -> None:
    for text in _written(_published(), tmp_path):
        assert "Zaphod" in text
        assert "student-0" not in text


def test_several_students_can_be_anonymous() -> None:
    (board,) = _published(Nicknames(by_name=False)).boards
    assert {entry.student for entry in board.entries} == {"someone"}


def test_the_json_fits_its_schema_whatever_students_are_called(tmp_path: Path) -> None:
    nasty = _published(Nicknames(), dict.fromkeys(NASTY_NAMES, 2.0))
    for document in (_published(), nasty, replace(_published(), boards=())):
        VALIDATOR.validate(json.loads(_written(document, tmp_path)[0]))


@pytest.mark.parametrize(
    ("field", "value"), [("schema_version", 2), ("boards", None), ("created_at", 3), ("grader_version", None)]
)
def test_the_schema_refuses(tmp_path: Path, field: str, value: object) -> None:
    plain = json.loads(_written(_published(), tmp_path)[0])
    assert not VALIDATOR.is_valid({**plain, field: value})


def test_the_published_schema_is_the_code_s(checkout: Path) -> None:
    assert (checkout / "docs" / "reference" / "leaderboard.schema.json").read_bytes() == json_files.indented(
        public_leaderboard.schema()
    ), "regenerate it: python -m grader.report.public_leaderboard > docs/reference/leaderboard.schema.json"


def test_the_documented_example_is_valid_and_explained(checkout: Path) -> None:
    page = (checkout / "docs" / "teaching-assistant" / "leaderboards-and-review.md").read_text("utf-8")
    VALIDATOR.validate(json.loads(page.split("```json\n")[1].split("```")[0]))
    schema = public_leaderboard.schema()
    described = [schema, *(d for d in schema["$defs"].values() if "properties" in d)]
    assert {field for d in described for field in d["properties"] if f"`{field}`" not in page} == set()


def test_the_page_needs_no_script_and_no_network(tmp_path: Path) -> None:
    _, page = _written(_published(Nicknames(), {HTML_NAME: 2.0}), tmp_path)
    assert "<script" not in page
    assert "http://" not in page
    assert "https://" not in page
    assert "&lt;script&gt;" in page


def test_the_page_says_what_a_board_compares_and_each_interval(tmp_path: Path) -> None:
    _, page = _written(_published(), tmp_path)
    assert "version 1.0, cuda-c, measured speedups, cuda engine, NVIDIA H200" in page
    assert "[3.95, 4.05]" in page
    assert page.count('scope="row"') == len(SPEEDS)
