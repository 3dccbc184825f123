"""CUDA C and Numba to device code: no engine, no GPU."""

from grader.compile.builder import build
from grader.compile.toolchain import load_compilers, toolchain, warm_up, warm_up_linker

__all__ = ["build", "load_compilers", "toolchain", "warm_up", "warm_up_linker"]
