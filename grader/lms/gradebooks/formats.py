"""The gradebooks that can be filled in, by system."""

from collections.abc import Callable, Mapping

from grader.lms.gradebooks import blackboard, brightspace, canvas, gradescope, moodle
from grader.lms.gradebooks.layout import Layout, Request
from grader.lms.sheets import Sheet
from grader.lms.words import System

FORMATS: Mapping[System, Callable[[Sheet, Request], Layout]] = {
    System.MOODLE: moodle.layout,
    System.CANVAS: canvas.layout,
    System.GRADESCOPE: gradescope.layout,
    System.BLACKBOARD: blackboard.layout,
    System.BRIGHTSPACE: brightspace.layout,
}
"""Each gives the layout of a sheet."""
