"""Make the table of characters that look alike from the data of the package ``confusable-homoglyphs``.

``python -m tools.confusables FOLDER`` writes ``grader/model/confusables.tsv``. FOLDER is the unpacked package; its
``confusables.json`` is Unicode's table of UTS 39 (``confusables.txt``) as pairs. Grader needs the table only, so the
package is no dependency.
"""

import json
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

from grader.model.lookalikes import TABLE

_MARKS = str.maketrans("", "", "\u200e\u200f")
"""Directional marks that the data put around characters of right-to-left scripts."""


def classes(pairs: dict[str, list[dict[str, str]]]) -> list[set[str]]:
    """The sets of texts that look alike: what ``pairs`` connect, directly or through others."""
    parents: dict[str, str] = {}

    def root(text: str) -> str:
        parents.setdefault(text, text)
        while parents[text] != text:
            text = parents[text]
        return text

    for text, others in pairs.items():
        for other in others:
            parents[root(other["c"].translate(_MARKS))] = root(text.translate(_MARKS))
    found: dict[str, set[str]] = defaultdict(set)
    for text in list(parents):
        found[root(text)].add(text)
    return list(found.values())


def rows(found: list[set[str]]) -> list[str]:
    """A line for each set: the text that stands for all, a tab, and the single characters that NFKC leaves alone."""
    lines = []
    for texts in found:
        single = sorted(text for text in texts if len(text) == 1 and unicodedata.is_normalized("NFKC", text))
        chosen = min(texts, key=_order)
        others = "".join(text for text in single if text != chosen and text.isprintable())
        if others and chosen.isprintable():
            lines.append(f"{chosen}\t{others}")
    return sorted(lines)


def _order(text: str) -> tuple[bool, bool, bool, str]:
    """Several ASCII letters stand for the one that looks like them; else an ASCII letter, a digit, any character."""
    is_ascii = text.isascii() and text.isalnum()
    return not (is_ascii and len(text) > 1), not (is_ascii and text.islower()), not is_ascii, text


if __name__ == "__main__":
    data = json.loads(next(Path(sys.argv[1]).rglob("confusables.json")).read_text(encoding="utf-8"))
    TABLE.write_text("\n".join(rows(classes(data))) + "\n", encoding="utf-8")
