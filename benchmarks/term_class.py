"""An invented class: 120 people, what they submit in a term and when, and what each grade must be."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from grader.lms.words import System
from tools.paths import CHECKOUT

ZONE = ZoneInfo("Europe/Berlin")
STUDENTS, TEAM = 120, 3
LATE_DAYS, LATE_DAYS_A_LAB, LATE_RATE, LATE_STEPS = 4, 2, 0.1, 3
EXTRA_TIME = "extra time"
BOUNDARIES = {"A": 90.0, "B": 75.0, "C": 50.0, "D": 0.0}

_NAMES = (
    *("Юлия Ёлкина", "Иван Пример", "Ольга Образцова", "Пётр Ильич", "王伟", "李 安", "陈静", "赵敏"),
    *("نور مثال", "ليلى مثال", "محمد مثال", "Ada Example", "Bo Example", "Çağla Örnek", "Zoë d'Exemple"),
)
"""Fewer names than people: eight of them share each."""

_DAY = timedelta(days=1)
_LATENESS = {
    timedelta(hours=-30): 60,
    timedelta(hours=-1): 15,
    timedelta(minutes=5): 4,
    timedelta(hours=7): 9,
    timedelta(hours=31): 6,
    timedelta(hours=80): 3,
    timedelta(hours=150): 1,
}
"""How late work is submitted, with weights. Five minutes are within the grace."""

_NOTHING, _AGAIN = 0.04, 0.25
_KINDS = {"global": 45, "second": 20, "expert": 30, "broken": 5}


@dataclass(frozen=True, slots=True, kw_only=True)
class TermLab:
    """A lab of the term, the system that takes its submissions, and the reference variant that is its second work."""

    name: str
    system: System
    due: datetime
    second: str
    by_team: bool = False

    @property
    def file(self) -> str:
        """The name of the file that everybody submits."""
        return f"{self.name.replace('-', '_')}.cu"

    def content(self, kind: str) -> str:
        """The file of one kind of work."""
        variant = {"second": self.second, "broken": "global"}.get(kind, kind)
        text = (CHECKOUT / "reference" / self.name / f"{variant}.cu").read_text(encoding="utf-8")
        return f"#error unfinished\n{text}" if kind == "broken" else text


def _due(month: int, day: int) -> datetime:
    return datetime(2026, month, day, 23, 59, tzinfo=ZONE)


LABS = (
    TermLab(name="vector-add", system=System.MOODLE, due=_due(4, 10), second="whole_grid"),
    TermLab(name="row-sum", system=System.CANVAS, due=_due(4, 24), second="shared_padded"),
    TermLab(name="row-max", system=System.GRADESCOPE, due=_due(5, 8), second="shared_padded"),
    TermLab(name="row-min", system=System.MOODLE, due=_due(5, 22), second="shared_padded"),
    TermLab(name="dot-product", system=System.CANVAS, due=_due(6, 5), second="shared_padded"),
    TermLab(
        name="transpose",
        system=System.GRADESCOPE,
        due=_due(6, 19),
        second="shared_padded",
        by_team=True,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Student:
    """A person; ``number`` is unique and stands in the ids of every system."""

    number: int
    name: str

    @property
    def id(self) -> str:
        """The id of the course."""
        return f"s{self.number:03}"

    @property
    def email(self) -> str:
        """The address, by which Moodle's worksheets name people."""
        return f"{self.id}@example.edu"

    @property
    def section(self) -> str:
        """One of two sections."""
        return "AB"[self.number % 2]

    @property
    def team(self) -> str:
        """The team for work in teams."""
        return f"Team {1 + self.number // TEAM:02}"

    @property
    def has_extra_time(self) -> bool:
        """Whether the course gives the student another day."""
        return self.number % 20 == 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """Work of ``members`` for a lab. ``is_first``: an earlier export has it, and a later upload replaces it there."""

    lab: TermLab
    members: tuple[Student, ...]
    kind: str
    at: datetime
    is_first: bool = False


@dataclass(slots=True)
class Decided:
    """What staff decided in the term."""

    extensions: dict[tuple[str, str], int] = field(default_factory=dict)
    excused: set[tuple[str, str]] = field(default_factory=set)
    overrides: dict[tuple[str, str], float] = field(default_factory=dict)


CLASS = tuple(Student(number=number, name=_NAMES[number % len(_NAMES)]) for number in range(STUDENTS))
DECIDED = Decided(
    extensions={(f"s{number:03}", "row-max"): 2 for number in range(3, STUDENTS, 24)},
    excused={("s010", "row-min"), ("s055", "transpose")},
    overrides={("s020", "row-min"): 77.5},
)


def uploads() -> tuple[Upload, ...]:
    """What the class submits; the same each time."""
    return tuple(_uploads(random.Random(2026)))


def _uploads(draw: random.Random) -> Iterator[Upload]:
    kept = {student for student, _ in (*DECIDED.overrides, *DECIDED.excused)}
    for lab in LABS:
        units = (
            CLASS[at : at + (TEAM if lab.by_team else 1)]
            for at in range(0, STUDENTS, TEAM if lab.by_team else 1)
        )
        for members in units:
            absent = draw.random() < _NOTHING and kept.isdisjoint(each.id for each in members)
            (late,) = draw.choices(list(_LATENESS), list(_LATENESS.values()))
            first, kind = draw.choices(list(_KINDS), list(_KINDS.values()), k=2)
            again = lab is LABS[0] and draw.random() < _AGAIN
            if absent:
                continue
            at = lab.due.astimezone(ZONE) + late - timedelta(minutes=members[0].number % 7)
            if again and first != kind:
                yield Upload(lab=lab, members=members, kind=first, at=lab.due - 3 * _DAY, is_first=True)
            yield Upload(lab=lab, members=members, kind=kind, at=at)


Points = Mapping[tuple[str, str], float]
"""Points of each lab and kind of work."""


def expected(raw: Points) -> dict[tuple[str, str], float | None]:
    """What each student's work on each lab must count, by the rules of the course and what staff decided."""
    counted: dict[tuple[str, str], float | None] = {}
    for student in CLASS:
        left = LATE_DAYS
        for lab in LABS:
            key = (student.id, lab.name)
            days = DECIDED.extensions.get(key, 0), int(student.has_extra_time)
            due = lab.due + max(days) * _DAY
            spent, best = 0, None
            for upload in uploads_of(student, lab):
                late = _late_days(upload.at, due)
                spends = min(late, LATE_DAYS_A_LAB, left)
                if late - spends > LATE_STEPS:
                    continue
                spent = max(spent, spends)
                points = raw[lab.name, upload.kind] * (1 - LATE_RATE * (late - spends))
                best = points if best is None else max(best, points)
            is_excused = key in DECIDED.excused
            left -= 0 if is_excused else spent
            counted[key] = None if is_excused else DECIDED.overrides.get(key, best)
    return counted


def uploads_of(student: Student, lab: TermLab) -> list[Upload]:
    """A student's uploads for a lab, the earlier first."""
    return [each for each in _ALL if each.lab is lab and student in each.members]


def _late_days(at: datetime, due: datetime) -> int:
    late = at - due
    return 0 if late <= timedelta(minutes=10) else -(-late // _DAY)


_ALL = uploads()
