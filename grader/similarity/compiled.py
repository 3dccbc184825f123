"""Fingerprints of what compilers make of submissions, kept by their content."""

from collections.abc import Callable
from dataclasses import dataclass

from grader.cache import CacheFolder
from grader.grading.environment import GradingEnvironment
from grader.grading.languages import LanguageUnavailableError
from grader.grading.rung_cache import request_key
from grader.grading.rungs import build_request
from grader.labs.lab import Lab
from grader.model.build import BuildRequest, Translation
from grader.model.reason import Reason, as_written, reason
from grader.model.similarity import Fingerprints
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from grader.similarity.fingerprints import of_submission
from grader.worker import wire

_MOST_BYTES = 128 * 2**20
"""Some ten thousand submissions."""


@dataclass(frozen=True, slots=True)
class Fingerprinter:
    """Makes fingerprints; compiles each content once for one release of Grader and its compilers.

    The cache holds hashes and line numbers, and neither code nor names. Without an ``environment`` nothing is compiled,
    and submissions have only fingerprints of their source. Thread-safe.
    """

    environment: GradingEnvironment | None
    cache: CacheFolder

    def of(self, lab: Lab, submission: Submission) -> Fingerprints:
        """The fingerprints of a student's submission. Raises: ``InfrastructureError``."""
        return self._of(lab, submission, own=False)

    def of_own(self, lab: Lab, submission: Submission, kernels: tuple[str, ...] | None) -> Fingerprints:
        """The fingerprints of the lab's own code, which has these ``kernels``, or all. Raises: as ``of``."""
        return self._of(lab, submission, kernels, own=True)

    def _of(
        self, lab: Lab, submission: Submission, kernels: tuple[str, ...] | None = None, *, own: bool
    ) -> Fingerprints:
        if self.environment is None:
            return of_submission(submission, reason("ptx-not-asked"))
        if lab.manifest.program is not None:
            return of_submission(submission, reason("ptx-of-programs"))
        request = build_request(lab, submission, self.environment.device.arch, kernels)
        environment = self.environment.within(lab.manifest.limits).metered()
        return compiled_once(
            self.cache, request_key(request), submission, lambda: _compiled(environment, request, own=own)
        )


def compiled_once(
    cache: CacheFolder, key: str, submission: Submission, compiler: Callable[[], Translation | Reason]
) -> Fingerprints:
    """The fingerprints that ``cache`` has under ``key``, or of what ``compiler`` makes of ``submission``.

    What another run may decide otherwise is not kept: a compiler that took too long, or is missing here.
    """
    if (kept := cache.read(key)) is not None:
        return wire.decode(kept, Fingerprints)
    compiled = compiler()
    found = of_submission(submission, compiled)
    if isinstance(compiled, Translation) and _is_lasting(compiled):
        cache.write(key, wire.encode(found))
    return found


def fingerprint_cache() -> CacheFolder:
    """The cache of this user."""
    return CacheFolder("fingerprints", most_bytes=_MOST_BYTES)


def _compiled(environment: GradingEnvironment, request: BuildRequest, *, own: bool) -> Translation | Reason:
    try:
        return environment.translate_own(request) if own else environment.translate(request)
    except LanguageUnavailableError as error:
        return as_written(str(error))


def _is_lasting(compiled: Translation) -> bool:
    """Whether another run would have the same result."""
    return compiled.fault is None or compiled.fault.verdict is Verdict.FAILED_TO_BUILD
