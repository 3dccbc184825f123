"""Mutated kernels never kill or hang the process or access memory outside their arrays; see ``fuzzing``."""

import os
import random
import re
import subprocess
import sys

import numpy as np
import pytest

from tests.engines.emulator.fuzzing.corpus import alone
from tests.engines.emulator.fuzzing.fences import Fences
from tests.engines.emulator.fuzzing.mutations import MUTATIONS, damaged
from tests.engines.emulator.fuzzing.tally import Tally
from tools.paths import CHECKOUT

SECONDS = float(os.environ.get("GRADER_FUZZ_SECONDS", "10"))
EVERYTHING_FROM = 60.0
"""From this duration in seconds a fuzzing run also builds and mutates every submission, which takes a minute."""


@pytest.mark.parametrize("seconds", [2.0, pytest.param(SECONDS, marks=pytest.mark.fuzz)])
def test_mutants_never_crash_hang_or_reach_outside(seconds: float) -> None:
    command = [sys.executable, "-m", "tests.engines.emulator.fuzzing", "--seconds", str(seconds)]
    everything = ["--everything"] if seconds >= EVERYTHING_FROM else []
    done = subprocess.run([*command, *everything], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-8000:]
    assert done.stdout.endswith("\n0 failures\n")
    assert re.search(r"launch: [\d,]+ \(.* ran, ", done.stdout)


@pytest.mark.parametrize("name", MUTATIONS)
def test_every_mutation_changes_something(name: str) -> None:
    text = "$L__BB0_1:\n\tld.global.f32 \t%f1, [%rd1+4];\n\tbra $L__BB0_1;\nadd.s32 %r1, %r2, 12;"
    for seed in range(20):
        lines = text.split("\n")
        MUTATIONS[name][1](lines, ["mul.f32 %f3, %f2, 0f40000000;"], random.Random(seed))
        if lines != text.split("\n"):
            return
    pytest.fail("twenty times nothing")


def test_a_seed_brings_a_mutant_back() -> None:
    text, pool = "mov.u32 %r1, 1;\n" * 20, ["add.s32 %r1, %r2, 3;"]
    mutants = [damaged(text, pool, random.Random("1 5")) for _ in range(2)]
    assert mutants[0] == mutants[1]
    assert len({damaged(text, pool, random.Random(f"1 {index}")).ptx for index in range(20)}) > 10


def test_a_write_around_an_array_is_seen() -> None:
    fences = Fences()
    for fences.at_end in (True, False):
        array = fences.allocate(100)
        array[:] = 1
        assert fences.intact()
        fences.forget()
        beyond = np.lib.stride_tricks.as_strided(fences.allocate(100), (101,))
        beyond[100] = 1
        assert not fences.intact()
        fences.forget()


ENDINGS = {
    "dies": ("os.kill(os.getpid(), 11)", "died of SIGSEGV"),
    "raises": ("1 / 0", "ZeroDivisionError"),
    "hangs": ("time.sleep(60)", "hang"),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_hunt_records_a_mutant_that_ends_badly_and_goes_on(ending: str) -> None:
    statement, words = ENDINGS[ending]
    child = f"""
import os, time
from tests.engines.emulator.fuzzing import hunt as hunting
from tests.engines.emulator.fuzzing.corpus import Specimen
hunting.PATIENCE, hunting.LAUNCHES, hunting._BATCH = 2.0, 1, 1
hunting.warm_up = lambda: None
def run(engine, specimen, ptx, rng):
    if specimen.name == "bad":
        {statement}
    return "ran"
hunting._ran = run
catch = hunting.hunt([Specimen("good", "a", None), Specimen("bad", "b", None)], 60, 1, most=6)
bad = sum(failure.specimen == "bad" for failure in catch.failures)
print(catch.tally.launches, catch.tally.texts, bad, len(catch.failures))
print(*(failure.what for failure in catch.failures))
"""
    done = subprocess.run(
        [sys.executable, "-c", child], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    numbers, whats = done.stdout.split("\n", 1)
    launches, texts, bad, failures = map(int, numbers.split())
    assert 0 < bad < 6
    assert failures == bad
    assert launches == texts == (6 if ending == "raises" else 6 - bad)
    assert whats.count(words) == bad


def test_a_kernel_is_taken_out_of_its_unit_alone() -> None:
    one, two = (f".visible .entry {name}(\n.param .u64 x\n)\n{{\nret;\n}}\n" for name in ("one", "two"))
    assert alone(f".version 8.0\n{one}{two}.file 1", "two") == f".version 8.0\n{two}.file 1"


def test_a_tally_survives_the_way_between_processes() -> None:
    tally, whole = Tally(), Tally()
    tally.add_text()
    tally.add(("word", "word", "cut"), "ran")
    tally.add((), "crashed")
    for line in (tally.take(), tally.take()):
        whole.merge(line)
    assert (whole.texts, whole.launches, whole.mutations) == (1, 2, 3)
    assert whole.lines() == ["cut: 1 (1 ran)", "launch: 2 (1 crashed, 1 ran)", "word: 2 (2 ran)"]
