"""What decides facts, and what only decides points."""

import ast
from pathlib import Path

import grader
from grader.course.versions import SCORING

ROOM = Path(grader.__file__).parent
RECORDS_AND_LADDERS = {"batch", "ladder", "submission", "validate"}
"""Modules that also score; what they do to facts calls other modules."""


def test_every_module_that_only_scores_exists() -> None:
    assert {name for name in SCORING if not (ROOM / name).is_file()} == set()


def test_no_fact_depends_on_a_module_that_only_scores() -> None:
    names = {Path(name).stem for name in SCORING}
    fact_modules = [path for path in (ROOM / "grading").glob("*.py") if path.stem not in RECORDS_AND_LADDERS]
    fact_modules += [path for path in (ROOM / "judge").glob("*.py") if path.stem not in names]
    found = {
        (path.name, node.module)
        for path in fact_modules
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("grader.judge.")
        if (node.module or "").rpartition(".")[2] in names
    }
    # A flag compares times, which a report shows and no fact holds.
    assert found == {("plausibility.py", "grader.judge.speed")}
