"""Forms of staff: each stores what it says, and refuses bad input with one line and all that was typed."""

import html
import io
import re
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.course.records import Records
from grader.course.requests import ask
from grader.course.workspace import Workspace
from grader.model.needs import ComputeDevice
from grader.model.verdict import Verdict
from grader.store.job_values import WorkerEntry
from grader.store.people import IdSystem, Person, PersonId
from grader.store.rulings import Excuse, Extension, LineComment, Override, Publication, RegradeAnswer
from tests.lms.archives.builders import zipped
from tests.portal.client import Portal
from tests.store.examples import NOON
from tools.portal_course import ADA, BOB, INES, OLGA, TIM

WORK = f"/class/{ADA}/matmul"
WHY = {"because": "seen in class"}
WORKSHEET = (
    'Identifier,"Full name",Grade,"Maximum grade","Last modified (grade)","Feedback comments"\r\n'
    'Participant 7,"Ада Лавлейс",,"100.00","-",""\r\n'
    'Participant 8,"Bob Quux-Zimmermann",,"100.00","-",""\r\n'
    'Participant 9,"Somebody Else",,"100.00","-",""\r\n'
)

GOOD: Mapping[str, Mapping[str, str]] = {
    f"{WORK}/override": {"points": "55,5", "verdict": "accepted", "comment": "Well done", **WHY},
    f"{WORK}/excuse": WHY,
    f"{WORK}/extension": {"until": "2035-06-20T12:00", **WHY},
    f"{WORK}/comment": {"file": f"{ADA}.cu", "line": "11", "text": "A barrier is missing"},
    "/manage/extension": {"who": BOB, "lab": "matmul", "days": "3", **WHY},
    "/regrades": {"lab": "matmul", **WHY},
}
"""A right form for each path."""

BAD: Mapping[str, Mapping[str, str]] = {
    f"{WORK}/override": {"points": "1000", "comment": "Typed text", **WHY},
    f"{WORK}/excuse": {"because": ""},
    f"{WORK}/extension": {"until": "2035-06-20T12:00", "days": "3", "because": "Typed text"},
    f"{WORK}/comment": {"file": f"{ADA}.cu", "line": "4711", "text": "Typed text"},
    f"{WORK}/answer": {"outcome": "accepted", "because": "Typed text"},
    f"{WORK}/review": {"outcome": "cleared", "because": "Typed text"},
    "/manage/extension": {"who": "group:none", "lab": "matmul", "days": "3", "because": "Typed text"},
    "/manage/publication": {"lab": "matmul", "do": "publish", "because": ""},
    "/manage/rules": {"text": "Typed text", "seen": "x", "do": "preview"},
    "/manage/points/matmul": {"text": "Typed text", "do": "save"},
    "/regrades": {"lab": "matmul", "students": "Typed text", "because": "no such student"},
    "/machines/device": {"device": "none", "do": "pause"},
    "/machines/job": {"job": "4711", "do": "retry"},
}
"""A form that is refused, for each path."""


def decisions(workspace: Workspace, lab: str = "matmul") -> list[object]:
    """What was decided about ``lab``, the oldest first."""
    with Records(workspace) as records:
        return [each.ruling for each in records.store.decisions.list(lab)]


@pytest.mark.parametrize("path", BAD)
def test_a_form_that_is_refused_says_why_and_loses_nothing(read_portal: Portal, path: str) -> None:
    answer = read_portal.visit(INES).post(path, data=BAD[path])
    assert answer.status_code == 400
    assert len(re.findall(r'class="error" role="alert"', answer.text)) == 1
    assert ("Typed text" in answer.text) == ("Typed text" in BAD[path].values())
    assert decisions(read_portal.workspace) == []


@pytest.mark.parametrize("person", [ADA, OLGA, ""])
@pytest.mark.parametrize("path", [*BAD, "/roster", "/imports", "/exports/gradebook", "/machines/backup"])
def test_a_form_is_not_there_for_others(read_portal: Portal, person: str, path: str) -> None:
    answer = read_portal.visit(person).post(path, data=GOOD.get(path, BAD.get(path, {})))
    assert answer.status_code == (404 if person else 303)
    assert person or answer.headers["location"].startswith("/sign-in")
    assert decisions(read_portal.workspace) == []


