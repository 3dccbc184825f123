"""The lab of several programs: its folder, and a submission for it."""

import shutil
from collections.abc import Callable
from pathlib import Path

from grader.labs.folder import load_lab
from grader.labs.lab import Lab
from grader.model.submission import Language, SourceFile, Submission

_DATA = Path(__file__).parent / "data" / "pipelines"
RUNG = (_DATA / "plain.cu").read_text(encoding="utf-8")


def lab_of(root: Path, change: Callable[[str], str] = lambda text: text) -> Lab:
    """The lab in a course at ``root``; ``change`` is applied to its manifest. Raises: ``ManifestError``."""
    folder, reference = root / "assignments" / "pipelines", root / "reference" / "pipelines"
    folder.mkdir(parents=True)
    reference.mkdir(parents=True)
    shutil.copy(_DATA / "plain.cu", reference)
    shutil.copy(_DATA / "lab.py", folder)
    text = (_DATA / "lab.toml").read_text(encoding="utf-8")
    (folder / "lab.toml").write_text(change(text), encoding="utf-8")
    return load_lab(folder, reference)


def submission(lab: Lab, text: str) -> Submission:
    """A submission of the source ``text``."""
    files = (SourceFile(name="a.cu", data=text.encode()),)
    return Submission(student="ann", lab=lab.name, language=Language.CUDA_C, files=files, path="a.cu")
