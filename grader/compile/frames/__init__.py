"""Frames: a lab's own files around functions that a student writes."""
