"""The formats that Grader brings, by the names of their entry points."""

from grader.lms.archives.blackboard import BLACKBOARD
from grader.lms.archives.brightspace import BRIGHTSPACE
from grader.lms.archives.canvas import CANVAS
from grader.lms.archives.checkouts import GITHUB
from grader.lms.archives.gradescope import GRADESCOPE
from grader.lms.archives.moodle import MOODLE
from grader.lms.archives.plain import PLAIN

__all__ = ["BLACKBOARD", "BRIGHTSPACE", "CANVAS", "GITHUB", "GRADESCOPE", "MOODLE", "PLAIN"]
