"""``grader gradescope``: the autograder is built, installed and run in a container laid out as Gradescope's."""

import os
from pathlib import Path
from typing import Any

import pytest

from grader.cli.app import run
from grader.course.workspace import open_workspace
from grader.model.report import Visibility
from tests.lms.gradescope_container import PROBLEM, Container, previous
from tools.paths import CHECKOUT

pytestmark = pytest.mark.skipif(PROBLEM is not None, reason=f"bubblewrap cannot be used here: {PROBLEM}")

RIGHT = (CHECKOUT / "reference" / "vector-add" / "global.cu").read_text(encoding="utf-8")
BROKEN = "__global__ void vector_add(const float *a, const float *b, float *c, int n) { c[0] = }"
VISIBILITIES = {"hidden", "after_due_date", "after_published", "visible"}


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> Container:
    """An image with the autograder of vector-add, set up without a network."""
    folder = tmp_path_factory.mktemp("gradescope")
    before = Path.cwd()
    os.chdir(folder)
    try:
        assert run(["gradescope", "vector-add", "--attempts", "2", "--hours", "24"]) == 0
    finally:
        os.chdir(before)
    made = Container(folder / "autograder")
    made.root.mkdir()
    made.unpack(folder / "autograder.zip")
    done = made.run("source/setup.sh")
    assert done.returncode == 0, done.stdout + done.stderr
    return made


def require_valid(results: dict[str, Any]) -> None:
    """Fail where ``results`` leave Gradescope's format."""
    assert isinstance(results["score"], int | float)
    assert results["visibility"] in VISIBILITIES
    assert results["stdout_visibility"] == "hidden"
    assert results["tests"]
    for test in results["tests"]:
        assert ("score" in test) is ("max_score" in test)
        assert test.get("status", "passed") in {"passed", "failed"}
    total = sum(test.get("score", 0.0) for test in results["tests"])
    assert total == pytest.approx(results["score"])


def test_a_right_kernel_gets_points_and_a_place_on_the_leaderboard(container: Container) -> None:
    results, said = container.grade({"vector_add.cu": RIGHT})
    assert results is not None, said
    require_valid(results)
    assert results["score"] > 0
    assert {test["status"] for test in results["tests"] if "status" in test} == {"passed"}
    (place,) = results["leaderboard"]
    assert place["value"] > 0
    lab = open_workspace().registry.get("vector-add")
    hidden = [case.name for case in lab.manifest.cases if case.visibility is Visibility.HIDDEN]
    assert hidden
    assert not any(name in str(results) for name in hidden)


def test_a_kernel_that_does_not_build_gets_none_and_the_reason(container: Container) -> None:
    results, said = container.grade({"vector_add.cu": BROKEN})
    assert results is not None, said
    assert results["score"] == 0
    assert results["leaderboard"] == []
    assert "vector_add.cu" in results["output"]


def test_a_submission_without_source_is_told_so(container: Container) -> None:
    results, said = container.grade({"report.pdf": "x"})
    assert results is not None, said
    assert results["score"] == 0
    assert results["output"]


def test_the_rate_limit_keeps_the_results_before(container: Container) -> None:
    results, said = container.grade(
        {"vector_add.cu": BROKEN}, previous_submissions=[previous(9), previous(10)]
    )
    assert results is not None, said
    assert results["score"] == 10.0
    assert "2026-06-11 09:00" in results["output"]
    assert results["extra_data"] == {"grader_rate_limited": True}


def test_a_failure_of_the_grader_leaves_no_results(container: Container) -> None:
    results, said = container.grade({"vector_add.cu": RIGHT}, created_at="yesterday")
    assert results is None
    assert "submission_metadata.json" in said
