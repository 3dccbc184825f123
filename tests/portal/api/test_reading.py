"""What each role reads over the API, and what they may not know of."""

import json
from typing import Any

import pytest

from grader.portal.api.site import API
from tests.portal.api.conftest import As
from tests.portal.api.described import Api
from tests.portal.client import Portal
from tools.portal_course import ADA, BOB, CHEN, INES, OLGA, PEOPLE, TIM


def attempts(api: Api, **query: str) -> list[dict[str, Any]]:
    """The attempts that a client sees."""
    found = api("GET", "/attempts", params=query).json()["attempts"]
    assert isinstance(found, list)
    return found


def test_a_token_says_who_it_is_for(read_api: As) -> None:
    me = read_api(ADA)("GET", "/me").json()
    assert (me["person"], me["role"], me["course"]) == (ADA, "student", "GPU programming, autumn")
    assert me["scopes"] == ["read:own", "self", "submit"]


def test_a_student_sees_their_own_attempts_alone(read_api: As) -> None:
    ada = read_api(ADA)
    own = attempts(ada)
    assert own
    assert {each["student"] for each in own} == {ADA}
    assert {each["student"] for each in attempts(ada, student=BOB)} == {ADA}
    everybody = attempts(read_api(TIM))
    assert {each["student"] for each in everybody} == {ADA, BOB, CHEN}
    others = [each["id"] for each in everybody if each["student"] != ADA]
    for attempt in others:
        for part in ("", "/state", "/events", "/source", "/result", "/report"):
            answer = ada("GET", f"/attempts/{attempt}{part}")
            assert answer.status_code == 404
            assert answer.json()["error"]["code"] == "not-found"


def test_attempts_come_in_pages(read_api: As) -> None:
    tim = read_api(TIM)
    whole = [each["id"] for each in attempts(tim)]
    assert whole == sorted(whole, reverse=True)
    seen, query = [], {"limit": "2"}
    while True:
        page = tim("GET", "/attempts", params=query).json()
        assert len(page["attempts"]) <= 2
        seen += [each["id"] for each in page["attempts"]]
        if page["next"] is None:
            break
        query["before"] = page["next"]
    assert seen == whole


def test_an_attempt_has_its_state_result_report_and_source(read_api: As) -> None:
    ada = read_api(ADA)
    newest = ada("GET", "/attempts", params={"lab": "matmul", "limit": "1"}).json()["attempts"][0]
    attempt = newest["id"]
    assert newest == ada("GET", f"/attempts/{attempt}").json()
    state = ada("GET", f"/attempts/{attempt}/state").json()
    assert state == newest["state"]
    assert state["final"]
    report = ada("GET", f"/attempts/{attempt}/result").json()["reports"][0]
    assert (report["student"], report["lab"], report["verdict"]) == (ADA, "matmul", state["verdict"])
    text = ada("GET", f"/attempts/{attempt}/report", params={"columns": "80"})
    assert "\x1b[" in text.text
    assert "matmul" in text.text
    page = ada("GET", f"/attempts/{attempt}/report", headers={"Accept": "text/html"})
    assert page.text.startswith("<!doctype html>")
    (file, *_) = ada("GET", f"/attempts/{attempt}/source").json()["files"]
    assert "__global__" in file["text"]


def test_a_student_reads_no_hidden_case(read_api: As) -> None:
    """Staff read the names of hidden cases in the same documents."""
    clients = {Staff: read_api(Staff) for Staff in (ADA, TIM)}
    seen = {}
    for person, client in clients.items():
        attempt = attempts(client, lab="matmul", student=ADA)[0]["id"]
        texts = [client("GET", f"/attempts/{attempt}/{part}").text for part in ("result", "report")]
        texts.append(client("GET", f"/attempts/{attempt}/report", headers={"Accept": "text/html"}).text)
        seen[person] = texts
    names = hidden_names(seen[TIM][0])
    assert names
    assert [name for name in names for text in seen[ADA] if name in text] == []


def hidden_names(result: str) -> set[str]:
    """The names of the hidden cases in a result."""
    (report,) = json.loads(result)["reports"]
    return {
        case["name"]
        for kernel in report["kernels"]
        for case in kernel["cases"]
        if case["visibility"] == "hidden"
    }


