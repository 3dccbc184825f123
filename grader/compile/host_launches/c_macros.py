"""Macros of host code: those with parameters are expanded, the others stay names of constants."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from grader.compile.host_launches.c_tokens import closing, split
from grader.compile.tokens import Kind, Token, directive, tokenize

_MOST_TOKENS = 20_000
"""Tokens that expansion may add to one function."""

_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class _Macro:
    """``parameters`` is ``None`` for a macro without a list of parameters."""

    parameters: tuple[str, ...] | None
    body: tuple[Token, ...]

    @property
    def is_constant(self) -> bool:
        """Whether its value does not depend on the text around it: one token, or an expression in parentheses."""
        if self.parameters is not None or not self.body:
            return False
        return len(self.body) == 1 or (
            self.body[0].text == "(" and closing(self.body, 0) == len(self.body) - 1
        )


class Macros:
    """The macros of all files. A name with two different definitions is no macro here."""

    def __init__(self, files: Iterable[Sequence[Token]]) -> None:
        found: dict[str, set[tuple[str, ...]]] = {}
        macros: dict[str, _Macro] = {}
        for token in (token for file in files for token in file if token.kind is Kind.DIRECTIVE):
            name, macro = _definition(token)
            if macro is not None:
                texts = tuple(each.text for each in macro.body)
                found.setdefault(name, set()).add((*(macro.parameters or ()), "", *texts))
                macros[name] = macro
        self._macros = {name: macro for name, macro in macros.items() if len(found[name]) == 1}

    def constant(self, name: str) -> tuple[Token, ...] | None:
        """The value of a macro that stays a name."""
        macro = self._macros.get(name)
        return macro.body if macro is not None and macro.is_constant else None

    def expand(self, tokens: Sequence[Token]) -> tuple[Token, ...]:
        """``tokens`` with every other macro replaced; the new tokens have the line of the macro's use."""
        budget = [_MOST_TOKENS]
        return tuple(self._expanded(tokens, frozenset(), budget))

    def _expanded(self, tokens: Sequence[Token], hidden: frozenset[str], budget: list[int]) -> list[Token]:
        result: list[Token] = []
        index = 0
        while index < len(tokens):
            token = tokens[index]
            macro = self._macros.get(token.text) if token.kind is Kind.IDENTIFIER else None
            index += 1
            if (
                macro is None
                or macro.is_constant
                or token.text in hidden
                or len(hidden) >= _DEEPEST
                or budget[0] <= 0
            ):
                result.append(token)
                continue
            values: dict[str, Sequence[Token]] = {}
            if macro.parameters is not None:
                if index >= len(tokens) or tokens[index].text != "(":
                    result.append(token)
                    continue
                end = closing(tokens, index)
                values = _bound(macro.parameters, tokens[index + 1 : end])
                index = end + 1
            body = [
                new
                for each in macro.body
                for new in (values[each.text] if each.text in values else (replace(each, line=token.line),))
            ][: max(0, budget[0])]
            budget[0] -= len(body)
            result += self._expanded(body, hidden | {token.text}, budget)
        return result


def _definition(token: Token) -> tuple[str, _Macro | None]:
    """Name and macro of a ``#define`` line; no macro for any other line."""
    word, rest = directive(token)
    body = tokenize(rest) if word == "define" else []
    if not body or body[0].kind is not Kind.IDENTIFIER:
        return "", None
    name, body = body[0], body[1:]
    parameters: tuple[str, ...] | None = None
    if body and body[0].text == "(" and body[0].start == name.end:
        end = closing(body, 0)
        parameters = tuple(
            "__VA_ARGS__" if part and part[0].text == "." else part[0].text
            for part in split(body[1:end])
            if part
        )
        body = body[end + 1 :]
    return name.text, _Macro(parameters, tuple(body))


def _bound(parameters: tuple[str, ...], inside: Sequence[Token]) -> dict[str, Sequence[Token]]:
    """The tokens that stand for each parameter; a last ``...`` takes all that remain."""
    if parameters and parameters[-1] == "__VA_ARGS__":
        parts = split(inside)
        fixed = len(parameters) - 1
        start = sum(len(part) + 1 for part in parts[:fixed])
        return {**dict(zip(parameters, parts[:fixed], strict=False)), "__VA_ARGS__": inside[start:]}
    return dict(zip(parameters, split(inside), strict=False))
