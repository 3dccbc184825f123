"""Read the people of a course from a list that another system, or a person, wrote."""

from grader.lms.rosters.read import RosterFile, RosterRow, read_roster

__all__ = ["RosterFile", "RosterRow", "read_roster"]
