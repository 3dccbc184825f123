"""A small course with a lab that changes after it was graded, for the tests of regrades."""

import json
from pathlib import Path

from grader.cli.app import run
from tests.labs.example_lab import folder_of_labs

RIGHT = (
    "__global__ void scale(const float *x, float *y, int n)\n"
    "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 2 * x[i]; }\n"
)
WRONG = RIGHT.replace("2 * x", "3 * x")
STUDENTS = {"ada": RIGHT, "bob": WRONG, "cyd": RIGHT + "// mine\n"}
MANIFEST = Path("labs", "scale", "lab.toml")


def set_up(folder: Path, url: str) -> None:
    """Write the course into ``folder``, which is the current one, and grade it."""
    folder_of_labs(folder)
    Path("reference", "scale", "global.cu").write_text(RIGHT, encoding="utf-8")
    write_config(url)
    for student, text in STUDENTS.items():
        write(student, text)
    grade()


def write(student: str, text: str) -> None:
    """The file that ``student`` submits."""
    file = Path("class", "scale", f"{student}.cu")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def write_config(url: str, correctness: int | None = None) -> None:
    """``grader.toml`` with the points of the lab's rubric line, if they differ from the lab's own."""
    points = "" if correctness is None else f"[labs.scale.rubric]\ncorrectness = {correctness}\n"
    text = (
        f'[labs]\nfolders = ["labs"]\n[scoring]\nmodelled_speedups = true\n[store]\nurl = "{url}"\n{points}'
    )
    Path("grader.toml").write_text(text, encoding="utf-8")


def grade(*options: str) -> None:
    """Grade the class."""
    assert run(["grade", "class", "--engine", "emulator", "--trust-submissions", *options]) == 0


def scores() -> dict[str, float]:
    """What the results file of the course says."""
    reports = json.loads(Path("results", "results.json").read_bytes())["reports"]
    return {report["student"]: report["score"] for report in reports}
