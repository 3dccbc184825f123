"""A Numba program that tries the driver's stand-in and the device process."""

SAMPLE = b"""
import warnings
import numpy
from numba import cuda

warnings.simplefilter("ignore")

@cuda.jit
def write(x):
    x[cuda.grid(1)] = 42

d = cuda.to_device(numpy.zeros(32, numpy.float32))
write[1, 32](d)
raise SystemExit(0 if (d.copy_to_host() == 42).all() else 1)
"""
"""It ends with exit code 0 if its kernel ran."""
