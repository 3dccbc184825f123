"""Split the body of a host function into statements."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from grader.compile.host_launches.c_tokens import OPENERS, Span, closing
from grader.compile.tokens import Kind

_DEEPEST = 60
_SKIPPED = frozenset(
    {"using", "typedef", "static_assert", "struct", "class", "union", "enum", "goto", "delete", "throw"}
)
_ENDINGS = frozenset({"return", "break", "continue", "exit", "abort"})
_ASSIGNING = frozenset("+-*/%&|^")


class Form(Enum):
    """The form of a statement."""

    SIMPLE = auto()
    BLOCK = auto()
    IF = auto()
    LOOP = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement.

    ``head`` are the tokens of a simple statement, the condition of an ``if`` or the start of a loop; ``body`` and
    ``otherwise`` are the statements in it. An ``END`` leaves the block with the value ``head``.
    ``changed`` are the names that a loop assigns.
    """

    form: Form
    head: Span
    line: int
    body: Span = ()
    otherwise: Span = ()
    changed: frozenset[str] = frozenset()


def statements(tokens: Span) -> Iterator[Statement]:
    """The statements in ``tokens``, not those inside them."""
    index = 0
    while index < len(tokens):
        end = _end(tokens, index, 0)
        found = _statement(tokens[index:end])
        if found is not None:
            yield found
        index = max(end, index + 1)


def _end(tokens: Span, index: int, depth: int) -> int:
    """The index after the statement at ``index``."""
    text = _text(tokens, index)
    if depth > _DEEPEST:
        return len(tokens)
    if text == "{":
        return closing(tokens, index) + 1
    if text in {"if", "for", "while", "switch", "catch"}:
        opening = index + 2 if _text(tokens, index + 1) == "constexpr" else index + 1
        end = _end(tokens, _after(tokens, opening), depth + 1)
        if text == "if" and _text(tokens, end) == "else":
            return _end(tokens, end + 1, depth + 1)
        return end
    if text in {"do", "try", "else"}:
        end = _end(tokens, index + 1, depth + 1)
        return _semicolon(tokens, end) if text == "do" else end
    return _semicolon(tokens, index)


def _after(tokens: Span, opening: int) -> int:
    """The index after the parentheses at ``opening``."""
    return closing(tokens, opening) + 1 if _text(tokens, opening) == "(" else opening


def _semicolon(tokens: Span, index: int) -> int:
    """The index after the semicolon that ends the statement at ``index``."""
    while index < len(tokens) and tokens[index].text != ";":
        index = closing(tokens, index) + 1 if tokens[index].text in OPENERS else index + 1
    return index + 1


def _statement(tokens: Span) -> Statement | None:
    """The statement that ``tokens`` are; ``None`` for one that computes nothing."""
    tokens = _without_labels(tokens)
    text = _text(tokens, 0)
    if not tokens or text in _SKIPPED:
        return None
    line = tokens[0].line
    match text:
        case "{":
            return Statement(Form.BLOCK, (), line, _inside(tokens))
        case "try" | "else":
            return Statement(Form.BLOCK, (), line, tokens[1:])
        case "if":
            return _if(tokens, line)
        case "do" | "for" | "while" | "switch" | "catch":
            return _loop(tokens, line)
    form = Form.END if text in _ENDINGS else Form.SIMPLE
    end = len(tokens) - (tokens[-1].text == ";")
    return Statement(form, tokens[form is Form.END : end], line)


def _loop(tokens: Span, line: int) -> Statement:
    start, end = 1, len(tokens)
    if tokens[0].text == "do":
        end = _end(tokens, 1, 0)
    else:
        start = _after(tokens, 1)
    return Statement(Form.LOOP, tokens[2 : start - 1], line, tokens[start:end], changed=assigned(tokens))


def _if(tokens: Span, line: int) -> Statement:
    opening = 2 if _text(tokens, 1) == "constexpr" else 1
    start = _after(tokens, opening)
    end = _end(tokens, start, 0)
    otherwise = tokens[end + 1 :] if _text(tokens, end) == "else" else ()
    return Statement(Form.IF, tokens[opening + 1 : start - 1], line, tokens[start:end], otherwise)


def _without_labels(tokens: Span) -> Span:
    """``tokens`` without ``case 1:``, ``default:`` and other labels before them."""
    while len(tokens) > 1:
        if tokens[0].text == "case":
            colon = next((index for index, token in enumerate(tokens) if token.text == ":"), len(tokens) - 1)
            tokens = tokens[colon + 1 :]
        elif tokens[0].kind is Kind.IDENTIFIER and tokens[1].text == ":":
            tokens = tokens[2:]
        else:
            break
    return tokens


def _inside(tokens: Span) -> Span:
    return tokens[1:-1] if tokens[-1].text == "}" else tokens[1:]


def assigned(tokens: Span) -> frozenset[str]:
    """The names that ``tokens`` may change: by an assignment, an increment, or through their address."""
    found = set()
    for index, token in enumerate(tokens):
        if token.kind is not Kind.IDENTIFIER:
            continue
        after, then = _text(tokens, index + 1), _text(tokens, index + 2)
        before = _text(tokens, index - 1) if index else ""
        earlier = _text(tokens, index - 2) if index > 1 else ""
        if (
            (after == "=" and then != "=")
            or (after in _ASSIGNING and then == "=")
            or (after in {"<", ">"} and then == after and _text(tokens, index + 3) == "=")
            or (after in {"+", "-"} and then == after)
            or (before in {"+", "-"} and earlier == before)
            or (before == "&" and earlier in {"(", ","})
        ):
            found.add(token.text)
    return frozenset(found)


def _text(tokens: Span, index: int) -> str:
    return tokens[index].text if 0 <= index < len(tokens) else ""
