"""Joins PTX texts to one module, as a linker joins their code."""

import re
from collections.abc import Sequence

_HEADER = re.compile(r"^\.(?:version|target|address_size)\b[^\n]*\n", re.MULTILINE)
_DECLARED = re.compile(r"^\.extern\s+\.func\b[^;{]*;", re.MULTILINE)
_DEFINED = re.compile(r"^(?:\.(?:visible|weak)\s+)?\.func\s*(?:\([^)]*\)\s*)?([\w$]+)", re.MULTILINE)
_NAME = re.compile(r"\.func\s*(?:\([^)]*\)\s*)?([\w$]+)")


def joined(texts: Sequence[str]) -> str:
    """One module of all ``texts``: the first with its header, and each function that one of them defines."""
    if len(texts) == 1:
        return texts[0]
    first, *others = texts
    body = "\n".join(_HEADER.sub("", text) for text in others)
    defined = set(_DEFINED.findall(first)) | set(_DEFINED.findall(body))

    def kept(declaration: re.Match[str]) -> str:
        name = _NAME.search(declaration[0])
        return "" if name is not None and name[1] in defined else declaration[0]

    start = max((match.end() for match in _HEADER.finditer(first)), default=0)
    return first[:start] + _DECLARED.sub(kept, body) + "\n" + _DECLARED.sub(kept, first[start:])
