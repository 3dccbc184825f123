"""All kernels that are timed and modelled: rungs of every lab, accepted sample submissions, variants.

A candidate is one kernel in one language. It is known by its lab, its name and its language; its name starts with its
origin (``rung``, ``sample`` or ``variant``).
"""

import multiprocessing
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.grading.rungs import build_request, rung_files, rung_sources
from grader.labs.lab import Lab
from grader.labs.manifest import Case, Rung
from grader.labs.plans import plan_of
from grader.labs.steps import SubmittedKernels
from grader.languages import by_suffix
from grader.model.build import BuildOutcome, BuildRequest
from grader.model.module import DeviceModule
from grader.model.plan import Buffer, Geometry, LaunchPlan
from grader.model.run import EngineKind, LaunchJob
from grader.model.submission import Language, SourceFile, Submission
from tools.messages import english
from tools.rung_kernels import SEED
from tools.shared_results import shared_build

ROOT = Path(__file__).parents[1]

_VARIANTS = ROOT / "benchmarks" / "variants"
_SUBMISSIONS = ROOT / "submissions"


class Origin(StrEnum):
    """Where a candidate comes from."""

    RUNG = "rung"
    SAMPLE = "sample"
    VARIANT = "variant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One kernel of one lab in one language. ``geometry`` overrides the file's own and the lab's."""

    lab: Lab
    origin: Origin
    label: str
    kernel: str
    language: Language
    files: tuple[SourceFile, ...]
    macros: tuple[tuple[str, int], ...] = ()
    geometry: Geometry | None = None

    @property
    def name(self) -> str:
        """The origin and what tells it from others of the same origin, lab and language."""
        return f"{self.origin}: {self.label}"

    @property
    def key(self) -> str:
        """Its name in the whole project."""
        return f"{self.lab.name} / {self.language} / {self.name}"

    def request(self, arch: str) -> BuildRequest:
        """What to build, with a cubin for ``arch``."""
        submission = Submission(
            student=self.label, lab=self.lab.name, language=self.language, files=self.files, path=""
        )
        asked = build_request(self.lab, submission, arch, (self.kernel,))
        return replace(asked, macros=dict(self.macros), forbid=())

    def job(self, module: DeviceModule, case: Case, inputs: dict[str, bytes]) -> LaunchJob:
        """Its launch on ``case``."""
        manifest = self.lab.manifest
        own = {kernel.name: kernel.geometry for kernel in module.kernels if kernel.geometry is not None}
        chosen = {} if self.geometry is None else {self.kernel: self.geometry}
        kernels = SubmittedKernels(manifest.geometries | own | chosen)
        names = manifest.macros | dict(self.macros) | case.sizes
        plan = plan_of(self.lab, manifest.spec(self.kernel), case, kernels, names)
        return LaunchJob(module=module, plan=plan, inputs=inputs)


def candidates(lab: Lab) -> list[Candidate]:
    """All there are for ``lab``, rungs first and in the order of the ladder."""
    return [*_rungs(lab), *_samples(lab), *_variants(lab)]


def rungs(lab: Lab) -> list[Candidate]:
    """The rungs of ``lab`` alone."""
    return list(_rungs(lab))


def baseline_of(candidate: Candidate) -> str:
    """The key of what its speedup is over: the lab's baseline rung in its own language."""
    baseline = candidate.lab.manifest.rung(candidate.lab.manifest.baseline)
    return replace(candidate, origin=Origin.RUNG, label=_rung_label(baseline, candidate.kernel)).key


def emulator_case(lab: Lab) -> Case:
    """The largest case that the emulator checks: where counters for the cost model come from."""
    cases = [case for case in lab.manifest.cases if EngineKind.EMULATOR in case.engines]
    return max(cases, key=lambda case: int(np.prod(list(case.sizes.values()))))


def sized(lab: Lab, sizes: Mapping[str, int]) -> Case:
    """A case of ``lab`` with normal inputs of any size."""
    like = emulator_case(lab)
    return replace(like, name="x".join(map(str, sizes.values())), sizes=dict(sizes))