@pytest.mark.parametrize(
    "path", ["/manage/publication", "/manage/rules", "/manage/points/matmul", "/machines/device"]
)
def test_what_is_for_instructors_is_not_there_for_assistants(read_portal: Portal, path: str) -> None:
    assert read_portal.visit(TIM).post(path, data=BAD[path]).status_code == 404


def test_decisions_are_stored_with_their_author(portal: Portal) -> None:
    client = portal.visit(TIM)
    for path in (f"{WORK}/{form}" for form in ("override", "excuse", "extension", "comment")):
        answer = client.post(path, data=GOOD[path])
        assert (answer.status_code, answer.headers["location"]) == (303, WORK), path
    override, excuse, extension, comment = decisions(portal.workspace)
    assert override == Override(points=55.5, max_points=100, verdict=Verdict.ACCEPTED, comment="Well done")
    assert excuse == Excuse()
    assert isinstance(extension, Extension)
    assert extension.until is not None
    assert extension.until.isoformat() == "2035-06-20T10:00:00+00:00"
    assert comment == LineComment(file=f"{ADA}.cu", line=11, text="A barrier is missing")
    page = client.get(WORK).text
    assert "A barrier is missing" in page
    assert "Tim Assist" in page
    assert client.post(f"{WORK}/excuse", data={**WHY, "withdraw": "yes"}).status_code == 303
    assert decisions(portal.workspace)[-1] == Override()


def test_a_question_is_answered_where_it_stands(portal: Portal) -> None:
    ask(portal.workspace, ADA, "matmul", "Why only 12 points?")
    client = portal.visit(TIM)
    assert "Why only 12 points?" in client.get("/looks").text
    assert f'action="{WORK}/answer"' in client.get(WORK).text
    form = {"outcome": "declined", "because": "The race is real."}
    assert client.post(f"{WORK}/answer", data=form).status_code == 303
    assert decisions(portal.workspace)[-1] == RegradeAnswer(accepted=False)
    assert "Why only 12 points?" not in client.get("/looks").text
    assert "The race is real." in client.get(f"{WORK}?as=student").text


def test_extensions_and_publication_are_managed_by_lab(portal: Portal) -> None:
    client = portal.visit(INES)
    path = "/manage/extension"
    assert client.post(path, data=GOOD[path]).status_code == 303
    assert f"/class/{BOB}/matmul" in client.get("/manage").text
    form = {"lab": "matmul", "do": "publish", **WHY}
    assert client.post("/manage/publication", data=form).status_code == 303
    assert decisions(portal.workspace) == [Extension(days=3), Publication(published=True)]


def test_a_regrade_is_made_run_and_applied(portal: Portal) -> None:
    client = portal.visit(INES)
    made = client.post("/regrades", data=GOOD["/regrades"]).headers["location"]
    assert made == "/regrades/1"
    assert "/regrades/1/run" in client.get(made).text
    points = {"text": "[labs.matmul.rubric]\ncorrectness = 20\n", "do": "preview"}
    assert client.post("/manage/points/matmul", data=points).status_code == 200
    config = portal.folder / "grader.toml"
    config.write_text(f"{config.read_text()}[labs.matmul.rubric]\ncorrectness = 20\n", encoding="utf-8")
    assert client.post(f"{made}/run").status_code == 303
    deadline = time.monotonic() + 60
    while "/regrades/1/run" in client.get(made).text:
        assert time.monotonic() < deadline
        time.sleep(0.3)
    shown = client.get(made).text
    assert 'name="student" value="' + BOB in shown
    assert client.post(f"{made}/close", data={"do": "apply"}).status_code == 400
    assert client.post(f"{made}/close", data={"do": "apply", "student": [BOB]}).status_code == 303
    assert client.post(f"{made}/close", data={"do": "discard", "student": [ADA]}).status_code == 303
    with Records(portal.workspace) as records:
        scores = {each.key.student: each.score for each in records.latest_scores(["matmul"])}
    assert scores[BOB] == 60
    assert scores[ADA] == 12


