"""``docs/reference/course-toml.md`` documents every key; the file that ``grader course new`` writes has each one."""

import re
import tomllib

import pytest

from grader.policy import keys
from grader.policy.course_template import template
from grader.policy.late import LateRule, late_rule
from grader.policy.limits import AttemptLimit, attempt_limit
from tools.paths import CHECKOUT

PAGE = (CHECKOUT / "docs" / "reference" / "course-toml.md").read_text(encoding="utf-8")
SECTIONS = {
    "[course]": keys.COURSE,
    "[late_days]": keys.LATE_DAYS,
    "[defaults]": keys.RULES,
    "[labs.NAME]": keys.DATES,
    "[[exceptions]]": keys.EXCEPTIONS,
}


def section(heading: str) -> list[str]:
    """The first cells of the table below ``heading``, without their quotes."""
    text = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)


@pytest.mark.parametrize("name", SECTIONS)
def test_the_page_has_every_key_in_order(name: str) -> None:
    assert section(f"`{name}`") == list(SECTIONS[name])


@pytest.mark.parametrize("text", section("Late rules"))
def test_every_late_rule_of_the_page_is_one(text: str) -> None:
    assert isinstance(late_rule(text.strip('"')), LateRule)


@pytest.mark.parametrize("text", section("Limits of attempts"))
def test_every_limit_of_the_page_is_one(text: str) -> None:
    assert isinstance(attempt_limit(text.strip('"')), AttemptLimit)


def test_the_new_file_has_every_key() -> None:
    text = template(["row-sum"], title="A course", zone="UTC", language="en")
    full = tomllib.loads(re.sub(r'^# (?=\[|[\w"].* = )', "", text, flags=re.MULTILINE))
    assert set(full) == {
        "course",
        "late_days",
        "defaults",
        "labs",
        "exceptions",
        "groups",
        "labels",
        "grades",
    }
    assert set(full["course"]) == set(keys.COURSE)
    assert set(full["late_days"]) == set(keys.LATE_DAYS)
    assert set(full["defaults"]) | set(full["labs"]["row-sum"]) >= {*keys.DATES, *keys.RULES} - {"late_days"}
