"""Submissions are found in every layout, in a fixed order, and stray files are named."""

from pathlib import Path

import pytest

from grader.config.settings import LimitSettings
from grader.errors import UserError
from grader.intake import Intake, LabRules, collect
from grader.model.reason import reason
from grader.model.submission import Language

LABS = ["matmul", "row-sum", "transpose"]


def write(path: Path, content: str | bytes = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def found(path: Path, lab: str | None = None) -> Intake:
    return collect(path, labs=LABS, lab=lab, limits=LimitSettings())


def who(intake: Intake) -> list[tuple[str, str]]:
    return [(submission.lab, submission.student) for submission in intake.submissions]


def test_files_and_folders_of_every_lab_come_in_natural_order(tmp_path: Path) -> None:
    for name in ["row-sum/student-10.cu", "row-sum/student-9.py", "row-sum/student-2/a.cu", "matmul/zoe.cu"]:
        write(tmp_path / name)
    intake = found(tmp_path)
    assert who(intake) == [
        ("matmul", "zoe"),
        ("row-sum", "student-2"),
        ("row-sum", "student-9"),
        ("row-sum", "student-10"),
    ]
    assert intake.warnings == ()
    assert intake.rejected == ()


def test_a_file_is_kept_byte_for_byte_with_language_and_path(tmp_path: Path) -> None:
    path = write(tmp_path / "matmul" / "student-01.PY", b"caf\xe9\r\n\0")
    (submission,) = found(tmp_path).submissions
    assert submission.language is Language.NUMBA
    assert submission.path == str(path)
    assert [(file.name, file.data) for file in submission.files] == [("student-01.PY", b"caf\xe9\r\n\0")]


def test_an_empty_file_is_a_submission(tmp_path: Path) -> None:
    write(tmp_path / "matmul" / "student-01.cu", "")
    (submission,) = found(tmp_path).submissions
    assert submission.files[0].data == b""


def test_headers_and_subfolders_belong_to_the_submission(tmp_path: Path) -> None:
    for name in ["b.cu", "a.cuh", "include/x.h", "include/y.hpp", "src/z.cu"]:
        write(tmp_path / "matmul" / "student-01" / name, name)
    (submission,) = found(tmp_path).submissions
    assert [file.name for file in submission.files] == [
        "a.cuh",
        "b.cu",
        "include/x.h",
        "include/y.hpp",
        "src/z.cu",
    ]
    assert all(file.data.decode() == file.name for file in submission.files)
    assert submission.language is Language.CUDA_C


def test_stray_files_are_named_and_skipped(tmp_path: Path) -> None:
    for name in [
        "matmul/student-01.cu",
        "matmul/README.md",
        "matmul/helper.cuh",
        "matmul/student-02/a.py",
        "matmul/student-02/data.bin",
        "matmul/student-02/x.h",
        "lost.cu",
        "notes.txt",
        "matmull/student-01.cu",
        "exam/student-01.cu",
    ]:
        write(tmp_path / name)
    intake = found(tmp_path)
    assert who(intake) == [("matmul", "student-01"), ("matmul", "student-02")]
    warnings = {
        str(warning.params["path"]).removeprefix(f"{tmp_path}/"): warning for warning in intake.warnings
    }
    assert {path: warning.code for path, warning in warnings.items()} == {
        "matmul/README.md": "file-of-no-student",
        "matmul/helper.cuh": "file-of-no-student",
        "matmul/student-02/data.bin": "file-of-no-submission",
        "matmul/student-02/x.h": "file-of-no-submission",
        "lost.cu": "file-of-no-lab",
        "notes.txt": "file-of-no-lab",
        "matmull": "folder-of-no-lab-similar",
        "exam": "folder-of-no-lab",
    }
    assert warnings["matmull"].params["similar"] == "matmul"
    assert warnings["exam"].params["labs"] == tuple(LABS)


def test_a_folder_of_a_broken_lab_says_that_it_is_broken(tmp_path: Path) -> None:
    for name in ["matmul/student-01.cu", "exam/student-01.cu", "other/student-01.cu"]:
        write(tmp_path / name)
    rules = LabRules(is_broken=lambda name: name == "exam")
    intake = collect(tmp_path, labs=LABS, limits=LimitSettings(), rules=rules)
    assert who(intake) == [("matmul", "student-01")]
    broken, unknown = intake.warnings
    assert broken == reason("folder-of-broken-lab", path=f"{tmp_path}/exam")
    assert unknown.code == "folder-of-no-lab"


def test_readme_toml_and_hidden_files_are_skipped_silently(tmp_path: Path) -> None:
    for name in [
        "README.md",
        "README",
        "expected.toml",
        ".gitkeep",
        "matmul/.gitkeep",
        "matmul/s/.git/config",
    ]:
        write(tmp_path / name)
    for name in [
        "matmul/s/a.py",
        "matmul/s/__pycache__/a.pyc",
        "matmul/__pycache__/b.pyc",
        "row-sum/.DS_Store",
    ]:
        write(tmp_path / name)
    intake = found(tmp_path)
    assert who(intake) == [("matmul", "s")]
    assert intake.warnings == ()


def test_files_of_archivers_and_file_managers_are_ignored(tmp_path: Path) -> None:
    real = ["row-sum/eve.cu", "row-sum/__MACOSX.cu", "row-sum/zoe/a.cu"]
    clutter = [
        "__MACOSX/row-sum/._eve.cu",
        "row-sum/__MACOSX/._eve.cu",
        "row-sum/__MACOSX/eve.cu",
        "row-sum/._eve.cu",
        "row-sum/.DS_Store",
        "row-sum/Thumbs.db",
        "row-sum/desktop.ini",
        "row-sum/zoe/__MACOSX/._a.cu",
        "row-sum/zoe/._a.cu",
        "row-sum/zoe/thumbs.db",
    ]
    for name in [*real, *clutter]:
        write(tmp_path / name)
    intake = found(tmp_path)
    assert who(intake) == [("row-sum", "__MACOSX"), ("row-sum", "eve"), ("row-sum", "zoe")]
    assert [file.name for file in intake.submissions[2].files] == ["a.cu"]
    assert (intake.rejected, intake.warnings) == ((), ())


def test_apparent_second_downloads_are_graded_with_one_warning(tmp_path: Path) -> None:
    for name in ["Eve.cu", "eve (1).cu", "zoe.py", "zoe(2)/a.py", "ann (1).cu", "bob 1.cu", "bob.cu"]:
        write(tmp_path / "row-sum" / name)
    intake = found(tmp_path)
    assert len(intake.submissions) == 7
    (warning,) = intake.warnings
    assert (warning.code, warning.params["path"]) == ("maybe-second-submissions", f"{tmp_path}/row-sum")
    assert warning.nested() == (
        reason("file-beside", file="eve (1).cu", other="Eve.cu"),
        reason("file-beside", file="zoe(2)", other="zoe.py"),
    )


def test_many_stray_files_are_counted_not_listed(tmp_path: Path) -> None:
    write(tmp_path / "matmul" / "student-01" / "a.cu")
    for number in range(500):
        write(tmp_path / "matmul" / "student-01" / f"{number}.log")
        write(tmp_path / "matmul" / f"{number}.log")
    warnings = found(tmp_path).warnings
    assert len(warnings) == 22
    assert reason("more-files-skipped", path=f"{tmp_path}/matmul/student-01", count=490) in warnings


class TestWhatAPathMeans:
    """A path may be a class, a lab's folder, or one student's folder or file."""

    def test_one_labs_folder(self, tmp_path: Path) -> None:
        write(tmp_path / "row-sum" / "student-01.cu")
        write(tmp_path / "matmul" / "student-02.cu")
        assert who(found(tmp_path / "row-sum")) == [("row-sum", "student-01")]

    def test_one_lab_of_a_class(self, tmp_path: Path) -> None:
        for name in ["row-sum/student-01.cu", "matmul/student-02.cu", "exam/x.cu", "lost.cu"]:
            write(tmp_path / name)
        intake = found(tmp_path, "row-sum")
        assert who(intake) == [("row-sum", "student-01")]
        assert intake.warnings == ()

    def test_one_students_folder(self, tmp_path: Path) -> None:
        write(tmp_path / "row-sum" / "student-01" / "main.cu")
        write(tmp_path / "row-sum" / "student-01" / "more.cu")
        (submission,) = found(tmp_path / "row-sum" / "student-01").submissions
        assert (submission.lab, submission.student, len(submission.files)) == ("row-sum", "student-01", 2)

    def test_one_students_file(self, tmp_path: Path) -> None:
        assert who(found(write(tmp_path / "row-sum" / "student-01.cu"))) == [("row-sum", "student-01")]

    def test_the_current_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(tmp_path / "row-sum" / "student-01" / "main.cu")
        monkeypatch.chdir(tmp_path / "row-sum" / "student-01")
        assert who(found(Path())) == [("row-sum", "student-01")]
        assert who(found(Path(".."))) == [("row-sum", "student-01")]

    def test_a_file_called_after_its_lab(self, tmp_path: Path) -> None:
        assert who(found(write(tmp_path / "row_sum.py"))) == [("row-sum", "row_sum")]

    def test_a_folder_with_a_file_called_after_its_lab(self, tmp_path: Path) -> None:
        write(tmp_path / "mine" / "row_sum.cu")
        write(tmp_path / "mine" / "helper.cuh")
        assert who(found(tmp_path / "mine")) == [("row-sum", "mine")]

    def test_a_file_of_any_name_for_the_lab_that_is_named(self, tmp_path: Path) -> None:
        path = write(tmp_path / "transpose" / "solution.cu")
        assert who(found(path, "matmul")) == [("matmul", "solution")]

    def test_a_folder_of_students_for_the_lab_that_is_named(self, tmp_path: Path) -> None:
        write(tmp_path / "downloads" / "anna.cu")
        write(tmp_path / "downloads" / "bert" / "x.cu")
        assert who(found(tmp_path / "downloads", "matmul")) == [("matmul", "anna"), ("matmul", "bert")]

    def test_a_folder_with_headers_is_one_students_if_a_lab_is_given(self, tmp_path: Path) -> None:
        write(tmp_path / "mine" / "main.cu")
        write(tmp_path / "mine" / "tiles.cuh")
        assert who(found(tmp_path / "mine", "matmul")) == [("matmul", "mine")]

    def test_a_link_that_a_person_names_is_followed(self, tmp_path: Path) -> None:
        write(tmp_path / "real" / "row-sum" / "student-01.cu")
        (tmp_path / "class").symlink_to("real")
        (tmp_path / "me.cu").symlink_to("real/row-sum/student-01.cu")
        assert who(found(tmp_path / "class")) == [("row-sum", "student-01")]
        assert who(found(tmp_path / "me.cu", "matmul")) == [("matmul", "me")]


class TestNothingToGrade:
    """A path without a submission gets one line that says what to do."""

    def complaint(self, path: Path, lab: str | None = None) -> str:
        with pytest.raises(UserError) as caught:
            found(path, lab)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    def test_an_unknown_lab_gets_the_nearest_or_all(self, tmp_path: Path) -> None:
        assert self.complaint(tmp_path, "rowsum") == "There is no lab called rowsum. Did you mean row-sum?"
        assert self.complaint(tmp_path, "xyz").endswith("The labs are: matmul, row-sum, transpose.")

    @pytest.mark.parametrize("inside", [[], ["README.md"], ["matmul/.gitkeep"], ["matmul/notes.txt"]])
    def test_an_empty_class(self, tmp_path: Path, inside: list[str]) -> None:
        for name in inside:
            write(tmp_path / name)
        said = self.complaint(tmp_path)
        assert said.startswith(
            f"There is no submission at {tmp_path}. Expected files such as matmul/STUDENT.cu"
        )

    def test_a_class_of_unknown_labs_only_names_one(self, tmp_path: Path) -> None:
        write(tmp_path / "row_sum" / "student-01.cu")
        assert self.complaint(tmp_path).endswith("the most similar one is row-sum.")

    def test_a_missing_path(self, tmp_path: Path) -> None:
        assert "nowhere cannot be read: No such file or directory." in self.complaint(tmp_path / "nowhere")

    def test_a_circle_of_links(self, tmp_path: Path) -> None:
        (tmp_path / "a").symlink_to("b")
        (tmp_path / "b").symlink_to("a")
        assert "cannot be read" in self.complaint(tmp_path / "a")

    def test_a_file_that_nothing_says_the_lab_of(self, tmp_path: Path) -> None:
        said = self.complaint(write(tmp_path / "solution.cu"))
        assert "The lab of solution.cu is unknown" in said
        assert "--lab" in said

    def test_a_file_in_no_language(self, tmp_path: Path) -> None:
        assert "CUDA C (.cu) or Numba (.py)" in self.complaint(write(tmp_path / "matmul" / "a.txt"))


class TestDuplicateNames:
    """Names that differ and read alike are all rejected; they may be two students, or a claim to another's name."""

    @pytest.mark.parametrize(
        ("first", "second"),
        [("Anna", "anna"), ("Zo\u00eb", "zo\u00cb"), ("Straße", "STRASSE")],
    )
    def test_names_that_read_alike_are_both_rejected(self, tmp_path: Path, first: str, second: str) -> None:
        write(tmp_path / "matmul" / f"{first}.cu")
        write(tmp_path / "matmul" / f"{second}.cu")
        intake = found(tmp_path)
        assert intake.submissions == ()
        assert {rejected.student for rejected in intake.rejected} == {first, second}

    def test_a_name_cannot_be_claimed_by_spelling_out_its_bytes(self, tmp_path: Path) -> None:
        write(tmp_path / "matmul" / "caf\udce9.cu")
        write(tmp_path / "matmul" / "caf\\xe9.cu")
        (rejected,) = found(tmp_path).rejected
        assert rejected.student == r"caf\xe9"

    def test_one_student_may_submit_for_two_labs(self, tmp_path: Path) -> None:
        write(tmp_path / "matmul" / "student-01.cu")
        write(tmp_path / "row-sum" / "student-01.py")
        assert who(found(tmp_path)) == [("matmul", "student-01"), ("row-sum", "student-01")]


@pytest.mark.parametrize("name", ["class.zip", "ada.tar.gz"])
def test_an_archive_is_one_for_the_import(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(UserError, match="grader import"):
        collect(tmp_path / name, labs=["matmul"], limits=LimitSettings())
