"""Read submissions from folders and files."""

from grader.intake.collect import collect
from grader.intake.result import Intake, Rejected
from grader.intake.rule import FileRule, rules_of

__all__ = ["FileRule", "Intake", "Rejected", "collect", "rules_of"]
