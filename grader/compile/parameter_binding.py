"""Find the lab's argument for each parameter of a kernel that declares them in its own way.

Arrays and numbers are bound apart, each in the declared order unless the declaration says otherwise: by ``const``, by
the name of an output, by the lab's own names, by indices, by types. Names decide against the declared order only if all
parameters of a group but one have one of the lab's, so that a kernel without helpful names keeps its order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import starmap
from typing import TypeVar

from grader.compile.bound_parameters import Binding, Declared, Evidence, Taken, Unbound, UnboundError
from grader.compile.parameter_names import Extents, is_output, is_size, same_names
from grader.compile.parameter_types import Kind, kind_of
from grader.model.arguments import layout_of
from grader.model.element_types import Composite
from grader.model.kernel import Param

_SCRATCH = frozenset({"work", "scratch", "workspace", "tmp", "temp", "buffer"})
"""Names of arrays that a kernel may do without."""


def bind(params: Sequence[Param], declared: Sequence[Declared]) -> Binding | Unbound:
    """The lab's parameter for each of ``declared``, or why that is not certain."""
    own = _resolved(params, declared)
    try:
        taken = _taken(params, own)
    except UnboundError as error:
        return error.unbound
    missing = set(range(len(params))) - {each.source for each in taken.values()}
    return Binding(tuple(own), tuple(taken[index] for index in range(len(own))), tuple(sorted(missing)))


def _resolved(params: Sequence[Param], declared: Sequence[Declared]) -> list[Declared]:
    """``declared`` with a kind for each ``OPEN`` parameter: by its name, or by its position if names do not tell.

    If the declaration already has as many arrays as the lab, the others are numbers.
    """
    if not any(each.type.kind is Kind.OPEN for each in declared):
        return list(declared)
    same = same_names({index: each.name for index, each in enumerate(declared)}, dict(enumerate(params)))
    arrays = sum(kind_of(param) is Kind.ARRAY for param in params)
    complete = sum(each.type.kind is Kind.ARRAY for each in declared) == arrays

    def kind(index: int, each: Declared) -> Kind:
        if each.type.kind is not Kind.OPEN:
            return each.type.kind
        if complete or is_size(each.name):
            return Kind.VALUE
        return kind_of(params[same[index]]) if index in same else Kind.ARRAY

    kinds = list(starmap(kind, enumerate(declared)))
    if kinds.count(Kind.ARRAY) != arrays and len(declared) == len(params):
        kinds = [kind_of(param) for param in params]
    return [
        replace(each, type=replace(each.type, kind=found))
        for each, found in zip(declared, kinds, strict=True)
    ]


def _taken(params: Sequence[Param], declared: Sequence[Declared]) -> dict[int, Taken]:
    groups = {
        kind: (
            {index: each for index, each in enumerate(declared) if each.type.kind is kind},
            {index: param for index, param in enumerate(params) if kind_of(param) is kind},
        )
        for kind in (Kind.TEXTURE, Kind.ARRAY, Kind.VALUE)
    }
    for index, each in enumerate(declared):
        if each.type.kind is Kind.OTHER or _is_foreign(each, params):
            raise UnboundError(_differs(params, declared, index))
    taken: dict[int, Taken] = {}
    for kind in (Kind.TEXTURE, Kind.ARRAY):
        own, all_asked = groups[kind]
        asked = _needed(own, all_asked)
        if len(own) != len(asked):
            raise UnboundError(_miscounted(params, declared, own, asked))
        taken |= _arrays(own, asked)
    numbers, sizes = groups[Kind.VALUE]
    named = {
        each.name: params[taken[i].source] for i, each in enumerate(declared) if i in taken and each.name
    }
    return taken | _numbers(numbers, sizes, Extents(params, named))


def _is_foreign(own: Declared, params: Sequence[Param]) -> bool:
    """Whether a vector or struct by value is none that the lab passes."""
    composed = own.type.struct is not None or isinstance(own.type.dtype, Composite)
    return own.type.kind is Kind.VALUE and composed and not any(map(own.type.accepts, params))


