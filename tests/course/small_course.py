"""A course of one small lab on the emulator, for the tests of what students do."""

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from grader.course.submit import Submitted, submit
from grader.course.uploads import Upload, UploadedFile
from grader.course.workspace import Workspace, open_workspace
from tests.labs.example_lab import folder_of_labs

RIGHT = (
    "__global__ void scale(const float *x, float *y, int n)\n"
    "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 2 * x[i]; }\n"
)
WRONG = RIGHT.replace("2 * x", "3 * x")


def small_course(folder: Path, url: str, rules: str = "") -> Workspace:
    """The course in ``folder``, which is the current one; ``rules`` are lines of its lab in ``course.toml``."""
    folder_of_labs(folder)
    Path("reference", "scale", "global.cu").write_text(RIGHT, encoding="utf-8")
    Path("grader.toml").write_text(
        f'[labs]\nfolders = ["labs"]\n[engine]\nkind = "emulator"\n[jobs]\ncount = 1\n[store]\nurl = "{url}"\n'
        "[scoring]\nmodelled_speedups = true\n",
        encoding="utf-8",
    )
    write_rules(rules)
    return open_workspace()


def write_rules(rules: str) -> None:
    """``course.toml`` with these lines for the lab."""
    Path("course.toml").write_text(
        f'[course]\ntitle = "GPU programming"\ntime_zone = "Europe/Berlin"\n[labs.scale]\n{rules}\n',
        encoding="utf-8",
    )


def upload(text: str = RIGHT, name: str = "scale.cu", lab: str = "scale") -> Upload:
    """One source file."""
    return Upload(files=(UploadedFile(name=name, data=text.encode()),), lab=lab)


def send(workspace: Workspace, text: str = RIGHT, student: str = "ada", key: str = "") -> Submitted:
    """Submit one source file."""
    return submit(workspace, student, upload(text), key=key)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip file with ``files``."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


def tarred(files: Mapping[str, bytes], mode: Literal["w", "w:gz", "w:xz", "w:bz2"] = "w:gz") -> bytes:
    """A tar file with ``files``."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode=mode) as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return content.getvalue()
