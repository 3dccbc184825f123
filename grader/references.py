"""Import an object by its reference, ``module:attribute``. A worker does so and reads no package metadata."""

import importlib
from typing import Any

from grader.errors import UserError


def attribute(where: str) -> Any:
    """The object at ``where``. Raises: whatever its import raises."""
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)


def resolve(where: str) -> Any:
    """The object at ``where``. Raises: ``UserError`` if its package fails to load."""
    try:
        return attribute(where)
    except Exception as error:
        msg = f"The plugin {where} fails to load: {type(error).__name__}: {error}."
        raise UserError(msg, hint="Fix or uninstall its package.") from error