def test_a_worksheet_is_shown_first_and_only_grades_and_feedback_differ(portal: Portal) -> None:
    with Records(portal.workspace) as records:
        people = {each.id: each for each in records.store.people.list()}
        records.store.people.put_all(
            [
                Person(id=name, name=people[name].name, ids=(PersonId(system=IdSystem.MOODLE, value=number),))
                for name, number in ((ADA, "7"), (BOB, "8"))
            ]
        )
    client = portal.visit(TIM)
    form = {"system": "moodle", "lab": "matmul", "feedback": "yes", "scaling": "refuse"}
    sent = client.post("/exports/gradebook", data=form, files={"file": ("worksheet.csv", WORKSHEET.encode())})
    assert sent.status_code == 200
    (link,) = re.findall(r'href="(/exports/gradebook/[^"]+)"', sent.text)
    link = link.replace("&amp;", "&")
    made = client.get(link)
    assert "worksheet-graded.csv" in made.headers["content-disposition"]
    before, after = (text.split("\r\n") for text in (WORKSHEET, made.content.decode()))
    assert after[1].startswith('Participant 7,"Ада Лавлейс",12,"100.00","-","')
    assert after[2].startswith('Participant 8,"Bob Quux-Zimmermann",100,"100.00","-","')
    assert (after[0], after[3]) == (before[0], before[3])
    assert portal.visit(INES).get(link).status_code == 404
    assert portal.visit(OLGA).get(link).status_code == 404


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/exports/gradebook", {"system": "moodle", "lab": "matmul", "column": "Typed text"}),
        ("/exports/gradebook", {"system": "none", "lab": "matmul", "column": "Typed text"}),
        ("/exports/scores", {"lab": "matmul", "classroom": "Typed text"}),
        ("/roster", {"column": "Typed text"}),
    ],
)
def test_a_file_that_is_no_gradebook_is_refused(read_portal: Portal, path: str, form: dict[str, str]) -> None:
    client = read_portal.visit(TIM)
    for files in ({"file": ("x.csv", b"\0\1\2 no table")}, None):
        answer = client.post(path, data=form, files=files)
        assert answer.status_code == 400
        assert 'role="alert"' in answer.text
        assert "Typed text" in answer.text


def test_an_archive_is_shown_first_and_then_taken_once(portal: Portal, tmp_path: Path) -> None:
    with Records(portal.workspace) as records:
        records.store.people.put_all(
            [Person(id=ADA, name="Ада", ids=(PersonId(system=IdSystem.MOODLE, value="11"),))]
        )
    files = {"Ада_11_assignsubmission_file/sum.py": "x = 1\n", "Eve_99_assignsubmission_file/a.cu": "//"}
    content = zipped(tmp_path / "moodle.zip", files).read_bytes()
    client = portal.visit(TIM)

    def attempts() -> int:
        with Records(portal.workspace) as records:
            return len(records.store.attempts.list("row-sum"))

    before = attempts()
    shown = client.post("/imports", data={"lab": "row-sum"}, files={"file": ("moodle.zip", content)})
    assert shown.status_code == 200
    assert "Eve" in shown.text
    (token,) = re.findall(r'name="token" value="([^"]+)"', shown.text)
    assert attempts() == before
    form = {"lab": "row-sum", "token": token, "grade": "yes"}
    assert client.post("/imports/take", data=form).status_code == 303
    assert attempts() == before + 1
    with Records(portal.workspace) as records:
        assert [job.key.student for job in records.store.jobs.list()] == [ADA]
    assert client.post("/imports/take", data=form).status_code == 404


def test_a_roster_is_shown_first_and_then_taken(portal: Portal) -> None:
    client = portal.visit(TIM)
    files = {"file": ("people.csv", b"id,name,email,section\nnew-1,New Person,new@example.edu,B\n")}
    shown = client.post("/roster", files=files)
    assert shown.status_code == 200
    assert "New Person" in shown.text
    assert "New Person" not in client.get("/roster").text
    (token,) = re.findall(r'name="token" value="([^"]+)"', shown.text)
    (system,) = re.findall(r'name="system" value="([^"]+)"', shown.text)
    assert client.post("/roster/take", data={"token": token, "system": system}).status_code == 303
    assert "New Person" in client.get("/roster").text


