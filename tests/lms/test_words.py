"""Headers of other systems in every language, and the words inside of their cells."""

import pytest

from grader.lms.words import (
    Phrase,
    Role,
    System,
    decimal_mark,
    is_phrase,
    recognise,
    starts_with_phrase,
    words,
)
from grader.lms.words import headers as table
from grader.lms.words import phrases as phrase_table

WORKSHEETS = {
    "en": (
        "Identifier,Full name,Email address,Status,Group,Grade,Maximum Grade,"
        "Grade can be changed,Last modified (submission),Last modified (grade),"
        "Feedback comments"
    ),
    "ru": (
        "Идентификатор,Полное имя,Адрес электронной почты,Статус,Группа,Оценка,"
        "Максимальная оценка,Оценка может быть изменена,Последнее изменение (ответ),"
        "Последнее изменение (оценка),Отзыв в виде комментария"
    ),
    "zh": (
        "识别码,全名,Email地址,状态,小组,成绩,最高成绩,允许更改成绩,最后修改（学生）,最后修改（教师）,评语反馈"
    ),
    "de": (
        "ID,Vollständiger Name,E-Mail-Adresse,Status,Gruppe,Bewertung,Bestwertung,"
        "Bewertung kann geändert werden,Zuletzt geändert (Abgabe),"
        "Zuletzt geändert (Bewertung),Feedback als Kommentar"
    ),
    "fr": (
        "Identifiant,Nom complet,Adresse de courriel,Statut,Groupe,Note,Note maximale,"
        "La note peut être modifiée,Dernière modification (travail remis),"
        "Dernière modification (note),Feedback par commentaires"
    ),
    "ar": (
        "المُعرَّف,الاسم كاملا,عنوان البريد الإلكتروني,الحالة,مجموعة,الدرجة,أعلى تقدير,"
        "يمكن تغيير الدرجة,آخر تعديل (التسليم),آخر تعديل (التقدير),تعليقات الإفادة"
    ),
}
ROLES = [
    *(Role.IDENTIFIER, Role.FULL_NAME, Role.EMAIL, Role.STATUS, Role.GROUP, Role.GRADE, Role.MAX_GRADE),
    *(Role.GRADE_CAN_BE_CHANGED, Role.SUBMISSION_MODIFIED, Role.GRADE_MODIFIED, Role.FEEDBACK),
]
COLUMNS_THAT_MOODLE_NEEDS = {Role.IDENTIFIER, Role.GRADE, Role.GRADE_MODIFIED}


@pytest.mark.parametrize(("language", "line"), WORKSHEETS.items())
def test_a_worksheet_is_known_in_its_language(language: str, line: str) -> None:
    found = recognise(line.split(","))
    assert found is not None
    assert (found.system, found.language, found.unknown) == (System.MOODLE, language, ())
    assert {role: found[role] for role in ROLES} == {role: column for column, role in enumerate(ROLES)}


def test_every_language_with_worksheets_has_the_columns_that_moodle_needs() -> None:
    lines = [line.split("\t") for line in table.TABLE.read_text(encoding="utf-8").splitlines()]
    languages = {language for _, role, language, _ in lines if role == Role.GRADE_MODIFIED}
    assert {"en", "ru", "zh", "zh-tw", "de", "fr", "es", "ja", "uk", "ar", "tr", "pt-br"} <= languages
    for wanted in languages:
        known = {role for system, role, language, _ in lines if (system, language) == ("moodle", wanted)}
        assert known >= COLUMNS_THAT_MOODLE_NEEDS, wanted
        assert decimal_mark(wanted) in {".", ",", "۔"}


@pytest.mark.parametrize(
    ("line", "system", "roles"),
    [
        (
            "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (77),Current Score",
            System.CANVAS,
            {Role.IDENTIFIER, Role.USERNAME},
        ),
        ("LastName,FirstName,ID,SIS Login ID,Section", System.CANVAS, {Role.LAST_NAME, Role.FIRST_NAME}),
        (
            "Name,SID,Email,Total Score,Max Points,Status,Submission ID",
            System.GRADESCOPE,
            {Role.IDENTIFIER, Role.EMAIL},
        ),
        (
            "Last Name,First Name,Username,Student ID,Last Access,Availability",
            System.BLACKBOARD,
            {Role.USERNAME, Role.ID_NUMBER},
        ),
        (
            "OrgDefinedId,Username,Last Name,First Name,Email,End-of-Line Indicator",
            System.BRIGHTSPACE,
            {Role.END_OF_LINE},
        ),
        (
            "username,first_name,last_name,email,section,github_id",
            System.CLASSROOM50,
            {Role.USERNAME, Role.ID_NUMBER},
        ),
        (
            "roster_identifier,github_username,github_id,joined_at",
            System.GITHUB,
            {Role.IDENTIFIER, Role.USERNAME},
        ),
        ("student,name,email,section,language", System.PLAIN, {Role.IDENTIFIER, Role.LANGUAGE}),
    ],
)
def test_each_system_is_known_by_its_headers(line: str, system: System, roles: set[Role]) -> None:
    found = recognise(line.split(","))
    assert found is not None
    assert found.system is system
    assert roles <= found.index.keys()


def test_a_byte_order_mark_case_and_spaces_do_not_count() -> None:
    (found,) = {word.role for word in words("\ufeff  EMAIL   address ")}
    assert found is Role.EMAIL


def test_a_site_may_change_single_words() -> None:
    line = WORKSHEETS["ru"].replace("Последнее изменение (оценка)", "Last modified (grade)")
    found = recognise(line.split(","))
    assert found is not None
    assert (found.language, found[Role.GRADE_MODIFIED]) == ("ru", 9)


def test_headers_that_nobody_knows_are_no_system() -> None:
    assert recognise(["foo", "bar"]) is None


def test_columns_of_other_programs_are_unknown() -> None:
    found = recognise(["Identifier", "Shoe size", "Grade"], [System.MOODLE])
    assert found is not None
    assert found.unknown == (1,)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Participant 12", "12"),
        ("Participant12", "12"),
        ("Участник 7", "7"),
        ("参与者345", "345"),
        ("Teilnehmer/in 1", "1"),
        ("Teilnehmerin_1", "_1"),
        ("Ada 12", None),
    ],
)
def test_a_participant_is_known_in_every_language(text: str, rest: str | None) -> None:
    assert starts_with_phrase(text, Phrase.PARTICIPANT) == rest


@pytest.mark.parametrize(
    ("text", "phrase"), [("Да", Phrase.YES), ("否", Phrase.NO), ("Default group", Phrase.DEFAULT_GROUP)]
)
def test_phrases_are_known_in_every_language(text: str, phrase: Phrase) -> None:
    assert is_phrase(text, phrase)


def test_no_word_stands_twice() -> None:
    for path in (table.TABLE, phrase_table.TABLE):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(set(lines)) == len(lines)
