"""Reading ``course.toml``: values, and one clear line for each mistake."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from grader.errors import UserError
from grader.policy.course_file import CourseFile, read_course
from grader.policy.course_template import template
from grader.policy.late import late_rule
from grader.policy.limits import attempt_limit
from grader.policy.rules import Exemption, Keep, Scope, Scores

LABS = ("row-sum", "matmul")
HEAD = '[course]\ntime_zone = "Europe/Berlin"\n'


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "course.toml"


def read(file: Path, text: str) -> CourseFile:
    file.write_text(text, encoding="utf-8")
    return read_course(file, LABS)


def test_every_value_of_a_course_is_read(file: Path) -> None:
    found = read(
        file,
        f"""{HEAD}title = "GPU"
language = "ru"
sections = ["A", "B"]
[late_days]
per_student = 4
per_lab = 2
[defaults]
late = "10 % a day"
grace_minutes = 10
[labs.row-sum]
opens = "2026-06-01"
due = 2026-06-18T23:59:00
closes = "2026-06-25 23:59+00:00"
late = "none"
keep = "last"
attempts = 10
scores = "after due"
points = 20
weight = 2
[labs.matmul]
due = "2026-12-18"
late_days = 0
[grades]
B = 80
A = 90.5
[labels]
"extra time" = ["007"]
""",
    )
    assert found.mistakes == ()
    course = found.course
    assert (course.title, course.zone, course.language, course.late_days) == (
        *("GPU", ZoneInfo("Europe/Berlin"), "ru", 4),
    )
    row_sum, matmul = course.labs["row-sum"], course.labs["matmul"]
    assert row_sum.opens == datetime(2026, 5, 31, 22, tzinfo=UTC)
    assert row_sum.due == datetime(2026, 6, 18, 21, 59, tzinfo=UTC)
    assert row_sum.closes == datetime(2026, 6, 25, 23, 59, tzinfo=UTC)
    assert (row_sum.late, row_sum.keep, row_sum.scores) == (late_rule("none"), Keep.LAST, Scores.AFTER_DUE)
    assert (row_sum.limits, row_sum.points, row_sum.weight) == ((attempt_limit("10"),), 20, 2)
    assert (row_sum.late_days, matmul.late_days) == (2, 0)
    assert matmul.due == datetime(2026, 12, 18, 22, 59, 59, tzinfo=UTC)
    assert (matmul.late, matmul.grace.total_seconds()) == (late_rule("10 % a day"), 600)
    assert course.boundaries == (("A", 90.5), ("B", 80))
    assert course.student("007").labels == {"extra time"}


def test_an_exception_may_name_several_students_and_labs(file: Path) -> None:
    found = read(
        file,
        f"""{HEAD}[labs.row-sum]
