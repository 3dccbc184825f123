"""Runs NVIDIA's profiler and sanitizer on a student's kernels, and reads their results by source line."""
