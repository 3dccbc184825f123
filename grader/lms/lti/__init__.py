"""LTI 1.3 behind a port of ours: launches of a course system, its roster, and its columns of grades."""
