"""The installed engines."""

import sys
from collections.abc import Mapping
from functools import lru_cache

from grader import plugins
from grader.engines.support import GROUP, EngineSupport
from grader.errors import UserError
from grader.model.run import EngineKind


def installed() -> Mapping[EngineKind, EngineSupport]:
    """The installed engines by key. Raises: ``UserError`` if a package that registers one fails to load."""
    return _installed(tuple(sys.path))


def support(key: str) -> EngineSupport:
    """The engine called ``key``. Raises: ``UserError`` if it is not installed."""
    found = next((each for each in installed().values() if each.key == key), None)
    if found is None:
        msg = f"There is no engine called {key!r}."
        raise UserError(msg, hint=f"Installed: {', '.join(installed())}.")
    return found


@lru_cache(maxsize=4)
def _installed(_path: tuple[str, ...]) -> Mapping[EngineKind, EngineSupport]:
    found: dict[EngineKind, EngineSupport] = {}
    for name, point in plugins.points(GROUP).items():
        engine = plugins.resolve(point.value)
        if not isinstance(engine, EngineSupport) or engine.key != name:
            msg = f"The plugin {point.value} gives no engine called {name!r}."
            raise UserError(msg, hint="Fix or uninstall its package.")
        found[engine.key] = engine
    return found
