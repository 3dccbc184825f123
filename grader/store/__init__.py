"""Durable storage of graded records, so that no grading is lost or repeated."""
