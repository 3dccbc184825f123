"""Whole CUDA C++ programs on the emulator: the runtime that they are linked with, and the device process behind it.

A program is compiled by nvcc and linked with a stand-in for libcudart, which carries nothing out itself: it sends each
call to ``device``, which holds device memory, streams and the emulator. Device memory is never mapped into the program,
so a device pointer that host code touches is a fault at its line. Asynchronous work runs as late as CUDA allows.
"""
