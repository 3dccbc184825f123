"""Right or wrong, how fast, how many points."""