def inputs_of(lab: Lab, case: Case) -> dict[str, NDArray[Any]]:
    """The same inputs every time."""
    return lab.inputs(case, np.random.default_rng(SEED))


def as_bytes(arrays: Mapping[str, NDArray[Any]]) -> dict[str, bytes]:
    """Arrays as an engine takes them."""
    return {name: array.tobytes() for name, array in arrays.items()}


def in_common(plans: list[LaunchPlan]) -> LaunchPlan:
    """The buffers of all ``plans``, each once and as large as any of them needs it; without launches."""
    largest: dict[str, Buffer] = {}
    for buffer in (buffer for plan in plans for buffer in plan.buffers):
        known = largest.setdefault(buffer.name, buffer)
        if known.nbytes < buffer.nbytes:
            largest[buffer.name] = buffer
    return LaunchPlan(buffers=tuple(largest.values()), launches=())


def built(wanted: Iterable[Candidate], arch: str) -> dict[str, BuildOutcome]:
    """Every candidate's build by its key, made by as many processes as there are cores (eight at most)."""
    chosen = list(wanted)
    workers = min(8, os.cpu_count() or 1)
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        outcomes = list(pool.map(shared_build, [candidate.request(arch) for candidate in chosen]))
    return {candidate.key: outcome for candidate, outcome in zip(chosen, outcomes, strict=True)}


def problem_of(outcome: BuildOutcome) -> str | None:
    """Why there is no kernel; ``None`` where there is."""
    fault = outcome.fault or next(iter(outcome.problems.values()), None)
    return english(fault.reason) if fault else None


def _rungs(lab: Lab) -> Iterator[Candidate]:
    for rung in lab.manifest.rungs:
        for language in rung_sources(lab, rung):
            for kernel in rung.kernels:
                yield Candidate(
                    lab=lab,
                    origin=Origin.RUNG,
                    label=_rung_label(rung, kernel),
                    kernel=kernel,
                    language=language,
                    files=_read(rung_files(lab, rung, language)),
                )


def _rung_label(rung: Rung, kernel: str) -> str:
    """The rung's name, and the kernel's where a rung has several."""
    return rung.name if len(rung.kernels) == 1 else f"{rung.name}, {kernel}"


def _samples(lab: Lab) -> Iterator[Candidate]:
    table = tomllib.loads((_SUBMISSIONS / "expected.toml").read_text())["expected"]
    for row in table:
        if row["lab"] != lab.name or row["verdict"] != "accepted":
            continue
        (path,) = (_SUBMISSIONS / lab.name).glob(f"{row['student']}*")
        paths = sorted(path.iterdir()) if path.is_dir() else [path]
        (language,) = {by_suffix()[each.suffix].key for each in paths if each.suffix in by_suffix()}
        for name in lab.manifest.graded:
            yield Candidate(
                lab=lab,
                origin=Origin.SAMPLE,
                label=row["student"] if len(lab.manifest.graded) == 1 else f"{row['student']}, {name}",
                kernel=name,
                language=language,
                files=_read(paths),
            )


def _variants(lab: Lab) -> Iterator[Candidate]:
    for row in tomllib.loads((_VARIANTS / "variants.toml").read_text())["variant"]:
        if row["lab"] != lab.name:
            continue
        source = row["source"]
        path = (ROOT if source.startswith("reference/") else _VARIANTS) / source
        yield Candidate(
            lab=lab,
            origin=Origin.VARIANT,
            label=row["name"],
            kernel=row["kernel"],
            language=by_suffix()[path.suffix].key,
            files=_read([path]),
            macros=tuple(row.get("macros", {}).items()),
            geometry=Geometry(grid=tuple(row["grid"]), block=tuple(row["block"])),
        )


def _read(paths: Iterable[Path]) -> tuple[SourceFile, ...]:
    return tuple(SourceFile(name=path.name, data=path.read_bytes()) for path in paths)
