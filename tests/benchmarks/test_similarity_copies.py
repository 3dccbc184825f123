"""The benchmark of planted copies: its class, its transformations and its tables."""

import random

import pytest

from benchmarks import similarity_copies, similarity_speed
from benchmarks.copy_transformations import TRANSFORMATIONS, Transformation, everything
from benchmarks.similarity_class import LAB, submission, works
from grader.course.workspace import open_workspace
from grader.grading.rungs import build_request
from grader.languages import support

CLASS = works(12, 3)


def test_equal_seeds_make_equal_classes() -> None:
    assert works(12, 3) == CLASS
    assert works(12, 4) != CLASS
    assert len(set(CLASS)) == 12


@pytest.mark.parametrize("change", TRANSFORMATIONS, ids=lambda change: change.name)
def test_a_copy_is_another_text_that_compiles(change: Transformation) -> None:
    original = next(each for each in CLASS if "#define" in each and "__shared__" in each)
    changed = change.apply(original, random.Random(1))
    assert changed != original
    own = submission("s", changed)
    request = build_request(open_workspace().registry.get(LAB), own, "sm_75")
    translation = support(own.language).translate(request)
    assert translation.module is not None
    assert not translation.problems


def test_a_disguise_keeps_no_name_and_no_macro() -> None:
    original = next(each for each in CLASS if "#define" in each and "__shared__" in each)
    changed = everything(original, random.Random(1))
    assert "TILE" not in changed
    assert "for (" not in changed


PROVENANCE = {
    "measured_at": "2026-11-27T12:00:00+00:00",
    "commit": "0123456789",
    "cpu": "CPU",
    "cores": 2,
    "load": 1.0,
    "copydetect": "0.5.0",
    "classes": 3,
    "students": 120,
    "looked_at": 16,
    "sandboxed": 40,
}


def test_the_table_has_recall_and_precision() -> None:
    rows = [{"transformation": "renamed", "planted": 24, "found": {"source": 24, "copydetect": 12}}]
    text = similarity_copies.table({"provenance": PROVENANCE, "transformations": rows})
    assert "| renamed | 24 | 100 % · 50 % | 50 % · 25 % |" in text


def test_the_table_has_the_time_of_each_step() -> None:
    steps = {"fingerprints": 20.0, "comparison": 5.0, "again": 6.0, "sandboxed": 40.0}
    seconds = {name: {"wall": wall, "cpu": wall / 2} for name, wall in steps.items()}
    text = similarity_speed.table({"provenance": {**PROVENANCE, "students": 1000}, "seconds": seconds})
    assert "1,000 submissions" in text
    assert "10.0 s | 20.0 s" in text
    assert "1.00 s" in text
