"""The class of the benchmark is mixed as it says, and the page shows the record."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from benchmarks.class_on_emulator import (
    GOAL_SECONDS,
    PAGE,
    PARTS,
    RECORD,
    TIMES,
    differing,
    least_seconds,
    parts_table,
    times_table,
)
from benchmarks.former_commit import python_of
from benchmarks.mixed_class import LABS, write_class
from tools.pages import section

COUNT = 40


@pytest.fixture(scope="module")
def submissions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class")
    write_class(folder, COUNT)
    return folder


def test_a_fifth_of_the_class_is_in_numba(submissions: Path) -> None:
    kernels = list(submissions.glob("*/*/kernels.*"))
    assert len(kernels) == COUNT
    assert {path.parent.parent.name for path in kernels} == set(LABS)
    assert sum(path.suffix == ".py" for path in kernels) == COUNT // 5


def test_a_quarter_of_the_class_are_mutants(submissions: Path) -> None:
    texts = [path.read_bytes() for path in submissions.glob("*/*/kernels.*")]
    assert sum(b"mutant:" in text for text in texts) == COUNT // 4


def test_no_two_submissions_are_equal(submissions: Path) -> None:
    assert len({path.read_bytes() for path in submissions.glob("*/*/kernels.*")}) == COUNT


def test_a_former_python_imports_grader_from_there_alone(tmp_path: Path) -> None:
    (tmp_path / "former" / "grader").mkdir(parents=True)
    (tmp_path / "former" / "grader" / "__init__.py").write_text("", encoding="utf-8")
    python = python_of(tmp_path / "former", tmp_path / "python")
    where = [python, "-I", "-c", "import grader, numba; print(grader.__file__)"]
    found = subprocess.run(where, capture_output=True, text=True, check=True).stdout
    assert Path(found.strip()).is_relative_to(tmp_path / "former")


def record() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def test_the_page_shows_the_record() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert section(page, TIMES) == times_table(record())
    assert section(page, PARTS) == parts_table(record())


def test_verdicts_and_scores_are_those_of_the_former_commit() -> None:
    assert differing(record()) == {}


def test_a_differing_score_is_found() -> None:
    runs = {
        "process": {age: {"results": {"a": ["accepted", score]}} for age, score in (("then", 1), ("now", 2))}
    }
    assert differing({"runs": runs}) == {"a": [["accepted", 1], ["accepted", 2]]}


def test_the_class_fits_into_the_goal() -> None:
    assert least_seconds(record()) < GOAL_SECONDS
    assert least_seconds(record()) < least_seconds(record(), "then")
