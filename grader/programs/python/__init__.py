"""Numba programs: the student's Python, unchanged, on a stand-in for CUDA's driver.

The program runs in an interpreter of its own. ``start_up`` loads the driver's stand-in there, which sends each call to
the device process, and ``numba_patches`` makes Numba hand over PTX instead of machine code.
"""
