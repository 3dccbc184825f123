"""Read submissions from folders and files."""

from grader.intake.collect import collect
from grader.intake.result import Intake, Rejected

__all__ = ["Intake", "Rejected", "collect"]
