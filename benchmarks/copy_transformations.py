"""How students change what they copied, as edits of CUDA C source; each keeps what the kernel computes."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from tree_sitter import Node

from grader.similarity.grammars import CUDA_C

_GIVEN = frozenset({"matmul", "a", "b", "c", "m", "n", "k", "fmaf", "min"})
_SIMPLE = frozenset({"identifier", "field_expression", "number_literal", "parenthesized_expression"})
_MACRO = re.compile(r"^#define (\w+) (\d+)\n", re.MULTILINE)


def _nodes(source: str) -> Iterator[Node]:
    waiting = [CUDA_C.parser.parse(source.encode()).root_node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.children)


def _text(node: Node) -> str:
    return (node.text or b"").decode()


def _edited(source: str, edits: list[tuple[int, int, str]]) -> str:
    """``source`` with each range of bytes replaced; ranges do not overlap."""
    data = source.encode()
    for start, end, text in sorted(edits, reverse=True):
        data = data[:start] + text.encode() + data[end:]
    return data.decode()


def rename(source: str, random_: random.Random) -> str:
    """Give every name of the student another one."""
    names = {
        _text(node)
        for node in _nodes(source)
        if node.type == "identifier" and not CUDA_C.platform.fullmatch(_text(node))
    }
    fresh = [f"v{number}" for number in range(len(names))]
    random_.shuffle(fresh)
    renamed = dict(zip(sorted(names - _GIVEN), fresh, strict=False))
    # The grammar takes a name in parentheses for a type; a member such as `.x` is no name of the student.
    return re.sub(r"(?<![.\w])[A-Za-z_]\w*", lambda word: renamed.get(word[0], word[0]), source)


def reformat(source: str, random_: random.Random) -> str:
    """Drop comments, and break lines and indent in another way."""
    kept = [
        (node.start_byte, node.end_byte, "")
        for node in _nodes(source)
        if node.type == "comment" and "@launch" not in _text(node)
    ]
    lines = []
    for line in _edited(source, kept).splitlines():
        if line.lstrip().startswith(("#", "//")):
            lines.append(line.strip())
        else:
            lines += [part.strip() for part in re.split(r"(?<=[{}])|(?<=;)(?![^(]*\))", line)]
    indent = random_.choice(("\t", "  ", ""))
    return (
        "\n".join(f"{indent}{line}" if line[:1] not in {"#", "/"} else line for line in lines if line) + "\n"
    )


def reorder(source: str, _random: random.Random) -> str:
    """Swap neighbouring statements that do not depend on each other: declarations, and loads of two tiles."""
    edits: list[tuple[int, int, str]] = []
    done: set[int] = set()
    for node in _nodes(source):
        if node.type != "compound_statement":
            continue
        own = [child for child in node.named_children if child.type != "comment"]
        for first, second in pairwise(own):
            if not done & {first.start_byte, second.start_byte} and _independent(first, second):
                done |= {first.start_byte, second.start_byte}
                edits += [
                    (first.start_byte, first.end_byte, _text(second)),
                    (second.start_byte, second.end_byte, _text(first)),
                ]
    return _edited(source, edits)


def _independent(first: Node, second: Node) -> bool:
    return all(
        (written := _written(one)) is not None and written not in re.findall(r"\w+", _text(other))
        for one, other in ((first, second), (second, first))
    )


def _written(node: Node) -> str | None:
    """The one variable that a statement sets; ``None`` for any other statement."""
    text = _text(node)
    if node.type == "declaration":
        match = re.match(r"(?:__shared__ )?(?:const )?\w+ (\w+)\b", text)
    elif node.type == "expression_statement":
        match = re.match(r"(\w+)\[[^=]*\] = ", text)
    else:
        match = None
    return match[1] if match else None


def loops(source: str, _random: random.Random) -> str:
    """Write every ``for`` as a ``while``."""
    while (node := next((each for each in _nodes(source) if each.type == "for_statement"), None)) is not None:
        part = {
            name: node.child_by_field_name(name) for name in ("initializer", "condition", "update", "body")
        }
        text = {name: "" if each is None else _text(each) for name, each in part.items()}
        start, pragma = node.start_byte, ""
        before = source.encode()[:start].decode()
        if match := re.search(r"[ \t]*#pragma unroll[ \d]*\n\s*\Z", before):
            start, pragma = len(before[: match.start()].encode()), f"\n{match[0].strip()}\n"
        body = text["body"].strip()
        inner = body[1:-1] if body.startswith("{") else body
        init = text["initializer"].rstrip(";")
        while_ = f"{{ {init};{pragma} while ({text['condition']}) {{ {inner} {text['update']}; }} }}"
        source = _edited(source, [(start, node.end_byte, while_)])
    return source


def macros(source: str, _random: random.Random) -> str:
    """Write every macro's number where it is used."""
    values = dict(_MACRO.findall(source))
    source = _MACRO.sub("", source)
    return re.sub(r"\b\w+\b", lambda word: values.get(word[0], word[0]), source)


def junk(source: str, random_: random.Random) -> str:
    """Add statements without an effect."""
    edits = []
    for node in _nodes(source):
        if node.type == "compound_statement":
            name = f"extra{random_.randrange(1000)}"
            edits.append(
                (
                    node.start_byte + 1,
                    node.start_byte + 1,
                    f" int {name} = threadIdx.x + {random_.randrange(9)}; {name} *= 2;",
                )
            )
            edits.append(
                (
                    node.end_byte - 1,
                    node.end_byte - 1,
                    " if (threadIdx.x > 4096) { int nothing = 3; nothing++; } ",
                )
            )
    return _edited(source, edits)


def swap(source: str, _random: random.Random) -> str:
    """Exchange the operands of sums and products of indices."""
    edits = []
    done: list[range] = []
    for node in _nodes(source):
        if node.type == "binary_expression" and node.child_count == 3:
            left, operator, right = node.children
            span = range(node.start_byte, node.end_byte)
            fresh = not any(set(span) & set(other) for other in done)
            if fresh and operator.type in {"+", "*"} and {left.type, right.type} <= _SIMPLE:
                done.append(span)
                edits.append(
                    (node.start_byte, node.end_byte, f"{_text(right)} {operator.type} {_text(left)}")
                )
    return _edited(source, edits)


def retile(source: str, random_: random.Random) -> str:
    """Choose another size of tiles: what the compiler unrolls changes with it."""
    own = re.search(r"block=\((\d+),", source)
    assert own is not None
    other = random_.choice([size for size in ("8", "16", "32") if size != own[1]])
    return re.sub(rf"\b{own[1]}\b", other, source)


def everything(source: str, random_: random.Random) -> str:
    """All of these, one after the other."""
    for change in (macros, reorder, swap, loops, junk, rename, reformat):
        source = change(source, random_)
    return source


@dataclass(frozen=True)
class Transformation:
    """A way to hide a copy."""

    name: str
    apply: Callable[[str, random.Random], str]


TRANSFORMATIONS = (
    Transformation("renamed", rename),
    Transformation("reformatted", reformat),
    Transformation("reordered", reorder),
    Transformation("for to while", loops),
    Transformation("macros inlined", macros),
    Transformation("statements added", junk),
    Transformation("operands exchanged", swap),
    Transformation("all of these", everything),
    Transformation("other tile size", retile),
)
