"""A report for people and machines to read."""
