"""The macros for the time of the compilation, as constants: a submission's code is the same whenever it is compiled.

NVRTC lets no option and no directive redefine them, so their names are replaced in the text where they are
neither part of a comment nor of a literal.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from grader.compile.messages import located
from grader.compile.pasted_names import find_pasted
from grader.compile.tokens import Kind, Token, directive, tokenize
from grader.model.reason import Reason, reason

CONSTANTS: Mapping[str, str] = {
    "__DATE__": '"Jan  1 1970"',
    "__TIME__": '"00:00:00"',
    "__TIMESTAMP__": '"Thu Jan  1 00:00:00 1970"',
}

_WORD = re.compile(r"[^\W\d]\w*")


def fix_build_time(characters: list[str], tokens: Iterable[Token]) -> None:
    """Replace the macros in ``characters``, the text of ``tokens``. Lines stay, columns after a macro move."""
    for token in tokens:
        text = None
        if token.kind is Kind.IDENTIFIER:
            text = CONSTANTS.get(token.text)
        elif token.kind is Kind.DIRECTIVE and _uses(token):
            text = _replaced(token.text)
        if text is not None:
            replace_token(characters, token, text)


def replace_token(characters: list[str], token: Token, text: str) -> None:
    """Replace one token by ``text``, and keep the line feeds inside it."""
    for index in range(token.start, token.end):
        if characters[index] != "\n":
            characters[index] = ""
    characters[token.start] = text


def pasted_build_time(files: Mapping[str, Sequence[Token]], *, toolkit: bool) -> Reason | None:
    """The reason to refuse ``files`` that contain one of the macros in pieces, and a way to join them by ``##``.

    ``toolkit``: they include headers of the toolkit, which have macros that join their arguments.
    """
    pasted = find_pasted(CONSTANTS, files, toolkit=toolkit)
    if pasted is None:
        return None
    return located(reason("build-time-pasted", macro=pasted.name), pasted.location.file, pasted.location.line)


def _uses(token: Token) -> bool:
    """Whether a definition of another macro mentions one of these."""
    name, rest = directive(token)
    defined, *used = _WORD.findall(rest) or [""]
    return name == "define" and defined not in CONSTANTS and not CONSTANTS.keys().isdisjoint(used)


def _replaced(text: str) -> str:
    """A definition with constants, on a single line."""
    hashes, name, rest = text.partition("define")
    pieces, position = [hashes, name], 0
    for token in tokenize(rest):
        known = " " if token.kind is Kind.COMMENT else CONSTANTS.get(token.text, token.text)
        pieces += [rest[position : token.start], known]
        position = token.end
    return "".join(pieces)
