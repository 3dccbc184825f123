"""The interpreter, compiled by Numba: all code that runs for every warp instruction."""
