"""Helpers that tests and benchmarks share: shipped submissions, launches, fault injection, pages.

The installed package has none of them. ``tools`` imports ``grader``; tests and benchmarks import ``tools``, and
``tools`` imports neither.
"""
