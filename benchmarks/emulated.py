"""The same launches on the emulator, for one device."""

from collections.abc import Iterable, Mapping

from benchmarks.candidates import Candidate, as_bytes, built, inputs_of, problem_of, sized
from grader.engines.emulator.engine import EmulatorEngine
from grader.model.device import Device
from grader.model.run import Counters, LaunchJob, RunOptions

OPTIONS = RunOptions(timeout=120.0, max_steps=2_000_000_000)


def counted(engine: EmulatorEngine, job: LaunchJob) -> Counters:
    """What the one kernel of ``job`` did in all its launches. Raises: ``ValueError`` where it does not run."""
    result = engine.run(job, OPTIONS)
    if result.fault is not None:
        raise ValueError(result.fault.reason)
    (counters,) = result.counters
    return counters


def counters_of(
    wanted: Iterable[Candidate], device: Device, arch: str, sizes: Mapping[str, Mapping[str, int]]
) -> dict[str, Counters]:
    """Counters by key, of every candidate at the ``sizes`` of its lab; cubins are for ``arch``.

    Raises: ``ValueError`` where one does not build or run.
    """
    chosen = list(wanted)
    outcomes = built(chosen, arch)
    cases = {lab: sized(lab, sizes[lab.name]) for lab in {candidate.lab for candidate in chosen}}
    inputs = {lab: as_bytes(inputs_of(lab, case)) for lab, case in cases.items()}
    engine = EmulatorEngine(device)
    found = {}
    for candidate in chosen:
        module = outcomes[candidate.key].module
        if module is None:
            msg = f"{candidate.key}: {problem_of(outcomes[candidate.key])}"
            raise ValueError(msg)
        job = candidate.job(module, cases[candidate.lab], inputs[candidate.lab])
        found[candidate.key] = counted(engine, job)
    return found
