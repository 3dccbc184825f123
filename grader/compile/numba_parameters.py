"""Match the parameters of a Numba kernel, which have no types, with the lab's."""

import ast

from grader.compile.bound_parameters import Binding, Declared, Unbound
from grader.compile.failure import BuildFailed
from grader.compile.messages import clean
from grader.compile.parameter_binding import bind
from grader.compile.parameter_reasons import binding_failed
from grader.compile.parameter_types import Kind, ParameterType
from grader.compile.python.bodies import without_values
from grader.compile.python.values import Function
from grader.model.element_types import Composite
from grader.model.kernel import KernelSpec
from grader.model.reason import reason


def one_line(spec: KernelSpec) -> str:
    """The definition of ``spec`` in Numba, in one line."""
    return spec.numba_signature.replace("\n", " ")


def bind_parameters(spec: KernelSpec, kernel: Function) -> Binding:
    """The lab's parameter for each of the kernel's. Raises: ``BuildFailed`` if that is not certain."""
    args = kernel.node.args
    written = clean(f"def {kernel.name}({ast.unparse(without_values(args))}):")
    # Vectors and structs by value are used like arrays.
    composed = any(not each.is_array and isinstance(each.dtype, Composite) for each in spec.params)
    indexed = set() if composed else _indexed(kernel.node)
    declared = [
        Declared(arg.arg, ParameterType(Kind.ARRAY if arg.arg in indexed else Kind.OPEN), arg.arg)
        for arg in args.args
    ]
    unbound = Unbound("parameters-differ")
    if not (args.posonlyargs or args.kwonlyargs or args.vararg or args.kwarg):
        bound = bind(spec.params, declared)
        if isinstance(bound, Binding):
            return bound
        unbound = bound
    if unbound.code in {"parameters-differ", "parameter-differs"}:
        raise BuildFailed(
            reason(
                "parameters-differ",
                location=kernel.location,
                kernel=spec.name,
                wanted=one_line(spec),
                declared=written,
            )
        )
    raise BuildFailed(
        binding_failed(
            spec,
            unbound,
            declared,
            written=written,
            wanted=one_line(spec),
            spell=lambda param: param.name,
            location=kernel.location,
        )
    )


def _indexed(function: ast.FunctionDef) -> set[str]:
    """The names that the body uses as arrays: with an index or an attribute."""
    return {
        node.value.id
        for node in ast.walk(function)
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.value, ast.Name)
    }
