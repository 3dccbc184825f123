"""The names of a block of a student's Python: a file, a function's body, or what is below the main guard."""

import ast
from collections.abc import Iterator, MutableMapping, Sequence

from grader.compile.python.values import Unavailable
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason


class Scope:
    """The names that a block binds, with their values at its end.

    ``body`` are its statements. ``inner`` are the blocks in it: those of its functions, and the main guard's.
    """

    def __init__(self, file: str, body: Sequence[ast.stmt], parent: "Scope | None" = None) -> None:
        self.file = file
        self.body = body
        self.parent = parent
        self.names: MutableMapping[str, object] = {}
        self.elsewhere: dict[str, Scope] = {}
        self.inner: list[Scope] = []

    @property
    def top(self) -> "Scope":
        """The scope of the whole file."""
        return self if self.parent is None else self.parent.top

    def lookup(self, name: str) -> object:
        """What ``name`` stands for here. Raises: ``KeyError`` if no statement binds it."""
        if name in self.names:
            return self.names[name]
        if self.parent is None:
            raise KeyError(name)
        return self.parent.lookup(name)

    def bind(self, name: str, value: object, line: int) -> None:
        """Bind ``name``; one that is declared ``global`` or ``nonlocal`` gets no value that can be taken."""
        owner = self.elsewhere.get(name)
        if owner is None:
            self.names[name] = value
        else:
            owner.names[name] = Unavailable(self.problem("python-bound-in-function", name, line))

    def declare_elsewhere(self, node: ast.Global | ast.Nonlocal) -> None:
        """Read ``global`` or ``nonlocal``."""
        for name in node.names:
            owner = self.top if isinstance(node, ast.Global) else self.parent
            if owner is not None and owner is not self:
                self.elsewhere[name] = owner

    def owner(self, name: str) -> "Scope | None":
        """The scope that binds ``name``, as seen from here."""
        if name in self.names:
            return self
        return None if self.parent is None else self.parent.owner(name)

    def block(self, body: Sequence[ast.stmt]) -> "Scope":
        """Add an inner block."""
        made = Scope(self.file, body, self)
        self.inner.append(made)
        return made

    def walk(self) -> Iterator["Scope"]:
        """This scope and all those in it."""
        yield self
        for scope in self.inner:
            yield from scope.walk()

    def problem(self, code: str, name: str, line: int) -> Reason:
        """Why ``name`` has no value, with the line that is to blame."""
        return reason(code, location=SourceLocation(file=self.file, line=line), name=name)
