"""A table of a TOML file that another room gives its meaning, with the lines of its keys."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.config.lines import KeyPath


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """``content`` of the table at ``path`` in ``file``; ``lines`` are those of the whole file, by full path."""

    file: str
    content: Mapping[str, Any]
    path: KeyPath = ()
    lines: Mapping[KeyPath, int] = field(default_factory=dict, repr=False)

    def located(self, where: KeyPath, problem: str) -> str:
        """``problem`` as one line that begins with its location; ``where`` is a path inside the table.

        An element of an array of tables may be given by its ``name``. A key that is missing has the line of the table
        that it is missing from.
        """
        line = self.line(where)
        return f"{self.file} line {line}: {problem}" if line else f"{self.file}: {problem}"

    def line(self, where: KeyPath) -> int:
        """The line of ``where``, as ``located`` names it; 0 if no key on the way has one."""
        path = (*self.path, *self._with_indices(where))
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines[path] if path else 0

    def _with_indices(self, where: KeyPath) -> KeyPath:
        path: list[str | int] = []
        value: Any = self.content
        for key in where:
            step: str | int | None = key
            if isinstance(value, list) and isinstance(key, str):
                names = [each.get("name") if isinstance(each, dict) else None for each in value]
                step = names.index(key) if key in names else None
            try:
                value = value[step]
            except (LookupError, TypeError):
                value = None
            if step is None:
                break
            path.append(step)
        return tuple(path)
