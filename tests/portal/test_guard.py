"""Every link and form of every role: no person sees what is another's, and no page fails."""

import gzip
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, unquote

import pytest

from grader.course.records import Records
from grader.model.report import Visibility
from grader.policy.access import SCOPES_OF
from grader.portal.page import Page
from tests.portal.client import Portal
from tools.paths import CHECKOUT
from tools.portal_course import ADA, BOB, CHEN, DAN, INES, PEOPLE, TIM
from tools.portal_crawl import Form, Visited, crawl, route_of

STUDENTS = (ADA, BOB, CHEN, DAN)
VISITORS = ("", *PEOPLE)


@dataclass(frozen=True, kw_only=True)
class Walk:
    """What a person saw."""

    pages: Sequence[Visited]

    @property
    def forms(self) -> Sequence[Form]:
        """Every form, once for each target."""
        return list({(form.method, form.action): form for each in self.pages for form in each.forms}.values())


@pytest.fixture(scope="module")
def walks(read_portal: Portal) -> Mapping[str, Walk]:
    """The walk of each visitor; nobody is an empty text."""
    return {
        person: Walk(pages=list(crawl(read_portal.app, read_portal.visit(person)))) for person in VISITORS
    }


def _others(person: str) -> list[str]:
    """What gives the other people of the course away: ids, names and addresses."""
    return [
        word
        for other in PEOPLE.values()
        if other.id != person
        for word in (other.id, *other.words)
        if word not in {"Tim Assist", "Ines Lehrer", "Olga Gast"}
    ]


def _hidden_cases(portal: Portal) -> list[str]:
    """The names of hidden cases, but for single words that a page may have for other reasons."""
    labs = [portal.workspace.registry.get(name).manifest for name in ("matmul", "row-sum")]
    cases = [case for lab in labs for case in lab.cases if case.visibility is Visibility.HIDDEN]
    return [case.name for case in cases if "-" in case.name]


def _sources(portal: Portal, person: str) -> list[str]:
    """Lines that only other students wrote, and no lab has in its handout."""
    with Records(portal.workspace) as records:
        lines: dict[str, set[str]] = {}
        for stored in records.store.submissions.list():
            text = "\n".join(
                file.data.decode("utf-8", "replace") for file in records.store.submissions.files(stored.key)
            )
            lines.setdefault(stored.key.student, set()).update(
                line.strip() for line in text.splitlines() if len(line.strip()) > 30
            )
    own = lines.pop(person, set())
    handouts = "".join(
        file.read_text("utf-8", "replace")
        for lab in ("matmul", "row-sum")
        for file in sorted((CHECKOUT / "assignments" / lab).rglob("*"))
        if file.is_file()
    )
    return sorted(line for line in set().union(*lines.values()) - own if line not in handouts)


@pytest.mark.parametrize("person", VISITORS, ids=lambda person: person or "nobody")
def test_no_page_fails_and_no_link_is_dead(person: str, walks: Mapping[str, Walk]) -> None:
    wrong = [(each.path, each.status) for each in walks[person].pages if each.status not in {200, 303}]
    assert wrong == []


@pytest.mark.parametrize("person", ["", *STUDENTS], ids=lambda person: person or "nobody")
def test_a_student_sees_nothing_of_others(
    person: str, walks: Mapping[str, Walk], read_portal: Portal
) -> None:
    words = [*_others(person), *_sources(read_portal, person), *_hidden_cases(read_portal)]
    assert len(words) > 30
    seen = [(each.path, word) for each in walks[person].pages for word in words if word in each.text]
    assert seen == []


def test_the_walk_reaches_what_it_must(walks: Mapping[str, Walk]) -> None:
    assert [
        each.path for each in walks[""].pages if each.status == 200 and each.type.startswith("text/html")
    ] == ["/sign-in"]
    assert len({each.route for each in walks[ADA].pages}) >= 5
    assert {each.route for each in walks[INES].pages} >= {each.route for each in walks[TIM].pages} - {"/"}


def test_a_person_reaches_no_page_beyond_their_scopes(read_portal: Portal, walks: Mapping[str, Walk]) -> None:
    rows = {page.path: page for page in read_portal.server.pages if "GET" in page.methods}
    for person, walk in walks.items():
        scopes = _scopes(person)
        beyond = [
            each.path for each in walk.pages if each.status == 200 and not _may(rows[each.route], scopes)
        ]
        assert beyond == []


def _scopes(person: str) -> frozenset[str]:
    return frozenset(SCOPES_OF[PEOPLE[person].role]) if person else frozenset()


def _may(page: Page, scopes: frozenset[str]) -> bool:
    return page.scope is None or page.scope in scopes


