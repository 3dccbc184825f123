"""CUDA C and Numba to device code: no engine, no GPU."""

from grader.build.builder import build
from grader.build.toolchain import load_compilers, toolchain, warm_up, warm_up_linker

__all__ = ["build", "load_compilers", "toolchain", "warm_up", "warm_up_linker"]
