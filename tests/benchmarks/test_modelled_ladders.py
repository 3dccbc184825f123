"""The ladders that the cost model sees, device by device."""

from dataclasses import replace

import pytest

from benchmarks.modelled_ladders import Step, idle, ladder_table, steps
from grader.model.devices import DEVICES
from tools.labs import recorded_labs
from tools.pages import PAGE, section, with_section


@pytest.fixture(scope="module")
def found() -> list[Step]:
    return steps(recorded_labs())


@pytest.mark.model
def test_every_rung_is_modelled_on_every_device(found: list[Step]) -> None:
    assert {step.device for step in found} == set(DEVICES)
    assert len(found) == len(DEVICES) * len({step.rung.key for step in found})


DO_NOT_PAY = {
    ("dot-product", "cuda-c", "shared_padded", "g80"),
    ("dot-product", "numba", "shared_padded", "g80"),
    ("row-mean", "numba", "shared_padded", "g80"),
}
"""Two or four tiles fill the 16 KiB of an SM to the last byte. With padding, there is room for one less."""


@pytest.mark.model
def test_rungs_without_an_exception_are_faster_on_every_device(found: list[Step]) -> None:
    assert idle(found) == DO_NOT_PAY
    rows = [row for row in section(PAGE.read_text(), "ladders").splitlines() if "*" in row]
    assert [row.split(" | ")[:3] for row in rows] == [
        [f"| {lab}", language, f"`{rung}`"] for lab, language, rung, _ in sorted(DO_NOT_PAY)
    ]


@pytest.mark.model
def test_a_rung_that_states_no_gain_is_compared_with_none(found: list[Step]) -> None:
    prefetch = [step for step in found if step.rung.label == "prefetch"]
    assert {step.rung.lab.name for step in prefetch} == {"matmul"}
    assert {step.over_the_last for step in prefetch} == {1}


def test_the_page_shows_one_labs_ladder() -> None:
    one = steps([lab for lab in recorded_labs() if lab.name == "vector-add"])
    table = ladder_table(one).splitlines()
    assert set(table) <= set(section(PAGE.read_text(), "ladders").splitlines())
    slow = replace(one[-1], over_the_last=0.9)
    assert idle([slow]) == {(slow.rung.lab.name, "numba", slow.rung.label, slow.device)}
    assert f"*{slow.speedup:.2f}*" in ladder_table([slow])


@pytest.mark.model
def test_the_page_shows_the_ladders(found: list[Step]) -> None:
    assert section(PAGE.read_text(), "ladders") == ladder_table(found)


def test_a_section_that_the_page_lacks_is_refused() -> None:
    with pytest.raises(ValueError, match="no section 'weather'"):
        with_section(PAGE.read_text(), "weather", "sunny")


def test_only_the_text_between_the_markers_is_replaced() -> None:
    page = PAGE.read_text()
    once = with_section(page, "ladders", "NEW")
    assert section(once, "ladders") == "NEW"
    assert with_section(once, "ladders", section(page, "ladders")) == page
