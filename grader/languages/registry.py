"""The installed languages."""

import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import PurePosixPath

from grader import plugins
from grader.errors import UserError
from grader.languages.port import GROUP, LanguageSupport
from grader.model.kernel import KernelSpec
from grader.model.submission import Language

DEFAULT = Language.CUDA_C
"""The language of a submission without a source file, which would show it."""


def installed() -> Mapping[Language, LanguageSupport]:
    """The installed languages by key, in the order of their keys.

    Raises: ``UserError`` if a package that registers one fails to load, or two have the same suffix.
    """
    return _installed(tuple(sys.path))


def support(key: str) -> LanguageSupport:
    """The language called ``key``. Raises: ``UserError`` if it is not installed."""
    found = next((each for each in installed().values() if each.key == key), None)
    if found is None:
        msg = f"There is no language called {key!r}."
        raise UserError(msg, hint=f"Installed: {', '.join(installed())}.")
    return found


def reference(key: Language) -> str:
    """What a worker imports for the language ``key``. Raises: ``UserError`` if it is not installed."""
    return plugins.reference(GROUP, key)


def by_suffix() -> Mapping[str, LanguageSupport]:
    """The installed languages by the suffix of their source files. Raises: as ``installed``."""
    return {each.suffix: each for each in installed().values()}


def of_file(name: str) -> LanguageSupport | None:
    """The installed language of the source file, header or file of host code ``name``, if there is one."""
    suffix = PurePosixPath(name).suffix.lower()
    return next(
        (
            each
            for each in installed().values()
            if suffix in {each.suffix, *each.header_suffixes, *each.host_suffixes}
        ),
        None,
    )


def languages_of(spec: KernelSpec) -> frozenset[Language]:
    """The installed languages in which the kernel can be written."""
    return frozenset(key for key, each in installed().items() if each.can_write(spec))


def file_kinds() -> str:
    """The kinds of source files for a message: ``CUDA C (.cu) or Numba (.py)``."""
    return " or ".join(f"{each.label} ({each.suffix})" for each in installed().values())


@lru_cache(maxsize=4)
def _installed(_path: tuple[str, ...]) -> Mapping[Language, LanguageSupport]:
    found: dict[Language, LanguageSupport] = {}
    suffixes: dict[str, LanguageSupport] = {}
    for name, point in plugins.points(GROUP).items():
        language = plugins.resolve(point.value)
        if not isinstance(language, LanguageSupport) or language.key != name:
            msg = f"The plugin {point.value} gives no language called {name!r}."
            raise UserError(msg, hint="Fix or uninstall its package.")
        other = suffixes.setdefault(language.suffix, language)
        if other is not language:
            msg = f"Two languages have the suffix {language.suffix}: {other.key} and {name}."
            raise UserError(msg, hint="Uninstall one of them.")
        found[language.key] = language
    return found
