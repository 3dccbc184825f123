"""Sign in by a service: the person is found, and an answer is of use only to the browser that asked."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from starlette.testclient import TestClient

from grader.config import load
from grader.config.portal_settings import PortalSettings
from grader.course.accounts.oidc_provider import require_safe
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.portal.app import create_app
from tests.portal.client import Portal
from tools import portal_course
from tools.portal_course import ADA, TIM
from tools.portal_process import free_port

USERS: tuple[dict[str, object], ...] = (
    {"sub": "1", "email": "Ada@example.edu"},
    {"sub": "2", "email": "stranger@example.edu"},
    {"sub": "3", "email": "ada@example.edu", "email_verified": False},
    {"sub": "4", "email": TIM},
    {"sub": "5"},
)
SESSION = "grader-session"


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    """A sign-in service that knows ``USERS``, in a process of its own: it imports what Authlib calls deprecated."""
    port = free_port()
    users = [part for user in USERS for part in ("--user-claims", json.dumps(user))]
    command = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port), *users]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _wait(f"http://localhost:{port}")
            yield f"http://localhost:{port}"
        finally:
            process.terminate()


def _wait(url: str) -> None:
    for _ in range(300):
        try:
            httpx2.get(f"{url}/.well-known/openid-configuration").raise_for_status()
        except httpx2.TransportError:
            time.sleep(0.1)
        else:
            return
    msg = "the sign-in service does not start"
    raise RuntimeError(msg)


def _portal(packed: bytes, folder: Path, settings: PortalSettings) -> Portal:
    portal_course.unpack(packed, folder)
    app = create_app(Workspace(config=replace(load(folder), portal=settings)))
    return Portal(app=app, folder=folder)


@pytest.fixture
def joined(packed_course: bytes, tmp_path: Path, issuer: str) -> Iterator[Portal]:
    """A portal that uses the service."""
    (tmp_path / "secret").write_text("of the client\n", encoding="utf-8")
    file = "secret"
    settings = PortalSettings(
        oidc_name="Campus", oidc_issuer=issuer, oidc_client="grader", oidc_secret_file=file
    )
    portal = _portal(packed_course, tmp_path, settings)
    yield portal
    portal.workspace.close()


def _answer(client: TestClient, subject: str, then: str = "/") -> str:
    """Begin in ``client``, sign in as ``subject`` at the service. Returns: where it sends the browser."""
    begun = client.get("/sign-in/oidc", params={"then": then})
    assert begun.status_code == 303
    answer = httpx2.post(begun.headers["location"], data={"sub": subject})
    assert answer.status_code == 302
    parts = urlsplit(answer.headers["location"])
    return f"{parts.path}?{parts.query}"


def test_a_person_of_the_roster_is_found_by_address(joined: Portal) -> None:
    client = joined.visit()
    assert "Campus" in client.get("/sign-in").text
    answer = client.get(_answer(client, "1", "/me/password"))
    assert (answer.status_code, answer.headers["location"]) == (303, "/me/password")
    assert client.get("/me/password").status_code == 200
    store = joined.workspace.store
    assert store is not None
    assert store.accounts.identify(joined.server.settings.oidc_issuer, "1") == ADA


def test_an_answer_is_of_use_once(joined: Portal) -> None:
    client = joined.visit()
    back = _answer(client, "1")
    assert client.get(back).status_code == 303
    again = client.get(back)
    assert again.status_code == 400
    assert "set-cookie" not in again.headers


def test_an_answer_is_of_no_use_in_another_browser(joined: Portal) -> None:
    back = _answer(joined.visit(), "1")
    other = joined.visit()
    assert other.get(back).status_code == 400
    _answer(other, "1")
    assert other.get(back).status_code == 400
    assert SESSION not in other.cookies


@pytest.mark.parametrize("subject", ["2", "3", "4", "5"])
def test_a_stranger_an_unverified_address_and_an_id_let_nobody_in(joined: Portal, subject: str) -> None:
    client = joined.visit()
    assert client.get(_answer(client, subject)).status_code == 400
    assert SESSION not in client.cookies


@pytest.mark.parametrize("query", ["error=access_denied", "code=made-up", ""])
def test_a_refusal_or_a_made_up_code_lets_nobody_in(joined: Portal, query: str) -> None:
    client = joined.visit()
    state = _answer(client, "1").rpartition("state=")[2].partition("&")[0]
    assert client.get(f"/sign-in/oidc/back?{query}&state={state}").status_code == 400
    assert SESSION not in client.cookies


def test_it_leads_to_no_other_site(joined: Portal) -> None:
    client = joined.visit()
    answer = client.get(_answer(client, "1", "https://evil.example"))
    assert answer.headers["location"] == "/"


def test_without_a_service_there_is_no_such_way(portal: Portal) -> None:
    assert "/sign-in/oidc" not in portal.visit().get("/sign-in").text
    assert portal.visit().get("/sign-in/oidc").status_code == 400


def test_a_service_that_does_not_answer_is_a_fault(packed_course: bytes, tmp_path: Path) -> None:
    settings = PortalSettings(oidc_issuer="http://localhost:9", oidc_client="grader")
    portal = _portal(packed_course, tmp_path, settings)
    assert portal.visit().get("/sign-in/oidc").status_code == 500
    portal.workspace.close()


def test_an_issuer_without_encryption_is_refused() -> None:
    with pytest.raises(UserError, match="https"):
        require_safe("http://login.example.edu")
