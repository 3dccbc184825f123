"""Accesses of shared memory behind a barrier are recorded in groups of lanes; none of them may be lost."""

import numpy as np
import pytest

from grader.model.diagnostic import DiagnosticKind
from tools.emulator.compiling import Argument, Out, run_cuda

WORDS = 64
LANES = range(32)
PATTERNS = {
    "row": [lane + 3 for lane in LANES],
    "half rows": [lane % 16 + 5 for lane in LANES],
    "rows of eight": [16 * (lane // 8) + lane % 8 for lane in LANES],
    "rows of seven": [9 * (lane // 7) + lane % 7 for lane in LANES],
    "a row of which others read the last word": [min(lane, 7) for lane in LANES],
    "a word and a row": [max(lane, 9) for lane in LANES],
    "a row back": [40 - lane for lane in LANES],
    "one word": [17 for _ in LANES],
    "two words": [17 + lane // 16 for lane in LANES],
    "two words in turn": [17 + lane % 2 for lane in LANES],
    "every second": [2 * lane for lane in LANES],
}
ACTIVE = {"all": 0xFFFFFFFF, "some": 0xF0FF7FFE, "few": 0x00808001}

KERNEL = """
extern "C" __global__ void k(const float* x, const int* at, const unsigned* mask, int word, int other, float* out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    float v = 0;
    for (int round = 0; round < 3; ++round) {
        __syncthreads();
        s[t] = x[t];
        __syncthreads();
        v += s[63 - t];
        __syncthreads();
        if (t < 32 && (*mask >> t & 1)) FIRST;
        if (round == 2 && t == other) SECOND;
        __syncthreads();
    }
    out[t] = v;
}
"""


def races(first: str, second: str, at: list[int], active: int, word: int, other: int = 41) -> bool:
    """Whether the emulator finds a race in ``KERNEL`` between lanes of warp 0 and thread ``other``."""
    arguments: dict[str, Argument] = {
        "x": np.arange(WORDS, dtype=np.float32),
        "at": np.array(at, np.int32),
        "mask": np.array([active], np.uint32),
        "word": word,
        "other": other,
        "out": Out((WORDS,)),
    }
    ran = run_cuda(KERNEL.replace("FIRST", first).replace("SECOND", second), 1, WORDS, arguments)
    return bool(ran.lines(DiagnosticKind.SHARED_RACE, DiagnosticKind.LANE_HAZARD))


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("active", ACTIVE)
@pytest.mark.parametrize(
    ("first", "second"),
    [("v += s[at[t]]", "s[word] = 7"), ("s[at[t]] = 5", "v += s[word]")],
    ids=["read", "written"],
)
def test_a_word_races_with_another_warp_exactly_if_a_lane_uses_it(
    pattern: str, active: str, first: str, second: str
) -> None:
    at, lanes = PATTERNS[pattern], ACTIVE[active]
    used = {at[lane] for lane in LANES if lanes >> lane & 1}
    near = {word + step for word in used for step in (-1, 0, 1)} & set(range(WORDS))
    assert {word for word in near if races(first, second, at, lanes, word)} == used


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("active", ACTIVE)
def test_a_lane_writes_exactly_what_another_lane_reads(pattern: str, active: str) -> None:
    at, lanes = PATTERNS[pattern], ACTIVE[active]
    readers = {word: [lane for lane in LANES if at[lane] == word and lanes >> lane & 1] for word in at}
    for word, its in readers.items():
        for writer in {*its[:1], *its[-1:]}:
            raced = races("v += s[at[t]]", "s[word] = 7", at, lanes, word, writer)
            assert raced is (len(its) > 1), (word, writer)
