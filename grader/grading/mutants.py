"""Mutants of a lab: deliberately wrong kernels, each with what must catch it in its first line."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from grader.config.wording import nearest
from grader.grading.rungs import rung_files
from grader.labs.lab import Lab
from grader.labs.manifest import Rung
from grader.languages import by_suffix
from grader.model.diagnostic import DiagnosticKind
from grader.model.submission import Language
from grader.model.verdict import Verdict

_FIRST_LINE = re.compile(
    r"\s*(?://|#)\s*mutant:(?P<mistake>[^|]*)\|\s*verdict:\s*(?P<verdict>[^|]*)(?P<rest>(?:\|[^|]*)*)"
)
_KEYS = ("diagnostic", "part", "loses", "beside")

_Word = TypeVar("_Word", bound=StrEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A deliberately wrong kernel, and the check that must catch it.

    ``diagnostic``: a kind that must be among the findings. ``part``: the group of rubric parts that must lose a point,
    for a mistake that leaves the result right. ``loses``: how many points they must lose together. ``beside`` names
    the rungs that supply the kernels which the mutant leaves out.
    """

    path: Path
    mistake: str
    verdict: Verdict
    diagnostic: DiagnosticKind | None
    part: str | None
    loses: float | None
    beside: tuple[str, ...]

    @property
    def expectation(self) -> str:
        """What must be found, as the first line states it."""
        wanted = [f"verdict: {self.verdict}"]
        if self.diagnostic is not None:
            wanted.append(f"diagnostic: {self.diagnostic}")
        if self.part is not None:
            wanted.append(f"part: {self.part}")
        if self.loses is not None:
            wanted.append(f"loses: {self.loses:g}")
        return " | ".join(wanted)


def read_mutant(path: Path) -> Mutant:
    """Read the expectation in a mutant's first line. Raises: ``ValueError`` with the required form or words."""
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    match = _FIRST_LINE.match(first)
    if match is None:
        msg = "its first line must read `// mutant: <mistake> | verdict: <verdict> | diagnostic: <kind>`"
        raise ValueError(msg)
    pairs = (item.partition(":") for item in match["rest"].split("|")[1:])
    extra = {key.strip(): value.strip() for key, _, value in pairs}
    if unknown := extra.keys() - set(_KEYS):
        msg = f"its first line has the key {min(unknown)!r}; the keys are mutant, verdict, {', '.join(_KEYS)}"
        raise ValueError(msg)
    return Mutant(
        path=path,
        mistake=match["mistake"].strip(),
        verdict=_word("verdict", match["verdict"].strip(), Verdict),
        diagnostic=_word("diagnostic", extra["diagnostic"], DiagnosticKind)
        if "diagnostic" in extra
        else None,
        part=extra.get("part"),
        loses=_points(extra),
        beside=tuple(name.strip() for name in extra.get("beside", "").split(",") if name.strip()),
    )


def mutant_files(lab: Lab, mutant: Mutant) -> list[Path]:
    """Files to submit for ``mutant``: its file and those of its ``beside`` rungs."""
    language = by_suffix()[mutant.path.suffix].key
    return [mutant.path, *files_of_rungs(lab, map(lab.manifest.rung, mutant.beside), language)]


def files_of_rungs(lab: Lab, rungs: Iterable[Rung], language: Language) -> list[Path]:
    """The files of several rungs, without duplicates."""
    return list(dict.fromkeys(path for rung in rungs for path in rung_files(lab, rung, language)))


def _word(key: str, text: str, words: type[_Word]) -> _Word:
    known = {word.value: word for word in words}
    if text in known:
        return known[text]
    near = nearest(text, list(known))
    hint = f"did you mean {near}? " if near else ""
    msg = f"its first line has {key}: {text!r}; {hint}the words are {', '.join(known)}"
    raise ValueError(msg)


def _points(extra: Mapping[str, str]) -> float | None:
    if "loses" not in extra:
        return None
    try:
        return float(extra["loses"])
    except ValueError:
        msg = f"its first line has loses: {extra['loses']!r}; write a number of points"
        raise ValueError(msg) from None
