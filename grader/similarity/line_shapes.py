"""The shapes of source lines: equal for lines that differ in names, numbers, comments and layout only."""

from collections import defaultdict
from collections.abc import Mapping

from grader.model.submission import Language, SourceFile
from grader.similarity.fingerprints import grammar_of
from grader.similarity.source_symbols import source_symbols


def line_shapes(file: SourceFile, language: Language) -> Mapping[int, str]:
    """The shape of each line of ``file`` that has a token, by its number from 1; none in a language without a grammar.

    A variable is known by its place among those of its line: ``y[i] = x[i]`` and ``b[k] = a[k]`` have one shape.
    """
    grammar = grammar_of(language)
    if grammar is None:
        return {}
    words: dict[int, list[str]] = defaultdict(list)
    places: dict[int, dict[str, int]] = defaultdict(dict)
    for symbol in source_symbols(file, grammar):
        if symbol.line is not None:
            known = places[symbol.line]
            numbers = (known.setdefault(name, len(known)) for name in symbol.names)
            words[symbol.line].append(" ".join((symbol.text, *map(str, numbers))))
    return {line: " ".join(found) for line, found in words.items()}
