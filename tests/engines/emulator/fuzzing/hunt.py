"""Mutants one after another in a child process; what kills the child, or keeps it, is a failure with a seed."""

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

import msgspec

from grader.engines.emulator.engine import EmulatorEngine
from grader.engines.emulator.warm_up import warm_up
from grader.errors import InfrastructureError
from grader.model.devices import TESLA_T4
from tests.engines.emulator.fuzzing.corpus import Specimen, words_of
from tests.engines.emulator.fuzzing.fences import Fences
from tests.engines.emulator.fuzzing.launches import odd_options, odd_work
from tests.engines.emulator.fuzzing.mutations import damaged

PATIENCE = 30.0
"""Seconds of wall time after which a mutant counts as hanging, on a machine that has other things to do as well."""

BUSY = 6.0
"""Seconds of processor time that one mutant may take; its own limit is one second of wall time."""

_STATE = struct.Struct("=qqd")
_ENGINE_LIFE = 500


@dataclass(frozen=True)
class Failure:
    """A mutant that did what none may do. ``index`` and the hunt's seed bring it back."""

    index: int
    specimen: str
    what: str


@dataclass
class Catch:
    """What a hunt found. ``verdicts`` counts how the mutants ended."""

    mutants: int = 0
    seconds: float = 0.0
    failures: list[Failure] = field(default_factory=list)
    verdicts: dict[str, int] = field(default_factory=dict)


def hunt(specimens: list[Specimen], seconds: float, seed: int, most: int | None = None) -> Catch:
    """Run mutants of ``specimens`` for ``seconds``, or until there were ``most``."""
    warm_up()
    catch, start = Catch(), time.monotonic()
    deadline = start + seconds
    state = mmap.mmap(-1, mmap.PAGESIZE)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        log.touch()
        index = 0
        while time.monotonic() < deadline and (most is None or index < most):
            state[: _STATE.size] = _STATE.pack(index, 0, time.monotonic())
            child = os.fork()
            if child == 0:
                _child(specimens, seed, index, most, deadline, state, log)
            status = _watch(child, state)
            index = _STATE.unpack(state[: _STATE.size])[0]
            if status != 0:
                what = "hang" if status == -signal.SIGKILL else f"died of {_cause(status)}"
                catch.failures.append(Failure(index, _specimen(specimens, seed, index).name, what))
                index += 1
        for line in log.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if "what" in entry:
                catch.failures.append(Failure(**entry))
            else:
                for verdict, count in entry.items():
                    catch.verdicts[verdict] = catch.verdicts.get(verdict, 0) + count
        catch.mutants = index
    catch.seconds = time.monotonic() - start
    return catch


def mutant(
    specimens: list[Specimen], pool: list[str], seed: int, index: int
) -> tuple[str, str, random.Random]:
    """The specimen's name and the damaged PTX of one mutant, and the generator that draws its launch."""
    rng = random.Random(f"{seed} {index}")
    specimen = rng.choice(specimens)
    return specimen.name, damaged(specimen.ptx, pool, rng), rng


def _specimen(specimens: list[Specimen], seed: int, index: int) -> Specimen:
    return random.Random(f"{seed} {index}").choice(specimens)


def _child(
    specimens: list[Specimen],
    seed: int,
    first: int,
    most: int | None,
    deadline: float,
    state: mmap.mmap,
    log: Path,
) -> None:
    """Never returns. Exit status 0 after the deadline or the last mutant."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout = sys.stderr
    fences, engine = Fences(), EmulatorEngine(TESLA_T4)
    fences.install()
    pool = words_of(specimens, random.Random(seed))
    verdicts: dict[str, int] = {}
    index = first
    with log.open("a", encoding="utf-8") as out:
        while time.monotonic() < deadline and (most is None or index < most):
            state[: _STATE.size] = _STATE.pack(index, 1, time.monotonic())
            fences.at_end = index % 2 == 0
            name, ptx, rng = mutant(specimens, pool, seed, index)
            specimen = _specimen(specimens, seed, index)
            busy = time.process_time()
            try:
                verdict = _ran(engine, specimen, ptx, rng)
                verdicts[verdict] = verdicts.get(verdict, 0) + 1
                what = "" if fences.intact() else "wrote outside an array"
            except Exception:  # noqa: BLE001 - that nothing gets out is what is tested
                what = traceback.format_exc()
                fences.intact()
            if not what and time.process_time() - busy > BUSY:
                what = f"took {time.process_time() - busy:.1f} s"
            if what:
                out.write(json.dumps({"index": index, "specimen": name, "what": what}) + "\n")
                out.flush()
            index += 1
            if index % _ENGINE_LIFE == 0:
                engine.close()
        out.write(json.dumps(verdicts) + "\n")
    state[: _STATE.size] = _STATE.pack(index, 1, time.monotonic())
    os._exit(0)


def _ran(engine: EmulatorEngine, specimen: Specimen, ptx: str, rng: random.Random) -> str:
    """The verdict on one mutant. What comes back must also be a message to another process."""
    try:
        result = engine.run(odd_work(specimen, ptx, rng), odd_options(rng))
    except InfrastructureError:
        return "signature refused"
    msgspec.msgpack.encode(result)
    return str(result.fault.verdict) if result.fault else "ran"


def _watch(child: int, state: mmap.mmap) -> int:
    """Wait for the child; end it where a mutant hangs. Returns: its exit code, negative for a signal."""
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() - _STATE.unpack(state[: _STATE.size])[2] > PATIENCE:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.02)


def _cause(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
