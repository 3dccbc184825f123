"""The functions that a constant may call: conversions, ``math``, and NumPy on arrays of bounded size."""

import builtins
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numba
import numpy as np
from numba.core import types as numba_types

from grader.compile.python import arithmetic
from grader.compile.python.arithmetic import bounded, bounded_items, is_array, is_number

types: Any = numba_types
"""``numba.core.types`` as ``Any``: its type stubs are incomplete."""

Call = Callable[..., object]

_MAX_TEXT = 64
"""Length in characters of the longest text that is converted to a number or a type."""

_SIDE = 64
"""The most fields of a record, and the largest number in a Numba type."""

BUILTINS: dict[str, object] = {
    name: getattr(builtins, name)
    for name in (
        *("abs", "bool", "complex", "float", "int", "len", "list", "max", "min", "pow", "range", "round"),
        *("sum", "tuple"),
    )
}
"""The built-in functions that a constant may use."""

_MAX_DIGITS = 64
"""The most decimal digits to which a number is rounded."""

_UNBOUNDED_MATH = frozenset({"factorial", "comb", "perm", "prod", "dist", "sumprod", "fsum"})
_SCALAR_KINDS = "biufc"
_DTYPE_NAMES = frozenset(
    np.dtype(kind).name for kind in np.sctypeDict.values() if np.dtype(kind).kind in "biufc"
)


def _texts_are_short(args: Sequence[object]) -> None:
    for arg in args:
        if isinstance(arg, str) and len(arg) > _MAX_TEXT:
            raise arithmetic.TooLargeError


def _numbers(args: Sequence[object]) -> None:
    if not all(is_number(arg) for arg in args):
        raise TypeError


def _of_numbers(function: Call) -> Call:
    def call(*args: object) -> object:
        _numbers(args)
        return function(*args)

    return call


def _of_values(function: Call) -> Call:
    def call(*args: object) -> object:
        _texts_are_short(args)
        return function(*args)

    return call


def _dtype(value: Any) -> np.dtype[Any]:
    """A data type of numbers. Raises: ``TypeError``."""
    if isinstance(value, str) and value not in _DTYPE_NAMES:
        raise TypeError
    if isinstance(value, list):
        return _record(value)
    dtype: np.dtype[Any] = np.dtype(value)
    if dtype.kind not in _SCALAR_KINDS and dtype.names is None:
        raise TypeError
    return dtype


def _record(fields: list[Any]) -> np.dtype[Any]:
    """The data type of a record of named numbers. Raises: ``TypeError``, ``ValueError``."""
    if len(fields) > _SIDE:
        raise arithmetic.TooLargeError
    made: np.dtype[Any] = np.dtype([(str(name), _dtype(kind)) for name, kind in fields])
    return made


def _array(values: object, dtype: object = None) -> object:
    made = np.array(values, None if dtype is None else _dtype(dtype))
    if not is_array(made):
        raise TypeError
    return made


def _filled(function: Callable[..., object]) -> Call:
    def call(shape: object, *args: object, dtype: object = None) -> object:
        bounded_items(*(shape if isinstance(shape, tuple | list) else (shape,)))
        _numbers([arg for arg in args if not _is_type(arg)])
        given = [_dtype(arg) if _is_type(arg) else arg for arg in args]
        return function(shape, *given, **({} if dtype is None else {"dtype": _dtype(dtype)}))

    return call


def _is_type(value: object) -> bool:
    return isinstance(value, type | np.dtype | str)


def _round(number: Any, digits: Any = None) -> object:
    _numbers((number,) if digits is None else (number, digits))
    if digits is not None and abs(digits) > _MAX_DIGITS:
        raise arithmetic.TooLargeError
    return round(number, digits)


def _arange(*bounds: Any, dtype: object = None) -> object:
    _numbers(bounds)
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    bounded_items(math.ceil(abs((stop - start) / step)))
    made: np.ndarray[Any, Any] = np.arange(start, stop, step)
    return made if dtype is None else made.astype(_dtype(dtype))


def _linspace(start: Any, stop: Any, num: Any = 50, dtype: object = None) -> object:
    _numbers((start, stop, num))
    bounded_items(num)
    return np.linspace(start, stop, num, dtype=None if dtype is None else _dtype(dtype))


def _eye(size: Any, dtype: object = float) -> object:
    bounded_items(size, size)
    return np.eye(size, dtype=_dtype(dtype))


def _range(*bounds: Any) -> object:
    _numbers(bounds)
    try:
        return bounded(range(*bounds))
    except OverflowError:
        raise arithmetic.TooLargeError from None


def _listed(kind: Callable[..., object]) -> Call:
    def call(items: object = ()) -> object:
        if not isinstance(items, tuple | list | range | np.ndarray):
            raise TypeError
        return kind(items)

    return call


