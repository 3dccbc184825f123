"""Whole programs on a real GPU: compiled with NVIDIA's runtime, run as they are, and recorded by CUPTI."""
