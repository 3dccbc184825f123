"""Fill in a gradebook of Canvas: only the column of the lab changes.

The column is the one with the title or the name of the lab. Excused people get `EX`.
"""

from grader.cli.gradebook_file import gradebook_command
from grader.lms.words import System

EXAMPLE = "Example: `grader export canvas gradebook.csv --lab row-sum`"

app = gradebook_command(System.CANVAS, __doc__, EXAMPLE)
