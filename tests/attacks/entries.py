"""The attack corpus as data: each attack, its gain, its defence and the tests that prove the defence."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from grader.model.verdict import Verdict
from tools.paths import CHECKOUT

CATALOGUE = CHECKOUT / "tests" / "attacks" / "catalogue"
CORPUS = CHECKOUT / "tests" / "attacks" / "corpus"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One hostile submission. ``file`` is its file, or its folder of files, in the section's part of the corpus.

    ``verdict``: the required verdict, or one of several if machines may differ. ``honest`` is the rung of ``lab`` that
    does the same work without the trick: an attempt must not score more or run faster. ``limits`` are settings of
    ``[limits]`` that the attack reaches sooner than the defaults. ``isolated``: only a sandbox that hides the machine's
    files and processes stops it. ``hidden``: whether hidden cases are graded, too; they take time and show nothing
    more if every case ends its worker. ``never_run``: the hostile code is Python outside of kernels, which Grader never
    executes: there is nothing to stop. The tests of the sandboxes run such code by a compiler of their own.
    """

    file: str
    lab: str
    verdict: tuple[Verdict, ...]
    honest: str
    limits: dict[str, int] = field(default_factory=dict)
    isolated: bool = False
    hidden: bool = True
    never_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One line of the catalogue. ``gain`` is the attacker's benefit without the defence, ``stopped_by`` the defence.

    ``tests`` are node ids (a file, or ``file::test``) of tests outside the corpus that prove it; ``needs_gpu``: the
    emulator has nothing to attack, and the proof is a test in ``tests/gpu``.
    """

    line: int
    title: str
    gain: str
    stopped_by: str
    attempts: tuple[Attempt, ...] = ()
    tests: tuple[str, ...] = ()
    needs_gpu: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One letter of the catalogue with its lines."""

    letter: str
    title: str
    attacks: tuple[Attack, ...]


def sections() -> tuple[Section, ...]:
    """All sections of the catalogue, one per file."""
    files = sorted(CATALOGUE.glob("*.toml"))
    return tuple(msgspec.convert(_document(path), Section) for path in files)


def attempts() -> Iterator[tuple[str, Attempt]]:
    """Every hostile submission with the letter of its section."""
    for section in sections():
        for attack in section.attacks:
            for attempt in attack.attempts:
                yield section.letter, attempt


def folder(letter: str) -> Path:
    """The folder with the submissions of a section."""
    return CORPUS / letter


def _document(path: Path) -> dict[str, object]:
    return {"letter": path.stem, **tomllib.loads(path.read_text(encoding="utf-8"))}
