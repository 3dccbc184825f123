"""Reference rungs, built once per run and shared by every submission that is timed against them."""

from pathlib import Path

from grader.errors import InfrastructureError
from grader.grading.cases import CaseInputs
from grader.grading.context import launch_job
from grader.grading.environment import GradingEnvironment
from grader.grading.once import Once
from grader.grading.optional_kernels import without_missing_optional
from grader.grading.rung_cache import RungCache
from grader.labs.frame import frame_of
from grader.labs.lab import Lab
from grader.labs.manifest import Rung
from grader.languages import installed, support
from grader.messages import render
from grader.model.build import BuildRequest
from grader.model.facts import Work
from grader.model.module import DeviceModule
from grader.model.run import LaunchJob
from grader.model.submission import Language, SourceFile, Submission


def rung_sources(lab: Lab, rung: Rung) -> dict[Language, Path]:
    """The source files of ``rung`` that exist, by language."""
    paths = {key: lab.reference / f"{rung.name}{each.suffix}" for key, each in installed().items()}
    return {language: path for language, path in paths.items() if path.is_file()}


def rung_files(lab: Lab, rung: Rung, language: Language) -> list[Path]:
    """Files to submit for ``rung``: its source and the files that the lab's rungs share.

    Raises: ``KeyError`` if it is not written in ``language``.
    """
    return [rung_sources(lab, rung)[language], *_common_files(lab, language)]


def _common_files(lab: Lab, language: Language) -> list[Path]:
    if lab.common is None:
        return []
    return sorted(path for path in lab.common.iterdir() if path.suffix == support(language).shared_suffix)


def submission_of(lab: Lab, paths: list[Path], language: Language, student: str) -> Submission:
    """Turn the lab's files into a submission of ``student``."""
    files = tuple(SourceFile(name=path.name, data=path.read_bytes()) for path in paths)
    return Submission(student=student, lab=lab.name, language=language, files=files, path=str(paths[0]))


class RungModules:
    """Builds a rung on its first request. Thread-safe.

    A submission is timed against rungs in its own language: the two compilers' code for the same algorithm
    differs in speed by up to several times, which is not due to the student. ``counted`` is kept for the
    roofline of the rungs: by lab, rung, kernel and language. ``program_seconds`` are the modelled times of whole
    programs, by lab, rung, case and language.
    """

    def __init__(self, environment: GradingEnvironment, cache: RungCache | None = None) -> None:
        """``cache`` stores modules for later runs."""
        self.environment = environment
        self._cache = cache
        self._modules: Once[tuple[str, str, Language], DeviceModule] = Once()
        self.counted: dict[tuple[str, str, str, Language], Work] = {}
        self.program_seconds: Once[tuple[str, str, str, Language], float] = Once()

    def module(self, lab: Lab, rung: Rung, language: Language) -> DeviceModule:
        """The built rung, in the other language if ``language`` cannot express it.

        Raises: ``InfrastructureError`` if it does not build: the lab is at fault.
        """
        return self._modules.get((lab.name, rung.name, language), lambda: self._build(lab, rung, language))

    def job(self, lab: Lab, rung_name: str, language: Language, kernel: str, inputs: CaseInputs) -> LaunchJob:
        """Launch job of a rung to compare with ``kernel``: the rung's kernel of that name, or else its first.

        Raises: as ``module``.
        """
        rung = lab.manifest.rung(rung_name)
        name = kernel if kernel in rung.kernels else rung.kernels[0]
        return launch_job(lab, self.module(lab, rung, language), lab.manifest.spec(name), inputs)

    def _build(self, lab: Lab, rung: Rung, language: Language) -> DeviceModule:
        sources = rung_sources(lab, rung)
        if not sources:
            msg = f"lab {lab.name} has no source for rung {rung.name} in {lab.reference}"
            raise InfrastructureError(msg)
        written_in = language if language in sources else next(iter(sources))
        files = rung_files(lab, rung, written_in)
        submission = submission_of(lab, files, written_in, rung.name)
        request = build_request(lab, submission, self.environment.device.arch, rung.kernels)
        if self._cache is not None and (module := self._cache.read(request)) is not None:
            return module
        outcome = without_missing_optional(lab, self.environment.build_own(request))
        if outcome.module is None or outcome.problems:
            fault = outcome.fault or next(iter(outcome.problems.values()))
            msg = f"rung {rung.name} of lab {lab.name} does not build: {render(fault.reason)}"
            raise InfrastructureError(msg)
        if self._cache is not None:
            self._cache.write(request, outcome.module)
        return outcome.module


def build_request(
    lab: Lab, submission: Submission, arch: str, graded: tuple[str, ...] | None = None
) -> BuildRequest:
    """Request to build all of the lab's kernels, or those that are needed for what is named."""
    parts = {part for name in graded or lab.manifest.graded for part in lab.manifest.parts(name)}
    asked = [each for each in lab.manifest.kernels if each.spec.name in parts]
    return BuildRequest(
        language=submission.language,
        files=submission.files,
        kernels=tuple(each.spec for each in asked),
        arch=arch,
        forbid=lab.manifest.forbid,
        launches={each.spec.name: each.launch for each in asked},
        frame=frame_of(lab, submission.language),
    )
