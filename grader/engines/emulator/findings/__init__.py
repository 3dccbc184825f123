"""Findings for students, from the events and counters of the interpreter."""
