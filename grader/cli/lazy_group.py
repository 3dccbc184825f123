"""A group of commands that imports a command's module only when the command is needed."""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup


class LazyGroup(TyperGroup):
    """Subclasses name their commands in ``modules``; listing them (as ``--help`` does) imports all of them.

    A module has ``app``, a Typer application with the one command or the group of the given name.
    """

    modules: ClassVar[Mapping[str, str]] = {}

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = _Commands(self.modules)


def command_app(function: Callable[..., Any], example: str) -> typer.Typer:
    """An application with ``function`` as its only command; ``example`` ends its help text."""
    app = typer.Typer(add_completion=False, rich_markup_mode="markdown", pretty_exceptions_enable=False)
    app.command(epilog=example)(function)
    return app


class _Commands(MutableMapping[str, Any]):
    """Commands by name. The names are known at once; looking one up imports its module."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = dict(modules)
        self._commands: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._commands:
            command = typer.main.get_command(import_module(self._modules[name]).app)
            command.name = name
            self._commands[name] = command
        return self._commands[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._modules.setdefault(name, "")
        self._commands[name] = command

    def __delitem__(self, name: str) -> None:
        del self._modules[name]
        self._commands.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)
