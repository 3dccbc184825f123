"""Compile CUDA C and Numba submissions to device code. Needs neither an engine nor a GPU."""

from grader.compile.toolchain import load_compilers, toolchain, warm_up, warm_up_linker
from grader.compile.translation import build

__all__ = ["build", "load_compilers", "toolchain", "warm_up", "warm_up_linker"]
