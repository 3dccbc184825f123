"""Pages, handouts and help follow the house style: no riddles, and sentences of a readable length.

``docs/contributor/house-style.md`` explains the rules.
"""

import re
from pathlib import Path

import pytest

from tests.repository.prose import DOCS, command_help, handouts, located, pages, prose
from tools.paths import CHECKOUT

LONGEST_SENTENCE = 60
"""In words. Aim for twenty."""

RIDDLES = re.compile(
    r"\b(?:whoever|meanwhile|anew|nobody|somebody|in vain|by heart|debris|glances?"
    r"|(?:is|are|was|were|be) told|(?:is|are|was|were|be) looked at|looked after"
    r"|what (?:it|that|a \w+) is worth|ha(?:s|ve) to itself|in its turn|of its own accord|gone through)\b",
    re.IGNORECASE,
)

STYLE_PAGE = DOCS / "contributor" / "house-style.md"
"""The page that lists what to avoid."""

_BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*|#>:]|\d+\.)\s)")
_SENTENCE = re.compile(r"(?<=[.!?])[)\"'*]*\s+|\s\|\s")


def long_sentences(text: str) -> list[str]:
    """Sentences and table cells of ``text`` with more than ``LONGEST_SENTENCE`` words."""
    sentences = [sentence for block in _BLOCK.split(text) for sentence in _SENTENCE.split(block)]
    return [
        f"{len(words)} words: {' '.join(words[:8])} …"
        for words in (re.findall(r"[\w'-]*[A-Za-z][\w'-]*", sentence) for sentence in sentences)
        if len(words) > LONGEST_SENTENCE
    ]


PAGES = [page for page in pages() if page != STYLE_PAGE]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(CHECKOUT)))
def test_pages_have_no_riddles_and_no_endless_sentences(page: Path) -> None:
    text = prose(page)
    assert located(text, RIDDLES) == []
    assert long_sentences(text) == []


@pytest.mark.parametrize("page", handouts(), ids=lambda page: page.parent.name)
def test_handouts_have_no_riddles_and_no_endless_sentences(page: Path) -> None:
    text = prose(page)
    assert located(text, RIDDLES) == []
    assert long_sentences(text) == []


@pytest.mark.parametrize("command", command_help())
def test_help_has_no_riddles_and_no_endless_sentences(command: str) -> None:
    text = command_help()[command]
    assert located(text, RIDDLES) == []
    assert long_sentences(text) == []


def test_a_riddle_and_an_endless_sentence_are_found() -> None:
    assert located("one\nWhoever reads this", RIDDLES) == ["2: Whoever"]
    assert long_sentences("word " * 61)
    assert long_sentences("word " * 60 + ". " + "word " * 60) == []
