"""A launch passes every check, or one line says which it fails."""

import base64
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from grader.errors import UserError
from grader.lms.lti.client import PyltiClient
from grader.lms.lti.http import KeySets
from grader.lms.lti.keys import key_set, new_key
from grader.lms.lti.port import LmsError, LmsRole
from grader.lms.lti.roles import role_in_course
from grader.store.lti_values import Platform
from tests.store.examples import NOON
from tools.course_system import CourseSystem, running
from tools.course_system.messages import KEY, LTI, OTHER_KEY, ROLE, asking_for_a_link, signed
from tools.course_system.server import CLIENT_ID

NONCE = "a nonce that began here"
ADA = {
    "user_id": "7",
    "name": "Ada Lovelace",
    "email": "ada@example.edu",
    "lis_person_sourcedid": "0042",
    "roles": [f"{ROLE}Learner"],
    "locale": "ru-RU",
}


@pytest.fixture(scope="module")
def system() -> Iterator[CourseSystem]:
    with running() as system:
        system.content.members.append(ADA)
        yield system


@pytest.fixture(scope="module")
def platform(system: CourseSystem) -> Platform:
    registration = system.registration
    return Platform(
        **{name: getattr(registration, name) for name in registration.__dataclass_fields__},
        id=1,
        keys=(new_key(NOON),),
    )


def launched(platform: Platform, token: str, nonce: str = NONCE) -> Any:
    return PyltiClient().launch(platform, token, nonce)


def test_a_launch_says_who_comes_for_what(system: CourseSystem, platform: Platform) -> None:
    launch = launched(platform, signed(system.claims("7", NONCE, lab="row-sum")))
    member = launch.member
    assert (member.subject, member.role, member.school_id) == ("7", LmsRole.STUDENT, "0042")
    assert (launch.context, launch.lab, launch.language) == ("course-7", "row-sum", "ru-RU")
    assert launch.members_url == f"{system.issuer}/members"
    assert launch.link_request is None


def test_a_launch_may_ask_for_a_link(system: CourseSystem, platform: Platform) -> None:
    launch = launched(platform, signed(asking_for_a_link(system.claims("7", NONCE))))
    assert launch.link_request is not None
    assert launch.link_request.return_url == f"{system.issuer}/placed"


def test_a_link_without_a_parameter_names_its_lab_by_its_address(
    system: CourseSystem, platform: Platform
) -> None:
    claims = {**system.claims("7", NONCE), f"{LTI}target_link_uri": "https://grader/lti/launch?lab=matmul"}
    assert launched(platform, signed(claims)).lab == "matmul"


def test_an_unknown_variable_is_no_text(system: CourseSystem, platform: Platform) -> None:
    claims = {**system.claims("7", NONCE), f"{LTI}custom": {"lab": "$Canvas.assignment.id"}}
    assert launched(platform, signed(claims)).lab == ""


