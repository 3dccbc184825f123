"""Fill in a gradebook of Blackboard: only the column of the lab and its feedback change."""

from grader.cli.gradebook_file import gradebook_command
from grader.lms.words import System

EXAMPLE = "Example: `grader export blackboard gradebook.csv --lab row-sum`"

app = gradebook_command(System.BLACKBOARD, __doc__, EXAMPLE)
