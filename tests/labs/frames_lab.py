"""The lab with a frame: its folder, its rungs, and a submission for it."""

import shutil
from collections.abc import Callable
from pathlib import Path

from grader.labs.folder import load_lab
from grader.labs.lab import Lab
from grader.model.submission import Language, SourceFile, Submission

_DATA = Path(__file__).parent / "data" / "frames"
RUNGS = {
    Language.CUDA_C: (_DATA / "plain.cu").read_text(encoding="utf-8"),
    Language.NUMBA: (_DATA / "plain.py").read_text(encoding="utf-8"),
}
_NAMES = {Language.CUDA_C: "a.cu", Language.NUMBA: "a.py"}


def lab_of(root: Path, change: Callable[[Path], object] = lambda folder: folder) -> Lab:
    """The lab in a course at ``root``; ``change`` is applied to its folder. Raises: ``ManifestError``."""
    folder, reference = root / "assignments" / "frames", root / "reference" / "frames"
    reference.mkdir(parents=True)
    shutil.copytree(_DATA, folder)
    for name in ("plain.cu", "plain.py"):
        shutil.move(folder / name, reference)
    change(folder)
    return load_lab(folder, reference)


def submission(lab: Lab, language: Language, text: str, **others: str) -> Submission:
    """A submission of the source ``text``, and of ``others`` by their names without a suffix."""
    suffix = _NAMES[language][1:]
    texts = {_NAMES[language]: text} | {f"{name}{suffix}": each for name, each in others.items()}
    files = tuple(SourceFile(name=name, data=each.encode()) for name, each in texts.items())
    return Submission(student="ann", lab=lab.name, language=language, files=files, path=_NAMES[language])
