"""Submitting, tokens and decisions over the API."""

from collections.abc import Mapping

import pytest

from grader.course.accounts import tokens
from grader.course.accounts.members import set_role
from grader.course.class_board import choose_name
from grader.policy.access import Role, Scope
from tests.portal.api.conftest import As
from tests.portal.client import Portal
from tools.portal_course import ADA, BOB, CHEN, DAN, INES, TIM

KERNEL = "__global__ void row_sum(const float *a, float *b, int rows, int cols) {}\n"
NEW = {"lab": "row-sum", "files": [{"name": "row_sum.cu", "text": KERNEL}]}


def test_what_is_submitted_waits_in_the_queue(api: As) -> None:
    dan = api(DAN)
    answer = dan("POST", "/attempts", json=NEW)
    assert answer.status_code == 201
    attempt = answer.json()
    assert (attempt["student"], attempt["lab"], attempt["number"]) == (DAN, "row-sum", 1)
    assert (attempt["state"]["phase"], attempt["state"]["final"]) == ("waiting", False)
    assert dan("GET", f"/attempts/{attempt['id']}/source").json()["files"] == NEW["files"]
    for part in ("result", "report"):
        refused = dan("GET", f"/attempts/{attempt['id']}/{part}")
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "api-no-result")


def test_a_form_with_files_is_the_same(api: As) -> None:
    files = {"file": ("row_sum.cu", KERNEL.encode())}
    attempt = api(DAN)("POST", "/attempts", data={"lab": "row-sum"}, files=files).json()
    assert attempt["lab"] == "row-sum"
    assert api(DAN)("GET", f"/attempts/{attempt['id']}/source").json()["files"] == NEW["files"]


def test_one_key_is_one_attempt(api: As) -> None:
    dan, key = api(DAN), {"Idempotency-Key": "once"}
    first = dan("POST", "/attempts", json=NEW, headers=key).json()
    assert dan("POST", "/attempts", json=NEW, headers=key).json()["id"] == first["id"]
    other = {**NEW, "files": [{"name": "row_sum.cu", "text": KERNEL + "// other\n"}]}
    refused = dan("POST", "/attempts", json=other, headers=key)
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "submit-key-used")
    assert len(dan("GET", "/attempts").json()["attempts"]) == 1


def test_a_waiting_attempt_can_be_withdrawn(api: As) -> None:
    dan = api(DAN)
    attempt = dan("POST", "/attempts", json=NEW).json()["id"]
    assert api(BOB)("POST", f"/attempts/{attempt}/withdraw").status_code == 404
    assert dan("POST", f"/attempts/{attempt}/withdraw").status_code == 204
    assert dan("GET", f"/attempts/{attempt}/state").json()["phase"] == "withdrawn"
    assert dan("POST", f"/attempts/{attempt}/withdraw").status_code == 400


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"files": [{"name": "x.cu", "text": "__global__ void f() {}"}], "lab": ""}, "upload-lab-unknown"),
        ({"lab": "row-sum", "files": []}, "upload-empty"),
        ({"lab": "row-sum"}, "api-body-invalid"),
        ({"lab": 7, "files": []}, "api-body-invalid"),
        ([], "api-body-invalid"),
        ({"lab": "row-sum", "files": [{"name": "../x.cu", "text": ""}]}, "upload-name"),
    ],
)
def test_what_cannot_be_submitted_is_refused_by_a_code(read_api: As, body: object, code: str) -> None:
    answer = read_api(DAN)("POST", "/attempts", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)


@pytest.mark.parametrize(
    ("content", "kind", "status", "code"),
    [
        (b"{", "application/json", 400, "api-body-invalid"),
        (b"\xff", "application/json", 400, "api-body-invalid"),
        (b"[" * 5000, "application/json", 400, "api-body-invalid"),
        (b"x", "text/plain", 400, "api-not-json"),
        (b"x" * (5 << 20), "application/json", 413, "too-large"),
    ],
)
def test_a_damaged_body_is_refused(read_api: As, content: bytes, kind: str, status: int, code: str) -> None:
    answer = read_api(DAN)("POST", "/attempts", content=content, headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_a_token_has_no_more_scopes_than_the_one_that_made_it(api: As, portal: Portal) -> None:
    ada = api(ADA)
    made = ada("POST", "/tokens", json={"label": "ci", "scopes": ["read:own"], "days": 7}).json()
    less = ada.by(made["secret"])
    assert less("GET", "/me").json()["scopes"] == ["read:own"]
    assert less("GET", "/labs").status_code == 200
    refused = less("POST", "/attempts", json=NEW)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "api-token-scope")
    only_self = tokens.issue(portal.workspace, ADA, "self", within={Scope.SELF})
    refused = ada.by(only_self.secret)("POST", "/tokens", json={"label": "x", "scopes": ["submit"]})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "token-scopes")
    assert ada("POST", "/tokens", json={"label": "x", "scopes": ["grade"]}).status_code == 400


