"""Find the declaration of a kernel among the items of a submission's files."""

from collections.abc import Mapping

from grader.compile.cpp_outline import Item, Outline, Shape


def declaration(
    outlines: Mapping[str, Outline], kernel: str, code: tuple[str | None, int | None] = (None, None)
) -> tuple[str, Item, int] | None:
    """File, item and line of the declaration of ``kernel``.

    A kernel is preferred to another function, and a definition to a declaration. Of several definitions the one that
    contains ``code``, a file and a line, is taken.
    """
    found = [
        (file, item)
        for file, contents in outlines.items()
        for item in contents.items
        if item.shape is not Shape.OTHER and item.name == kernel
    ]
    if not found:
        return None
    file, item = max(
        found,
        key=lambda pair: (
            pair[1].mentions("__global__"),
            pair[1].shape is Shape.FUNCTION,
            pair[1].device,
            pair[0] == code[0] and code[1] in pair[1].lines,
        ),
    )
    line = next(token.line for token in item.tokens if token.text == kernel)
    return file, item, line
