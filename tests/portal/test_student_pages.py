"""The pages of students show their own work, and results only when the course does."""

import re

import pytest

from grader.course.publish import publish
from grader.course.records import Records
from grader.course.staff import Staff
from grader.messages import LANGUAGES
from tests.portal.client import Portal
from tools.portal_course import ADA, BOB, CHEN, DAN, TIM

KERNEL = (
    b"__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) { c[0] = 1; }\n"
)
PARTS = ("", "/report", "/state", "/events", "/file?name=student-05.cu")


def attempts(portal: Portal, student: str, lab: str = "matmul") -> list[int]:
    """The ids of the attempts of ``student``."""
    with Records(portal.workspace) as records:
        return [each.id for each in records.store.attempts.recorded(student, lab)]


@pytest.fixture
def hiding(portal: Portal) -> Portal:
    """The course shows scores when they are published."""
    file = portal.folder / "course.toml"
    text = file.read_text("utf-8").replace("[defaults]\n", '[defaults]\nscores = "when published"\n')
    file.write_text(text, encoding="utf-8")
    return portal


def test_the_labs_of_a_student_show_what_is_due(read_portal: Portal) -> None:
    page = read_portal.visit(ADA).get("/labs")
    assert page.status_code == 200
    titles = re.findall(r'<h2 id="lab-([a-z-]+)"', page.text)
    assert titles == ["row-sum", "matmul", "reduction"]
    assert "Bob" not in page.text


def test_a_lab_shows_its_handout_once_it_has_opened(read_portal: Portal) -> None:
    client = read_portal.visit(DAN)
    opened, closed = client.get("/labs/matmul"), client.get("/labs/reduction")
    assert "blockDim" in opened.text or "tile" in opened.text
    assert 'type="file"' in opened.text
    assert closed.status_code == 200
    assert 'id="handout"' not in closed.text
    assert 'type="file"' not in closed.text
    assert client.get("/labs/matmul/starter/matmul.cu").status_code == 200
    assert client.get("/labs/reduction/starter/reduction.cu").status_code == 404
    assert client.get("/labs/matmul/starter/..%2Flab.py").status_code == 404
    assert client.get("/labs/vector-add").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_attempt_leads_with_its_cause(read_portal: Portal, language: str) -> None:
    first, race = attempts(read_portal, ADA)
    client = read_portal.visit(ADA, language=language)
    page = client.get(f"/attempts/{race}")
    assert page.status_code == 200
    assert '<h2 id="cause">' in page.text
    assert page.text.count('<tr class="hit">') >= 2
    assert '<svg class="heat"' in page.text
    assert re.search(r"grader check \S+ --lab matmul --seed \d+ --case \S+</code>", page.text)
    assert f'href="/attempts/{first}"' in page.text
    report = client.get(f"/attempts/{race}/report")
    assert "style-src 'sha256-" in report.headers["Content-Security-Policy"]


def test_no_page_names_a_hidden_case(read_portal: Portal) -> None:
    hidden = [
        case.name
        for case in read_portal.workspace.registry.get("matmul").manifest.cases
        if case.visibility.value == "hidden"
    ]
    assert hidden
    for student in (ADA, BOB, CHEN):
        client = read_portal.visit(student)
        for attempt in attempts(read_portal, student):
            for part in ("", "/report"):
                text = client.get(f"/attempts/{attempt}{part}").text
                assert not [name for name in hidden if re.search(rf"\b{name}\b", text)]


@pytest.mark.parametrize("part", PARTS)
def test_the_attempts_of_others_do_not_exist(read_portal: Portal, part: str) -> None:
    (own,) = attempts(read_portal, CHEN)
    for visitor in (ADA, DAN, TIM):
        assert read_portal.visit(visitor).get(f"/attempts/{own}{part}").status_code == 404


def test_results_stay_hidden_until_they_are_published(hiding: Portal) -> None:
    (attempt,) = attempts(hiding, CHEN)
    client = hiding.visit(CHEN)
    pages = ("/labs", "/labs/matmul", f"/attempts/{attempt}", f"/attempts/{attempt}/state")
    for path in pages:
        text = client.get(path).text
        assert not re.search(r'class="chip|class="score"|accepted', text), path
    assert client.get(f"/attempts/{attempt}/report").status_code == 404
    publish(hiding.workspace, "matmul", Staff(because="graded", by=TIM))
    assert 'class="chip v-accepted"' in client.get(f"/attempts/{attempt}").text


def test_a_form_submits_once(portal: Portal) -> None:
    client = portal.visit(DAN)
    key = re.search(r'name="key" value="(\w+)"', client.get("/labs/matmul").text)
    assert key is not None

    def send() -> str:
        sent = client.post(
            "/labs/matmul/attempts", data={"key": key[1]}, files={"file": ("matmul.cu", KERNEL)}
        )
        assert sent.status_code == 303
        return sent.headers["location"]

    page = client.get(send())
    assert 'hx-sse:connect="/attempts/' in page.text
    assert send() == str(page.url.path)
    assert len(attempts(portal, DAN)) == 1
    assert client.post(f"{page.url.path}/withdraw").status_code == 303
    assert "hx-sse:connect" not in client.get(page.url.path).text


def test_a_refused_upload_says_why_in_the_language_of_the_visitor(portal: Portal) -> None:
    client = portal.visit(DAN, language="ru")
    sent = client.post("/labs/matmul/attempts", files={"file": ("notes.txt", b"hello")})
    assert sent.status_code == 400
    assert "Это нельзя отправить" in sent.text
    assert attempts(portal, DAN) == []


def test_an_unchanged_state_is_not_sent_again(read_portal: Portal) -> None:
    (attempt,) = attempts(read_portal, CHEN)
    client = read_portal.visit(CHEN)
    first = client.get(f"/attempts/{attempt}/state")
    assert (first.json()["phase"], first.json()["final"]) == ("done", True)
    again = client.get(f"/attempts/{attempt}/state", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_events_of_a_graded_attempt_end(read_portal: Portal) -> None:
    (attempt,) = attempts(read_portal, CHEN)
    text = read_portal.visit(CHEN).get(f"/attempts/{attempt}/events").text
    assert text.count("data: ") >= 2
    assert "event: end" in text


def test_a_student_asks_about_the_newest_result_once(portal: Portal) -> None:
    first, race = attempts(portal, ADA)
    client = portal.visit(ADA)
    assert client.post(f"/attempts/{first}/question", data={"text": "why?"}).status_code == 404
    assert client.post(f"/attempts/{race}/question", data={"text": "why <b>?"}).status_code == 303
    assert "why &lt;b&gt;?" in client.get(f"/attempts/{race}").text
    assert client.post(f"/attempts/{race}/question", data={"text": "again"}).status_code == 404
