"""The statements that the package makes: every call of ``reason`` and ``says`` in its source, found by syntax."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tools.paths import CHECKOUT

_LABEL = re.compile(r"""\b(?:label|say)\(["']([a-z0-9-]+)["']""")
_NOT_PARAMS = {"location", "case"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReasonCall:
    """One call. ``code`` is ``None`` if it is computed, ``params`` if it has ``**``."""

    path: str
    line: int
    code: str | None
    params: frozenset[str] | None


def reason_calls() -> Iterator[ReasonCall]:
    """Every call of ``reason(code, …)`` and ``speech.says(code, …)`` in ``grader``."""
    for path in sorted((CHECKOUT / "grader").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _name(node.func) in {"reason", "says"}:
                names = {keyword.arg for keyword in node.keywords}
                first = node.args[0] if node.args else None
                yield ReasonCall(
                    path=str(path.relative_to(CHECKOUT)),
                    line=node.lineno,
                    code=first.value
                    if isinstance(first, ast.Constant) and isinstance(first.value, str)
                    else None,
                    params=None if None in names else frozenset(name for name in names if name) - _NOT_PARAMS,
                )


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def labels_in_templates() -> frozenset[str]:
    """The codes of every call ``label("code", …)`` or ``say("code", …)`` in the templates of pages."""
    paths = (CHECKOUT / "grader").rglob("*.j2")
    return frozenset(code for path in paths for code in _LABEL.findall(path.read_text(encoding="utf-8")))


def texts_in_code() -> frozenset[str]:
    """Every string constant in ``grader`` outside the catalogue: a code that is computed is among them."""
    found = set(labels_in_templates())
    for path in (CHECKOUT / "grader").rglob("*.py"):
        if "messages/english" in path.as_posix():
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return frozenset(found)
