"""The interpreter, compiled by Numba: everything that runs per warp instruction."""
