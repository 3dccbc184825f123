"""Modelled times of problems too large for the emulator, from a part of them that it can run."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from benchmarks.candidates import Candidate, as_bytes, built, inputs_of, problem_of, sized
from benchmarks.emulated import counted
from grader.engines.cost_model import WholeProblem, footprint_bytes, modelled_seconds
from grader.engines.emulator.engine import EmulatorEngine
from grader.labs.lab import Lab
from grader.model.build import BuildOutcome
from grader.model.device import Device
from grader.model.run import Counters
from tools.problem_sizes import Sizes, SizesOfLab
from tools.shared_results import shared


@dataclass(slots=True)
class Modeller:
    """Emulates parts of problems, each once, and asks the cost model for the whole."""

    outcomes: dict[str, BuildOutcome]
    engine: EmulatorEngine
    _counted: dict[tuple[str, Sizes], Counters] = field(default_factory=dict)
    _inputs: dict[tuple[str, Sizes], dict[str, bytes]] = field(default_factory=dict)

    @classmethod
    def of(cls, wanted: Iterable[Candidate], device: Device, arch: str) -> "Modeller":
        """For these candidates, built for ``arch``; ``device`` is what the emulator takes for launch limits."""
        return cls(built(wanted, arch), EmulatorEngine(device))

    def seconds(self, candidate: Candidate, sizes: Sizes, device: Device) -> float:
        """Modelled seconds on a problem of ``sizes``, all launches together.

        Those of one plan are taken as one grid with the work of all, and pay for each launch after the first.
        Raises: ``ValueError`` where the candidate does not run.
        """
        outcome = self.outcomes[candidate.key]
        if outcome.module is None:
            msg = f"{candidate.key}: {problem_of(outcome)}"
            raise ValueError(msg)
        scale = SizesOfLab.of(candidate.lab.name)
        part = scale.part_of(sizes)
        key = candidate.key, part
        if key not in self._counted:
            job = candidate.job(
                outcome.module, sized(candidate.lab, dict(part)), self._drawn(candidate.lab, part)
            )
            name = f"counters {candidate.key} {part} {self.engine.device.name}"
            self._counted[key] = shared(name.encode(), lambda: counted(self.engine, job))
        plan = candidate.job(outcome.module, sized(candidate.lab, dict(sizes)), {}).plan
        # A part of the problem may need fewer launches than the whole.
        part_of_it = replace(self._counted[key], launches=len(plan.launches))
        whole = WholeProblem(
            blocks=sum(launch.shape.grid.size for launch in plan.launches),
            times=scale.times(sizes),
            footprint_bytes=footprint_bytes(plan, candidate.kernel),
        )
        return modelled_seconds([part_of_it], device, whole)

    def _drawn(self, lab: Lab, part: Sizes) -> dict[str, bytes]:
        if (lab.name, part) not in self._inputs:
            self._inputs[lab.name, part] = as_bytes(inputs_of(lab, sized(lab, dict(part))))
        return self._inputs[lab.name, part]
