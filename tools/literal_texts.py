"""Texts in one language that code or a template shows, instead of a statement of the catalogue; found by syntax."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tools.paths import CHECKOUT

_WORD = re.compile(r"[A-Za-z]{2,}")
_WORDS = re.compile(r"[A-Za-z]{2,}[,;:]? +[A-Za-z(]{2,}|[A-Za-z]{2,} $|^ [A-Za-z]{2,}")
"""Two words, or one beside a field of an f-string."""

_SHOWING = frozenset(
    {"Text", "assemble", "append", "add_column", "add_row", "print", "note", "warn", "status", "Rule", "Tick"}
)
"""Functions that show what they get, so that a single word is a text too."""

_UNTRANSLATED = frozenset({"Option", "Argument", "Typer", "command_app", "callback", "echo", "log"})
"""Functions with the help of the command line, and with the log's lines: both are English."""

_NOT_SHOWN = frozenset(
    {"style", "overflow", "justify", "hint", "epilog", "help", "metavar", "msg", "problem", "EXAMPLE"}
)
"""Parameters and variables with styles, or with texts of the command line's help and errors."""

_AS_TYPED = re.compile(r"`[^`]*(?:`|$)|--[a-z-]+|\bgrader\b|\bbold\b|\bGrader\b")
"""Commands and options, which are the same in every language, the program's name, and a style."""

_JINJA = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_SHOWN_ATTRIBUTE = re.compile(r'\s(?:aria-label|placeholder|title|alt)="([^"]*)"')
_TAG = re.compile(r'<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>|\sclass="[^"]*"', re.DOTALL)


@dataclass(frozen=True, slots=True, order=True)
class LiteralText:
    """A text at a line of a file."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.text!r}"


def texts_in_code(*folders: str) -> Iterator[LiteralText]:
    """The texts in the modules of ``folders``, except errors of use, help, and docstrings."""
    for folder in folders:
        for path in sorted((CHECKOUT / folder).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            name = str(path.relative_to(CHECKOUT))
            yield from (LiteralText(name, line, text) for line, text in sorted(set(texts(tree))))


def texts(node: ast.AST, *, showing: bool = False) -> Iterator[tuple[int, str]]:
    """Line and text of every literal below ``node``; ``showing``: it is an argument of a function that shows it."""
    match node:
        case ast.Constant(value=str(text)):
            if (_WORD if showing else _WORDS).search(_AS_TYPED.sub("", text)):
                yield node.lineno, text
            return
        case ast.Tuple(elts=[first, _]) if showing:  # a text and its style
            yield from texts(first, showing=True)
            return
        case ast.Call(func=function):
            shown = {id(child) for child in (*node.args, *node.keywords) if _name(function) in _SHOWING}
        case _:
            shown = {id(child) for child in ast.iter_child_nodes(node) if showing}
    for child in ast.iter_child_nodes(node):
        if not _is_not_shown(child):
            yield from texts(child, showing=id(child) in shown)


def _is_not_shown(node: ast.AST) -> bool:
    """Whether ``node`` shows nothing, or only to the reader of an error of use or of the command line's help."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Raise():
            return True
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.keyword(arg=str(name)):
            return name in _NOT_SHOWN
        case ast.Call(func=function):
            called = _name(function)
            return called in _UNTRANSLATED or called.endswith("Error")
    return False


def texts_in_templates() -> Iterator[LiteralText]:
    """The texts between the tags of every template, and in those attributes that a reader sees or hears."""
    for path in sorted((CHECKOUT / "grader").rglob("*.j2")):
        name = str(path.relative_to(CHECKOUT))
        yield from (LiteralText(name, line, text) for line, text in template_texts(path.read_text("utf-8")))


def template_texts(template: str) -> Iterator[tuple[int, str]]:
    """Line and text of everything in ``template`` that is neither markup nor computed."""
    # Jinja's tags go first, because they may stand inside the tags of HTML.
    markup = _JINJA.sub(_blank, template)
    shown = _SHOWN_ATTRIBUTE.findall(markup)
    yield from ((1, text) for text in shown if _WORD.search(text))
    for number, line in enumerate(_TAG.sub(_blank, markup).splitlines(), start=1):
        if _WORD.search(_AS_TYPED.sub("", line)):
            yield number, " ".join(line.split())


def _blank(found: re.Match[str]) -> str:
    """As many lines as ``found`` has, with nothing in them."""
    return "\n" * found[0].count("\n") or " "


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