def test_an_unchanged_answer_is_not_sent_again(read_api: As) -> None:
    ada = read_api(ADA)
    attempt = attempts(ada)[0]["id"]
    first = ada("GET", f"/attempts/{attempt}/state")
    again = ada("GET", f"/attempts/{attempt}/state", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = ada("GET", f"/attempts/{attempt}/state", headers={"If-None-Match": '"other"'})
    assert other.status_code == 200


def test_states_come_as_events_and_end(read_api: As) -> None:
    ada = read_api(ADA)
    attempt = attempts(ada)[0]["id"]
    text = ada("GET", f"/attempts/{attempt}/events").text
    events = [line for line in text.splitlines() if line.startswith("event:")]
    assert events == ["event: state", "event: end"]
    data = next(line for line in text.splitlines() if line.startswith("data: {"))
    assert json.loads(data.removeprefix("data: ")) == ada("GET", f"/attempts/{attempt}/state").json()


def test_labs_and_boards_name_nobody_else(read_api: As) -> None:
    ada = read_api(ADA)
    labs = {each["name"]: each for each in ada("GET", "/labs").json()["labs"]}
    assert {"matmul", "row-sum"} <= set(labs)
    assert ada("GET", "/labs/matmul").json() == labs["matmul"]
    board = ada("GET", "/labs/matmul/board")
    assert board.json()["schema_version"] == 1
    texts = board.text + ada("GET", "/labs").text
    assert [word for each in PEOPLE.values() if each.id != ADA for word in each.words if word in texts] == []
    for path in ("/labs/none", "/labs/none/board"):
        assert ada("GET", path).status_code == 404


@pytest.mark.parametrize("person", [TIM, INES, OLGA])
def test_staff_read_the_class(read_api: As, person: str) -> None:
    staff = read_api(person)
    rows = staff("GET", "/class.json").json()["rows"]
    assert {row["person"]["id"] for row in rows} >= {ADA, BOB, CHEN}
    (row,) = staff("GET", "/class.json", params={"q": "ada-1815"}).json()["rows"]
    assert row["person"]["id"] == ADA
    grades = staff("GET", "/gradebook", params={"lab": "matmul"}).json()
    assert grades["labs"] == ["matmul"]
    assert staff("GET", "/gradebook", params={"lab": "none"}).status_code == 400


def test_texts_are_in_the_readers_language(read_api: As) -> None:
    ada = read_api(ADA)
    texts = {
        language: ada("GET", "/labs/none", headers={"Accept-Language": language}).json()["error"]["code"]
        for language in ("en", "ru", "zh")
    }
    assert set(texts.values()) == {"lab-unknown"}
    attempt = attempts(ada)[0]["id"]
    states = {
        ada("GET", f"/attempts/{attempt}/state", headers={"Accept-Language": language}).json()["text"]
        for language in ("en", "ru", "zh")
    }
    assert len(states) == 3


def test_every_route_refuses_who_may_not_ask(read_portal: Portal, read_api: As) -> None:
    nobody, student, observer = Api(read_portal.visit()), read_api(ADA), read_api(OLGA)
    for route in API:
        path = route.path.replace("{attempt}", "1").replace("{lab}", "matmul")
        path = path.replace("{token}", "1").replace("{regrade}", "1")
        if route.scopes is None:
            continue
        for client in (nobody, nobody.by("gr_wrong")):
            answer = client(route.method, path)
            assert answer.status_code == 401
            assert answer.headers["WWW-Authenticate"] == "Bearer"
            assert answer.json()["error"]["code"] == "api-no-token"
        if "grade" in route.scopes:
            for client in (student, observer):
                assert client(route.method, path, json={}).status_code == 404


def test_a_cookie_is_no_token(read_portal: Portal) -> None:
    assert Api(read_portal.visit(ADA))("GET", "/me").status_code == 401


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/none", 404, "not-found"),
        ("POST", "/me", 404, "not-found"),
        ("GET", "/attempts/x", 404, "not-found"),
        ("GET", "/attempts/0", 404, "not-found"),
        ("GET", f"/attempts/{10**30}", 404, "not-found"),
        ("GET", "/attempts?limit=0", 400, "api-query-invalid"),
        ("GET", "/attempts?before=x", 400, "api-query-invalid"),
        ("DELETE", "/tokens/999", 404, "not-found"),
    ],
)
def test_what_does_not_exist_has_a_stable_code(
    read_api: As, method: str, path: str, status: int, code: str
) -> None:
    answer = read_api(ADA)(method, path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
