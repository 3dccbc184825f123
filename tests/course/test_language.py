"""The language of a report."""

from pathlib import Path

import pytest

from grader.config.settings import Config, ResultSettings
from grader.course.language import ReportLanguage, spoken
from grader.messages import LANGUAGES


def _config(language: str = "") -> Config:
    return Config(base=Path("/course"), results=ResultSettings(language=language))


def test_the_readers_choice_comes_first() -> None:
    assert spoken("zh", _config("ru"), {"LANG": "en_GB.UTF-8"}).language == "zh"


def test_a_student_reads_the_language_of_their_choice() -> None:
    config = Config(base=Path("/course"), results=ResultSettings(language="ru", languages={"ada": "zh"}))
    assert spoken(None, config, {}, student="ada").language == "zh"
    assert spoken(None, config, {}, student="bob").language == "ru"
    assert spoken("en", config, {}, student="ada").language == "en"


def test_the_courses_language_comes_before_the_terminals() -> None:
    assert spoken(None, _config("ru"), {"LANG": "zh_CN.UTF-8"}).language == "ru"


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "zh_CN"}, "zh"),
        ({"LANG": "ru_RU.UTF-8", "LC_MESSAGES": "zh_TW.UTF-8"}, "zh"),
        ({"LANG": "ru_RU.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": ""}, "en"),
        ({}, "en"),
    ],
)
def test_a_terminal_speaks_the_users_language(environ: dict[str, str], language: str) -> None:
    assert spoken(None, _config(), environ).language == language


def test_a_file_does_not_depend_on_the_terminal() -> None:
    assert spoken(None, _config(), {"LANG": "ru_RU.UTF-8"}, terminal=False).language == "en"


def test_every_language_of_the_catalogue_can_be_chosen() -> None:
    assert [language.value for language in ReportLanguage] == list(LANGUAGES)
