"""Run mutants in child processes. A mutant that kills or hangs a child is a failure with a seed.

Each core has a lane: a child that runs its share of the mutants; if it dies, a new child runs the rest. A text that
can be decoded is launched several times, in different ways, because parsing is most of the work.
"""

import json
import mmap
import os
import random
import signal
import struct
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import msgspec

from grader.engines.emulator.engine import EmulatorEngine
from grader.engines.emulator.warm_up import warm_up
from grader.errors import InfrastructureError
from grader.model.devices import TESLA_T4
from grader.model.verdict import Verdict
from tests.engines.emulator.fuzzing.corpus import Specimen, words_of
from tests.engines.emulator.fuzzing.fences import Fences
from tests.engines.emulator.fuzzing.launches import odd_options, odd_work
from tests.engines.emulator.fuzzing.mutations import Damaged, damaged
from tests.engines.emulator.fuzzing.tally import Tally

PATIENCE = 30.0
"""Seconds of wall time after which a launch counts as hanging; it allows for other load on the machine."""

BUSY = 6.0
"""Seconds of CPU time that one launch may take; the launch's limit is one second of wall time."""

CORES = 2

LAUNCHES = 4
"""Launches of each text that can be decoded and has a fitting signature."""

SIGNATURE_REFUSED = "signature refused"
_POINTLESS = {str(Verdict.NOT_GRADABLE), SIGNATURE_REFUSED}
"""Outcomes that all other launches of the text would share."""

_STATE = struct.Struct("=qqd")
"""The current mutant and launch, and its start time."""

_BATCH = 64
"""Mutants between two reports of counts. If a child dies, the counts since its last report are lost."""


@dataclass(frozen=True)
class Failure:
    """A forbidden outcome of a launch. ``index``, ``launch`` and the run's seed reproduce it."""

    index: int
    launch: int
    specimen: str
    what: str


@dataclass
class Catch:
    """Result of a fuzzing run."""

    seconds: float
    failures: list[Failure] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)


@dataclass(frozen=True)
class Task:
    """The work of all lanes, until ``deadline`` on the monotonic clock or for ``most`` mutants."""

    specimens: list[Specimen]
    seed: int
    most: int | None
    deadline: float
    cores: int

    def over(self, index: int) -> bool:
        """Whether mutant ``index`` is beyond the limit."""
        return time.monotonic() >= self.deadline or (self.most is not None and index >= self.most)


@dataclass(frozen=True)
class Mutant:
    """A specimen and its mutated text."""

    specimen: Specimen
    text: Damaged


def hunt(
    specimens: list[Specimen], seconds: float, seed: int, *, most: int | None = None, cores: int = CORES
) -> Catch:
    """Run mutants of ``specimens`` for ``seconds``, or until ``most`` of them have run."""
    warm_up()
    start = time.monotonic()
    task = Task(specimens, seed, most, start + seconds, cores)
    with tempfile.TemporaryDirectory() as folder:
        lanes = [_Lane(task, number, Path(folder, str(number))) for number in range(cores)]
        while sum(lane.goes_on() for lane in lanes):
            time.sleep(0.01)
        catch = Catch(time.monotonic() - start)
        for lane in lanes:
            catch.failures += lane.failures()
            for line in lane.counted():
                catch.tally.merge(line)
    return catch


def mutant(specimens: list[Specimen], pool: list[str], seed: int, index: int) -> Mutant:
    """Mutant ``index`` of a run. Small kernels are chosen more often because parsing time grows with length."""
    rng = random.Random(f"{seed} {index}")
    (specimen,) = rng.choices(specimens, [1 / (1000 + len(each.ptx)) for each in specimens])
    return Mutant(specimen, damaged(specimen.ptx, pool, rng))


