"""The boards of a lab show those who take part, under their nicknames, live or frozen."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from grader.course.class_board import choose_name, class_board, freeze, read_boards
from grader.course.refused import RefusedError
from grader.course.staff import Staff
from grader.model.verdict import Verdict
from grader.portal.live import LiveWatch
from grader.store.values import NewScore
from tests.portal.client import Portal
from tools.portal_course import ADA, BOB, CHEN, DAN, INES, OLGA, PEOPLE, TIM


def entries(portal: Portal, reader: str) -> list[str]:
    found = class_board(portal.workspace, "matmul", reader, datetime.now(UTC))
    return [entry.student for board in found.boards for entry in board.entries]


def test_nobody_is_on_a_board_without_asking(read_portal: Portal) -> None:
    page = read_portal.visit(DAN).get("/labs/matmul/board")
    assert page.status_code == 200
    assert not [
        each for each in PEOPLE.values() if each.id != DAN and any(w in page.text for w in each.words)
    ]
    assert "<tbody>" not in page.text


def test_those_who_take_part_see_each_other_by_nickname(portal: Portal) -> None:
    for student, name in {BOB: "Zaphod", CHEN: "<i>Trillian"}.items():
        sent = portal.visit(student).post("/labs/matmul/board", data={"shown": "yes", "nickname": name})
        assert sent.status_code == 303
    assert sorted(entries(portal, DAN)) == ["<i>Trillian", "Zaphod"]
    page = portal.visit(BOB).get("/labs/matmul/board").text
    assert "&lt;i&gt;Trillian" in page
    assert page.count('<tr class="own">') == 1
    assert PEOPLE[CHEN].name not in page
    portal.visit(BOB).post("/labs/matmul/board", data={})
    assert entries(portal, DAN) == ["<i>Trillian"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "nickname-empty"),
        ("\u200b", "nickname-empty"),
        ("x" * 33, "nickname-long"),
        ("Bob Quux-Zimmermann", "nickname-taken"),
        ("BOB-1912", "nickname-taken"),
        ("\u041c\u0430rvin", "nickname-taken"),
        ("someone", "nickname-taken"),
    ],
)
def test_a_name_that_is_none_or_somebody_elses_is_refused(portal: Portal, name: str, code: str) -> None:
    choose_name(portal.workspace, DAN, "Marvin", shown=True)
    with pytest.raises(RefusedError) as caught:
        choose_name(portal.workspace, ADA, name, shown=True)
    assert caught.value.reason.code == code


def test_a_frozen_board_shows_no_later_result(portal: Portal) -> None:
    for student, name in {BOB: "Zaphod", CHEN: "Trillian"}.items():
        choose_name(portal.workspace, student, name, shown=True)
    store = portal.workspace.store
    assert store is not None
    before = class_board(portal.workspace, "matmul", DAN, datetime.now(UTC)).boards
    sent = portal.visit(TIM).post("/boards/matmul", data={"frozen": "yes", "because": "the end of the term"})
    assert sent.status_code == 303
    assert class_board(portal.workspace, "matmul", DAN, datetime.now(UTC)).boards == before
    later = store.scores.latest(CHEN, "matmul")
    assert later is not None
    report = replace(store.scores.report(later), verdict=Verdict.WRONG)
    work = NewScore(
        key=later.key,
        facts=later.facts,
        lab_code=later.lab_code,
        rubric="later",
        engine=later.engine,
        report=report,
    )
    store.scores.put(work, datetime.now(UTC))
    assert class_board(portal.workspace, "matmul", DAN, datetime.now(UTC)).boards == before
    freeze(portal.workspace, "matmul", Staff(because="go on", by=INES), frozen=False)
    assert entries(portal, DAN) == ["Zaphod"]


def test_a_live_board_shows_each_change_and_ends_when_it_is_frozen(portal: Portal) -> None:
    async def followed() -> list[tuple[list[str], bool]]:
        seen = []
        watch = LiveWatch(read_boards, 0.02)
        async for board in watch.follow(portal.workspace, "matmul"):
            seen.append(([each.student for one in board.boards for each in one.entries], board.is_final))
            if len(seen) == 1:
                await asyncio.to_thread(choose_name, portal.workspace, BOB, "Zaphod", shown=True)
            elif len(seen) == 2:
                end = Staff(because="the end", by=TIM)
                await asyncio.to_thread(freeze, portal.workspace, "matmul", end, frozen=True)
        return seen

    with ThreadPoolExecutor(1) as pool:
        seen = pool.submit(asyncio.run, followed()).result()
    assert seen == [([], False), (["Zaphod"], False), (["Zaphod"], True)]


def test_the_events_of_a_frozen_or_hidden_board_end(portal: Portal) -> None:
    choose_name(portal.workspace, CHEN, "Trillian", shown=True)
    freeze(portal.workspace, "matmul", Staff(because="the end", by=TIM), frozen=True)
    text = portal.visit(CHEN).get("/labs/matmul/board/events").text
    assert text.index("Trillian") < text.index("event: end")
    assert 'class="own"' in text
    assert 'class="own"' not in portal.visit(TIM).get("/boards/matmul/events").text
    assert portal.visit(CHEN).get("/boards/matmul/events").status_code == 404
    assert portal.visit(CHEN).get("/labs/no-lab/board/events").status_code == 404
    file = portal.folder / "course.toml"
    text = file.read_text("utf-8").replace("[defaults]\n", '[defaults]\nscores = "when published"\n')
    file.write_text(text, encoding="utf-8")
    hidden = portal.visit(DAN).get("/labs/matmul/board/events").text
    assert "event: end" in hidden
    assert "Trillian" not in hidden


def test_a_page_follows_its_board_only_while_it_changes(portal: Portal) -> None:
    page = portal.visit(CHEN).get("/labs/matmul/board").text
    assert 'hx-sse:connect="/labs/matmul/board/events"' in page
    freeze(portal.workspace, "matmul", Staff(because="the end", by=TIM), frozen=True)
    assert "hx-sse:connect" not in portal.visit(CHEN).get("/labs/matmul/board").text


def test_only_staff_who_grade_freeze(read_portal: Portal) -> None:
    frozen = {"frozen": "yes", "because": "x"}
    assert read_portal.visit(CHEN).get("/boards/matmul").status_code == 404
    assert read_portal.visit(CHEN).post("/boards/matmul", data=frozen).status_code == 404
    assert read_portal.visit(OLGA).get("/boards/matmul").status_code == 200
    assert read_portal.visit(OLGA).post("/boards/matmul", data=frozen).status_code == 404
    assert read_portal.visit(TIM).get("/boards/no-lab").status_code == 404


def test_a_board_opens_when_results_are_shown(portal: Portal) -> None:
    choose_name(portal.workspace, CHEN, "Trillian", shown=True)
    file = portal.folder / "course.toml"
    text = file.read_text("utf-8").replace("[defaults]\n", '[defaults]\nscores = "when published"\n')
    file.write_text(text, encoding="utf-8")
    assert "Trillian" not in portal.visit(DAN).get("/labs/matmul/board").text
    assert "Trillian" in portal.visit(TIM).get("/boards/matmul").text
