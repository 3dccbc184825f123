"""Find kernel launches and other calls of the CUDA runtime in the tokens of one statement."""

from collections.abc import Iterator
from dataclasses import dataclass

from grader.compile.host_launches.c_tokens import (
    CLOSERS,
    OPENERS,
    Span,
    closing,
    spelled,
    split,
    template_end,
    template_start,
)
from grader.compile.tokens import Kind, Token

_LAUNCH_CALLS = frozenset({"cudaLaunchKernel", "cudaLaunchCooperativeKernel"})
_CONFIGURED_CALLS = frozenset({"cudaLaunchKernelEx", "cudaLaunchKernelExC"})
_SYMBOL_CALLS = {
    "cudaMemcpyToSymbol": 0,
    "cudaMemcpyToSymbolAsync": 0,
    "cudaGetSymbolAddress": 1,
    "cudaBindTexture": 1,
    "cudaBindTexture2D": 1,
    "cudaBindTextureToArray": 0,
}
"""The position of the device variable among the arguments."""

CONFIGURATION_MEMBERS = ("gridDim", "blockDim", "dynamicSmemBytes", "stream")
"""The members of ``cudaLaunchConfig_t``, in the order of ``<<<>>>``."""


@dataclass(frozen=True, slots=True)
class LaunchTokens:
    """A launch as written. ``configuration`` has grid, block, shared memory and stream, as far as they are given.

    ``packed``: the arguments are an array of pointers to them. ``configured_by`` is the variable with the members of
    the configuration.
    """

    kernel: Token
    templates: tuple[str, ...]
    configuration: tuple[Span, ...]
    arguments: tuple[Span, ...]
    packed: bool = False
    configured_by: str | None = None


def launches_in(tokens: Span) -> Iterator[LaunchTokens]:
    """The launches in ``tokens``: ``<<<>>>`` and the functions of the CUDA runtime."""
    for index, token in enumerate(tokens):
        if token.text == "<<<":
            found = _chevrons(tokens, index)
        elif token.text in _LAUNCH_CALLS | _CONFIGURED_CALLS and _text(tokens, index + 1) == "(":
            parts = split(tokens[index + 2 : closing(tokens, index + 1)])
            found = _runtime_call(parts) if token.text in _LAUNCH_CALLS else _configured(parts)
        else:
            continue
        if found is not None:
            yield found


def symbol_writes_in(tokens: Span) -> Iterator[tuple[Token, str]]:
    """The device variables to which host code copies, each with the function that does it."""
    for index, token in enumerate(tokens):
        if token.text in _SYMBOL_CALLS and _text(tokens, index + 1) == "(":
            parts = split(tokens[index + 2 : closing(tokens, index + 1)])
            position = _SYMBOL_CALLS[token.text]
            name = _function(parts[position]) if len(parts) > position else None
            if name is not None:
                yield name[0], token.text


def _chevrons(tokens: Span, opening: int) -> LaunchTokens | None:
    end = opening + 1
    depth = 0
    while end < len(tokens) and not (tokens[end].text == ">>>" and depth == 0):
        depth += (tokens[end].text in OPENERS) - (tokens[end].text in CLOSERS)
        end += 1
    kernel = _function(tokens[:opening], last=True)
    if kernel is None or _text(tokens, end + 1) != "(":
        return None
    arguments = split(tokens[end + 2 : closing(tokens, end + 1)])
    return LaunchTokens(*kernel, tuple(split(tokens[opening + 1 : end])), tuple(arguments))


def _runtime_call(parts: list[Span]) -> LaunchTokens | None:
    """``cudaLaunchKernel(function, grid, block, arguments, shared, stream)``."""
    kernel = _function(parts[0]) if len(parts) >= 4 else None  # noqa: PLR2004 - up to the arguments
    if kernel is None:
        return None
    return LaunchTokens(*kernel, (*parts[1:3], *parts[4:6]), (parts[3],), packed=True)


def _configured(parts: list[Span]) -> LaunchTokens | None:
    """``cudaLaunchKernelEx(&configuration, kernel, arguments...)``."""
    kernel = _function(parts[1]) if len(parts) > 1 else None
    if kernel is None or not parts[0]:
        return None
    return LaunchTokens(*kernel, (), tuple(parts[2:]), configured_by=parts[0][-1].text)


def _function(tokens: Span, *, last: bool = False) -> tuple[Token, tuple[str, ...]] | None:
    """The function named in ``tokens``, after casts, and its template arguments; with ``last`` the one at the end."""
    end = len(tokens) - 1
    while not last and end >= 0 and tokens[end].text == ")":
        end -= 1
    templates: tuple[str, ...] = ()
    if end >= 0 and tokens[end].text in {">", ">>>"}:
        start = template_start(tokens, end)
        if start is None or template_end(tokens, start) is None:
            return None
        templates = tuple(spelled(part) for part in split(tokens[start + 1 : end]))
        end = start - 1
    if end < 0 or tokens[end].kind is not Kind.IDENTIFIER:
        return None
    return tokens[end], templates


def _text(tokens: Span, index: int) -> str:
    return tokens[index].text if index < len(tokens) else ""
