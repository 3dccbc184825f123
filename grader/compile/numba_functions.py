"""A student's functions, taken from the syntax tree, as Numba's functions and dispatchers. None of them is run."""

from types import FunctionType, ModuleType
from typing import Any

from grader.compile.failure import BuildFailed
from grader.compile.python import libraries
from grader.compile.python.bodies import Reads, code_of, reads
from grader.compile.python.constants import evaluate
from grader.compile.python.values import Function, Library, NotConstantError, OwnModule
from grader.model.reason import reason


class NumbaFunctions:
    """Makes each function once. Its globals are what its body reads and nothing else."""

    def __init__(self) -> None:
        self._functions: dict[Function, FunctionType] = {}
        self._dispatchers: dict[Function, Any] = {}

    def function(self, function: Function) -> FunctionType:
        """The function for Numba's compiler. Raises: ``BuildFailed``."""
        if function not in self._functions:
            code = code_of(function)
            found = reads(function, code)
            namespace: dict[str, Any] = {}
            # Before its globals, because it may call itself.
            self._functions[function] = FunctionType(code, namespace, function.name)
            for name, value in found.names.items():
                namespace[name] = self._value(value, name, found)
        return self._functions[function]

    def dispatcher(self, function: Function) -> Any:
        """The function as one that other functions call. Raises: ``BuildFailed``.

        Functions are compiled with line numbers, so that a finding in a device function is located there and not at
        the call.
        """
        made = self.function(function)
        if function not in self._dispatchers:
            made.__defaults__ = _defaults(function)
            options = {} if function.jit is None else {**function.jit.options, "device": True}
            self._dispatchers[function] = libraries.CUDA_JIT(made, lineinfo=True, **options)
        return self._dispatchers[function]

    def _value(self, value: object, path: str, found: Reads) -> object:
        """What Numba reads for ``value``, which a body calls ``path``."""
        match value:
            case Function(jit=None):
                return _plain(value.name)
            case Function():
                return self.dispatcher(value)
            case Library():
                return libraries.module(value)
            case OwnModule():
                made = ModuleType(value.name)
                for name, member in found.members.get(path, {}).items():
                    setattr(made, name, self._value(member, f"{path}.{name}", found))
                return made
        return value


def _defaults(function: Function) -> tuple[object, ...] | None:
    """The default values of a device function's parameters. Raises: ``BuildFailed`` if one is not a constant."""
    try:
        values = tuple(evaluate(node, function.scope) for node in function.node.args.defaults)
    except NotConstantError as error:
        raise BuildFailed(reason("python-not-taken", kernel=function.name, problem=error.problem)) from None
    return values or None


def _plain(name: str) -> FunctionType:
    """A plain Python function of this name, for which Numba has no type."""
    return FunctionType((lambda: None).__code__, {}, name)
