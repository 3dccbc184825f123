"""What everybody was given never counts."""

from pathlib import Path

import pytest

from grader.cache import CacheFolder
from grader.course.workspace import open_workspace
from grader.grading.rungs import rung_files, rung_sources, submission_of
from grader.labs.lab import Lab
from grader.languages import installed
from grader.model.similarity import View
from grader.model.submission import Language, SourceFile, Submission
from grader.similarity.compiled import Fingerprinter
from grader.similarity.fingerprints import of_sources
from grader.similarity.handout import handout_fingerprints

SOURCE_ONLY = Fingerprinter(None, CacheFolder("unused"))


@pytest.fixture(scope="module")
def lab() -> Lab:
    return open_workspace().registry.get("matmul")


@pytest.fixture(scope="module")
def excluded(lab: Lab) -> frozenset[int]:
    return handout_fingerprints(lab, SOURCE_ONLY)[View.TOKENS]


def test_a_rung_has_nothing_of_its_own(lab: Lab, excluded: frozenset[int]) -> None:
    for rung in lab.manifest.rungs:
        for language in rung_sources(lab, rung):
            copied = submission_of(lab, rung_files(lab, rung, language), language, "s")
            found = SOURCE_ONLY.of(lab, copied).views[View.TOKENS]
            assert {each.hash for each in found} <= excluded


def test_a_starter_has_nothing_of_its_own(lab: Lab, excluded: frozenset[int]) -> None:
    for key, language in installed().items():
        paths: list[Path] = sorted((lab.folder / "starter").glob(f"*{language.suffix}"))
        starter: Submission = submission_of(lab, paths, key, "s")
        assert {each.hash for each in SOURCE_ONLY.of(lab, starter).views[View.TOKENS]} <= excluded


def test_code_in_a_handout_does_not_count(lab: Lab, excluded: frozenset[int]) -> None:
    text = (lab.folder / "README.md").read_text("utf-8")
    assert "```c\n" in text
    code = text.split("```c\n")[1].split("```")[0]
    found = of_sources([SourceFile(name="k.cu", data=code.encode())], Language.CUDA_C)
    assert {each.hash for each in found.views[View.TOKENS]} <= excluded
