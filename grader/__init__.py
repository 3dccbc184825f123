"""An autograder for GPU programming courses."""

__version__ = "0.2.0"
