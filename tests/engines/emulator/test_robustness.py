"""Damaged PTX never takes the process down: it is refused, or it runs within its limits."""

import random
import re

import numpy as np
import pytest

from grader.errors import InfrastructureError
from grader.model.plan import Dim3
from grader.model.run import RunOptions
from grader.model.verdict import Verdict
from tests.engines.emulator.compiling import Argument, InOut, Out, ptx_of, run_ptx
from tests.engines.emulator.test_kernels import MATMUL, REDUCTIONS, ROW_SUM_SHARED, TILED, TRANSPOSE

SOURCES = [MATMUL, TILED.replace("PAD", "1"), TRANSPOSE, ROW_SUM_SHARED, *REDUCTIONS.values()]
NUMBERS = ("0", "1", "-1", "7", "32", "255", "4096", str(2**31), str(2**63), str(2**70))
LIMITS = RunOptions(max_steps=50_000, timeout=2)
MUTATIONS = 60
_WORD = re.compile(r"[\w.%$]+")


def damaged(ptx: str, words: list[str], rng: random.Random) -> str:
    """PTX with a few lines lost, repeated, cut or changed."""
    lines = ptx.split("\n")
    for _ in range(rng.randint(1, 4)):
        index = rng.randrange(12, len(lines))
        what = rng.randrange(6)
        if what == 0:
            del lines[index]
        elif what == 1:
            lines.insert(index, rng.choice(lines))
        elif what == 2:
            lines[index] = re.sub(r"\d+", rng.choice(NUMBERS), lines[index], count=1)
        elif what == 3:
            lines[index] = lines[index][: rng.randrange(len(lines[index]) + 1)]
        else:
            lines[index] = _WORD.sub(rng.choice(words), lines[index], count=1)
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(len(SOURCES)))
def test_damaged_programs_are_refused_or_run_within_their_limits(seed: int) -> None:
    ptx = ptx_of(SOURCES[seed])
    entry = re.search(r"\.entry (\w+)\(([^)]*)\)", ptx)
    assert entry is not None
    words = sorted(set(_WORD.findall(ptx)))
    rng = random.Random(seed)
    arguments: dict[str, Argument] = {
        f"p{index}": InOut(np.arange(512, dtype=np.float32)) if kind == "u64" else rng.choice([0, 1, 33])
        for index, kind in enumerate(re.findall(r"\.param \.(\w+)", entry[2]))
    }
    verdicts = set()
    for _ in range(MUTATIONS):
        block = Dim3(x=rng.choice([1, 16, 40]), y=rng.choice([1, 3]))
        try:
            ran = run_ptx(
                damaged(ptx, words, rng),
                entry[1],
                rng.choice([1, 3]),
                block,
                arguments,
                shared=256,
                options=LIMITS,
            )
        except InfrastructureError:
            continue  # the signature itself was damaged
        verdicts.add(ran.fault.verdict if ran.fault else Verdict.ACCEPTED)
    assert Verdict.NOT_GRADABLE in verdicts


@pytest.mark.parametrize("text", ["", "\0\1\2", "{", "}", ".version 8.0 .entry k(", "a b c", "x:"])
def test_what_is_no_ptx_is_not_gradable(text: str) -> None:
    ran = run_ptx(text, "k", 1, 32, {"out": Out((32,))})
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.NOT_GRADABLE
    assert ran.fault.reason.startswith("unsupported on the emulator: ")
