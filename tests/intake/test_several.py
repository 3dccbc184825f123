"""Several files of one student: the newest is graded, the others are named; none is ``not gradable``."""

import os
from pathlib import Path

import pytest

from grader.config.settings import LimitSettings
from grader.intake import FileRule, Intake, LabRules, collect
from grader.intake.several import modified
from grader.intake.tree import Entry, Folder, Kind
from grader.model.reason import reason
from grader.model.submission import Language
from grader.model.verdict import Verdict
from tools.messages import english

CUDA = "__global__ void f() {}"
NUMBA = "from numba import cuda"


def write(path: Path, content: str = "x", *, at: int = 1000) -> Path:
    """A file that was last written ``at`` this many seconds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    os.utime(path, (at, at))
    return path


def found(path: Path, *patterns: str) -> Intake:
    rules = LabRules(files=lambda _: FileRule(patterns))
    return collect(path, labs=["matmul"], limits=LimitSettings(), rules=rules)


def files(intake: Intake) -> list[str]:
    assert intake.rejected == ()
    (submission,) = intake.submissions
    return [file.name for file in submission.files]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("bob.cu", "bob.py"),
        ("bob.py", "bob.cu"),
        ("bob.cu", "bob.CU"),
        ("bob.cu", "bob/a.cu"),
        ("bob/a.cu", "bob.cu"),
        ("Zo\u00eb.cu", "Zoe\u0308.py"),
    ],
)
def test_the_newest_of_one_students_files_is_graded(tmp_path: Path, old: str, new: str) -> None:
    write(tmp_path / "matmul" / old, at=1000)
    write(tmp_path / "matmul" / new, at=2000)
    intake = found(tmp_path)
    assert files(intake) == [Path(new).name]
    (warning,) = intake.warnings
    shown_old, shown_new = old.split("/", maxsplit=1)[0], new.split("/", maxsplit=1)[0]
    assert warning.code == "newest-graded"
    assert warning.params["path"] == f"{tmp_path}/matmul/{shown_new}"
    assert warning.params["others"] == (shown_old,)


def test_three_candidates_are_one_submission_and_one_warning(tmp_path: Path) -> None:
    for at, name in enumerate(["bob.cu", "bob.py", "bob/a.cu"], start=1):
        write(tmp_path / "matmul" / name, at=at)
    intake = found(tmp_path)
    assert files(intake) == ["a.cu"]
    (warning,) = intake.warnings
    assert warning.params["others"] == ("bob.cu", "bob.py")


def test_equally_new_files_are_chosen_by_name(tmp_path: Path) -> None:
    for name in ["bob.py", "bob.cu"]:
        write(tmp_path / "matmul" / name)
    assert files(found(tmp_path)) == ["bob.cu"]


def test_a_newer_link_never_replaces_a_file(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside.py", at=9000)
    write(tmp_path / "class" / "matmul" / "bob.cu")
    (tmp_path / "class" / "matmul" / "bob.py").symlink_to(outside)
    intake = found(tmp_path / "class")
    assert files(intake) == ["bob.cu"]
    assert intake.warnings[0].params["others"] == ("bob.py",)


def test_the_time_of_a_links_target_is_not_read(tmp_path: Path) -> None:
    write(tmp_path / "outside", at=9000)
    (tmp_path / "link").symlink_to("outside")
    os.utime(tmp_path / "link", (5, 5), follow_symlinks=False)
    with Folder.at(tmp_path) as folder:
        assert modified(folder, Entry("link", Kind.LINK)) == 5 * 10**9


def test_a_file_that_vanishes_is_the_oldest(tmp_path: Path) -> None:
    with Folder.at(tmp_path) as folder:
        assert modified(folder, Entry("gone", Kind.FOLDER)) == 0


def test_a_folder_nested_without_end_does_not_stop_the_choice(tmp_path: Path) -> None:
    write(tmp_path / "matmul" / "bob" / ("d/" * 20) / "a.cu", at=10)
    os.utime(tmp_path / "matmul" / "bob", (10, 10))
    write(tmp_path / "matmul" / "bob.cu", at=20)
    assert files(found(tmp_path)) == ["bob.cu"]


class TestTwoLanguagesInAFolder:
    """The newest file that has a kernel decides about the language; the others are named."""

    @pytest.mark.parametrize(
        ("times", "language"),
        [((1, 2), Language.NUMBA), ((2, 1), Language.CUDA_C)],
    )
    def test_the_newest_kernel_decides(
        self, tmp_path: Path, times: tuple[int, int], language: Language
    ) -> None:
        write(tmp_path / "matmul" / "bob" / "a.cu", CUDA, at=times[0])
        write(tmp_path / "matmul" / "bob" / "a.py", NUMBA, at=times[1])
        intake = found(tmp_path)
        assert intake.submissions[0].language is language
        assert len(intake.warnings) == 1

    def test_a_newer_script_without_a_kernel_does_not(self, tmp_path: Path) -> None:
        write(tmp_path / "matmul" / "bob" / "a.cu", CUDA, at=1)
        write(tmp_path / "matmul" / "bob" / "plot.py", "import matplotlib", at=2)
        intake = found(tmp_path)
        assert files(intake) == ["a.cu"]
        assert "plot.py" in english(intake.warnings[0])

    def test_without_any_kernel_the_newest_file_decides(self, tmp_path: Path) -> None:
        write(tmp_path / "matmul" / "bob" / "a.cu", at=1)
        write(tmp_path / "matmul" / "bob" / "a.py", at=2)
        assert files(found(tmp_path)) == ["a.py"]

    def test_an_enormous_file_is_not_read_for_it(self, tmp_path: Path) -> None:
        write(tmp_path / "matmul" / "bob" / "a.cu", CUDA, at=1)
        with write(tmp_path / "matmul" / "bob" / "b.py").open("wb") as file:
            file.truncate(1 << 40)
        assert files(found(tmp_path)) == ["a.cu"]


class TestARule:
    """``files`` of a lab or a course says which source files belong to a submission."""

    def test_a_second_kernel_file_of_a_repository_is_left_out(self, tmp_path: Path) -> None:
        for name in ["src/matmul.cu", "src/tile.cuh", "old/matmul.cu", "README.md", "tools/plot.py"]:
            write(tmp_path / "matmul" / "bob" / name)
        intake = found(tmp_path, "src/*.cu")
        assert files(intake) == ["src/matmul.cu", "src/tile.cuh"]
        assert [str(warning.params["path"]).rsplit("bob/")[1] for warning in intake.warnings] == [
            "old/matmul.cu",
            "tools/plot.py",
        ]

    def test_a_folder_where_nothing_matches_names_the_rule(self, tmp_path: Path) -> None:
        write(tmp_path / "matmul" / "bob" / "matmul.cu")
        (rejected,) = found(tmp_path, "src/*.cu", "kernels/**").rejected
        assert rejected.verdict is Verdict.FAILED_TO_BUILD
        assert rejected.reason == reason("no-file-taken", patterns=("src/*.cu", "kernels/**"))

    def test_a_file_alone_is_compared_by_suffix(self, tmp_path: Path) -> None:
        write(tmp_path / "matmul" / "bob.cu")
        write(tmp_path / "matmul" / "eve.py")
        intake = found(tmp_path, "src/kernel.cu")
        assert [submission.student for submission in intake.submissions] == ["bob"]
        (rejected,) = intake.rejected
        assert (rejected.student, rejected.verdict) == ("eve", Verdict.FAILED_TO_BUILD)

    def test_a_rule_decides_between_candidates_before_time_does(self, tmp_path: Path) -> None:
        write(tmp_path / "matmul" / "bob.cu", at=1)
        write(tmp_path / "matmul" / "bob.py", at=2)
        intake = found(tmp_path, "*.cu")
        assert files(intake) == ["bob.cu"]
        assert intake.warnings[0].code == "only-taken-graded"

    @pytest.mark.parametrize(
        ("pattern", "name", "taken"),
        [
            ("src/*.cu", "src/a.cu", True),
            ("src/*.cu", "SRC/A.CU", True),
            ("src/*.cu", "src/inner/a.cu", False),
            ("src/*.cu", "a.cu", False),
            ("**/*.cu", "a.cu", True),
            ("**/*.cu", "x/y/a.cu", True),
            ("src/**", "src/x/a.cu", True),
            ("kernel?.cu", "kernel1.cu", True),
            ("kernel?.cu", "kernel/.cu", False),
            ("a+b[1].cu", "a+b[1].cu", True),
            ("a+b[1].cu", "aab1.cu", False),
            ("*.cu", "two\nlines.cu", True),
        ],
    )
    def test_patterns_match_within_a_name_and_across_folders(
        self, pattern: str, name: str, *, taken: bool
    ) -> None:
        assert FileRule((pattern,)).takes(name) is taken


@pytest.mark.parametrize(
    ("host_code", "patterns", "taken"),
    [
        (True, (), ["add.cu", "add.h", "main.cpp", "more/io.c"]),
        (False, (), ["add.cu", "add.h"]),
        (True, ("*.cu", "*.cpp"), ["add.cu", "add.h", "main.cpp"]),
    ],
)
def test_host_code_of_a_folder_belongs_to_whole_programs(
    patterns: tuple[str, ...], taken: list[str], tmp_path: Path, *, host_code: bool
) -> None:
    for name in ("add.cu", "add.h", "main.cpp", "more/io.c", "notes.txt"):
        write(tmp_path / "matmul" / "bob" / name)
    rules = LabRules(files=lambda _: FileRule(patterns, host_code=host_code))
    assert files(collect(tmp_path, labs=["matmul"], limits=LimitSettings(), rules=rules)) == taken
