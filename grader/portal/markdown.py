"""Handouts as HTML: Markdown without raw HTML, with headings below those of the page."""

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

_LEVELS = {f"h{level}": f"h{min(level + 1, 6)}" for level in range(1, 7)}
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_SITES = ("http://", "https://", "#", "mailto:")


def to_html(text: str) -> Markup:
    """``text`` as HTML. The title of the page stands for its first heading of the first level.

    Links to other files of a lab lead nowhere here, so that only their text stays; so does the text of images.
    """
    reader = _reader()
    tokens = reader.parse(_COMMENT.sub("", text))
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        tokens = tokens[3:]
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = _LEVELS[token.tag]
        if token.type == "table_open":
            # A wide one scrolls, which a keyboard must be able to do.
            token.attrs["tabindex"] = "0"
        if token.attrs.pop("style", "") == "text-align:right":
            # The policy of the portal allows no style in an attribute.
            token.attrs["class"] = "number"
        if token.children:
            only_links = _is_only_links_to_files(token.children)
            token.children = [] if only_links else _links_to_sites(token.children)
    return Markup(reader.renderer.render(tokens, reader.options, {}))  # noqa: S704 - the renderer escapes all text


@cache
def _reader() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _is_only_links_to_files(children: list[Token]) -> bool:
    """Whether the paragraph only leads to other files, such as the handout in another language."""
    targets = [str(child.attrGet("href") or "") for child in children if child.type == "link_open"]
    depth, outside = 0, ""
    for child in children:
        depth += (child.type == "link_open") - (child.type == "link_close")
        outside += child.content if depth == 0 else ""
    return bool(targets) and not outside.strip(" ·|") and not any(map(_leads_to_a_site, targets))


def _leads_to_a_site(target: str) -> bool:
    return target.startswith(_SITES)


def _links_to_sites(children: list[Token]) -> list[Token]:
    kept: list[Token] = []
    dropped: list[bool] = []
    for child in children:
        if child.type == "link_open":
            dropped.append(not _leads_to_a_site(str(child.attrGet("href") or "")))
            if not dropped[-1]:
                child.attrSet("rel", "noreferrer")
                kept.append(child)
        elif child.type == "link_close":
            if not dropped.pop():
                kept.append(child)
        elif child.type == "image":
            kept.append(Token("text", "", 0, content=child.content))
        else:
            kept.append(child)
    return kept
