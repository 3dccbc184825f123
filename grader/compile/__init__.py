"""CUDA C and Numba to device code: no engine, no GPU."""

from grader.compile.toolchain import load_compilers, toolchain, warm_up, warm_up_linker
from grader.compile.translation import build

__all__ = ["build", "load_compilers", "toolchain", "warm_up", "warm_up_linker"]