class _Lane:
    """The children of one core, one after another."""

    def __init__(self, task: Task, first: int, log: Path) -> None:
        self._task, self._index, self._log = task, first, log
        self._state = mmap.mmap(-1, mmap.PAGESIZE)
        self._child = 0
        self._died: list[Failure] = []
        log.touch()

    def goes_on(self) -> bool:
        """Check the child, or start one. Returns: whether work remains."""
        if self._child == 0:
            if self._task.over(self._index):
                return False
            self._state[: _STATE.size] = _STATE.pack(self._index, 0, time.monotonic())
            self._child = os.fork()
            if self._child == 0:
                _child(self._task, self._index, self._state, self._log)
        done, status = os.waitpid(self._child, os.WNOHANG)
        self._index, launch, since = _STATE.unpack(self._state[: _STATE.size])
        if done:
            self._child = 0
            if status:
                self._reap(launch, os.waitstatus_to_exitcode(status))
        elif time.monotonic() - since > PATIENCE:
            os.kill(self._child, signal.SIGKILL)
        return True

    def failures(self) -> list[Failure]:
        """All failures of this lane."""
        return self._died + [Failure(**json.loads(line)) for line in self._lines() if '"what"' in line]

    def counted(self) -> list[str]:
        """Lines that ``Tally.take`` returned in the children."""
        return [line for line in self._lines() if '"what"' not in line]

    def _lines(self) -> list[str]:
        return self._log.read_text(encoding="utf-8").splitlines()

    def _reap(self, launch: int, code: int) -> None:
        """Record why the child died, and continue after the launch that killed it."""
        what = "hang" if code == -signal.SIGKILL else f"died of {_cause(code)}"
        pool = words_of(self._task.specimens, random.Random(self._task.seed))
        name = mutant(self._task.specimens, pool, self._task.seed, self._index).specimen.name
        self._died.append(Failure(self._index, launch, name, what))
        self._index += self._task.cores


def _child(task: Task, first: int, state: mmap.mmap, log: Path) -> None:
    """Run mutants and never return. The exit status is 0 after the deadline or the last mutant."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout = sys.stderr
    with log.open("a", encoding="utf-8") as out:
        worker = _Worker(task, state, out)
        index = first
        while not task.over(index):
            worker.take(index)
            index += task.cores
        worker.report()
    state[: _STATE.size] = _STATE.pack(index, 0, time.monotonic())
    os._exit(0)


class _Worker:
    """Runs mutants in a child."""

    def __init__(self, task: Task, state: mmap.mmap, out: TextIO) -> None:
        self._task, self._state, self._out = task, state, out
        self._pool = words_of(task.specimens, random.Random(task.seed))
        self._fences, self._engine, self._tally = Fences(), EmulatorEngine(TESLA_T4), Tally()
        self._fences.install()

    def take(self, index: int) -> None:
        """Make mutant ``index`` and launch it."""
        made = mutant(self._task.specimens, self._pool, self._task.seed, index)
        self._tally.add_text()
        for launch in range(LAUNCHES):
            self._state[: _STATE.size] = _STATE.pack(index, launch, time.monotonic())
            outcome, what = self._launch(made, random.Random(f"{self._task.seed} {index} {launch}"))
            self._tally.add(made.text.kinds if launch == 0 else (), outcome)
            if what:
                self._out.write(json.dumps(vars(Failure(index, launch, made.specimen.name, what))) + "\n")
                self._out.flush()
            if what or outcome in _POINTLESS:
                break
        self._fences.forget()
        self._engine.close()
        if self._tally.texts >= _BATCH:
            self.report()

    def report(self) -> None:
        """Report the counts to the parent."""
        self._out.write(self._tally.take() + "\n")
        self._out.flush()

    def _launch(self, made: Mutant, rng: random.Random) -> tuple[str, str]:
        """The outcome, and the error in it, if any."""
        self._fences.at_end = rng.random() < 0.5
        busy = time.process_time()
        try:
            outcome = _ran(self._engine, made.specimen, made.text.ptx, rng)
        except Exception:  # noqa: BLE001 - the test checks that nothing escapes
            return "failed", traceback.format_exc()
        if not self._fences.intact():
            return "failed", "wrote outside an array"
        busy = time.process_time() - busy
        return (outcome, "") if busy <= BUSY else ("failed", f"took {busy:.1f} s")


def _ran(engine: EmulatorEngine, specimen: Specimen, ptx: str, rng: random.Random) -> str:
    """The verdict on one launch. The result must also be serialisable as a message to another process."""
    try:
        result = engine.run(odd_work(specimen, ptx, rng), odd_options(rng))
    except InfrastructureError:
        return SIGNATURE_REFUSED
    msgspec.msgpack.encode(result)
    return str(result.fault.verdict) if result.fault else "ran"


def _cause(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
