"""What monitors read."""

import re

import pytest

from grader.errors import UserError
from grader.portal.pages import health
from tests.portal.client import Portal
from tools.portal_course import ADA, INES, TIM

SAMPLE = re.compile(r'^([a-z_]+)(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+$')


def test_anybody_may_ask_whether_it_works(portal: Portal) -> None:
    answer = portal.visit().get("/healthz")
    assert answer.status_code == 200
    assert (answer.json()["store"], answer.json()["grading"]) == (True, False)


def test_a_store_that_cannot_be_read_is_no_health(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_workspace: object) -> None:
        msg = "The store cannot be used."
        raise UserError(msg)

    monkeypatch.setattr(health, "operations", broken)
    assert portal.visit().get("/healthz").status_code == 503


@pytest.mark.parametrize(("person", "status"), [("", 303), (ADA, 404), (TIM, 404), (INES, 200)])
def test_figures_are_for_operators(read_portal: Portal, person: str, status: int) -> None:
    assert read_portal.visit(person).get("/metrics").status_code == status


def test_figures_are_in_the_format_of_prometheus(portal: Portal) -> None:
    portal.visit().get("/sign-in")
    answer = portal.visit(INES).get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = answer.text.splitlines()
    assert [line for line in lines if not line.startswith("# ") and not SAMPLE.match(line)] == []
    assert 'grader_requests_total{page="/sign-in",status="200"} 1' in lines
    assert 'grader_jobs_waiting{lane="class"} 0' in lines
    assert "grader_dispatcher_up 0" in lines
    names = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(names) == len(set(names)) >= 10
