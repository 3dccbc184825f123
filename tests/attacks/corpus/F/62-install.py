"""Installs a package into the worker, to replace what compiles, and fails with what the installer said if it could."""

import subprocess
import sys

from numba import cuda

try:
    _done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--retries", "0", "--timeout", "2", "--target", "mine", "iniconfig"],
        capture_output=True,
        text=True,
        timeout=20,
    )
    _installed = _done.returncode == 0
except (OSError, subprocess.SubprocessError):
    _installed = False
if _installed:
    raise RuntimeError("seen: installed")


@cuda.jit
def vector_add(a, b, c, n):
    i = cuda.grid(1)
    if i < n:
        c[i] = a[i] + b[i]
