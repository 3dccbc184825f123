"""An autograder for Gradescope: what goes into ``autograder.zip``, and what its container gives and takes."""

from grader.lms.gradescope_image.metadata import Metadata, PreviousSubmission, read_metadata
from grader.lms.gradescope_image.package import Autograder, pack
from grader.lms.gradescope_image.rate_limit import RateLimit, refusal
from grader.lms.gradescope_image.settings import RunSettings, settings_of

__all__ = [
    "Autograder",
    "Metadata",
    "PreviousSubmission",
    "RateLimit",
    "RunSettings",
    "pack",
    "read_metadata",
    "refusal",
    "settings_of",
]
