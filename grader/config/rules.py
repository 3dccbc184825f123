"""Rules for the values of settings, with the text for a value that breaks one."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from grader import plugins
from grader.errors import UserError
from grader.model.devices import DEVICES, by_name

RULE = "rule"
"""The key of a dataclass field's metadata that holds its ``Rule``."""


@dataclass(frozen=True, slots=True)
class Rule:
    """``expected`` completes "must be ..."; ``accepts`` judges a value as TOML gives it.

    ``item`` is the rule for each element where the value is an array, and for each value where it is a table.
    ``words`` gives the allowed words of a rule that depends on what is installed; ``expected`` then stands before them.
    """

    expected: str
    accepts: Callable[[Any], bool]
    item: "Rule | None" = None
    words: Callable[[], Sequence[str]] = tuple

    def __str__(self) -> str:
        return self.expected + ", ".join(f'"{word}"' for word in self.words())


def number_above(low: float, high: float) -> Mapping[str, Rule]:
    """Any finite number above ``low``, at most ``high``."""

    def accepts(value: object) -> bool:
        return _is_number(value) and low < value <= high

    return {RULE: Rule(f"a number above {low:g} and at most {high:g}", accepts)}


def whole_number(low: int, high: int) -> Mapping[str, Rule]:
    """An integer from ``low`` to ``high``, both included."""

    def accepts(value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high

    return {RULE: Rule(f"a whole number from {low} to {high}", accepts)}


def one_of(*words: str) -> Mapping[str, Rule]:
    """One of a few words."""
    expected = "one of " + ", ".join(f'"{word}"' for word in words)
    return {RULE: Rule(expected, lambda value: isinstance(value, str) and value in words)}


def one_of_installed(group: str, *words: str) -> Mapping[str, Rule]:
    """One of ``words``, or the name of an installed plugin of ``group``."""

    def allowed() -> Sequence[str]:
        return (*words, *plugins.points(group))

    def accepts(value: object) -> bool:
        return isinstance(value, str) and value in allowed()

    return {RULE: Rule("one of ", accepts, words=allowed)}


def device() -> Mapping[str, Rule]:
    """A GPU that the emulator imitates, by its short name or its own."""
    known = ", ".join(f'"{short}"' for short in DEVICES)
    return {RULE: Rule(f"the name of a GPU that the emulator imitates ({known})", _is_device)}


def yes_or_no() -> Mapping[str, Rule]:
    """A boolean."""
    return {RULE: Rule("true or false", lambda value: isinstance(value, bool))}


def text(expected: str, *, empty: bool = False) -> Mapping[str, Rule]:
    """A string; ``expected`` says what it names."""
    return {RULE: _text(expected, empty=empty)}


def texts(expected: str, each: str) -> Mapping[str, Rule]:
    """An array of non-empty strings; ``each`` says what one of them names."""
    return {RULE: Rule(expected, lambda value: isinstance(value, list), item=_text(each))}


def table_of(expected: str, each: Mapping[str, Rule]) -> Mapping[str, Rule]:
    """A table with any keys; ``each`` is the metadata of a setting like its values."""
    return {RULE: Rule(expected, lambda value: isinstance(value, dict), item=each[RULE])}


def _text(expected: str, *, empty: bool = False) -> Rule:
    return Rule(
        expected, lambda value: isinstance(value, str) and "\0" not in value and (empty or value != "")
    )


def _is_device(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        by_name(value)
    except UserError:
        return False
    return True


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