def _without(*names: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda claims: {name: value for name, value in claims.items() if name not in names}


def _with(**changes: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda claims: claims | changes


def _claim(name: str, value: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda claims: claims | {f"{LTI}{name}": value}


@pytest.mark.parametrize(
    "forge",
    [
        pytest.param(_with(aud="another-tool"), id="another audience"),
        pytest.param(_with(aud=[CLIENT_ID, "another-tool"]), id="two audiences"),
        pytest.param(_with(azp="another-tool"), id="another party"),
        pytest.param(_with(iss="https://evil.example"), id="another issuer"),
        pytest.param(_with(exp=int(time.time()) - 120), id="expired"),
        pytest.param(_without("exp"), id="no expiry"),
        pytest.param(_without("iat"), id="no time of issue"),
        pytest.param(_with(iat=int(time.time()) + 3600), id="issued in the future"),
        pytest.param(_without("sub"), id="nobody"),
        pytest.param(_with(nonce="made up"), id="made-up nonce"),
        pytest.param(_without("nonce"), id="no nonce"),
        pytest.param(_claim("deployment_id", "666"), id="unknown deployment"),
        pytest.param(_without(f"{LTI}deployment_id"), id="no deployment"),
        pytest.param(_claim("version", "1.2"), id="wrong version"),
        pytest.param(_claim("message_type", "LtiStartProctoring"), id="unknown message"),
        pytest.param(_without(f"{LTI}message_type"), id="no message"),
        pytest.param(_without(f"{LTI}resource_link"), id="no link"),
        pytest.param(_claim("resource_link", "text"), id="a link of another shape"),
        pytest.param(_without(f"{LTI}roles"), id="no roles"),
    ],
)
def test_a_forged_launch_is_refused(
    system: CourseSystem, platform: Platform, forge: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    token = signed(forge(system.claims("7", NONCE)))
    with pytest.raises(UserError):
        launched(platform, token)


def _unsigned(claims: dict[str, Any]) -> str:
    header, body, _ = signed(claims).split(".")
    return f"{header}.{body}."


def _edited(claims: dict[str, Any]) -> str:
    header, _, signature = signed(claims).split(".")
    body = base64.urlsafe_b64encode(json.dumps({**claims, "sub": "1"}).encode()).rstrip(b"=").decode()
    return f"{header}.{body}.{signature}"


@pytest.mark.parametrize(
    "sign",
    [
        pytest.param(lambda claims: signed(claims, OTHER_KEY), id="wrong key"),
        pytest.param(lambda claims: signed(claims, OTHER_KEY, kid="unknown"), id="unknown key"),
        pytest.param(lambda claims: signed(claims, algorithm="none"), id="algorithm none"),
        pytest.param(lambda claims: signed(claims, algorithm="RS512"), id="another algorithm"),
        pytest.param(_unsigned, id="no signature"),
        pytest.param(_edited, id="edited"),
        pytest.param(lambda _: "", id="empty"),
        pytest.param(lambda _: "a.b.c", id="no token"),
        pytest.param(lambda _: "é.é.é", id="no ASCII"),
        pytest.param(lambda _: "bnVsbA.bnVsbA.bnVsbA", id="null"),
        pytest.param(lambda _: "W10.W10.W10", id="lists"),
    ],
)
def test_a_badly_signed_launch_is_refused(
    system: CourseSystem, platform: Platform, sign: Callable[[dict[str, Any]], str]
) -> None:
    with pytest.raises(UserError):
        launched(platform, sign(system.claims("7", NONCE)))


def test_clocks_may_differ_by_half_a_minute(system: CourseSystem, platform: Platform) -> None:
    ahead = {**system.claims("7", NONCE), "iat": int(time.time()) + 30}
    assert launched(platform, signed(ahead)).member.subject == "7"


def test_an_unknown_key_is_asked_for_once(
    system: CourseSystem, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, asked = PyltiClient(), []
    fetch = KeySets._fetch  # noqa: SLF001 - counts requests

    def counted(keys: KeySets, url: str) -> Any:
        asked.append(url)
        return fetch(keys, url)

    monkeypatch.setattr(KeySets, "_fetch", counted)
    for _ in range(5):
        with pytest.raises(UserError):
            client.launch(platform, signed(system.claims("7", NONCE), OTHER_KEY, kid="made up"), NONCE)
    assert len(asked) == 1
    assert client.launch(platform, signed(system.claims("7", NONCE)), NONCE).member.subject == "7"


def test_keys_that_cannot_be_read_are_no_fault_of_the_launch(
    platform: Platform, system: CourseSystem
) -> None:
    gone = replace(platform, keys_url="http://127.0.0.1:9/jwks")
    with pytest.raises(LmsError):
        launched(gone, signed(system.claims("7", NONCE)))


@pytest.mark.parametrize(
    ("roles", "role"),
    [
        ([f"{ROLE}Learner"], LmsRole.STUDENT),
        (["Learner"], LmsRole.STUDENT),
        ([f"{ROLE}Instructor"], LmsRole.INSTRUCTOR),
        (
            [
                f"{ROLE}Instructor",
                "http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant",
            ],
            LmsRole.ASSISTANT,
        ),
        ([f"{ROLE}Mentor"], LmsRole.OBSERVER),
        (
            ["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor", f"{ROLE}Learner"],
            LmsRole.STUDENT,
        ),
        (["http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator"], None),
        (["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Faculty"], None),
        ([], None),
        ([3, None], None),
    ],
)
def test_the_role_is_the_one_in_the_course(roles: list[object], role: LmsRole | None) -> None:
    assert role_in_course(roles) == role


def test_the_key_that_signs_is_the_one_that_is_published() -> None:
    key = new_key(NOON)
    platform = Platform(
        issuer="https://lms",
        client_id="c",
        login_url="",
        token_url="",
        keys_url="",
        id=1,
        keys=(key,),
    )
    (published,) = key_set([platform])["keys"]
    assert published["kid"] == key.kid
    assert not {"d", "p", "q"} & published.keys()
    assert KEY.thumbprint() != key.kid
