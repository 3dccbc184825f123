"""A small course with graded work, for the portal's tests, pictures and load.

Three students have submitted: ``ada`` has a build failure and then a race in ``matmul``, ``bob`` is accepted there and
wrong in ``row-sum``, ``chen`` is accepted with a slow kernel. ``dan`` has submitted nothing. ``tim`` is a teaching
assistant, ``ines`` the instructor, ``olga`` an observer.
"""

import io
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from grader.config import load
from grader.course.accounts.members import set_role
from grader.course.workspace import Workspace
from grader.policy.access import Role
from tools.paths import CHECKOUT
from tools.tar import unpack_tar


@dataclass(frozen=True, slots=True, kw_only=True)
class CoursePerson:
    """A person of the course; ``words`` are what only they and staff may see."""

    id: str
    name: str
    role: Role
    email: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """What gives the person away."""
        return tuple(filter(None, (self.name, self.email)))


PEOPLE: Mapping[str, CoursePerson] = {
    each.id: each
    for each in (
        CoursePerson(id="ada-1815", name="Ада Лавлейс", role=Role.STUDENT, email="ada@example.edu"),
        CoursePerson(id="bob-1912", name="Bob Quux-Zimmermann", role=Role.STUDENT, email="bob@example.edu"),
        CoursePerson(id="chen-1944", name="陈晨晨", role=Role.STUDENT, email="chen@example.edu"),
        CoursePerson(id="dan-1990", name="Dan <i>Qwertz</i>", role=Role.STUDENT, email="dan@example.edu"),
        CoursePerson(id="tim-1955", name="Tim Assist", role=Role.ASSISTANT),
        CoursePerson(id="ines-1936", name="Ines Lehrer", role=Role.INSTRUCTOR),
        CoursePerson(id="olga-1970", name="Olga Gast", role=Role.OBSERVER),
    )
}
"""Everybody by id."""

ADA, BOB, CHEN, DAN, TIM, INES, OLGA = PEOPLE

_ROUNDS = (
    {("matmul", ADA): "student-09.cu", ("matmul", BOB): "student-06.cu", ("row-sum", BOB): "student-04.py"},
    {("matmul", ADA): "student-05.cu", ("matmul", CHEN): "student-03.cu"},
)
"""What is graded in each round: a file of the sample class by lab and student."""

_GRADER = """
[engine]
kind = "emulator"
[jobs]
count = 1
[scoring]
modelled_speedups = true
"""

_COURSE = """
[course]
title = "GPU programming, autumn"
time_zone = "Europe/Berlin"
sections = ["A", "B"]
[late_days]
per_student = 4
[defaults]
late = "10 % a day, at most 3 days"
[labs.row-sum]
due = "2035-06-11 23:59"
[labs.matmul]
due = "2035-06-18 23:59"
attempts = "10"
[labs.reduction]
opens = "2035-06-18"
due = "2035-07-02 23:59"
"""


def prepare(folder: Path) -> None:
    """Make the course in the empty ``folder``; this grades five submissions on the emulator."""
    (folder / "grader.toml").write_text(_GRADER, encoding="utf-8")
    (folder / "course.toml").write_text(_COURSE, encoding="utf-8")
    students = [each for each in PEOPLE.values() if each.role is Role.STUDENT]
    rows = [f'{each.id},"{each.name}",{each.email},{"AB"[place % 2]}' for place, each in enumerate(students)]
    (folder / "people.csv").write_text("\n".join(["id,name,email,section", *rows]), encoding="utf-8")
    _grader(folder, "course", "roster", "people.csv")
    for number, chosen in enumerate(_ROUNDS):
        for (lab, student), file in chosen.items():
            source = CHECKOUT / "submissions" / lab / file
            target = folder / f"round-{number}" / lab / f"{student}{source.suffix}"
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
        _grader(folder, "grade", f"round-{number}", "--trust-submissions")
    for each in PEOPLE.values():
        if each.role is not Role.STUDENT:
            set_role(Workspace(config=load(folder)), each.id, each.role, each.name)


def packed(folder: Path) -> bytes:
    """The prepared course in ``folder`` as bytes, which ``unpack`` turns into a folder again."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        archive.add(folder, arcname=".")
    return content.getvalue()


def unpack(course: bytes, folder: Path) -> None:
    """Write a packed course to ``folder``."""
    unpack_tar(course, folder)


def _grader(folder: Path, *arguments: str) -> None:
    command = [sys.executable, "-c", "from grader.cli.app import main; main()", *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