[labs.matmul]
[[exceptions]]
student = ["007", "7"]
lab = ["row-sum", "matmul"]
days = 2
reason = "ill"
by = "Bo"
[[exceptions]]
section = "A"
excused = true
""",
    )
    assert found.mistakes == ()
    assert len(found.course.exemptions) == 5
    assert found.course.exemptions[1] == Exemption(
        scope=Scope.STUDENT, name="007", lab="matmul", days=2, reason="ill", by="Bo"
    )
    assert found.course.exemptions[4] == Exemption(scope=Scope.SECTION, name="A", excused=True)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("[cuorse]\n", 1, "did you mean course?"),
        ('[course]\ntime_zone = "Berlin"\n', 2, "time zone"),
        ("[course]\nlanguage = []\n", 2, "course.language"),
        ('[labs.row-sum]\ndue = "20206-06-18"\n', 2, "2026-06-18 23:59"),
        ('[labs.row-sum]\ndue = "2926-06-18"\n', 2, "year 2926"),
        ("[course]\ntitle = 5\n", 2, "course.title must be text, not 5"),
        ('[course]\nlanguage = "de"\n', 2, "course.language"),
        ("course = 5\n", 1, "course must be a table"),
        ("[defaults]\nkepp = 1\n", 2, "did you mean defaults.keep?"),
        ("[defaults]\ngrace_minutes = -1\n", 2, "0 to 10000"),
        ("[defaults]\ngrace_minutes = true\n", 2, "not true"),
        ('[defaults]\nlate = "10 % a fortnight"\n', 2, "10 % a fortnight"),
        ('[defaults]\nattempts = "many"\n', 2, "many"),
        ('[defaults]\nscores = "never"\n', 2, "when published"),
        ("[defaults]\npoints = 0\n", 2, "above 0"),
        ("[labs.row-sun]\n", 1, 'Did you mean "row-sum"?'),
        ("[labs]\nrow-sum = 5\n", 2, "labs.row-sum must be a table"),
        ('[labs.row-sum]\ndue = "tomorrow"\n', 2, "2026-06-18 23:59"),
        (f'{HEAD}[labs.row-sum]\ndue = "2026-03-29 02:30"\n', 4, "clocks in Europe/Berlin skip"),
        ('[labs.row-sum]\nopens = "2026-06-19"\ndue = "2026-06-18"\n', 3, "labs.row-sum.due is before opens"),
        ('[labs.row-sum]\ncloses = "2026-06-17"\ndue = "2026-06-18"\n', 2, "closes is before due"),
        ("[[exceptions]]\nexcused = true\n", 1, "exactly one of them"),
        ('[[exceptions]]\nstudent = "a"\ngroup = "b"\nexcused = true\n', 1, "exactly one of them"),
        ('[[exceptions]]\nstudent = "a"\n', 1, "changes nothing"),
        ('[[exceptions]]\nstudent = "a"\ndue = "2026-06-18"\ndays = 1\n', 4, "not both"),
        ('[labs.row-sum]\n[[exceptions]]\nstudent = "a"\nlab = "matmul"\ndays = 1\n', 4, "no lab"),
        ("[[exceptions]]\nstudent = 7\nexcused = true\n", 2, "in quotes"),
        ('[course]\nsections = ["A"]\n[[exceptions]]\nsection = "B"\nexcused = true\n', 4, "no section"),
        ("exceptions = 5\n", 1, "[[exceptions]]"),
        ("[labels]\nslow = [7]\n", 2, "in quotes"),
        ("[grades]\nA = 101\n", 2, "0 to 100"),
    ],
)
def test_each_mistake_is_one_line_with_its_place(file: Path, text: str, line: int, says: str) -> None:
    (found,) = read(file, text).mistakes
    assert found.startswith(f"course.toml line {line}: ")
    assert says in found
    assert "\n" not in found


def test_all_mistakes_are_found_at_once_in_their_order(file: Path) -> None:
    found = read(file, '[labs.row-sum]\ndue = "x"\nkepp = 1\n[grades]\nA = 101\n[lbas]\n')
    assert [int(line.split()[2].rstrip(":")) for line in found.mistakes] == [2, 3, 5, 6]


@pytest.mark.parametrize(
    "text", ["[course", "due = 2026-06-18 23:59\n", '[course]\ntitle = "a"\ntitle = "b"\n']
)
def test_what_is_no_toml_is_one_line(file: Path, text: str) -> None:
    with pytest.raises(UserError, match=r"course\.toml line \d+: this is not TOML"):
        read(file, text)


def test_a_time_without_quotes_is_named(file: Path) -> None:
    with pytest.raises(UserError, match=r"course\.toml line 2: this is not TOML.* in quotes"):
        read(file, "[labs.row-sum]\ndue = 2026-06-18 23:59  # evening\n")


def test_names_that_the_roster_lacks_are_found_with_their_lines(file: Path) -> None:
    found = read(
        file,
        '[labels]\nslow = ["007", "08"]\n[[exceptions]]\nstudent = "7"\nexcused = true\n'
        '[[exceptions]]\nlabel = "slow"\nexcused = true\n[[exceptions]]\ngroup = "x"\nexcused = true\n',
    )
    strangers = found.strangers(["007"], ["y"], [])
    assert [line.partition(":")[0] for line in strangers] == [
        *("course.toml line 4", "course.toml line 10", "course.toml line 2"),
    ]


@pytest.mark.parametrize("labs", [(), LABS])
def test_the_new_file_is_valid(file: Path, labs: tuple[str, ...]) -> None:
    text = template(labs, title='A "title" \\ with 引号', zone="Asia/Shanghai", language="zh")
    found = read(file, text)
    assert found.mistakes == ()
    assert (found.course.title, found.course.zone.key) == ('A "title" \\ with 引号', "Asia/Shanghai")
    assert tuple(found.course.labs) == labs


def test_a_new_file_is_still_valid_with_everything_filled_in(file: Path) -> None:
    lines: list[Any] = template(LABS, title="A", zone="UTC", language="en").splitlines()
    keys = ("[", '"', "A =", "B =")
    filled = [
        line[2:] if line.startswith("# ") and (line[2:].startswith(keys) or " = " in line[2:30]) else line
        for line in lines
    ]
    found = read(file, "\n".join(filled))
    assert found.mistakes == ()
    assert len(found.course.exemptions) == 1
    assert found.course.labs["matmul"].points == 20
