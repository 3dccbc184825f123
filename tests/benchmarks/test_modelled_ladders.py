"""The ladders that the cost model sees, device by device."""

from dataclasses import replace

import pytest

from benchmarks.modelled_ladders import Step, idle, ladder_table, steps
from benchmarks.pages import PAGE, section, with_section
from grader.model.devices import DEVICES


@pytest.fixture(scope="module")
def found() -> list[Step]:
    return steps()


def test_every_rung_is_modelled_on_every_device(found: list[Step]) -> None:
    assert {step.device for step in found} == set(DEVICES)
    assert len(found) == len(DEVICES) * len({step.rung.key for step in found})


def test_every_rung_pays_on_every_device(found: list[Step]) -> None:
    assert idle(found) == set()
    assert "*" not in section(PAGE.read_text(), "ladders")


def test_the_page_shows_the_ladders(found: list[Step]) -> None:
    assert section(PAGE.read_text(), "ladders") == ladder_table(found)


def test_a_rung_that_does_not_pay_stands_out(found: list[Step]) -> None:
    slow = replace(found[-1], over_the_last=0.9)
    assert idle([slow]) == {(slow.rung.lab.name, slow.rung.label, slow.device)}
    assert f"*{slow.speedup:.2f}*" in ladder_table([slow])


def test_a_section_that_the_page_lacks_is_refused() -> None:
    with pytest.raises(ValueError, match="no section 'weather'"):
        with_section(PAGE.read_text(), "weather", "sunny")


def test_only_what_stands_between_the_markers_of_a_page_is_replaced() -> None:
    page = PAGE.read_text()
    once = with_section(page, "ladders", "NEW")
    assert section(once, "ladders") == "NEW"
    assert with_section(once, "ladders", section(page, "ladders")) == page
