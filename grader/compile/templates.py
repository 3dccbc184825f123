"""Kernel templates: the instances that may be the kernel that a lab asks for.

A submission's host code is never compiled, so its launches instantiate nothing. The template arguments are those of a
launch, completed by the lab's types where the compiler would deduce them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product

from grader.compile.cpp_outline import Item, Outline, Shape
from grader.compile.nvrtc import Compilation
from grader.compile.tokens import Kind, Token
from grader.model.kernel import KernelSpec, Param

_TYPE_WORDS = frozenset({"typename", "class"})
_DEPTHS = {"<": 1, "(": 1, "[": 1, "{": 1, ">": -1, ")": -1, "]": -1, "}": -1, ">>>": -3}
_MAX_INSTANCES = 8
_EXAMPLE_VALUE = "16"


@dataclass(frozen=True, slots=True)
class TemplateParameter:
    """One template parameter. ``type``: it stands for a type. ``default`` is its argument in the template, if any."""

    type: bool
    default: str = ""

    def arguments(self, types: Sequence[str]) -> tuple[str, ...]:
        """What an argument that a launch leaves out may be: one of ``types``, or the default."""
        if not self.type or self.default in types:
            return (self.default,) if self.default else ()
        return (*types, self.default) if self.default else tuple(types)


@dataclass(frozen=True, slots=True)
class KernelTemplate:
    """A kernel template in ``file``; ``scope`` are the namespaces around it, as a prefix of its name."""

    file: str
    item: Item
    scope: str
    parameters: tuple[TemplateParameter, ...]

    def instances(self, spec: KernelSpec, launched: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
        """C++ names of the instances that may be ``spec``; ``launched`` are the template arguments of launches.

        Several remain if launches differ, or if several of the lab's types could be meant. There is none if nothing
        says what the value of a parameter is.
        """
        types = _types(spec.params)
        completed = chain.from_iterable(
            self._completed(arguments, types) for arguments in dict.fromkeys(launched or [()])
        )
        names = (f"{self.scope}{spec.name}<{', '.join(arguments)}>" for arguments in completed)
        return tuple(dict.fromkeys(names))[:_MAX_INSTANCES]

    def example(self, spec: KernelSpec) -> str:
        """Template arguments that a launch may have: ``float, 16``."""
        element = _types(spec.params)[0]
        return ", ".join(
            element if each.type else _EXAMPLE_VALUE for each in self.parameters if not each.default
        )

    def _completed(self, arguments: tuple[str, ...], types: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """``arguments`` and those that are left out; nothing if one of these is a value without a default."""
        left = self.parameters[len(arguments) :]
        for rest in product(*(each.arguments(types) for each in left)):
            yield (*arguments, *rest)


def kernel_templates(outlines: Mapping[str, Outline], kernel: str) -> tuple[KernelTemplate, ...]:
    """The templates of ``kernel`` in all files; a specialization is none."""
    return tuple(
        KernelTemplate(file, item, _scope(contents.tokens, item), parameters)
        for file, contents in outlines.items()
        for item in contents.items
        if item.shape is Shape.FUNCTION and item.name == kernel and item.is_template_kernel
        for parameters in [_parameters(item.head)]
        if parameters
    )


def wanted_instances(
    outlines: Mapping[str, Outline],
    specs: Sequence[KernelSpec],
    launched: Mapping[str, Sequence[tuple[str, ...]]],
) -> dict[str, tuple[str, ...]]:
    """The instances that may be kernels of the lab, by the file of their template.

    ``launched`` are the template arguments of the launches of each kernel. A template that the submission itself
    instantiates needs no others.
    """
    wanted: dict[str, tuple[str, ...]] = {}
    for spec in specs:
        known = launched.get(spec.name, ())
        if not known and _is_instantiated(outlines, spec.name):
            continue
        for template in kernel_templates(outlines, spec.name):
            names = template.instances(spec, known)
            wanted[template.file] = (*wanted.get(template.file, ()), *names)
    return wanted


def _is_instantiated(outlines: Mapping[str, Outline], kernel: str) -> bool:
    """Whether there is an explicit instantiation: ``template __global__ void kernel<16>(…);``."""
    return any(
        item.tokens[0].text == "template" and item.tokens[1].text != "<" and item.mentions(kernel)
        for contents in outlines.values()
        for item in contents.items
        if len(item.tokens) > 1
    )


def instantiate(
    names: tuple[str, ...], run: Callable[[tuple[str, ...]], Compilation]
) -> tuple[Compilation | None, Compilation | None]:
    """The compilation with every instance in ``names`` that compiles, and that of one that does not.

    ``run`` compiles the unit with the instances that it gets.
    """
    whole = run(names)
    if whole.ptx is not None:
        return whole, None
    alone = {name: run((name,)) for name in names}
    working = tuple(name for name, compilation in alone.items() if compilation.ptx is not None)
    failed = next(compilation for compilation in (*alone.values(), whole) if compilation.ptx is None)
    return (run(working) if working else None), failed


def _types(params: Sequence[Param]) -> tuple[str, ...]:
    """The C++ names of the types that the lab passes, those of arrays first."""
    arrays = [param.dtype.c_name for param in params if param.is_array]
    return tuple(dict.fromkeys([*arrays, *(param.dtype.c_name for param in params)]))


def _parameters(head: Sequence[Token]) -> tuple[TemplateParameter, ...]:
    """The parameters in ``template <…>``."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in head[1:]:
        depth += _DEPTHS.get(token.text, 0)
        if depth <= 0:
            break
        if token.text == "," and depth == 1:
            parts.append([])
        else:
            parts[-1].append(token.text)
    parts[0] = parts[0][1:]  # without the opening bracket
    return tuple(map(_parameter, parts)) if parts != [[]] else ()


def _parameter(words: Sequence[str]) -> TemplateParameter:
    default = words[words.index("=") + 1 :] if "=" in words else []
    return TemplateParameter(words[:1] != [] and words[0] in _TYPE_WORDS, " ".join(default))


def _scope(tokens: Sequence[Token], item: Item) -> str:
    """The names of the namespaces around ``item``, each with ``::``."""
    scopes: list[str] = []
    words: list[str] = []
    for token in tokens:
        if token.start >= item.tokens[0].start:
            break
        if token.kind in {Kind.COMMENT, Kind.DIRECTIVE}:
            continue
        if token.text == "{":
            named = "namespace" in words[:2] and words[-1] != "namespace"
            scopes.append(f"{''.join(words[words.index('namespace') + 1 :])}::" if named else "")
        elif token.text == "}" and scopes:
            scopes.pop()
        words = [] if token.text in {"{", "}", ";"} else [*words, token.text]
    return "".join(scopes)
