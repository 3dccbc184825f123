"""People come from a course system by its links, also in a frame; forged launches are refused with one line."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from grader.course.accounts import sessions
from grader.course.accounts.members import members, set_role
from grader.course.lti.registering import published_keys
from grader.course.records import Records
from grader.policy.access import Role
from grader.store.people import IdSystem
from tests.course.lti_course import person
from tests.portal.client import Portal
from tests.portal.lti import introduce
from tools.course_system import CourseSystem, running
from tools.course_system.messages import asking_for_a_link, signed
from tools.portal_course import ADA, BOB, DAN, INES, TIM

LAB = "matmul"
COOKIE = "grader-session"


@pytest.fixture(scope="module")
def server() -> Iterator[CourseSystem]:
    with running() as system:
        yield system


@pytest.fixture
def system(server: CourseSystem, portal: Portal) -> CourseSystem:
    introduce(server, portal.workspace)
    return server


def announced(client: TestClient, system: CourseSystem, subject: str) -> dict[str, str]:
    """What the tool asks after the course system announced a person."""
    answer = client.get(
        "/lti/login",
        params={"iss": system.issuer, "client_id": system.registration.client_id, "login_hint": subject},
    )
    assert answer.status_code == 302
    # A test client keeps cookies of http:// only where they are not secure.
    name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
    client.cookies.set(name, value)
    return {name: values[0] for name, values in parse_qs(urlsplit(answer.headers["location"]).query).items()}


def launch(
    client: TestClient, system: CourseSystem, subject: str, lab: str = LAB, **headers: str
) -> Response:
    asked = announced(client, system, subject)
    token = signed(system.claims(subject, asked["nonce"], lab=lab))
    return posted(client, token, asked["state"], **headers)


def posted(client: TestClient, token: str, state: str, **headers: str) -> Response:
    answer: Response = client.post(
        "/lti/launch",
        data={"id_token": token, "state": state},
        headers={"Origin": "https://lms.example", "Sec-Fetch-Site": "cross-site"} | headers,
    )
    return answer


@pytest.fixture
def ina(portal: Portal, system: CourseSystem) -> TestClient:
    """The instructor, who comes first: her course is connected."""
    client = portal.visit()
    assert launch(client, system, "1").status_code == 303
    return client


def who(portal: Portal, client: TestClient) -> Any:
    found = sessions.find(portal.workspace, client.cookies[COOKIE])
    assert found is not None
    return found.member


@pytest.mark.usefixtures("ina")
def test_a_student_of_the_roster_lands_on_the_lab(portal: Portal, system: CourseSystem) -> None:
    client = portal.visit()
    answer = launch(client, system, "7")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/labs/{LAB}")
    assert (who(portal, client).person, who(portal, client).role) == (ADA, Role.STUDENT)
    with Records(portal.workspace) as records:
        ada = records.store.people.find(ADA)
    assert ada is not None
    assert [each.system for each in ada.ids] == [IdSystem.LTI]


@pytest.mark.usefixtures("ina")
def test_a_new_student_is_enrolled_once_in_their_language(portal: Portal, system: CourseSystem) -> None:
    for _ in range(2):
        client = portal.visit()
        launch(client, system, "8", lab="")
        assert who(portal, client).person == "eve@example.edu"
    with Records(portal.workspace) as records:
        eve = records.store.people.find("eve@example.edu")
    assert eve is not None
    assert (eve.name, eve.language) == ("Eve New", "zh")


@pytest.mark.usefixtures("ina")
def test_an_assistant_gets_no_more_than_that(portal: Portal, system: CourseSystem) -> None:
    client = portal.visit()
    launch(client, system, "9")
    assert (who(portal, client).person, who(portal, client).role) == ("tina", Role.ASSISTANT)


def test_the_first_instructor_connects_the_course(
    portal: Portal, system: CourseSystem, ina: TestClient
) -> None:
    assert who(portal, ina).role is Role.INSTRUCTOR
    with Records(portal.workspace) as records:
        (context,) = records.store.platforms.contexts()
        (link,) = records.store.platforms.links()
    assert (context.context, context.members_url) == ("course-7", f"{system.issuer}/members")
    assert link.lab == LAB


def test_a_student_connects_no_course(portal: Portal, system: CourseSystem) -> None:
    assert launch(portal.visit(), system, "7").status_code == 400


@pytest.mark.usefixtures("ina")
def test_another_course_of_the_system_is_refused(portal: Portal, system: CourseSystem) -> None:
    client = portal.visit()
    asked = announced(client, system, "1")
    claims = system.claims("1", asked["nonce"])
    claims["https://purl.imsglobal.org/spec/lti/claim/context"] = {"id": "course-8", "title": "History"}
    answer = posted(client, signed(claims), asked["state"])
    assert answer.status_code == 400
    assert "History" in answer.text
    assert COOKIE not in client.cookies


@pytest.mark.usefixtures("ina")
def test_nobody_is_matched_by_mail_alone(portal: Portal, system: CourseSystem) -> None:
    client = portal.visit()
    assert launch(client, system, "3").status_code == 400
    assert COOKIE not in client.cookies
    with Records(portal.workspace) as records:
        bob = records.store.people.find(BOB)
    assert bob is not None
    assert bob.ids == ()


@pytest.mark.usefixtures("ina")
def test_nobody_takes_over_an_account_of_staff_by_mail(portal: Portal, system: CourseSystem) -> None:
    set_role(portal.workspace, "eve@example.edu", Role.INSTRUCTOR)
    client = portal.visit()
    assert launch(client, system, "8").status_code == 400
    assert COOKIE not in client.cookies


@pytest.mark.usefixtures("ina")
def test_the_role_follows_the_course_system(portal: Portal, system: CourseSystem) -> None:
    launch(portal.visit(), system, "9")
    row = system.content.members[2]
    row["roles"] = [row["roles"][0].replace("Instructor", "Learner")]
    launch(portal.visit(), system, "9")
    roles = {each.person: each.role for each in members(portal.workspace)}
    assert roles["tina"] is Role.STUDENT


@pytest.mark.usefixtures("ina")
def test_somebody_without_a_role_is_refused(portal: Portal, system: CourseSystem) -> None:
    assert launch(portal.visit(), system, "2").status_code == 400


def test_a_launch_counts_once(portal: Portal, system: CourseSystem) -> None:
    client = portal.visit()
    asked = announced(client, system, "1")
    token = signed(system.claims("1", asked["nonce"]))
    assert posted(client, token, asked["state"]).status_code == 303
    assert posted(client, token, asked["state"]).status_code == 400


def test_a_launch_counts_only_in_its_browser(portal: Portal, system: CourseSystem) -> None:
    client = portal.visit()
    asked = announced(client, system, "1")
    token = signed(system.claims("1", asked["nonce"]))
    assert posted(portal.visit(), token, asked["state"]).status_code == 400
    assert posted(client, token, asked["state"]).status_code == 303


@pytest.mark.parametrize("data", [{}, {"state": "x"}, {"id_token": "x"}, {"state": "x", "id_token": "y"}])
def test_a_launch_from_nowhere_is_refused(portal: Portal, system: CourseSystem, data: dict[str, str]) -> None:
    answer = portal.visit().post("/lti/launch", data=data)
    assert answer.status_code == 400
    assert f"frame-ancestors 'self' {system.issuer}" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"iss": "https://evil.example", "login_hint": "1"},
        {"iss": "https://evil.example' ; script-src *", "login_hint": "1"},
    ],
)
def test_a_login_from_a_stranger_is_refused(portal: Portal, said: dict[str, str]) -> None:
    answer = portal.visit().get("/lti/login", params=said)
    assert answer.status_code == 400
    assert "set-cookie" not in answer.headers
    assert "evil" not in answer.headers["content-security-policy"]


def test_the_state_is_kept_across_sites(portal: Portal, system: CourseSystem) -> None:
    answer = portal.visit().post(
        "/lti/login", data={"iss": system.issuer, "login_hint": "1"}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    cookie = answer.headers["set-cookie"]
    assert all(word in cookie for word in ("Secure", "HttpOnly", "SameSite=None", "Partitioned"))


@pytest.mark.usefixtures("ina")
def test_in_a_frame_a_button_opens_a_window(portal: Portal, system: CourseSystem) -> None:
    client = portal.visit()
    answer = launch(client, system, "7", **{"Sec-Fetch-Dest": "iframe"})
    assert answer.status_code == 200
    assert COOKIE not in client.cookies
    assert "x-frame-options" not in answer.headers
    assert 'name="then" value="/"' in answer.text
    ticket = answer.text.partition('name="ticket" value="')[2].partition('"')[0]
    window = portal.visit()
    opened = window.post("/lti/open", data={"ticket": ticket, "lab": LAB})
    assert (opened.status_code, opened.headers["location"]) == (303, f"/labs/{LAB}")
    assert who(portal, window).person == ADA
    assert portal.visit().post("/lti/open", data={"ticket": ticket, "lab": LAB}).status_code == 410


@pytest.mark.parametrize("lab", ["//evil.example", "../..//evil.example", "\\evil"])
def test_a_window_opens_nothing_elsewhere(
    portal: Portal, system: CourseSystem, ina: TestClient, lab: str
) -> None:
    answer = launch(portal.visit(), system, "7", **{"Sec-Fetch-Dest": "iframe"})
    ticket = answer.text.partition('name="ticket" value="')[2].partition('"')[0]
    opened = ina.post("/lti/open", data={"ticket": ticket, "lab": lab})
    assert opened.headers["location"].startswith("/")
    assert not opened.headers["location"].startswith("//")


def test_staff_place_a_lab_with_its_column(portal: Portal, system: CourseSystem) -> None:
    client = portal.visit()
    asked = announced(client, system, "1")
    token = signed(asking_for_a_link(system.claims("1", asked["nonce"])))
    answer = posted(client, token, asked["state"], **{"Sec-Fetch-Dest": "iframe"})
    assert f"form-action 'self' {system.issuer}" in answer.headers["content-security-policy"]
    assert answer.text.count(f'action="{system.issuer}/placed"') == 3
    form = answer.text.partition("row-sum")[0].rpartition('name="JWT" value="')[2]
    system.place(form.partition('"')[0])
    (link,) = system.placed
    assert link["custom"] == {"lab": "row-sum"}
    assert link["url"] == f"{portal.server.settings.url}/lti/launch"
    assert link["window"] == {"targetName": "_blank"}
    (item,) = system.content.items.values()
    assert item["resourceId"] == "row-sum"
    launch(client, system, "1", lab="row-sum")
    with Records(portal.workspace) as records:
        columns = {each.lab: each.line_item for each in records.store.platforms.links()}
    assert columns == {"row-sum": item["id"]}


@pytest.mark.usefixtures("ina")
def test_a_student_places_nothing(portal: Portal, system: CourseSystem) -> None:
    client = portal.visit()
    asked = announced(client, system, "7")
    token = signed(asking_for_a_link(system.claims("7", asked["nonce"])))
    answer = posted(client, token, asked["state"])
    assert answer.status_code == 400
    assert "JWT" not in answer.text


def test_public_keys_are_there_for_everybody(portal: Portal, system: CourseSystem) -> None:
    answer = portal.visit().get("/lti/keys")
    assert answer.json() == published_keys(portal.workspace)
    assert answer.json()["keys"]
    assert system.issuer not in answer.text


@pytest.mark.usefixtures("ina")
def test_an_instructor_sends_grades_and_reads_what_happened(portal: Portal, system: CourseSystem) -> None:
    launch(portal.visit(), system, "7")
    client = portal.visit(INES)
    assert client.get("/course-system").status_code == 200
    assert client.post("/course-system/push").status_code == 303
    assert system.content.shown(system.column(LAB), "7") is not None
    page = client.get("/course-system").text
    assert ADA in page
    assert "GPU programming" in page


@pytest.mark.usefixtures("ina")
def test_an_instructor_imports_the_roster_after_a_preview(portal: Portal, system: CourseSystem) -> None:
    system.content.members.append(dict(person("11", "Nora New", lis_person_sourcedid="nora")))
    client = portal.visit(INES)
    preview = client.post("/course-system/roster").text
    assert "nora" in preview
    assert BOB not in {each.person for each in members(portal.workspace)} or DAN not in preview
    assert "nora" not in {each.person for each in members(portal.workspace)}
    assert client.post("/course-system/roster/apply").status_code == 303
    assert "nora" in {each.person for each in members(portal.workspace)}


@pytest.mark.parametrize("person_", [ADA, TIM])
def test_others_find_no_course_system(portal: Portal, person_: str) -> None:
    client = portal.visit(person_)
    assert client.get("/course-system").status_code == 404
    assert client.post("/course-system/push").status_code == 404
