"""The lab of "Write a lab in ten minutes", copied out of the page and put to work."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from grader.config import load
from grader.labs.registry import Catalogue, discover
from tests.repository.project import captioned_files
from tools.paths import CHECKOUT


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder a reader of the page ends up with."""
    folder = tmp_path_factory.mktemp("course")
    files = captioned_files(CHECKOUT / "docs" / "lab-author" / "write-a-lab.md")
    assert "course/assignments/reverse/lab.py" in files
    for name, code in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(code, encoding="utf-8")
    return folder


def test_the_pages_settings_lead_to_its_lab(course: Path) -> None:
    folders = [Catalogue(labs=folder.labs, reference=folder.reference) for folder in load(course).lab_folders]
    lab = discover(folders).get("reverse")
    assert lab.folder == course / "course" / "assignments" / "reverse"


def test_the_pages_oracle_answers_its_own_inputs(course: Path) -> None:
    catalogue = Catalogue(labs=course / "course" / "assignments", reference=course / "course" / "reference")
    lab = discover([catalogue]).get("reverse")
    for case in lab.manifest.cases:
        inputs = lab.inputs(case, np.random.default_rng(7))
        answer = lab.oracle(case, inputs)["out"].value
        assert answer.shape == (case.sizes["n"],)
        assert answer[0] == inputs["x"][-1]


def test_the_pages_lab_proves_itself(course: Path) -> None:
    command = [str(Path(sys.executable).with_name("grader")), "labs", "validate", "reverse"]
    done = subprocess.run(command, cwd=course, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
