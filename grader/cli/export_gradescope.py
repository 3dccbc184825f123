"""Fill in a file of grades of Gradescope: only the total score changes."""

from grader.cli.gradebook_file import gradebook_command
from grader.lms.words import System

EXAMPLE = "Example: `grader export gradescope grades.csv --lab row-sum`"

app = gradebook_command(System.GRADESCOPE, __doc__, EXAMPLE)