def _needed(own: Mapping[int, Declared], asked: dict[int, Param]) -> dict[int, Param]:
    """``asked`` without scratch memory, if the kernel declares that many parameters fewer."""
    needed = {index: param for index, param in asked.items() if not _is_scratch(param)}
    return needed if len(own) == len(needed) else asked


def _is_scratch(param: Param) -> bool:
    return param.scratch or (not param.const and param.name in _SCRATCH)


def _arrays(own: Mapping[int, Declared], asked: Mapping[int, Param]) -> dict[int, Taken]:
    """Bind equally many arrays: outputs apart from inputs where the declaration shows which is which."""
    written = {index for index, param in asked.items() if not param.const}
    outputs, evidence = _outputs(own, asked, len(written))
    if outputs is None:
        return _group(own, asked, Evidence.ORDER)
    inputs = Evidence.CONST if evidence is Evidence.NOT_CONST else Evidence.ORDER
    groups = [(outputs, written, evidence), (own.keys() - outputs, asked.keys() - written, inputs)]
    taken: dict[int, Taken] = {}
    for ours, theirs, why in sorted(groups, key=lambda group: min(group[0])):
        taken |= _group(_only(own, ours), _only(asked, theirs), why)
    return taken


def _outputs(
    own: Mapping[int, Declared], asked: Mapping[int, Param], count: int
) -> tuple[set[int] | None, Evidence]:
    """The ``count`` parameters that are outputs, by ``const`` or by their names; ``None`` if neither shows them."""
    if not 0 < count < len(own):
        return None, Evidence.ORDER
    writable = {index for index, each in own.items() if not each.type.const}
    if len(writable) == count:
        return writable, Evidence.NOT_CONST
    same = same_names({index: each.name for index, each in own.items()}, asked)
    named = {
        index
        for index in writable
        if (not asked[same[index]].const if index in same else is_output(own[index].name))
    }
    return (named, Evidence.OUTPUT) if len(named) == count else (None, Evidence.ORDER)


def _group(own: Mapping[int, Declared], asked: Mapping[int, Param], evidence: Evidence) -> dict[int, Taken]:
    """Bind equally many parameters of one kind: by the lab's names, in the declared order, or by their types."""
    named = _by_names(own, asked)
    if named and all(own[index].type.accepts(asked[each.source]) for index, each in named.items()):
        return named
    pairs = dict(zip(own, asked, strict=True))
    wrong = [index for index, source in pairs.items() if not own[index].type.accepts(asked[source])]
    if not wrong:
        return {index: Taken(source, evidence) for index, source in pairs.items()}
    taken: dict[int, Taken] = {}
    for layout in {layout_of(param.dtype) for param in asked.values()}:
        alike = {source: param for source, param in asked.items() if layout_of(param.dtype) == layout}
        fitting = {index: each for index, each in own.items() if all(map(each.type.accepts, alike.values()))}
        if len(fitting) != len(alike) or len(alike) == len(asked) or not taken.keys().isdisjoint(fitting):
            raise UnboundError(Unbound("parameter-differs", wrong[0], (pairs[wrong[0]],)))
        taken |= _group(fitting, alike, Evidence.TYPE)
    return taken


def _by_names(own: Mapping[int, Declared], asked: Mapping[int, Param]) -> dict[int, Taken]:
    """Equally many parameters by the lab's names, if at most one of them has another; otherwise none.

    A number's name of one letter is weak: a matrix of ``n`` rows and ``m`` columns is one of ``m`` and ``n`` elsewhere.
    """
    same = same_names({index: each.name for index, each in own.items()}, asked)
    taken = {index: Taken(source, Evidence.NAME) for index, source in same.items()}
    rest = [*(own.keys() - same.keys())]
    if len(rest) > 1 or not same:
        return {}
    if rest:
        if not any(asked[source].is_array or len(asked[source].name) > 1 for source in same.values()):
            return {}
        (left,) = asked.keys() - same.values()
        taken[rest[0]] = Taken(left, Evidence.REST)
    return taken


