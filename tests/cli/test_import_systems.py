"""One class in the exports of every system: the same students with the same work, namesakes and groups included."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.cli.app import run
from grader.course.records import Records
from grader.course.workspace import open_workspace
from grader.store.people import IdSystem, Person, PersonId
from grader.store.values import SubmissionKey
from tests.labs.example_lab import folder_of_labs
from tests.lms.archives.builders import zipped


@dataclass(frozen=True)
class Student:
    """An invented student; ``number`` makes the ids of every system."""

    id: str
    name: str
    number: int

    @property
    def person(self) -> Person:
        """The student as the roster has them."""
        ids = {
            IdSystem.MOODLE: f"1{self.number:04}",
            IdSystem.CANVAS: f"2{self.number:04}",
            IdSystem.GRADESCOPE: f"{self.number:08}",
            IdSystem.BLACKBOARD: f"s_{self.number:04}",
            IdSystem.BRIGHTSPACE: f"4{self.number:04}",
            IdSystem.GITHUB: f"dev-{self.number}",
        }
        own = tuple(PersonId(system=system, value=value) for system, value in ids.items())
        return Person(id=self.id, name=self.name, email=f"{self.id}@example.edu", ids=own)

    def of(self, system: IdSystem) -> str:
        """The student's id in ``system``."""
        return next(each.value for each in self.person.ids if each.system is system)

    @property
    def work(self) -> str:
        """The student's kernel."""
        return f"// {self.name}\n__global__ void scale(const float *x, float *y, int n) {{}}\n"


CLASS = (
    Student("ada", "Ада Пример", 1),
    Student("wang-1", "王伟", 2),
    Student("wang-2", "王伟", 3),
    Student("layla", "ليلى مثال", 4),
    Student("zoe", "Zoë O'Example-Šedá", 5),
)


def moodle() -> dict[str, str]:
    return {f"{s.name}_{s.of(IdSystem.MOODLE)}_assignsubmission_file/scale.cu": s.work for s in CLASS}


def canvas() -> dict[str, str]:
    letters = {s: "".join(char for char in s.name.casefold() if char.isalnum()) for s in CLASS}
    return {f"{letters[s]}_{s.of(IdSystem.CANVAS)}_9{s.number}_scale-1.cu": s.work for s in CLASS}


def gradescope() -> dict[str, str]:
    entries = "".join(
        f"submission_{s.number}:\n  :submitters:\n  - :name: \"{s.name}\"\n    :sid: '{s.of(IdSystem.GRADESCOPE)}'\n"
        f"  :created_at: 2026-06-10 12:00:0{s.number}.5 Z\n"
        for s in CLASS
    )
    files = {f"assignment_4_export/submission_{s.number}/scale.cu": s.work for s in CLASS}
    return {"assignment_4_export/submission_metadata.yml": f"---\n{entries}", **files}


def blackboard() -> dict[str, str]:
    files: dict[str, str] = {}
    for s in CLASS:
        start = f"Lab_1_scale_{s.of(IdSystem.BLACKBOARD)}_attempt_2026-06-10-14-00-0{s.number}"
        files[f"{start}_scale.cu"] = s.work
        files[f"{start}.txt"] = (
            f"Nom : {s.name} ({s.of(IdSystem.BLACKBOARD)})\nAssignment: Lab\nDate: 10 June 2026 CEST\nMark: -\n\n"
            f"Files:\n\tOriginal filename: scale.cu\n\tFilename: {start}_scale.cu\n"
        )
    return files


def brightspace() -> dict[str, str]:
    return {
        f"{s.of(IdSystem.BRIGHTSPACE)}-77 - {s.name} - 10 juin 2026 14 h 0{s.number}/scale.cu": s.work
        for s in CLASS
    }


def github() -> dict[str, str]:
    start = "download/scale-submissions/scale-"
    files = {f"{start}{s.of(IdSystem.GITHUB)}/scale.cu": s.work for s in CLASS}
    heads = {f"{start}{s.of(IdSystem.GITHUB)}/.git/HEAD": "ref: refs/heads/main\n" for s in CLASS}
    return files | heads


def plain() -> dict[str, str]:
    return {f"{s.id}/scale.cu": s.work for s in CLASS}


@pytest.mark.parametrize("export", [moodle, canvas, gradescope, blackboard, brightspace, github, plain])
def test_a_class_is_the_same_from_every_system(
    export: Callable[[], dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder_of_labs(tmp_path)
    Path("grader.toml").write_text('[labs]\nfolders = ["labs"]\n', encoding="utf-8")
    zipped(tmp_path / "export.zip", export())
    with Records(open_workspace()) as records:
        records.store.people.put_all([student.person for student in CLASS])
    assert run(["import", "export.zip", "--lab", "scale"]) == 0
    with Records(open_workspace()) as records:
        work = {}
        for attempt in records.store.attempts.list():
            key = SubmissionKey(student=attempt.student, lab="scale", digest=attempt.submission or "")
            work[attempt.student] = {
                file.name: file.data.decode() for file in records.store.submissions.files(key)
            }
    assert work == {student.id: {"scale.cu": student.work} for student in CLASS}
