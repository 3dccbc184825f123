"""Fill in exported grades of Brightspace: only the column of the lab changes."""

from grader.cli.gradebook_file import gradebook_command
from grader.lms.words import System

EXAMPLE = "Example: `grader export brightspace grades.csv --lab row-sum`"

app = gradebook_command(System.BRIGHTSPACE, __doc__, EXAMPLE)
