"""The gradebooks of other systems: grades and feedback go into the file that the system itself wrote."""

from grader.lms.gradebooks.entry import Entry
from grader.lms.gradebooks.fill import Filled, fill
from grader.lms.gradebooks.formats import FORMATS
from grader.lms.gradebooks.layout import Request, Scaling

__all__ = ["FORMATS", "Entry", "Filled", "Request", "Scaling", "fill"]
