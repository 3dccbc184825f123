"""The lab with elements and values of many types: its folder, its rungs, and a submission for it."""

import shutil
from pathlib import Path

from grader.labs.folder import load_lab
from grader.labs.lab import Lab
from grader.model.submission import Language, SourceFile, Submission

_DATA = Path(__file__).parent / "data" / "elements"
SOURCES = {Language.CUDA_C: "all.cu", Language.NUMBA: "all.py"}


def lab_of(root: Path) -> Lab:
    """The lab in a course at ``root``."""
    folders = {"labs": ("lab.toml", "lab.py"), "reference": ("all.cu", "all.py")}
    for folder, names in folders.items():
        (root / folder / "elements").mkdir(parents=True)
        for name in names:
            shutil.copy(_DATA / name, root / folder / "elements")
    return load_lab(root / "labs" / "elements", root / "reference" / "elements")


def submission(lab: Lab, language: Language, old: str = "", new: str = "") -> Submission:
    """The rung in ``language``, with ``new`` instead of ``old``."""
    name = SOURCES[language]
    text = (_DATA / name).read_text(encoding="utf-8")
    assert old in text
    files = (SourceFile(name=name, data=text.replace(old, new).encode()),)
    return Submission(student="ann", lab=lab.name, language=language, files=files, path=name)
