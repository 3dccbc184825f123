"""The built-in labs, loaded once in each process: loading all of them takes a tenth of a second."""

import functools

from grader.labs.builtin import catalogue
from grader.labs.lab import Lab
from grader.labs.registry import Registry, discover


@functools.cache
def built_in_labs() -> Registry:
    """Every built-in lab. Call ``discover`` instead where a test adds labs or installs a package of them."""
    registry = discover([catalogue()])
    assert not registry.broken, registry.broken
    return registry


COURSE_PACK = frozenset(
    {
        "axpy-precisions",
        "batched-matmul",
        "bitonic-sort",
        "breadth-first-search",
        "convolution-2d",
        "exclusive-scan",
        "grey-and-blur",
        "histogram",
        "jacobi",
        "kernel-puzzles",
        "matmul-tensor-cores",
        "monte-carlo-pi",
        "n-body",
        "radix-sort",
        "softmax-layer-norm",
        "stencil-3d",
        "stream-compaction",
    }
)
"""Labs of exercises from public courses. The records of real GPUs do not hold them yet."""


def kernel_labs() -> dict[str, Lab]:
    """The built-in labs that ask for kernels, by name; the others ask for whole programs."""
    return {name: lab for name, lab in built_in_labs().labs.items() if lab.manifest.program is None}


def recorded_labs() -> tuple[Lab, ...]:
    """The labs of kernels with times, calibrations and repeated gradings in the records of real GPUs."""
    return tuple(lab for name, lab in kernel_labs().items() if name not in COURSE_PACK)
