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


def kernel_labs() -> dict[str, Lab]:
    """The built-in labs that ask for kernels, by name; the others ask for whole programs."""
    return {name: lab for name, lab in built_in_labs().labs.items() if lab.manifest.program is None}