def _state(portal: Portal) -> dict[str, int]:
    """How many rows a change would add or take."""
    assert portal.workspace.store is not None
    store = portal.workspace.store
    return {
        "decisions": len(store.decisions.list()),
        "attempts": len(store.attempts.list()),
        "jobs": len(store.jobs.list()),
        "regrades": len(store.regrades.list()),
        "accounts": len(store.accounts.list()),
        "people": len(store.people.list()),
        "events": len(store.events.list()),
    }


def test_a_student_cannot_use_a_form_of_staff(portal: Portal, walks: Mapping[str, Walk]) -> None:
    """Not even one for which they know the address and every field."""
    own = {(form.method, route_of(portal.app, form.action, "POST")) for form in walks[ADA].forms}
    client = portal.visit(ADA)
    before = _state(portal)
    forms = [form for staff in (TIM, INES) for form in walks[staff].forms if form.method == "POST"]
    others = [form for form in forms if (form.method, route_of(portal.app, form.action, "POST")) not in own]
    assert len(others) >= 1
    answers = [(form.action, client.post(form.action, data=dict(form.fields)).status_code) for form in others]
    assert [answer for answer in answers if answer[1] != 404] == []
    assert _state(portal) == before


@pytest.mark.parametrize("person", ["", DAN], ids=lambda person: person or "nobody")
def test_a_form_of_another_student_does_nothing(
    person: str, portal: Portal, walks: Mapping[str, Walk]
) -> None:
    """The addresses of Ada's attempts lead no other person anywhere."""
    client = portal.visit(person)
    before = _state(portal)
    forms = [form for form in walks[ADA].forms if form.method == "POST" and "/attempts/" in form.action]
    for form in forms:
        answer = client.post(form.action, data=dict(form.fields))
        expected = 404 if person else 303
        assert (form.action, answer.status_code) == (form.action, expected)
    assert _state(portal) == before


KNOWN = ("1", "2", "3", "4", "5", "matmul", "row-sum", ADA, BOB, TIM)
"""Identifiers that exist, some of them for others alone."""

MADE_UP = (
    *("0", "-1", "99999", str(2**63), str(2**80), "1e3", "٣", "%00", "..", "%2e%2e%2f"),
    *("no-such-lab", "../grader.toml", "%2Fetc%2Fpasswd", "{{7*7}}", "<script>", "' OR 1=1"),
    *("x" * 300, "студент", "\N{ZERO WIDTH SPACE}"),
)

_OF_EACH = 5
"""So many made-up identifiers take turns for each page."""


def _addresses(portal: Portal, *, with_known: bool) -> Iterator[tuple[Page, str]]:
    parameter = re.compile(r"{\w+(?::\w+)?}")
    for number, page in enumerate(portal.server.pages):
        count = len(parameter.findall(page.path))
        if page.path.endswith("/events") or not count:
            continue
        start = number * _OF_EACH
        odd = [MADE_UP[(start + each) % len(MADE_UP)] for each in range(_OF_EACH)]
        for identifier in (*odd, *(KNOWN if with_known else ())):
            for known in {"matmul", "1"} if count > 1 else {"matmul"}:
                filled = parameter.sub(known, page.path, count=count - 1)
                name = quote(identifier, safe="%").replace("\\", r"\\")
                yield page, parameter.sub(name, filled, count=1)


@pytest.mark.parametrize("person", ["", DAN, TIM, INES], ids=lambda person: person or "nobody")
def test_made_up_identifiers_fail_no_page_and_show_nothing(person: str, portal: Portal) -> None:
    client = portal.visit(person)
    words = [*_others(person), *_sources(portal, person)] if person in {"", DAN} else []
    for page, address in _addresses(portal, with_known=person in {"", DAN}):
        for method in page.methods:
            answer = client.request(method, address)
            assert (address, method, answer.status_code < 500) == (address, method, True)
            if answer.headers.get("content-type", "").startswith("text/"):
                shown = answer.text.replace(address.rpartition("/")[2], "")
                assert [
                    (address, word) for word in words if word in shown and word not in unquote(address)
                ] == []


def test_every_answer_of_a_walk_has_a_strict_policy(read_portal: Portal, walks: Mapping[str, Walk]) -> None:
    client = read_portal.visit(INES)
    for each in {visited.route: visited for visited in walks[INES].pages}.values():
        headers = client.get(each.path).headers
        policy = headers["content-security-policy"]
        assert (each.path, "default-src 'none'" in policy, "unsafe-eval" in policy) == (
            each.path,
            True,
            False,
        )
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] != "public"


def test_no_page_is_heavy(walks: Mapping[str, Walk]) -> None:
    """A first page with its style sheet and script takes less than 60 kB on the way, compressed."""
    for person in ("", ADA, TIM):
        first = [
            each for each in walks[person].pages if each.type.startswith("text/html") and each.status == 200
        ][:1]
        parts = [each for each in walks[person].pages if each.path.startswith("/static/")]
        assert sum(len(gzip.compress(each.text.encode())) for each in (*first, *parts)) < 60_000
