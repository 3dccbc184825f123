"""Code that was typed into a form of a web page: its HTML as the text that the student saw."""

import html
import re
from html.parser import HTMLParser

from grader.languages import LanguageSupport, installed

_BLOCKS = frozenset(
    {"p", "div", "li", "ul", "ol", "pre", "table", "tr", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"}
)
_UNSEEN = frozenset({"head", "title", "style", "script"})
_TAG = re.compile(
    r"</?(?:html|body|p|div|br|pre|code|span|li|ul|ol|table|td|tr|strong|em|b|i|font|h[1-6])\b[^<>]*>",
    re.IGNORECASE,
)
_SPACES = re.compile(r"[ \t\r\n\f]+")
_PLAIN = str.maketrans({"\xa0": " ", "\u200b": None, "\ufeff": None})
"""Editors indent with no-break spaces, and leave characters that do not show."""


def text_of(page: str) -> str:
    """The text of ``page`` as a browser shows it, one line for each; text without tags stays as it is.

    Blanks and line ends in a ``<pre>`` stay, elsewhere they are one blank, as in HTML.
    """
    if _TAG.search(page) is None:
        return html.unescape(page).translate(_PLAIN) if "<" not in page else page.translate(_PLAIN)
    reader = _Reader()
    reader.feed(page)
    reader.close()
    lines = "".join(reader.text).translate(_PLAIN).split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"


def language_of_text(text: str) -> LanguageSupport | None:
    """The language in which ``text`` defines a kernel; ``None`` if there is none, or no saying which."""
    data = text.encode("utf-8", "replace")
    counts = {key: data.count(each.mark) for key, each in installed().items()}
    most = max(counts.values(), default=0)
    found = [key for key, count in counts.items() if count == most]
    return installed()[found[0]] if most and len(found) == 1 else None


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self._unseen = self._pre = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self._unseen += tag in _UNSEEN
        self._pre += tag == "pre"
        if tag == "br":
            self.text.append("\n")
        elif tag in _BLOCKS:
            self._end_line()

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in _UNSEEN and self._unseen > 0
        self._pre -= tag == "pre" and self._pre > 0
        if tag in _BLOCKS:
            self._end_line()

    def handle_data(self, data: str) -> None:
        if self._unseen:
            return
        if not self._pre:
            data = _SPACES.sub(" ", data)
            if not self.text or self.text[-1].endswith("\n"):
                data = data.removeprefix(" ")
        if data:
            self.text.append(data)

    def _end_line(self) -> None:
        if self.text and not self.text[-1].endswith("\n"):
            self.text.append("\n")
