"""The grammars of languages: how tree-sitter reads their source, and which tokens of it count."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import tree_sitter
import tree_sitter_cuda
import tree_sitter_python


@dataclass(frozen=True)
class Grammar:
    """A grammar of tree-sitter, and the kinds of its nodes that are more or less than a token.

    ``names`` are identifiers; those that match ``platform`` are of CUDA and stay, since nobody can rename them. A name
    behind one of ``members`` is apart from variables of the same name.
    ``literals`` count by their kind only, ``dropped`` not at all. A node of a kind in ``fragments`` holds source that
    the grammar leaves unread, such as the body of a macro.
    """

    load: Callable[[], object]
    names: frozenset[str]
    literals: frozenset[str]
    dropped: frozenset[str]
    platform: re.Pattern[str]
    fragments: frozenset[str] = frozenset()
    members: frozenset[str] = frozenset({".", "->"})

    @cached_property
    def parser(self) -> tree_sitter.Parser:
        """A parser, which never fails: what it cannot read becomes a node of the kind ``ERROR``."""
        return tree_sitter.Parser(tree_sitter.Language(self.load()))


CUDA_C = Grammar(
    load=tree_sitter_cuda.language,
    names=frozenset(
        {
            *("identifier", "field_identifier", "type_identifier", "namespace_identifier"),
            "statement_identifier",
        }
    ),
    literals=frozenset(
        {"number_literal", "string_literal", "char_literal", "raw_string_literal", "system_lib_string"}
    ),
    dropped=frozenset({"comment", "preproc_include"}),
    platform=re.compile(r"__\w+|(?:thread|block)(?:Idx|Dim)|gridDim|warpSize|atomic\w+|cuda\w+"),
    fragments=frozenset({"preproc_arg"}),
)

PYTHON = Grammar(
    load=tree_sitter_python.language,
    names=frozenset({"identifier"}),
    literals=frozenset({"integer", "float", "string"}),
    dropped=frozenset({"comment", "import_statement", "import_from_statement", "line_continuation"}),
    platform=re.compile(
        r"cuda|(?:thread|block)(?:Idx|Dim)|gridDim|sync\w*|shared|local|atomic|grid(?:size)?|range"
    ),
)