_CALLS: dict[object, Call] = {
    **{
        value: _of_numbers(value)
        for name, value in vars(math).items()
        if callable(value) and not name.startswith("_") and name not in _UNBOUNDED_MATH
    },
    **{kind: _of_values(kind) for kind in (bool, complex, float, int)},
    **{function: _of_values(function) for function in (abs, len, max, min, sum)},
    round: _round,
    pow: arithmetic.power,
    range: _range,
    tuple: _listed(tuple),
    list: _listed(list),
    **dict.fromkeys((np.array, np.asarray, np.ascontiguousarray), _array),
    np.zeros: _filled(np.zeros),
    np.ones: _filled(np.ones),
    np.full: _filled(np.full),
    np.arange: _arange,
    np.linspace: _linspace,
    np.eye: _eye,
    np.identity: _eye,
    np.dtype: _dtype,
    np.finfo: lambda kind: np.finfo(_dtype(kind).type),
    np.iinfo: lambda kind: np.iinfo(_dtype(kind)),
    numba.from_dtype: lambda dtype: numba.from_dtype(_dtype(dtype)),
}


def _ufunc(function: np.ufunc, args: Sequence[object]) -> object:
    shaped: Sequence[Any] = args
    if len(args) != function.nin or not all(is_number(arg) or is_array(arg) for arg in args):
        raise TypeError
    bounded_items(*np.broadcast_shapes(*(np.shape(arg) for arg in shaped)))
    return function(*args)


def _scalar(kind: type[np.generic], args: Sequence[object]) -> object:
    if np.dtype(kind).kind not in _SCALAR_KINDS or len(args) > 1:
        raise TypeError
    _texts_are_short(args)
    return kind(*args)


def _type(kind: Any, args: Sequence[object]) -> object:
    """Call a Numba type: on types it makes a signature, on a number it converts."""
    if not args or all(isinstance(arg, types.Type) for arg in args):
        return kind(*args)
    if isinstance(kind, types.Number | types.Boolean) and len(args) == 1 and is_number(args[0]):
        return kind(*args)
    raise TypeError


def _constructed(kind: Any, args: Sequence[object]) -> object:
    """A Numba type made from others, from small numbers and from a layout."""
    if any(isinstance(arg, int) and not 0 <= arg <= _SIDE for arg in args):
        raise arithmetic.TooLargeError
    return kind(*args)


def call(function: object, args: Sequence[object], options: Mapping[str, object]) -> object:
    """The result of a function that a constant may call.

    Raises: ``LookupError`` for any other function, ``TooLargeError``, and what the function raises on its arguments.
    """
    if isinstance(function, np.ufunc) and not options:
        return bounded(_ufunc(function, args))
    if isinstance(function, type) and issubclass(function, np.generic) and not options:
        return bounded(_scalar(function, args))
    if isinstance(function, types.Type) and not options:
        return bounded(_type(function, args))
    if any(function is kind for kind in (types.Array, types.Tuple, types.UniTuple)) and not options:
        return _constructed(function, args)
    return bounded(_CALLS[function](*args, **options))


_ARRAY_METHODS: dict[str, Call] = {
    "astype": lambda array, dtype: array.astype(_dtype(dtype)),
    "copy": lambda array: array.copy(),
    "flatten": lambda array: array.flatten(),
    "item": lambda array: array.item(),
    "max": lambda array: array.max(),
    "min": lambda array: array.min(),
    "ravel": lambda array: array.ravel(),
    "reshape": lambda array, *shape: array.reshape(*shape),
    "sum": lambda array: array.sum(),
}


def call_method(value: object, name: str, args: Sequence[object], options: Mapping[str, object]) -> object:
    """The result of a method of an array. Raises: as ``call``."""
    if not is_array(value):
        raise LookupError(name)
    return bounded(_ARRAY_METHODS[name](value, *args, **options))


_ATTRIBUTES: tuple[tuple[type, frozenset[str]], ...] = (
    (np.ndarray, frozenset({"T", "dtype", "itemsize", "nbytes", "ndim", "shape", "size"})),
    (np.dtype, frozenset({"itemsize", "type"})),
    (np.finfo, frozenset({"bits", "eps", "max", "min", "resolution", "smallest_normal", "tiny"})),
    (np.iinfo, frozenset({"bits", "max", "min"})),
    (types.Number, frozenset({"bitwidth"})),
    (complex, frozenset({"imag", "real"})),
)


def attribute(value: object, name: str) -> object:
    """An attribute of a constant. Raises: ``LookupError`` if a constant may not use it."""
    for kind, names in _ATTRIBUTES:
        if isinstance(value, kind) and name in names:
            return getattr(value, name)
    raise LookupError(name)


def item(value: Any, index: Any) -> object:
    """``value[index]`` for a sequence, an array or a Numba type. Raises: ``LookupError``, ``TypeError``."""
    if isinstance(value, str | tuple | list | range | dict | types.Type) or is_array(value):
        return value[index]
    raise TypeError
