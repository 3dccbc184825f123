"""A person sees and ends what acts for them, takes their data away, and asks for its erasure."""

import io
import re
import zipfile
from collections.abc import Mapping

from grader.course.audit import decisions
from grader.course.own_data import asked_for_erasure
from grader.model.report import Visibility
from tests.portal.client import Portal
from tools.portal_course import ADA, BOB, PEOPLE, TIM


def test_a_session_in_another_browser_is_ended(portal: Portal) -> None:
    here, there = portal.visit(ADA), portal.visit(ADA)
    there.get("/me")
    found = re.findall(r'action="/me/sessions/(\d+)/end"', here.get("/me").text)
    assert len(found) == 1
    assert portal.visit(BOB).post(f"/me/sessions/{found[0]}/end").status_code == 303
    assert there.get("/me").status_code == 200
    assert here.post(f"/me/sessions/{found[0]}/end").status_code == 303
    assert there.get("/me").status_code == 303
    assert here.get("/me").status_code == 200


def test_a_token_is_shown_once_and_revoked(portal: Portal) -> None:
    client = portal.visit(ADA)
    made = client.post("/me/tokens", data={"label": "my <laptop>", "days": "30", "scope": "submit"})
    secret = re.search(r"<code>(\S+)</code>", made.text)
    assert secret is not None
    page = client.get("/me").text
    assert "my &lt;laptop&gt;" in page
    assert secret[1] not in page
    (token,) = re.findall(r'action="(/me/tokens/\d+/revoke)"', page)
    assert portal.visit(BOB).post(token).status_code == 404
    assert client.post(token).status_code == 303
    assert "laptop" not in client.get("/me").text


def test_an_export_holds_ones_own_data_and_no_other(portal: Portal) -> None:
    answer = portal.visit(ADA).get("/me/export")
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        text = b"".join(map(archive.read, archive.namelist())).decode("utf-8", "replace")
    assert PEOPLE[ADA].email in text
    assert PEOPLE[BOB].email not in text
    assert "__global__" in text
    assert '"verdict"' in text


def test_an_export_holds_nothing_that_the_person_may_not_see(portal: Portal) -> None:
    hidden = [
        case.name
        for case in portal.workspace.registry.get("matmul").manifest.cases
        if case.visibility is Visibility.HIDDEN
    ]
    client = portal.visit(ADA)

    def exported() -> Mapping[str, str]:
        with zipfile.ZipFile(io.BytesIO(client.get("/me/export").content)) as archive:
            return {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}

    found = exported()
    assert not [name for name in hidden for text in found.values() if f'"{name}"' in text]
    assert '"digest"' not in found["tables/sessions.json"]
    assert not {"tables/facts.json", "tables/scores.json", "tables/decisions.json"} & found.keys()
    assert "results.json" in found
    file = portal.folder / "course.toml"
    rules = file.read_text("utf-8").replace("[defaults]\n", '[defaults]\nscores = "when published"\n')
    file.write_text(rules, encoding="utf-8")
    assert "results.json" not in exported()


def test_staff_see_that_somebody_asks_for_erasure(portal: Portal) -> None:
    client = portal.visit(ADA)
    for _ in range(2):
        assert client.post("/me/erase").status_code == 303
    assert asked_for_erasure(portal.workspace, ADA)
    assert 'action="/me/erase"' not in client.get("/me").text
    asked = [
        each for each in decisions(portal.workspace, ADA, None) if each.what.code == "decided-erasure-asked"
    ]
    assert len(asked) == 1


def test_staff_have_the_page_too(read_portal: Portal) -> None:
    assert read_portal.visit(TIM).get("/me").status_code == 200


def test_all_other_sessions_end_at_once(portal: Portal) -> None:
    here, *others = (portal.visit(ADA) for _ in range(3))
    assert here.post("/me/sessions/end").status_code == 303
    assert here.get("/me").status_code == 200
    assert {each.get("/me").status_code for each in others} == {303}