def _numbers(own: Mapping[int, Declared], asked: Mapping[int, Param], extents: Extents) -> dict[int, Taken]:
    """Bind numbers, of which the kernel may leave some out or take one twice."""
    known = _known(own, asked, extents)
    covered = {each.source for each in known.values()}
    unknown = _only(own, own.keys() - known.keys())
    uncovered = _only(asked, asked.keys() - covered)
    if len(own) == len(asked):
        by_index = any(each.evidence is Evidence.INDEX for each in known.values())
        if len(unknown) != len(uncovered) or len(unknown) > by_index:
            return _group(own, asked, Evidence.ORDER)
        return known | _group(unknown, uncovered, Evidence.REST)
    if not unknown:
        return known
    if len(own) < len(asked):
        raise UnboundError(Unbound("parameter-ambiguous", min(unknown), tuple(uncovered)))
    if len(unknown) != len(uncovered):
        raise UnboundError(Unbound("parameter-unknown", max(unknown)))
    return known | _group(unknown, uncovered, Evidence.ORDER)


def _known(own: Mapping[int, Declared], asked: Mapping[int, Param], extents: Extents) -> dict[int, Taken]:
    """The numbers that say which size they are: by the lab's names, by indices, by the names of extents.

    Names of one letter in another order are weak: a matrix of ``n`` rows and ``m`` columns is one of ``m`` and ``n``
    elsewhere. They count only if no index contradicts one of them.
    """
    same = same_names({index: each.name for index, each in own.items()}, asked)
    lengths = {index: extents.row_length(each.rows_of) for index, each in own.items()}
    weak = {index for index, source in same.items() if len(asked[source].name) == 1}
    in_order = len(same) == len(own) and list(same.values()) == sorted(same.values())
    if not in_order and any(lengths[index] not in {None, same[index]} for index in weak):
        same = {index: source for index, source in same.items() if index not in weak}
    known: dict[int, Taken] = {}
    for index, each in own.items():
        for size, evidence in (
            (same.get(index), Evidence.NAME),
            (lengths[index], Evidence.INDEX),
            (extents.size(each.name), Evidence.EXTENT),
        ):
            if size is not None and each.type.accepts(asked[size]):
                known[index] = Taken(size, evidence)
                break
    return known


def _differs(params: Sequence[Param], declared: Sequence[Declared], index: int) -> Unbound:
    """The parameter at ``index`` has a type that no argument has."""
    same = same_names({i: each.name for i, each in enumerate(declared)}, dict(enumerate(params)))
    source = same.get(index, index)
    if source >= len(params):
        return Unbound("parameter-unknown", index)
    return Unbound("parameter-differs", index, (source,))


def _miscounted(
    params: Sequence[Param],
    declared: Sequence[Declared],
    own: Mapping[int, Declared],
    asked: Mapping[int, Param],
) -> Unbound:
    """There are more or fewer arrays than the lab passes: one of them has the wrong type, is unknown or is missing."""
    named = same_names({i: each.name for i, each in enumerate(declared)}, dict(enumerate(params)))
    for index, source in named.items():
        if declared[index].type.kind is not kind_of(params[source]):
            return Unbound("parameter-differs", index, (source,))
    same = same_names({index: each.name for index, each in own.items()}, asked)
    if len(own) > len(asked):
        return Unbound("parameter-unknown", max(own.keys() - same.keys()))
    absent = sorted(asked.keys() - same.values())
    return Unbound("parameter-missing", None, tuple(absent[len(own) - len(same) :]))


_Value = TypeVar("_Value")


def _only(items: Mapping[int, _Value], kept: set[int]) -> dict[int, _Value]:
    return {index: value for index, value in items.items() if index in kept}
