"""What monitors read."""

import re

import pytest

from grader.course.accounts import tokens
from grader.errors import UserError
from grader.policy.access import SCOPES_OF
from grader.portal.pages import health
from tests.portal.client import Portal
from tools.portal_course import INES, PEOPLE, TIM

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


def _scraper(portal: Portal, person: str, *scopes: str) -> dict[str, str]:
    """The headers of a program with a token of ``person``."""
    within = SCOPES_OF[PEOPLE[person].role]
    secret = tokens.issue(portal.workspace, person, "prometheus", within=within, scopes=scopes).secret
    return {"Authorization": f"Bearer {secret}"}


def test_figures_are_for_tokens_of_operators(portal: Portal) -> None:
    client = portal.visit(INES)
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers=_scraper(portal, TIM)).status_code == 404
    assert client.get("/metrics", headers=_scraper(portal, INES, "self")).status_code == 404
    assert client.get("/metrics", headers=_scraper(portal, INES, "operate")).status_code == 200


def test_figures_are_in_the_format_of_prometheus(portal: Portal) -> None:
    portal.visit().get("/sign-in")
    answer = portal.visit().get("/metrics", headers=_scraper(portal, INES, "operate"))
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = answer.text.splitlines()
    assert [line for line in lines if not line.startswith("# ") and not SAMPLE.match(line)] == []
    assert 'grader_requests_total{page="/sign-in",status="200"} 1' in lines
    assert 'grader_jobs_waiting{lane="class"} 0' in lines
    assert "grader_dispatcher_up 0" in lines
    names = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(names) == len(set(names)) >= 10
