"""``grader similar`` from submissions to pairs: in a folder, in the store, with former terms, and compiled."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from grader.cli.app import run
from grader.course.workspace import open_workspace
from grader.model.submission import Language, SourceFile, Submission
from grader.store.people import Person
from grader.store.sql_store import open_store
from tests.similarity.sources import DIRECT, NUMBA, ORIGINAL
from tools.paths import CHECKOUT

RENAMED = ORIGINAL.replace("sum", "total").replace("a_tile", "left").replace("row", "y")
SAMPLE = CHECKOUT / "submissions" / "matmul" / "student-06.cu"
CLASS = {"ada.cu": ORIGINAL, "ben.cu": RENAMED, "cem.cu": DIRECT, "dov.py": NUMBA}

ADD = """\
__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n; i += gridDim.x * blockDim.x) {
        float sum = sqrtf(a[i] * a[i]) + 0.25f * b[i];
        if (a[i] < 0) sum = b[i] - sqrtf(a[i] * a[i]);
        else sum = sum + 0.75f * b[i];
        c[i] = sum;
    }
}
"""
ADD_DISGUISED = """\
__global__ void vector_add(const float *x, const float *y, float *z, int n) {
  int j = threadIdx.x + blockDim.x * blockIdx.x; // mine
  while (j < n) {
    float r = sqrtf(x[j] * x[j]) + 0.25f * y[j];
    if (x[j] < 0) { r = y[j] - sqrtf(x[j] * x[j]); } else { r = r + 0.75f * y[j]; }
    z[j] = r;
    j += blockDim.x * gridDim.x;
  }
}
"""
ADD_NUMBA = """\
import math
from numba import cuda, float32


@cuda.jit
def vector_add(a, b, c, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        total = math.sqrt(a[i] * a[i]) + float32(0.25) * b[i]
        if a[i] < 0:
            total = b[i] - math.sqrt(a[i] * a[i])
        else:
            total = total + float32(0.75) * b[i]
        c[i] = total
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("matmul", CLASS)


def write(folder: str, sources: dict[str, str]) -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in sources.items():
        Path(folder, name).write_text(text, encoding="utf-8")


def similar(*options: str) -> dict[str, Any]:
    """The report of a comparison."""
    assert run(["similar", "matmul", *options, "--json", "similar.json"]) == 0
    report: dict[str, Any] = json.loads(Path("similar.json").read_text("utf-8"))["report"]
    return report


def received(student: str, text: str) -> None:
    """Store ``text`` as a submission."""
    file = SourceFile(name="matmul.cu", data=text.encode())
    submission = Submission(
        student=student, lab="matmul", language=Language.CUDA_C, files=(file,), path=f"{student}.cu"
    )
    store = open_store(open_workspace().config)
    store.submissions.put(submission, datetime.now(UTC))
    store.close()


def students(report: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["first"]["student"], each["second"]["student"]) for each in report["pairs"]]


def test_a_renamed_copy_in_a_folder_is_found() -> None:
    report = similar("matmul", "--tokens-only")
    assert students(report)[0] == ("ada", "ben")
    assert report["pairs"][0]["measures"][0]["similarity"] > 0.95


def test_pages_are_written_for_each_pair(capsys: pytest.CaptureFixture[str]) -> None:
    similar("matmul", "--tokens-only", "--html", "pages", "--language", "ru")
    names = sorted(path.name for path in Path("pages").iterdir())
    assert names[0] == "001-ada-ben.html"
    assert names[-1] == "index.html"
    assert 'lang="ru"' in Path("pages", "001-ada-ben.html").read_text("utf-8")
    assert "ada" in capsys.readouterr().out


def test_the_store_gives_the_newest_submission_of_each_student() -> None:
    received("ada", DIRECT)
    received("ada", ORIGINAL)
    received("ben", RENAMED)
    report = similar("--tokens-only")
    assert students(report) == [("ada", "ben")]
    assert report["works"] == 2


def test_a_former_term_is_matched_from_its_backup() -> None:
    received("old", DIRECT)
    assert run(["backup", "2025.zip"]) == 0
    Path("grader.toml").write_text('[store]\nurl = "sqlite:///new.sqlite"\n', encoding="utf-8")
    report = similar("matmul", "--tokens-only", "--background", "2025.zip")
    former = [each["second"] for each in report["pairs"] if each["second"]["term"]]
    assert {(each["student"], each["term"]) for each in former} == {("old", "2025.zip")}


def test_members_of_a_group_are_no_pair() -> None:
    store = open_store(open_workspace().config)
    store.people.put_all([Person(id=name, groups=("g1",)) for name in ("ada", "ben")])
    store.close()
    assert ("ada", "ben") not in students(similar("matmul", "--tokens-only"))


def test_a_former_term_is_matched_from_its_folder() -> None:
    write("2025/matmul", {"old.cu": DIRECT, "older.cu": DIRECT})
    report = similar("matmul", "--tokens-only", "--background", "2025")
    former = [each for each in report["pairs"] if each["second"]["term"]]
    assert {(each["first"]["student"], each["second"]["student"]) for each in former} >= {("cem", "old")}
    assert ("old", "older") not in students(report)
    assert report["background"] == 2


def test_a_path_that_is_no_term_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("notes.txt").write_text("hello", encoding="utf-8")
    assert run(["similar", "matmul", "matmul", "--background", "notes.txt"]) == 2
    assert "grader backup" in capsys.readouterr().err


def test_a_renamed_copy_in_the_sample_class_is_found() -> None:
    copied = re.sub(r"\b(sums?|acc\w*|row\d?|col\d?|step|t[xy]|i|j)\b", r"\1_mine", SAMPLE.read_text("utf-8"))
    write("sample/matmul", {"copy.cu": copied})
    for path in SAMPLE.parent.iterdir():
        Path("sample/matmul", path.name).write_bytes(path.read_bytes())
    report = similar("sample/matmul", "--tokens-only")
    assert students(report)[0] == ("copy", SAMPLE.stem)
    assert report["pairs"][0]["measures"][0]["deviation"] > 3.5


def test_one_submission_is_no_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    write("alone/matmul", {"ada.cu": ORIGINAL})
    assert run(["similar", "matmul", "alone/matmul", "--tokens-only"]) == 2
    assert "matmul" in capsys.readouterr().err


def test_compiled_submissions_are_compared_by_their_instructions() -> None:
    """One student renames and reorders, another translates to Numba; the rest of the class wrote its own."""
    write("compiled/vector-add", {"ada.cu": ADD, "ben.cu": ADD_DISGUISED, "dov.py": ADD_NUMBA})
    assert run(["similar", "vector-add", "compiled", "--trust-submissions", "--json", "similar.json"]) == 0
    report = json.loads(Path("similar.json").read_text("utf-8"))["report"]
    views = {
        (each["first"]["student"], each["second"]["student"]): {
            measure["view"]: measure["similarity"] for measure in each["measures"]
        }
        for each in report["pairs"]
    }
    assert views["ada", "ben"]["ptx"] == 1.0
    assert views["ada", "ben"].get("tokens", 0.0) < 0.5
    assert views["ada", "dov"].keys() == {"operations"}
