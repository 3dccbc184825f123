"""The course in a course system that speaks LTI: registration, launches, roster and grades."""