def test_points_and_rules_are_changed_after_their_effect_was_shown(portal: Portal) -> None:
    client = portal.visit(INES)
    form = {"text": "[labs.matmul.rubric]\r\ncorrectness = 20\r\n"}
    shown = client.post("/manage/points/matmul", data={**form, "do": "preview"})
    assert 'role="status"' in shown.text
    assert "[labs.matmul" not in (portal.folder / "grader.toml").read_text()
    assert client.post("/manage/points/matmul", data={**form, "do": "save"}).status_code == 303
    assert (portal.folder / "grader.toml").read_text().endswith("[labs.matmul.rubric]\ncorrectness = 20\n")
    page = client.get("/manage/rules").text
    (seen,) = re.findall(r'name="seen" value="([^"]+)"', page)
    text = (portal.folder / "course.toml").read_text().replace('attempts = "10"', "points = 10")
    preview = client.post("/manage/rules", data={"text": text, "seen": seen, "do": "preview"})
    assert preview.text.count(BOB) == 1
    save = {"text": text, "seen": seen, "do": "save"}
    assert client.post("/manage/rules", data=save).status_code == 303
    assert "points = 10" in (portal.folder / "course.toml").read_text()
    assert client.post("/manage/rules", data=save).status_code == 400


def test_a_text_area_has_what_is_stored_and_what_was_typed(portal: Portal) -> None:
    client = portal.visit(INES)
    stored = (portal.folder / "course.toml").read_text()
    assert area(client.get("/manage/rules").text) == stored
    typed = "[course]\r\n\ttitle = 'A < B'\r\n# no end"
    refused = client.post("/manage/rules", data={"text": typed, "seen": "x", "do": "save"})
    assert area(refused.text) == "[course]\n\ttitle = 'A < B'\n# no end\n"
    comment = {"file": f"{ADA}.cu", "line": "4711", "text": "First line\r\nsecond line"}
    refused = client.post(f"{WORK}/comment", data=comment)
    assert "First line\nsecond line" in refused.text.replace("\r\n", "\n")


def area(page: str) -> str:
    """What a browser shows in the area ``text`` of ``page``; it drops the first newline."""
    (found,) = re.findall(r'<textarea[^>]* name="text"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    return html.unescape(found)


def test_an_operator_pauses_a_device_and_takes_a_backup(portal: Portal) -> None:
    device = ComputeDevice(id="GPU-1", engine="cuda", model="H100")
    with Records(portal.workspace) as records:
        records.store.workers.replace([WorkerEntry(name="w", host="gpu-7", device=device, since=NOON)])
    client = portal.visit(INES)
    assert client.post("/machines/device", data={"device": "GPU-1", "do": "pause"}).status_code == 303
    assert "Ines Lehrer" in client.get("/machines").text.split("GPU-1")[0]
    assert client.post("/machines/device", data={"device": "GPU-1", "do": "resume"}).status_code == 303
    kept = client.post("/machines/backup")
    assert kept.status_code == 200
    assert kept.content[:2] in {b"PK", b"\x1f\x8b"}


def test_an_instructor_takes_out_and_erases_what_is_stored_about_a_person(portal: Portal) -> None:
    client, here = portal.visit(INES), f"/people/{ADA}"
    assert f'href="{here}"' in client.get(f"/class/{ADA}").text
    assert f'href="{here}"' not in portal.visit(TIM).get(f"/class/{ADA}").text
    for person in (TIM, ADA):
        assert [portal.visit(person).get(path).status_code for path in (here, f"{here}/export")] == [404, 404]
    with zipfile.ZipFile(io.BytesIO(client.get(f"{here}/export").content)) as archive:
        assert "tables/scores.json" in archive.namelist()
    for wrong in ({"id": BOB, "because": "Typed text"}, {"id": ADA, "because": ""}):
        assert client.post(f"{here}/erasure", data=wrong).status_code == 400
    assert client.get(here).status_code == 200
    answer = client.post(f"{here}/erasure", data={"id": ADA, "because": "asked for it"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/class")
    assert client.get(here).status_code == 404
    assert ADA not in client.get("/class").text
