"""The functions of a submission's host code, found by name."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.compile.cpp_outline import Item, Outline, Shape, outline
from grader.compile.host_launches.c_macros import Macros
from grader.compile.host_launches.c_tokens import closing, split
from grader.compile.tokens import Kind, Token

_DEEPEST_CLASS = 4
_TYPE_WORDS = frozenset({"struct", "class", "union"})


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a host function. ``reference``: the function may change the caller's variable."""

    name: str
    type: str
    reference: bool
    default: tuple[Token, ...] = ()


@dataclass(frozen=True, slots=True)
class HostFunction:
    """A function that host code may call; ``body`` is what its braces hold, with macros expanded."""

    name: str
    file: str
    parameters: tuple[Parameter, ...]
    templates: tuple[str, ...]
    body: tuple[Token, ...]
    line: int
    device: bool


def host_functions(outlines: Mapping[str, Outline], macros: Macros) -> list[HostFunction]:
    """All functions with a body that are not kernels, also those in classes, in the order of the source."""
    return [
        _function(file, item, macros)
        for file, contents in outlines.items()
        for item in _functions(contents.items, 0)
    ]


def _functions(items: Sequence[Item], depth: int) -> Iterator[Item]:
    for item in items:
        if item.shape is Shape.FUNCTION and item.name is not None and not item.mentions("__global__"):
            yield item
        elif depth < _DEEPEST_CLASS and (opening := class_body(item)) is not None:
            inside = item.tokens[opening + 1 : closing(item.tokens, opening)]
            yield from _functions(outline(tuple(inside)).items, depth + 1)


def class_body(item: Item) -> int | None:
    """The index of the brace that opens a class, if ``item`` defines one."""
    opening = next((index for index, each in enumerate(item.tokens) if each.text == "{"), None)
    if item.shape is not Shape.OTHER or opening is None:
        return None
    return opening if _TYPE_WORDS.intersection(each.text for each in item.tokens[:opening]) else None


def _function(file: str, item: Item, macros: Macros) -> HostFunction:
    head, body = item.head, item.tokens[len(item.head) :]
    name = next(index for index, token in enumerate(head) if token.text == item.name)
    opening = next(index for index in range(name, len(head)) if head[index].text == "(")
    inside = head[opening + 1 : closing(head, opening)]
    return HostFunction(
        name=head[name].text,
        file=file,
        parameters=parameters(inside),
        templates=_template_names(head),
        body=macros.expand(body[1:-1] if body[-1].text == "}" else body[1:]),
        line=head[name].line,
        device=item.device and not any(token.text == "__host__" for token in head),
    )


def parameters(tokens: Sequence[Token]) -> tuple[Parameter, ...]:
    """The parameters in a list without its parentheses."""
    return tuple(_parameter(part) for part in split(tokens) if part)


def _parameter(tokens: Sequence[Token]) -> Parameter:
    equals = next((index for index, token in enumerate(tokens) if token.text == "="), len(tokens))
    declared, default = tokens[:equals], tuple(tokens[equals + 1 :])
    until = next((index for index, token in enumerate(declared) if token.text == "["), len(declared))
    names = [index for index in range(until) if declared[index].kind is Kind.IDENTIFIER]
    last = names[-1] if names else 0
    kind = [token.text for token in declared[:last]]
    return Parameter(
        name=declared[last].text if len(names) > 1 or kind else "",
        type=" ".join(word for word in kind if word not in {"const", "&"}),
        reference="&" in kind and "const" not in kind,
        default=default,
    )


def _template_names(head: Sequence[Token]) -> tuple[str, ...]:
    """The names of a function's own template parameters."""
    if [token.text for token in head[:2]] != ["template", "<"]:
        return ()
    end = next((index for index, token in enumerate(head) if token.text == ">"), 1)
    parts = split(head[2:end])
    return tuple(_before_default(part)[-1].text for part in parts if _before_default(part))


def _before_default(tokens: Sequence[Token]) -> Sequence[Token]:
    equals = next((index for index, token in enumerate(tokens) if token.text == "="), len(tokens))
    return tokens[:equals]
