"""The tokens of a source file, as symbols: names by their order, literals by their kind, no comments, no layout."""

from collections.abc import Iterator

from tree_sitter import Node

from grader.model.submission import SourceFile
from grader.similarity.grammars import Grammar
from grader.similarity.winnowing import Symbol

_NAME = "name"
_MEMBER = "member"
_UNREAD = "ERROR"

_COMPONENTS = frozenset("xyzw")
"""The members of CUDA's vectors and indices, which nobody can rename."""


def source_symbols(file: SourceFile, grammar: Grammar) -> tuple[Symbol, ...]:
    """The symbols of ``file``. Any bytes have symbols: a parser reads on after what it cannot read."""
    return tuple(_symbols(file.data, file.name, grammar, 0))


def _symbols(data: bytes, name: str, grammar: Grammar, above: int) -> Iterator[Symbol]:
    """The symbols of ``data``, which stands below ``above`` lines of its file."""
    before = ""
    for node in _leaves(grammar.parser.parse(data).root_node, grammar):
        text = data[node.start_byte : node.end_byte]
        line = above + node.start_point.row + 1
        if node.type in grammar.fragments and text != data:
            yield from _symbols(text, name, grammar, line - 1)
        elif node.type in grammar.literals or node.type not in {*grammar.names, _UNREAD}:
            yield Symbol(node.type, (), name, line)
        else:
            word = text.decode("utf-8", "replace")
            yield _named(word, grammar, name, line, is_member=before in grammar.members)
        before = node.type


def _named(word: str, grammar: Grammar, file: str, line: int, *, is_member: bool) -> Symbol:
    if grammar.platform.fullmatch(word) or (is_member and word in _COMPONENTS):
        return Symbol(word, (), file, line)
    return Symbol(_MEMBER, (f".{word}",), file, line) if is_member else Symbol(_NAME, (word,), file, line)


def _leaves(root: Node, grammar: Grammar) -> Iterator[Node]:
    """The nodes that are tokens, in their order, whatever the depth of the tree."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_missing or node.type in grammar.dropped or _is_documentation(node):
            continue
        if node.child_count == 0 or node.type in grammar.literals:
            if node.end_byte > node.start_byte:
                yield node
        else:
            waiting += reversed(node.children)


def _is_documentation(node: Node) -> bool:
    """Whether the node is a statement that is only a string."""
    return node.type == "expression_statement" and [child.type for child in node.children] == ["string"]
