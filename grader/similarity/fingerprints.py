"""The fingerprints of a submission, in every view that it has."""

from collections.abc import Iterable, Sequence

from grader.engines.emulator.ptx.syntax import PtxError
from grader.languages import support
from grader.model.build import Translation
from grader.model.module import PtxModule
from grader.model.reason import Reason, as_written, reason
from grader.model.similarity import Fingerprint, Fingerprints, View
from grader.model.submission import Language, SourceFile, Submission
from grader.references import attribute
from grader.similarity.grammars import Grammar
from grader.similarity.ptx_symbols import ptx_symbols
from grader.similarity.source_symbols import source_symbols
from grader.similarity.winnowing import Symbol, Winnowing

WINNOWINGS = {
    View.TOKENS: Winnowing(gram=12, window=5),
    View.PTX: Winnowing(gram=6, window=4),
    View.OPERATIONS: Winnowing(gram=4, window=3),
}
"""The lengths of runs: a statement or two of source, and about as much of what is compiled from it."""

PTX_VIEWS = (View.PTX, View.OPERATIONS)


def of_submission(submission: Submission, compiled: Translation | Reason) -> Fingerprints:
    """The fingerprints of ``submission``; ``compiled`` is its PTX, or why there is none."""
    tokens = of_sources(submission.files, submission.language)
    ptx = _of_ptx(compiled)
    return Fingerprints(views={**tokens.views, **ptx.views}, missing={**tokens.missing, **ptx.missing})


def of_sources(files: Iterable[SourceFile], language: Language) -> Fingerprints:
    """The fingerprints of source files alone."""
    grammar = grammar_of(language)
    if grammar is None:
        return Fingerprints(missing={View.TOKENS: reason("no-grammar", language=language.value)})
    sequences = [source_symbols(file, grammar) for file in files]
    return Fingerprints(views={View.TOKENS: _winnowed(View.TOKENS, sequences)})


def grammar_of(language: Language) -> Grammar | None:
    """The grammar of ``language``, if it has one."""
    where = support(language).grammar
    if not where:
        return None
    grammar: Grammar = attribute(where)
    return grammar


def _of_ptx(compiled: Translation | Reason) -> Fingerprints:
    if isinstance(compiled, Reason):
        return _without_ptx(compiled)
    if compiled.module is None:
        faults = [compiled.fault, *compiled.problems.values()]
        return _without_ptx(
            next((fault.reason for fault in faults if fault), reason("no-kernels-to-compile"))
        )
    return _of_module(compiled.module)


def _of_module(module: PtxModule) -> Fingerprints:
    try:
        symbols = ptx_symbols(module)
    except PtxError as error:
        return _without_ptx(reason("ptx-unread", why=as_written(str(error))))
    return Fingerprints(views={view: _winnowed(view, found) for view, found in symbols.items()})


def _without_ptx(why: Reason) -> Fingerprints:
    return Fingerprints(missing=dict.fromkeys(PTX_VIEWS, why))


def _winnowed(view: View, sequences: Sequence[Sequence[Symbol]]) -> tuple[Fingerprint, ...]:
    winnowing = WINNOWINGS[view]
    return tuple(found for symbols in sequences for found in winnowing.fingerprints(symbols))
