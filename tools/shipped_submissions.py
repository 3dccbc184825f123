"""All kernels that the project ships, as submissions: rungs, mutants and the sample class."""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.grading.launch_geometry import settle_geometries
from grader.grading.mutants import mutant_files, read_mutant
from grader.grading.rungs import build_request, rung_files, rung_sources, submission_of
from grader.labs.lab import Lab
from grader.languages import by_suffix
from grader.model.build import BuildOutcome
from grader.model.submission import Language
from tools.labs import kernel_labs
from tools.paths import CHECKOUT
from tools.shared_results import shared_build

_HEADER = ".cuh"


@dataclass(frozen=True)
class ShippedSubmission:
    """One submission to a lab. ``kind`` is ``rung``, ``mutant`` or ``sample``."""

    lab: Lab
    kind: str
    name: str
    language: Language
    paths: tuple[Path, ...]

    def __str__(self) -> str:
        return f"{self.lab.name}-{self.kind}-{self.name}-{self.language}"


@functools.cache
def labs() -> tuple[Lab, ...]:
    """The built-in labs of kernels."""
    return tuple(kernel_labs().values())


def shipped_submissions() -> Iterator[ShippedSubmission]:
    """All submissions, by lab; rungs first."""
    for lab in labs():
        for rung in lab.manifest.rungs:
            for language in rung_sources(lab, rung):
                yield ShippedSubmission(
                    lab, "rung", rung.name, language, tuple(rung_files(lab, rung, language))
                )
        for path in sorted((lab.folder / "mutants").iterdir()):
            files = tuple(mutant_files(lab, read_mutant(path)))
            yield ShippedSubmission(lab, "mutant", path.stem, by_suffix()[path.suffix].key, files)
        if (samples := CHECKOUT / "submissions" / lab.name).is_dir():
            yield from _samples(lab, samples)


@functools.cache
def built(shipped: ShippedSubmission, arch: str) -> BuildOutcome:
    """The build of ``shipped``, launched as in grading. Some samples fail to build on purpose."""
    submission = submission_of(shipped.lab, list(shipped.paths), shipped.language, shipped.name)
    return settle_geometries(shipped.lab, shared_build(build_request(shipped.lab, submission, arch)))


def _samples(lab: Lab, folder: Path) -> Iterator[ShippedSubmission]:
    for path in sorted(folder.iterdir()):
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        languages = {by_suffix()[file.suffix].key for file in files if file.suffix != _HEADER}
        for language in languages:
            yield ShippedSubmission(lab, "sample", path.stem, language, tuple(files))
