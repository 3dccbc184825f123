"""The built-in labs, loaded once in each process: loading all of them takes a tenth of a second."""

import functools

from grader.labs.builtin import catalogue
from grader.labs.registry import Registry, discover


@functools.cache
def built_in_labs() -> Registry:
    """Every built-in lab. Call ``discover`` instead where a test adds labs or installs a package of them."""
    registry = discover([catalogue()])
    assert not registry.broken, registry.broken
    return registry
