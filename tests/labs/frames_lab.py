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


BODIES = {
    Language.CUDA_C: """// the rest is the lab's
float three = 3;
if (i < 0) {
    return 0;
}
return three * x + i;
""",
    Language.NUMBA: """    # the rest is the lab's
    three = float32(3)
    if i < 0:
        return float32(0)
    return three * x + i
""",
}
"""The statements of the function ``mapped``, as students write them where the frame has its signature."""


def body_lab_of(root: Path) -> Lab:
    """The lab where the only function is ``mapped`` by its body, in a course at ``root``."""

    def change(folder: Path) -> None:
        manifest = folder / "lab.toml"
        text = manifest.read_text(encoding="utf-8")
        combine = text.index('[[frame]]\nname = "combine"')
        text = text[:combine] + text[text.index("[[kernels]]") :]
        kernel = text.index('[[kernels]]\nname = "sums"')
        text = text[:kernel] + text[text.index("[[rungs]]") :]
        text = text.replace('returns = "float32"', 'returns = "float32"\nbody = true')
        manifest.write_text(text.replace('["map_all", "sums"]', '["map_all"]'), encoding="utf-8")
        for name, end in (("kernels.cu", "__global__ void sums"), ("kernels.py", "@cuda.jit\ndef sums")):
            frame = folder / "frame" / name
            kernels = frame.read_text(encoding="utf-8")
            frame.write_text(
                kernels[: kernels.index(end)].replace("import combine, mapped", "import mapped"),
                encoding="utf-8",
            )
        for language, name in ((Language.CUDA_C, "plain.cu"), (Language.NUMBA, "plain.py")):
            (root / "reference" / "frames" / name).write_text(BODIES[language], encoding="utf-8")

    return lab_of(root, change)


def submission(lab: Lab, language: Language, text: str, **others: str) -> Submission:
    """A submission of the source ``text``, and of ``others`` by their names without a suffix."""
    suffix = _NAMES[language][1:]
    texts = {_NAMES[language]: text} | {f"{name}{suffix}": each for name, each in others.items()}
    files = tuple(SourceFile(name=name, data=each.encode()) for name, each in texts.items())
    return Submission(student="ann", lab=lab.name, language=language, files=files, path=_NAMES[language])
