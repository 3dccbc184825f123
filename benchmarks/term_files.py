"""The files of an invented term as the course systems write them: archives of submissions, sheets of grades."""

import csv
import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from benchmarks.term_class import (
    BOUNDARIES,
    CLASS,
    EXTRA_TIME,
    LABS,
    LATE_DAYS,
    LATE_DAYS_A_LAB,
    Student,
    TermLab,
    Upload,
    uploads,
)
from grader.lms.words import System

Grades = Mapping[str, str]
"""The text in the cell of each student's grade."""


def course_toml() -> str:
    """The rules of the course."""
    dates = "".join(f'[labs.{lab.name}]\ndue = "{lab.due:%Y-%m-%d %H:%M}"\n' for lab in LABS)
    grades = "".join(f"{name} = {least}\n" for name, least in BOUNDARIES.items())
    return (
        f'[course]\ntitle = "GPU programming"\ntime_zone = "Europe/Berlin"\nsections = ["A", "B"]\n'
        f"[late_days]\nper_student = {LATE_DAYS}\nper_lab = {LATE_DAYS_A_LAB}\n"
        f'[defaults]\nlate = "10 % a day, at most 3 days"\ngrace_minutes = 10\nscores = "after due"\n'
        f'{dates}[grades]\n{grades}[[exceptions]]\nlabel = "{EXTRA_TIME}"\ndays = 1\nreason = "a disability"\n'
    )


def roster() -> str:
    """The people of the course as a plain list."""
    rows = [
        (
            *(each.id, each.name, each.email, each.section, each.team),
            EXTRA_TIME * each.has_extra_time,
            _canvas(each),
        )
        for each in CLASS
    ]
    return _csv([("id", "name", "email", "section", "groups", "labels", "canvas"), *rows])


def archive(folder: Path, lab: TermLab, *, first: bool = False) -> Path:
    """The export of a lab's submissions. ``first``: the one in which later uploads are still missing."""
    chosen = [each for each in uploads() if each.lab is lab and (each.is_first or not first)]
    latest = {each.members: each for each in chosen}
    path = folder / f"GPU26-{lab.name}-{'1' if first else '2'}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as written:
        for name, text, at in _ENTRIES[lab.system](lab, list(latest.values())):
            written.writestr(zipfile.ZipInfo(name, at.timetuple()[:6]), text, zipfile.ZIP_DEFLATED)
    return path


_Entries = list[tuple[str, str, datetime]]


def _moodle(lab: TermLab, chosen: Sequence[Upload]) -> _Entries:
    """One time for all files, that of the download: the worksheet has those of the submissions."""
    return [
        (
            f"{who.name}_{_moodle_number(lab, who)}_assignsubmission_file/{lab.file}",
            lab.content(each.kind),
            lab.due,
        )
        for each in chosen
        for who in each.members
    ]


def _canvas_entries(lab: TermLab, chosen: Sequence[Upload]) -> _Entries:
    return [
        (
            f"{who.name.lower().replace(' ', '')}_{'LATE_' * (each.at > lab.due)}{_canvas(who)}_{9000 + at}_{lab.file}",
            lab.content(each.kind),
            each.at,
        )
        for at, each in enumerate(chosen)
        for who in each.members
    ]


def _gradescope(lab: TermLab, chosen: Sequence[Upload]) -> _Entries:
    listed = "---\n"
    entries: _Entries = []
    for number, each in enumerate(chosen, 1):
        people = "".join(
            f"\n  - :name: \"{who.name}\"\n    :sid: '{who.id}'\n    :email: {who.email}"
            for who in each.members
        )
        listed += (
            f"submission_{number}:\n  :submitters:{people}\n  :created_at: {each.at:%Y-%m-%d %H:%M:%S %z}\n"
        )
        entries.append(
            (f"assignment_7_export/submission_{number}/{lab.file}", lab.content(each.kind), each.at)
        )
    return [("assignment_7_export/submission_metadata.yml", listed, lab.due), *entries]


_ENTRIES: Mapping[System, Callable[[TermLab, Sequence[Upload]], _Entries]] = {
    System.MOODLE: _moodle,
    System.CANVAS: _canvas_entries,
    System.GRADESCOPE: _gradescope,
}


def sheet(lab: TermLab, grades: Grades, *, first: bool = False) -> bytes:
    """The sheet of a lab's grades with ``grades`` in its cells."""
    return _SHEETS[lab.system](lab, grades, first)


def _worksheet(lab: TermLab, grades: Grades, first: bool) -> bytes:
    head = (
        'Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",'
        '"Last modified (submission)","Last modified (grade)","Feedback comments"\r\n'
    )
    latest = {
        who: each.at
        for each in uploads()
        if each.lab is lab and (each.is_first or not first)
        for who in each.members
    }
    lines = (
        f'Participant {_moodle_number(lab, who)},"{who.name}",{who.email},'
        f'"{"Submitted for grading" if who in latest else "No submission"} - ",{grades.get(who.id, "")},100.00,Yes,'
        f"{_moodle_time(latest.get(who))},-,\r\n"
        for who in CLASS
    )
    return (head + "".join(lines)).encode("utf-8-sig")


def _gradebook(lab: TermLab, grades: Grades, _first: bool) -> bytes:
    number = 500 + LABS.index(lab)
    head = f"Student,ID,SIS User ID,SIS Login ID,Section,{lab.name} ({number}),Warm-up (3),Current Score\r\n"
    points = "    Points Possible,,,,,100.00,10.00,(read only)\r\n"
    lines = (
        f'"{who.name}",{_canvas(who)},,{who.id},Section {who.section},{grades.get(who.id, "")},8.50,\r\n'
        for who in CLASS
    )
    return (head + points + "".join(lines)).encode()


def _grades(_lab: TermLab, grades: Grades, _first: bool) -> bytes:
    head = "First Name,Last Name,SID,Email,Total Score,Max Points,Status,Submission ID\n"
    lines = (
        f"{who.name},,{who.id},{who.email},{grades.get(who.id, '')},100.0,Graded,{2160 + who.number}\n"
        for who in CLASS
    )
    return (head + "".join(lines)).encode()


_SHEETS: Mapping[System, Callable[[TermLab, Grades, bool], bytes]] = {
    System.MOODLE: _worksheet,
    System.CANVAS: _gradebook,
    System.GRADESCOPE: _grades,
}


def _moodle_number(lab: TermLab, who: Student) -> int:
    """A participant has another number in each assignment."""
    return 7000 + 1000 * LABS.index(lab) + (who.number * 7) % len(CLASS)


def _canvas(who: Student) -> int:
    return 33000 + who.number


def _moodle_time(at: datetime | None) -> str:
    return "-" if at is None else f'"{at:%A, %-d %B %Y, %-I:%M %p}"'


def _csv(rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue()
