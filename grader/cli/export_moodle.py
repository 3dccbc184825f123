"""Fill in a grading worksheet of Moodle: only grades and feedback comments change.

People are found by their number in the first column, and by ID number, user name or address.
"""

from grader.cli.gradebook_file import gradebook_command
from grader.lms.words import System

EXAMPLE = "Example: `grader export moodle worksheet.csv --lab row-sum`"

app = gradebook_command(System.MOODLE, __doc__, EXAMPLE)
