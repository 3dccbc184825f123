"""A small course system that speaks LTI 1.3, for tests: it launches Grader, and offers a roster and columns."""

from tools.course_system.server import CourseSystem, running

__all__ = ["CourseSystem", "running"]
