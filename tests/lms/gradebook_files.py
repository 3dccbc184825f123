"""Gradebooks of an invented class, as each system writes them, and what the course knows about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.lms.gradebooks import FORMATS, Entry, Filled, Request, fill
from grader.lms.grades_csv import GradeRow
from grader.lms.sheets import read_sheet
from grader.lms.words import System

ADA = Entry(
    student="ada",
    name="Ada Example",
    email="ada@example.edu",
    ids={
        System.MOODLE: ("12345",),
        System.CANVAS: ("77",),
        System.GRADESCOPE: ("06000001",),
        System.BLACKBOARD: ("s0000001",),
        System.BRIGHTSPACE: ("400000001",),
    },
    points=87.5,
    max_points=100.0,
    feedback=("row-sum: accepted", "2 < 3 & <b>fast</b>"),
)
YULIA = Entry(student="yulia", name="Юлия Ёлкина", email="yulia@example.edu", points=50.0, max_points=100.0)
LI = Entry(student="li", name="李 安", ids={System.MOODLE: ("12347",)}, points=None, max_points=100.0)
NOUR = Entry(
    student="nour",
    name="نور مثال",
    email="nour@example.edu",
    ids={System.CANVAS: ("80",)},
    points=None,
    max_points=100.0,
    excused=True,
)
ELSEWHERE = Entry(student="eve", name="Eve Elsewhere", points=1.0, max_points=100.0)
CLASS = (ADA, YULIA, LI, NOUR)

REQUEST = Request(titles=("row-sum", "Row sum"))


GRADE_ROW = GradeRow(
    student="ada",
    name="Ada Example",
    email="ada@example.edu",
    section="B",
    lab="row-sum",
    points=87.5,
    max_points=100.0,
    raw_points=97.5,
    penalty=10.0,
    late_seconds=3600.0,
    late_days=0,
    excused=False,
    override=True,
    visible=False,
    submitted_at="2026-06-10T12:00:00+00:00",
    verdict="accepted",
)
"""A row of the plain grades."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A file of ``system`` in ``encoding``, and the same file with the grades of ``CLASS``."""

    system: System
    before: str
    after: str
    encoding: str = "utf-8"


_FEEDBACK = '<div class=""grader-feedback""><p>row-sum: accepted</p><p>2 &lt; 3 &amp; &lt;b&gt;fast&lt;/b&gt;</p></div>'

MOODLE_EN = (
    'Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",'
    '"Last modified (submission)","Last modified (grade)","Feedback comments"\r\n'
    'Participant 12345,"Ada Example",ada@example.edu,"Submitted for grading - ",,100.00,Yes,'
    '"Wednesday, 10 June 2026, 2:14 PM",-,""\r\n'
    'Participant 12346,"Юлия Ёлкина",yulia@example.edu,"No submission","",100.00,Yes,-,-,"Well\r\ndone"\r\n'
    'Participant 12347,"李 安",li@example.edu,"No submission",,100.00,Yes,-,-,\r\n'
)
MOODLE_RU = (
    "Идентификатор;Полное имя;Адрес электронной почты;Статус;Оценка;Максимальная оценка;Оценка может быть изменена;"
    "Последнее изменение (ответ);Последнее изменение (оценка);Отзыв в виде комментария\n"
    'Участник12345;"Ada Example";ada@example.edu;"Ответы для оценки";"";"100,00";Да;-;-;\n'
    'Участник12346;"Юлия Ёлкина";yulia@example.edu;-;"12,25";"100,00";Да;-;"среда, 10 июня 2026, 14:14";\n'
)
MOODLE_ZH = (
    "识别码,全名,成绩,最高成绩,允许更改成绩,最后修改（学生）,最后修改（教师）,评语反馈\r\n"
    "参与者12345,Ada Example,,100.00,是,-,-,\r\n"
)
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Warm-up (11),Row Sum (12),Current Score\n"
    ",,,,,Manual Posting,,\n"
    "    Points Possible,,,,,10.00,100.00,(read only)\n"
    '"Example, Ada",77,,ada01,CS 326-01,8.00,,80.00\n'
    '"Ёлкина, Юлия",78,yulia,yulia@example.edu,"CS 326-01 and CS 326-02",9.00,12.00,90.00\n'
    '"مثال, نور",80,,nour,CS 326-01,N/A,,\n'
    '"Student, Test",99,,8f2,CS 326-01,,,\n'
)

