"""NVIDIA's profiler and checker run on a student's kernels, and what they say at the lines of the source."""
