"""The catalogue and the code agree, and every statement has all its translations."""

import re

import pytest

from grader.messages.catalogue import CATALOGUE, TABLES
from tools.reason_calls import ReasonCall, labels_in_templates, reason_calls, texts_in_code
from tools.reasons_page import PAGE, page
from tools.translations import TRANSLATED, incomplete, mo, path_of, po, updated

CALLS = list(reason_calls())
_CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def _named(calls: list[ReasonCall]) -> list[str]:
    return [f"{call.path}:{call.line} {call.code}" for call in calls]


def test_every_statement_in_the_code_is_in_the_catalogue() -> None:
    assert _named([call for call in CALLS if call.code is not None and call.code not in CATALOGUE]) == []


def test_every_label_of_a_page_is_in_the_catalogue() -> None:
    assert labels_in_templates() - set(CATALOGUE) == set()


def test_every_call_gives_the_parameters_of_its_statement() -> None:
    wrong = [
        call
        for call in CALLS
        if call.code in CATALOGUE and call.params is not None and call.params != CATALOGUE[call.code].params
    ]
    assert _named(wrong) == []


def test_every_statement_of_the_catalogue_is_used() -> None:
    assert sorted(set(CATALOGUE) - texts_in_code()) == []


def test_codes_are_lower_case_words_with_hyphens() -> None:
    assert [code for code in CATALOGUE if not _CODE.fullmatch(code)] == []


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("table", TABLES)
def test_every_statement_is_translated_with_its_fields(language: str, table: str) -> None:
    assert list(incomplete(updated(language, table))) == []


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("table", TABLES)
def test_translation_files_are_in_step(language: str, table: str) -> None:
    path, catalogue = path_of(language, table), updated(language, table)
    again = "run `python -m tools.translations`"
    assert path.read_bytes() == po(catalogue), again
    assert path.with_suffix(".mo").read_bytes() == mo(catalogue), again


def test_the_page_of_reasons_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m tools.reasons_page`"
