"""One play of an invented term by the commands of ``grader``, each checked; a disturbed one is killed on its way."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.term_class import BOUNDARIES, CLASS, DECIDED, LABS, Points, TermLab, expected, uploads_of
from benchmarks.term_files import archive, course_toml, roster, sheet
from grader.lms.words import System
from tools.paths import CHECKOUT

CHANGED_LAB, CHANGED_POINTS = "row-sum", 45
"""The lab with other points for right results after the term, and these points."""

KILLS = 2
"""How often each disturbed command is killed before it may end."""

_DISTURBED = {"import", "grade", "export", "regrade"}
_COMMAND = [sys.executable, "-c", "from grader.cli.app import main; main()"]
_ENGINE = ("--engine", "emulator", "--trust-submissions")
_WHY = ("--because", "the term", "--by", "Grace")
_NEAR = 1e-6


@dataclass(slots=True)
class Play:
    """A term in ``folder`` with the store at ``url``. ``draw`` is for a disturbed play."""

    folder: Path
    url: str
    draw: random.Random | None = None
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    commands: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    kills: int = 0
    exports: dict[str, str] = field(default_factory=dict)

    def run(self, step: str, *arguments: str, code: int = 0) -> str:
        """Run a command, and count its time for ``step``. Returns: its standard output."""
        if self.draw is not None and arguments[0] in _DISTURBED:
            for _ in range(KILLS):
                self._kill(arguments, self.draw)
        started = time.monotonic()
        done = subprocess.run(
            [*_COMMAND, *arguments],
            cwd=self.folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        self.seconds[step] += time.monotonic() - started
        self.commands[step] += 1
        if done.returncode != code:
            msg = f"grader {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr[-3000:]}"
            raise RuntimeError(msg)
        return done.stdout

    def _kill(self, arguments: tuple[str, ...], draw: random.Random) -> None:
        """Start a command and kill it at any moment, unless it ends before."""
        with subprocess.Popen(
            [*_COMMAND, *arguments],
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                process.wait(draw.uniform(0.3, 3.0))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                self.kills += 1

    @property
    def _environment(self) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": str(CHECKOUT), "LANG": "C.UTF-8"}

    def configure(self, correctness: int | None = None) -> None:
        """Write ``grader.toml``, with other points for right results in one lab."""
        points = "" if correctness is None else f"[labs.{CHANGED_LAB}.rubric]\ncorrectness = {correctness}\n"
        text = f'[scoring]\nmodelled_speedups = true\n[store]\nurl = "{self.url}"\n{points}'
        (self.folder / "grader.toml").write_text(text, encoding="utf-8")


def play(term: Play) -> dict[str, Any]:
    """Play the term. Returns: what it leaves. Raises: ``RuntimeError`` where something is not as it must be."""
    term.configure()
    (term.folder / "course.toml").write_text(course_toml(), encoding="utf-8")
    (term.folder / "people.csv").write_text(roster(), encoding="utf-8", newline="")
    term.run("roster", "course", "roster", "people.csv")
    for lab in LABS:
        for first in (True, False) if lab is LABS[0] else (False,):
            _take_in(term, lab, first=first)
            term.run("grade", "grade", *_ENGINE)
    _decide(term)
    before = _gradebook(term)
    raw = _raw_points(term.folder)
    _check_grades(before, raw)
    for lab in LABS:
        _export(term, lab, before)
    term.configure(CHANGED_POINTS)
    _regrade(term)
    after = _gradebook(term)
    _check_grades(after, _raw_points(term.folder))
    if _column(before, "late_days") != _column(after, "late_days"):
        msg = "the regrade spent late days"
        raise RuntimeError(msg)
    for lab in LABS:
        _take_in(term, lab, step="import again")
    if _gradebook(term) != after:
        msg = "importing again changed grades"
        raise RuntimeError(msg)
    _erase(term)
    return {"grades": after, "exports": term.exports, "left": _gradebook(term)}


def _take_in(term: Play, lab: TermLab, *, first: bool = False, step: str = "import") -> None:
    path = archive(term.folder, lab, first=first)
    options = []
    if lab.system is System.MOODLE:
        worksheet = term.folder / f"{lab.name}-submitted.csv"
        worksheet.write_bytes(sheet(lab, {}, first=first))
        options = ["--sheet", worksheet.name]
    term.run(step, "import", path.name, "--lab", lab.name, *options)


def _decide(term: Play) -> None:
    for (student, lab), days in DECIDED.extensions.items():
        term.run("decisions", "extend", student, lab, "--days", str(days), *_WHY)
    for student, lab in sorted(DECIDED.excused):
        term.run("decisions", "excuse", student, lab, *_WHY)
    for (student, lab), points in DECIDED.overrides.items():
        term.run("decisions", "override", student, lab, "--points", str(points), *_WHY)


def _gradebook(term: Play) -> dict[str, Any]:
    """The gradebook by student, without the time at which it was written."""
    term.run("gradebook", "gradebook", "--json", "gradebook.json")
    document = json.loads((term.folder / "gradebook.json").read_bytes())
    return {each["id"]: each for each in document["students"]}


def _raw_points(folder: Path) -> Points:
    """The points of each lab and kind of work, from the results of those who submitted it last."""
    reports = json.loads((folder / "results" / "results.json").read_bytes())["reports"]
    score = {(each["student"], each["lab"]): each["score"] for each in reports}
    raw: dict[tuple[str, str], float] = {}
    for student in CLASS:
        for lab in LABS:
            key, theirs = (student.id, lab.name), uploads_of(student, lab)
            if theirs and key not in DECIDED.overrides:
                found = raw.setdefault((lab.name, theirs[-1].kind), score[key])
                if abs(found - score[key]) > _NEAR:
                    msg = f"{theirs[-1].kind} of {lab.name} has {found} points and, of {student.id}, {score[key]}"
                    raise RuntimeError(msg)
    return raw


def _check_grades(book: dict[str, Any], raw: Points) -> None:
    """Compare every number of the gradebook with the one that the rules of the course give."""
    wanted = expected(raw)
    for student in CLASS:
        row = book[student.id]
        grades = {each["lab"]: each for each in row["grades"]}
        percents = []
        for lab in LABS:
            points, grade = wanted[student.id, lab.name], grades[lab.name]
            if not _equal(points, grade["points"]):
                msg = f"{student.id} on {lab.name}: {grade}, not {points}"
                raise RuntimeError(msg)
            if not grade["excused"]:
                percents.append(100 * (points or 0.0) / grade["max_points"])
        total = sum(percents) / len(percents)
        letter = next(name for name, least in BOUNDARIES.items() if round(total, 2) >= least)
        if not _equal(total, row["total"]) or letter != row["grade"]:
            msg = f"{student.id}: {row['total']} % and {row['grade']} instead of {total} and {letter}"
            raise RuntimeError(msg)


def _equal(wanted: float | None, found: float | None) -> bool:
    return wanted is found if wanted is None or found is None else abs(wanted - found) < _NEAR


def _export(term: Play, lab: TermLab, book: dict[str, Any]) -> None:
    """Fill in a lab's sheet, and compare every byte with the sheet in which only the cells of grades differ."""
    name = f"{lab.name}-sheet.csv"
    (term.folder / name).write_bytes(sheet(lab, {}))
    command = ("export", lab.system.value, name, "--lab", lab.name, "--no-feedback", "--overwrite")
    term.run("export", *command)
    filled = (term.folder / f"{lab.name}-sheet-graded.csv").read_bytes()
    cells = {}
    for student, row in book.items():
        (grade,) = (each for each in row["grades"] if each["lab"] == lab.name)
        if grade["points"] is not None:
            cells[student] = f"{grade['points']:.2f}".rstrip("0").rstrip(".")
        elif grade["excused"] and lab.system is System.CANVAS:
            cells[student] = "EX"
    if filled != sheet(lab, cells):
        pairs = zip(count(1), filled.splitlines(), sheet(lab, cells).splitlines(), strict=False)
        msg = f"{name}: {next((each for each in pairs if each[1] != each[2]), 'another length')}"
        raise RuntimeError(msg)
    term.exports[name] = sha256(filled).hexdigest()


def _regrade(term: Play) -> None:
    term.run("regrade", "regrade", "new", "--lab", CHANGED_LAB, *_WHY)
    term.run("regrade", "regrade", "run", *_ENGINE)
    term.run("regrade", "regrade", "preview")
    term.run("regrade", "regrade", "apply", "1", *_WHY)
    term.run("grade", "grade", *_ENGINE)  # writes the files of results; nothing is left to grade


def _erase(term: Play) -> None:
    """One person takes their data along, and is gone."""
    gone = CLASS[-1].id
    term.run("person", "person", "export", gone, "--output", "person.zip")
    term.run("person", "person", "erase", gone, "--yes", "--because", "asked for it", "--by", "Grace")
    if gone in _gradebook(term):
        msg = f"{gone} is still in the gradebook"
        raise RuntimeError(msg)


def _column(book: dict[str, Any], key: str) -> dict[tuple[str, str], Any]:
    return {(student, each["lab"]): each[key] for student, row in book.items() for each in row["grades"]}
