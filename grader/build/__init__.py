"""CUDA C and Numba to device code: no engine, no GPU."""