def test_a_revoked_token_opens_nothing(api: As) -> None:
    ada = api(ADA)
    made = ada("POST", "/tokens", json={"label": "laptop"}).json()
    laptop = ada.by(made["secret"])
    assert made["secret"] not in ada("GET", "/tokens").text
    assert {each["label"] for each in ada("GET", "/tokens").json()["tokens"]} == {"laptop", "a test"}
    assert api(BOB)("DELETE", f"/tokens/{made['token']['id']}").status_code == 404
    assert laptop("DELETE", "/tokens/current").status_code == 204
    assert laptop("GET", "/me").status_code == 401
    again = ada("POST", "/tokens", json={"label": "again"}).json()
    assert ada("DELETE", f"/tokens/{again['token']['id']}").status_code == 204
    assert ada.by(again["secret"])("GET", "/me").status_code == 401


@pytest.mark.parametrize(
    "wanted", [{"label": ""}, {"label": "x" * 81}, {"label": "x", "days": 0}, {"label": "x", "days": 1000}]
)
def test_a_token_without_a_name_or_with_a_strange_life_is_refused(
    read_api: As, wanted: Mapping[str, object]
) -> None:
    answer = read_api(ADA)("POST", "/tokens", json=wanted)
    assert answer.json()["error"]["code"] in {"token-label", "token-days"}


def test_a_person_with_another_role_loses_the_scopes_of_their_tokens(api: As, portal: Portal) -> None:
    tim = api(TIM)
    assert tim("GET", "/gradebook").status_code == 200
    set_role(portal.workspace, TIM, Role.STUDENT)
    assert tim("GET", "/gradebook").status_code == 404


def test_a_board_has_those_who_take_part_under_their_names(api: As, portal: Portal) -> None:
    ada = api(ADA)
    assert ada("GET", "/labs/matmul/board").json()["boards"] == []
    choose_name(portal.workspace, CHEN, "Quick fox", shown=True)
    (board,) = ada("GET", "/labs/matmul/board").json()["boards"]
    assert [entry["student"] for entry in board["entries"]] == ["Quick fox"]


def test_an_override_counts_and_a_repetition_changes_nothing(api: As) -> None:
    tim = api(TIM)
    wanted = {"student": ADA, "lab": "matmul", "points": 42, "because": "the handout was unclear"}
    for _ in range(2):
        answer = tim("POST", "/overrides", json=wanted)
        assert (answer.status_code, answer.json()["score"]) == (200, 42)
    newest = api(ADA)("GET", "/attempts", params={"lab": "matmul"}).json()["attempts"][0]
    assert newest["state"]["score"] == 42
    report = api(ADA)("GET", f"/attempts/{newest['id']}/result").text
    assert "the handout was unclear" not in report
    assert TIM not in report
    refused = tim("POST", "/overrides", json={**wanted, "because": ""})
    assert refused.json()["error"]["code"] == "refused"


def test_staff_excuse_extend_and_comment(api: As) -> None:
    ines = api(INES)
    about = {"student": ADA, "lab": "matmul", "because": "ill"}
    assert ines("POST", "/excuses", json=about).status_code == 204
    (row,) = ines("GET", "/class.json", params={"q": ADA}).json()["rows"]
    assert {cell["lab"]: cell["word"] for cell in row["cells"]}["matmul"] == "excused"
    extended = ines("POST", "/extensions", json={"who": ADA, "lab": "row-sum", "because": "ill", "days": 3})
    assert extended.json() == {"lab": "row-sum", "students": [ADA]}
    comment = {"student": ADA, "lab": "matmul", "file": "student-05.cu", "line": 1, "text": "Why?"}
    newest = ines("GET", "/attempts", params={"student": ADA, "lab": "matmul"}).json()["attempts"][0]
    (file, *_) = ines("GET", f"/attempts/{newest['id']}/source").json()["files"]
    assert ines("POST", "/comments", json={**comment, "file": file["name"]}).status_code == 200
    refused = ines("POST", "/comments", json={**comment, "file": file["name"], "line": 10**6})
    assert refused.status_code == 400


def test_a_regrade_set_is_made_once_and_closed(api: As) -> None:
    tim = api(TIM)
    wanted = {"labs": ["matmul"], "because": "a wrong case"}
    made = tim("POST", "/regrades", json=wanted)
    assert made.status_code == 201
    assert made.json()["is_open"]
    assert tim("POST", "/regrades", json=wanted).json()["id"] == made.json()["id"]
    (listed,) = tim("GET", "/regrades").json()["regrades"]
    assert listed == made.json()
    closed = tim("POST", f"/regrades/{listed['id']}/close", json={"apply": False})
    assert closed.json()["closed"] == sum(listed["counts"].values())
    assert not tim("GET", "/regrades").json()["regrades"][0]["is_open"]
    assert tim("POST", "/regrades/99/close", json={"apply": True}).status_code == 400
