"""Keys that identify a grading, so that an identical one need not run again."""

from dataclasses import astuple, dataclass

from grader.digests import value_digest
from grader.model.report import EngineInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class RunKey:
    """All inputs that determine a report. A digest is a SHA-256 in hexadecimal.

    ``submission`` is ``Submission.digest``, ``lab_version`` covers the lab's folder and its reference kernels
    (``folder_digest``), ``grader`` is ``grader_digest()``, ``options`` covers limits and scoring
    (``options_digest``).
    """

    student: str
    lab: str
    submission: str
    lab_version: str
    grader: str
    engine: EngineInfo
    options: str

    @property
    def digest(self) -> str:
        """SHA-256 over all of it."""
        return options_digest(astuple(self))

    @property
    def submission_key(self) -> "SubmissionKey":
        """The same key without the grader's version and options."""
        return SubmissionKey(
            student=self.student,
            lab=self.lab,
            submission=self.submission,
            lab_version=self.lab_version,
            engine=self.engine,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionKey:
    """One submission to one version of a lab, on one device. The fields are those of ``RunKey``."""

    student: str
    lab: str
    submission: str
    lab_version: str
    engine: EngineInfo

    @property
    def digest(self) -> str:
        """SHA-256 over all of it."""
        return options_digest(astuple(self))


options_digest = value_digest
