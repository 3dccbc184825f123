"""Mutations of PTX: each takes lines and changes some of them in place.

All of them change text, because text is the emulator's input. ``garbage``, ``cut``, ``truncate`` and ``declare``
mainly test the parser; ``delete``, ``swap``, ``borrow`` and ``label`` the linker and control flow; ``word``,
``type``, ``space`` and ``operands`` the decoders and their checks; ``number`` addresses, sizes and the
arithmetic.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass

NUMBERS = (
    *("0", "1", "-1", "7", "31", "32", "33", "255", "1023", "1024", "1025", "4096", "65536", "0x7fffffff"),
    *("2147483648", "-2147483648", "4294967295", "9223372036854775807", "-9223372036854775808"),
    *("18446744073709551615", str(2**70), "0f7F800000", "0fFFC00000", "0d7FF0000000000000", "0f00000001"),
    *("134213632", "68719476736", "0x7a0000000000", "0x7b0000000000", "34359738368"),
)
TYPES = (
    "s8",
    "u8",
    "b8",
    "s16",
    "u16",
    "b16",
    "s32",
    "u32",
    "b32",
    "s64",
    "u64",
    "b64",
    "f16",
    "f32",
    "f64",
    "pred",
)
SPACES = ("global", "shared", "local", "const", "param")
DECLARATIONS = (
    ".shared .align 4 .b8 huge[{}];",
    ".local .align 16 .b8 depot[{}];",
    ".local .align {} .b8 aligned[4];",
    ".reg .b32 %r<{}>;",
    ".reg .b8 %r1;",
    ".reg .b64 %f1, %p1;",
    ".branchtargets $L__BB0_1, $L__BB0_2;",
    "{{",
    "}}",
    "/*",
)
_WORD = re.compile(r"[\w.%$]+")
_NUMBER = re.compile(r"(?<![\w$%])-?\d\w*")
_TYPE = re.compile(r"(?<=\.)(?:[subf](?:8|16|32|64)|pred)\b")
_SPACE = re.compile(r"(?<=\.)(?:global|shared|local|const|param)\b")
_LABEL = re.compile(r"\$L\w+")

Lines = list[str]
Mutation = Callable[[Lines, Lines, random.Random], None]


def _replace(pattern: re.Pattern[str], choose: Callable[[Lines, random.Random], str]) -> Mutation:
    """Replace one match of ``pattern`` in a random line that has one."""

    def mutate(lines: Lines, pool: Lines, rng: random.Random) -> None:
        for _ in range(20):
            index = rng.randrange(len(lines))
            matches = list(pattern.finditer(lines[index]))
            if matches:
                match = rng.choice(matches)
                lines[index] = lines[index][: match.start()] + choose(pool, rng) + lines[index][match.end() :]
                return

    return mutate


def _any_word(pool: Lines, rng: random.Random) -> str:
    return rng.choice(_WORD.findall(rng.choice(pool)) or [""])


def _any_label(pool: Lines, rng: random.Random) -> str:
    return f"$L__BB0_{rng.randrange(12)}" if rng.random() < 0.8 else _any_word(pool, rng)


def _delete(lines: Lines, _pool: Lines, rng: random.Random) -> None:
    del lines[rng.randrange(len(lines))]
    if not lines:
        lines.append("")


def _duplicate(lines: Lines, _pool: Lines, rng: random.Random) -> None:
    lines.insert(rng.randrange(len(lines)), rng.choice(lines))


def _swap(lines: Lines, _pool: Lines, rng: random.Random) -> None:
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]


def _cut(lines: Lines, _pool: Lines, rng: random.Random) -> None:
    index = rng.randrange(len(lines))
    lines[index] = lines[index][: rng.randrange(len(lines[index]) + 1)]


def _borrow(lines: Lines, pool: Lines, rng: random.Random) -> None:
    """Insert a line of another program."""
    lines.insert(rng.randrange(len(lines)), rng.choice(pool))


def _swap_operands(lines: Lines, _pool: Lines, rng: random.Random) -> None:
    index = rng.randrange(len(lines))
    parts = lines[index].rstrip(";").split(",")
    rng.shuffle(parts)
    lines[index] = ",".join(parts) + ";"


def _declare(lines: Lines, _pool: Lines, rng: random.Random) -> None:
    lines.insert(rng.randrange(len(lines)), rng.choice(DECLARATIONS).format(rng.choice(NUMBERS)))


def _garbage(lines: Lines, _pool: Lines, rng: random.Random) -> None:
    lines.insert(
        rng.randrange(len(lines)), "".join(chr(rng.randrange(1, 256)) for _ in range(rng.randrange(40)))
    )


def _truncate(lines: Lines, _pool: Lines, rng: random.Random) -> None:
    del lines[rng.randrange(1, len(lines) + 1) :]


MUTATIONS: dict[str, tuple[int, Mutation]] = {
    "word": (8, _replace(_WORD, _any_word)),
    "number": (8, _replace(_NUMBER, lambda _pool, rng: rng.choice(NUMBERS))),
    "type": (5, _replace(_TYPE, lambda _pool, rng: rng.choice(TYPES))),
    "space": (3, _replace(_SPACE, lambda _pool, rng: rng.choice(SPACES))),
    "label": (4, _replace(_LABEL, _any_label)),
    "operands": (3, _swap_operands),
    "borrow": (4, _borrow),
    "delete": (3, _delete),
    "duplicate": (3, _duplicate),
    "swap": (3, _swap),
    "cut": (1, _cut),
    "declare": (2, _declare),
    "garbage": (1, _garbage),
    "truncate": (1, _truncate),
}
"""Every mutation, with its relative frequency."""

_NAMES = list(MUTATIONS)
_WEIGHTS = [weight for weight, _ in MUTATIONS.values()]


@dataclass(frozen=True)
class Damaged:
    """A text and the mutations applied to it."""

    ptx: str
    kinds: tuple[str, ...]


def damaged(ptx: str, pool: Lines, rng: random.Random) -> Damaged:
    """``ptx`` with one to four mutations, or sometimes unchanged, so that only the launch is odd."""
    lines = ptx.split("\n")
    kinds = tuple(rng.choices(_NAMES, _WEIGHTS, k=rng.choice((0, 1, 1, 1, 2, 2, 3, 4))))
    for name in kinds:
        MUTATIONS[name][1](lines, pool, rng)
    return Damaged("\n".join(lines), kinds)
