"""Every answer has a strict policy with a nonce of its own."""

import re

import pytest

from tests.portal.client import Portal
from tools.portal_course import ADA

NONCE = re.compile(r"'nonce-([\w-]{20,})'")


@pytest.mark.parametrize("path", ["/sign-in", "/", "/no-such-page", "/sign-in/link/guess"])
def test_every_answer_has_the_headers(read_portal: Portal, path: str) -> None:
    headers = read_portal.visit(ADA).get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "require-trusted-types-for 'script'; trusted-types htmx" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"


def test_the_nonce_is_fresh_and_that_of_the_page(read_portal: Portal) -> None:
    nonces = set()
    for _ in range(2):
        answer = read_portal.visit().get("/sign-in")
        (nonce,) = NONCE.findall(answer.headers["content-security-policy"])
        assert f'nonce="{nonce}"' in answer.text
        nonces.add(nonce)
    assert len(nonces) == 2


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(portal: Portal) -> None:
    answer = portal.visit().post("/language", data={"language": "ru"})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 303),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Sec-Fetch-Site": "none"}, 303),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "http://127.0.0.1:8000"}, 303),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:8000", "Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_forms_of_other_sites_change_nothing(portal: Portal, headers: dict[str, str], status: int) -> None:
    client = portal.visit(ADA)
    assert client.post("/sign-out", headers=headers).status_code == status
    assert (client.get("/").headers.get("location") == "/sign-in") is (status == 303)