CASES = {
    "moodle": Case(
        system=System.MOODLE,
        before=MOODLE_EN,
        after=MOODLE_EN.replace(
            'grading - ",,100.00,Yes,"Wednesday, 10 June 2026, 2:14 PM",-,""',
            f'grading - ",87.5,100.00,Yes,"Wednesday, 10 June 2026, 2:14 PM",-,"{_FEEDBACK}"',
        ).replace('"No submission","",100.00', '"No submission","50",100.00'),
    ),
    "moodle in Russian": Case(
        system=System.MOODLE,
        before=MOODLE_RU,
        after=MOODLE_RU.replace('"";"100,00";Да;-;-;\n', f'"87,5";"100,00";Да;-;-;"{_FEEDBACK}"\n').replace(
            '"12,25"', '"50"'
        ),
        encoding="cp1251",
    ),
    "moodle in Chinese": Case(
        system=System.MOODLE,
        before=MOODLE_ZH,
        after=MOODLE_ZH.replace(
            "Ada Example,,100.00,是,-,-,", f'Ada Example,87.5,100.00,是,-,-,"{_FEEDBACK}"'
        ),
        encoding="gb18030",
    ),
    "canvas": Case(
        system=System.CANVAS,
        before=CANVAS,
        after=CANVAS.replace("8.00,,80", "8.00,87.5,80")
        .replace("9.00,12.00", "9.00,50")
        .replace("N/A,,", "N/A,EX,"),
        encoding="utf-8-sig",
    ),
    "canvas with semicolons": Case(
        system=System.CANVAS,
        before=CANVAS.replace(", ", "@").replace(",", ";").replace("@", ", ").replace(".", ","),
        after=CANVAS.replace("8.00,,80", "8.00,87.5,80")
        .replace("9.00,12.00", "9.00,50")
        .replace("N/A,,", "N/A,EX,")
        .replace(", ", "@")
        .replace(",", ";")
        .replace("@", ", ")
        .replace(".", ","),
        encoding="utf-8-sig",
    ),
    "gradescope": Case(
        system=System.GRADESCOPE,
        before="First Name,Last Name,SID,Email,Total Score,Max Points,Status,Submission ID,Lateness (H:M:S)\n"
        "Ada,Example,06000001,ada@example.edu,0.0,100.0,Graded,216000001,00:00:00\n"
        "Юлия,Ёлкина,,yulia@example.edu,,100.0,Missing,,\n",
        after="First Name,Last Name,SID,Email,Total Score,Max Points,Status,Submission ID,Lateness (H:M:S)\n"
        "Ada,Example,06000001,ada@example.edu,87.5,100.0,Graded,216000001,00:00:00\n"
        "Юлия,Ёлкина,,yulia@example.edu,50,100.0,Missing,,\n",
    ),
    "blackboard": Case(
        system=System.BLACKBOARD,
        before='"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Row sum [Total Pts: 100 Score] |1281892"\t'
        '"Feedback to Learner"\t"Feedback Format"\r\n'
        '"Example"\t"Ada"\t"s0000001"\t"001"\t""\t""\t""\r\n'
        '"Ёлкина"\t"Юлия"\t"s0000002"\t"yulia"\t"3"\t"good"\t"SMART_TEXT"\r\n',
        after='"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Row sum [Total Pts: 100 Score] |1281892"\t'
        '"Feedback to Learner"\t"Feedback Format"\r\n'
        f'"Example"\t"Ada"\t"s0000001"\t"001"\t"87.5"\t"{_FEEDBACK}"\t"HTML"\r\n'
        '"Ёлкина"\t"Юлия"\t"s0000002"\t"yulia"\t"50"\t"good"\t"SMART_TEXT"\r\n',
        encoding="utf-16",
    ),
    "brightspace": Case(
        system=System.BRIGHTSPACE,
        before="OrgDefinedId,Username,Last Name,First Name,Email,"
        "Row sum Points Grade <Numeric MaxPoints:100 Weight:10 Category:Labs>,End-of-Line Indicator\n"
        "#400000001,#exama,Example,Ada,ada@example.edu,,#\n"
        "#400000002,#yulia,Ёлкина,Юлия,y@example.org,12,#\n",
        after="OrgDefinedId,Username,Last Name,First Name,Email,"
        "Row sum Points Grade <Numeric MaxPoints:100 Weight:10 Category:Labs>,End-of-Line Indicator\n"
        "#400000001,#exama,Example,Ada,ada@example.edu,87.5,#\n"
        "#400000002,#yulia,Ёлкина,Юлия,y@example.org,50,#\n",
    ),
}


def filled(
    system: System, data: bytes, entries: Sequence[Entry] = CLASS, request: Request = REQUEST
) -> Filled:
    """``data`` with ``entries``."""
    sheet = read_sheet(data, any_legacy=True)
    return fill(sheet, FORMATS[system](sheet, request), entries, request)


def codes(found: Filled) -> dict[str, dict[str, object]]:
    """The parameters of the notes by their codes."""
    return {note.code: dict(note.params) for note in found.notes}
