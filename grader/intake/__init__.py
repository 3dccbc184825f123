"""Read submissions from folders and files."""

from grader.intake.collect import collect
from grader.intake.result import Intake, Rejected
from grader.intake.rule import FileRule, LabRules

__all__ = ["FileRule", "Intake", "LabRules", "Rejected", "collect"]
