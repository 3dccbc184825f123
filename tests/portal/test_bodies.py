"""Forms and uploads are cut off at what a page takes, by the stated length and by what comes."""

from collections.abc import Iterator

import pytest

from grader.portal.page import FORM_BYTES
from tests.portal.client import Portal


def test_a_form_that_states_too_much_is_refused(portal: Portal) -> None:
    answer = portal.visit().post("/language", data={"language": "ru", "then": "/" * FORM_BYTES})
    assert answer.status_code == 413


def test_a_form_that_states_nothing_is_counted(portal: Portal) -> None:
    def chunks() -> Iterator[bytes]:
        yield b"language=ru&then=/"
        for _ in range(FORM_BYTES // 1000 + 1):
            yield b"x" * 1000

    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert portal.visit().post("/language", content=chunks(), headers=headers).status_code == 413


@pytest.mark.parametrize("length", ["-1", "many", "1e3"])
def test_a_length_that_is_no_number_is_refused(portal: Portal, length: str) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": length}
    answer = portal.visit().post("/language", content=b"language=ru", headers=headers)
    assert answer.status_code == 413


def test_a_damaged_form_is_no_fault_of_the_server(portal: Portal) -> None:
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = portal.visit().post("/language", content=b"--y\r\nnothing", headers=headers)
    assert answer.status_code == 400
