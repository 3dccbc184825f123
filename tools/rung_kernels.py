"""Every kernel of every rung of the built-in labs, in both languages, and the cases a GPU runs them on."""

import fcntl
import functools
import multiprocessing
import os
import pickle
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from grader.grading.cases import PreparedCase, prepare
from grader.grading.context import launch_job
from grader.grading.rungs import build_request, rung_files, rung_sources, submission_of
from grader.labs.lab import Lab
from grader.labs.manifest import Case, Rung, Use
from grader.model.build import BuildOutcome, BuildRequest
from grader.model.module import DeviceModule
from grader.model.run import EngineKind, LaunchJob
from grader.model.submission import Language
from tools.shared_results import shared_build
from tools.shipped_submissions import labs

__all__ = [
    "build_ahead",
    "gpu_cases",
    "graded_in",
    "job_for",
    "job_on",
    "labs",
    "named",
    "prepared",
    "rung_kernels",
]

SCHEMA_VERSION = 1
"""Of the records that say in which cases a rung was right."""

SEED = 20_240_229
"""Draws the inputs of every case."""


@dataclass(frozen=True)
class RungKernel:
    """One kernel of one rung in one language."""

    lab: Lab
    rung: Rung
    language: Language
    kernel: str

    def __str__(self) -> str:
        return f"{self.lab.name}-{self.rung.name}-{self.kernel}-{self.language}"


def rung_kernels(lab: Lab) -> Iterator[RungKernel]:
    """The kernels of ``lab``'s rungs, in the order of the ladder."""
    for rung in lab.manifest.rungs:
        for language in rung_sources(lab, rung):
            for kernel in rung.kernels:
                yield RungKernel(lab, rung, language, kernel)


def named(of_case: tuple[RungKernel, Case]) -> str:
    """What a test of a kernel on a case is called: the lab and the case first, by which such tests stay together."""
    entry, case = of_case
    return f"{entry.lab.name} {case.name} {entry.rung.name}-{entry.kernel}-{entry.language}"


def gpu_cases(lab: Lab, use: Use) -> list[Case]:
    """The cases of ``lab`` that a GPU runs for ``use``."""
    return [case for case in lab.manifest.cases if EngineKind.CUDA in case.engines and use in case.use]


@functools.lru_cache(maxsize=1)
def prepared(lab: Lab, case_name: str) -> PreparedCase:
    """Inputs and expected outputs of a case; the last one is kept, as large ones take a second and a gigabyte."""
    (case,) = (case for case in lab.manifest.cases if case.name == case_name)
    return prepare(lab, case, SEED)


_Key = tuple[str, str, Language, str]

_AHEAD: dict[_Key, BuildOutcome] = {}


def build_ahead(entries: Iterable[RungKernel], arch: str, kept: Path | None = None) -> None:
    """Build the rungs of ``entries`` for ``arch`` on all cores, so that the GPU does not wait for one after another.

    Of several processes that name the same file ``kept``, one builds, and the others read it there.
    """
    if kept is None:
        _AHEAD.update(_built(entries, arch))
        return
    with kept.open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        if not (pickled := file.read()):
            pickled = pickle.dumps(_built(entries, arch))
            file.write(pickled)
        _AHEAD.update(pickle.loads(pickled))  # noqa: S301 - from another process of the same session


def _built(entries: Iterable[RungKernel], arch: str) -> dict[_Key, BuildOutcome]:
    wanted = {(entry.lab.name, entry.rung.name, entry.language): entry for entry in entries}
    requests = [_request(entry.lab, entry.rung.name, entry.language, arch) for entry in wanted.values()]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("spawn")) as pool:
        outcomes = pool.map(shared_build, requests)
        return {(*key, arch): outcome for key, outcome in zip(wanted, outcomes, strict=True)}


@functools.cache
def module(lab: Lab, rung_name: str, language: Language, arch: str) -> DeviceModule:
    """A rung built for ``arch``."""
    ahead = _AHEAD.get((lab.name, rung_name, language, arch))
    outcome = ahead or shared_build(_request(lab, rung_name, language, arch))
    assert outcome.fault is None, outcome.fault
    assert not outcome.problems, outcome.problems
    assert outcome.module is not None
    return outcome.module


def _request(lab: Lab, rung_name: str, language: Language, arch: str) -> BuildRequest:
    rung = lab.manifest.rung(rung_name)
    submission = submission_of(lab, rung_files(lab, rung, language), language, rung_name)
    return build_request(lab, submission, arch, rung.kernels)


def job_for(entry: RungKernel, case: PreparedCase, arch: str) -> LaunchJob:
    """``entry`` on ``case``, launched as the lab says."""
    built = module(entry.lab, entry.rung.name, entry.language, arch)
    return job_on(entry.lab, built, entry.kernel, case)


def job_on(lab: Lab, built: DeviceModule, kernel: str, case: PreparedCase) -> LaunchJob:
    """One kernel or program of what was built for ``lab`` on ``case``, launched as in grading."""
    return launch_job(lab, built, lab.manifest.spec(kernel), case.inputs)


def graded_in(lab: Lab, built: DeviceModule) -> list[str]:
    """The kernels and programs of ``lab`` that can be launched from ``built``."""
    there = {kernel.name for kernel in built.kernels}
    return [name for name in lab.manifest.graded if there.issuperset(lab.manifest.parts(name))]
