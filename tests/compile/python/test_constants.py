"""The values of constant expressions, and their bounds."""

import math
import time
from contextlib import suppress

import numba
import numpy as np
import pytest
from numba import types

from grader.compile.failure import BuildFailed
from grader.compile.python.files import PythonFiles
from grader.compile.python.libraries import cuda
from grader.compile.python.values import Unavailable
from grader.compile.sources import Source

HEADER = """\
import math
import cmath
import operator
import numpy as np
import numba
from numba import cuda, float32, int32, void, types
from numba.types import UniTuple
from math import *
TILE = 16
SIZES = (8, 16, 32)
W = np.array([[1, 2], [3, 4]], dtype=np.float32)
"""


def values(text: str) -> dict[str, object]:
    """Return what the names of a file stand for."""
    files = PythonFiles([Source(name="lab.py", text=HEADER + text, encoding="utf-8")], {})
    (scope,) = files.scopes
    return dict(scope.names)


VALUES: dict[str, object] = {
    "1_000": 1000,
    "0x20": 32,
    "-1.5e-3": -0.0015,
    "2j": 2j,
    "'text'": "text",
    "None": None,
    "True": True,
    "...": ...,
    "TILE * TILE + 1": 257,
    "TILE // 3 % 4": 1,
    "TILE / 5": 3.2,
    "2 ** 10": 1024,
    "1 << 20 | 3": (1 << 20) | 3,
    "~0 & 0xFFFFFFFF": 0xFFFFFFFF,
    "not TILE": False,
    "TILE > 8 and TILE < 32": True,
    "0 or TILE": 16,
    "8 < TILE <= 16": True,
    "TILE in SIZES": True,
    "None is None": True,
    "32 if TILE > 8 else 64": 32,
    "(TILE, TILE + 1)": (16, 17),
    "(TILE,) * 2 + (3,)": (16, 16, 3),
    "[1, 2][1]": 2,
    "SIZES[-1]": 32,
    "SIZES[1:]": (16, 32),
    "{'a': 1}['a']": 1,
    "'ab' + 'c'": "abc",
    "int(3.7) + int('12')": 15,
    "float('inf')": math.inf,
    "bool(0)": False,
    "abs(-3)": 3,
    "min(TILE, 8)": 8,
    "max(SIZES)": 32,
    "sum(SIZES)": 56,
    "len(SIZES)": 3,
    "round(2.567, 1)": 2.6,
    "pow(2, 5)": 32.0,
    "tuple(range(3))": (0, 1, 2),
    "list(SIZES)": [8, 16, 32],
    "math.pi": math.pi,
    "math.sqrt(2) * e": math.sqrt(2) * math.e,
    "math.ceil(1000 / 256)": 4,
    "math.log2(TILE)": 4.0,
    "-math.inf": -math.inf,
    "cmath.pi": math.pi,
    "np.pi": np.pi,
    "np.float32(1) / np.float32(3)": np.float32(1) / np.float32(3),
    "np.int32(TILE)": np.int32(16),
    "np.float32('1e3')": np.float32(1000),
    "np.uint8(255) + np.uint8(1)": np.uint8(0),
    "np.sqrt(np.float32(2))": np.sqrt(np.float32(2)),
    "np.finfo(np.float32).max": np.finfo(np.float32).max,
    "np.iinfo('int32').min": np.iinfo("int32").min,
    "np.float32": np.float32,
    "np.dtype('float32')": np.dtype("float32"),
    "np.dtype(np.float32).itemsize": 4,
    "W.shape": (2, 2),
    "W.size * W.itemsize": 16,
    "len(W)": 2,
    "float32": types.float32,
    "numba.float64": types.float64,
    "types.int32": types.int32,
    "numba.core.types.int8": types.int8,
    "float32(1.5)": np.float32(1.5),
    "float32[:, ::1]": types.float32[:, ::1],
    "void(float32[:], int32)": types.void(types.float32[:], types.int32),
    "UniTuple(int32, 3)": types.UniTuple(types.int32, 3),
    "numba.from_dtype(np.dtype([('x', np.float32), ('y', 'int32')]))": numba.from_dtype(
        np.dtype([("x", np.float32), ("y", np.int32)])
    ),
    "cuda.shared": cuda.shared,
    "cuda.float32x4": cuda.float32x4,
    "operator.add": __import__("operator").add,
}


@pytest.mark.parametrize(("expression", "value"), VALUES.items(), ids=VALUES)
def test_a_constant_has_its_value(expression: str, value: object) -> None:
    found = values(f"X = {expression}\n")["X"]
    assert found == value
    assert type(found) is type(value)


ARRAYS: dict[str, object] = {
    "np.array([1, 2, 3])": np.array([1, 2, 3]),
    "np.array((1.5, 2), np.float32)": np.array((1.5, 2), np.float32),
    "np.asarray([[0, 1], [1, 0]], dtype='int8')": np.asarray([[0, 1], [1, 0]], dtype="int8"),
    "np.zeros((2, 3))": np.zeros((2, 3)),
    "np.ones(4, np.float32)": np.ones(4, np.float32),
    "np.full((2,), 7, dtype=np.int32)": np.full((2,), 7, dtype=np.int32),
    "np.arange(5)": np.arange(5),
    "np.arange(0, 1, 0.25, dtype=np.float32)": np.arange(0, 1, 0.25, dtype=np.float32),
    "np.linspace(0, 1, 5)": np.linspace(0, 1, 5),
    "np.eye(2, dtype=np.float32)": np.eye(2, dtype=np.float32),
    "(W / 16).astype(np.float32)": np.array([[1, 2], [3, 4]], np.float32) / np.float32(16),
    "W.reshape(4)[1:3]": np.array([2, 3], np.float32),
    "W / W.sum()": np.array([[0.1, 0.2], [0.3, 0.4]], np.float32),
    "np.exp(-np.arange(3.0) ** 2)": np.exp(-(np.arange(3.0) ** 2)),
    "W[0]": np.array([1, 2], np.float32),
    "W.T": np.array([[1, 3], [2, 4]], np.float32),
}


@pytest.mark.parametrize(("expression", "value"), ARRAYS.items(), ids=ARRAYS)
def test_an_array_of_constants_has_its_elements(expression: str, value: np.ndarray) -> None:
    found = values(f"X = {expression}\n")["X"]
    assert isinstance(found, np.ndarray)
    assert found.dtype == value.dtype
    np.testing.assert_array_equal(found, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("X = 4\nX *= 2\nX = X + 1", 9),
        ("X: int = 5", 5),
        ("X, Y = 1, 2\nX, Y = Y, X", 2),
        ("Y = X = 3", 3),
        ("X, *Y = 1, 2\nX = 3", 3),
        ("Y, X, Z = SIZES", 16),
        ("(Y, X), Z = (1, 2), 3\nX = 4", 4),
        ("if __name__ == '__main__':\n    X = 5", 5),
        ("[Y, X] = [1, 2]", 2),
        ("if TILE == 16:\n    X = 1\nelse:\n    X = 2", 1),
        ("if input():\n    X = 1\nelse:\n    X = 1", 1),
        ("try:\n    X = 1\nexcept ValueError:\n    X = 2", 1),
        ("with open('x'):\n    X = 1", 1),
        ("X = 1\nif __name__ == '__main__':\n    X = 2", 1),
        ("X = 1\ndef f():\n    X = 2", 1),
        ("int = 3\nX = int", 3),
    ],
)
def test_a_name_has_the_value_of_its_last_statement(text: str, value: int) -> None:
    assert values(text + "\n")["X"] == value


TOO_LARGE = [
    "10 ** 10 ** 10",
    "2 ** 300",
    "(2 ** 200) ** 2",
    "1 << 10 ** 9",
    "'a' * 10 ** 10",
    "(0,) * 10 ** 9",
    "[[0] * 60000] * 60000",
    "np.array([[0] * 60000] * 60000)",
    "np.zeros(10 ** 9)",
    "np.zeros((1000, 1000))",
    "np.full((2 ** 40,), 1)",
    "np.arange(10 ** 9)",
    "np.arange(0, 1, 1e-9)",
    "np.linspace(0, 1, 10 ** 9)",
    "np.eye(10 ** 5)",
    "np.ones((60000, 1)) * np.ones((1, 60000))",
    "np.add(np.ones((60000, 1)), np.ones((1, 60000)))",
    "range(10 ** 30)",
    "list(range(10 ** 9))",
    "round(5, -10 ** 9)",
    "int('9' * 5000)",
    "UniTuple(int32, 10 ** 9)",
    "math.ceil(1e308)",
    "+".join(["1"] * 200),
]


@pytest.mark.parametrize("expression", TOO_LARGE)
def test_a_constant_costs_neither_time_nor_memory(expression: str) -> None:
    start = time.perf_counter()
    found = values(f"X = {expression}\n")["X"]
    assert time.perf_counter() - start < 2
    assert isinstance(found, Unavailable)
    assert found.problem.code == "python-too-large"


def test_names_that_double_each_other_are_bounded() -> None:
    chain = "A0 = (1, 2)\n" + "".join(f"A{n + 1} = (A{n}, A{n})\n" for n in range(60))
    found = values(chain + "X = A60\n")["X"]
    assert isinstance(found, Unavailable)
    assert found.problem.code == "python-too-large"


@pytest.mark.parametrize(
    "expression",
    [
        "math.factorial(5)",
        "math.comb(5, 2)",
        "'%1000000000d' % 1",
        "'{}'.format(1)",
        "'a'.join('bc')",
        "f'{TILE}'",
        "[x for x in SIZES]",
        "open('x')",
        "print",
        "eval('1')",
        "__import__('os')",
        "(1).__class__",
        "W.ctypes",
        "W.tofile('x')",
        "np.load('x')",
        "np.fromfile('x')",
        "np.array([W, None], dtype=object)",
        "np.array(['a'])",
        "np.dtype('O')",
        "np.dtype('f4,f4')",
        "np.vectorize(abs)",
        "np.array([1], copy=False)",
        "max(SIZES, key=abs)",
        "numba.typeof(1)",
        "types.Array",
        "(lambda: 3)()",
        "TILE(3)",
        "TILE[0]",
        "operator.methodcaller('x')",
        "operator.add(1, 2)",
        "float32.key",
        "SIZES.index(8)",
        "*SIZES",
        "max(*SIZES)",
        "int(**{})",
    ],
)
def test_anything_else_is_no_constant(expression: str) -> None:
    text = f"X = {expression}," if expression.startswith("*") else f"X = {expression}"
    found = values(text + "\n")["X"]
    assert isinstance(found, Unavailable) or expression in {"types.Array", "print"}


def test_a_file_of_many_names_and_branches_is_read_in_linear_time() -> None:
    names = "".join(f"a{n} = {n}\n" for n in range(40_000))
    branches = "".join(f"if unknown:\n    b{n} = {n}\n" for n in range(20_000))
    start = time.perf_counter()
    assert values(names + branches)["b19999"] == 19_999
    assert time.perf_counter() - start < 30


@pytest.mark.parametrize(
    "text",
    [
        "X = " + "+".join(["1"] * 3000),
        "X = " + ".a".join(["x"] * 2000),
        "X = " + "-" * 150 + "1",
        "@" + ".a".join(["x"] * 2000) + "\ndef X(): pass",
        "if " + " + ".join(["y"] * 900) + ":\n    pass",
        "".join(" " * n + "if x:\n" for n in range(90)) + " " * 90 + "X = 1",
        "".join(" " * n + "def f():\n" for n in range(90)) + " " * 90 + "X = 1",
    ],
    ids=["a sum", "attributes", "signs", "a decorator", "a condition", "branches", "functions"],
)
def test_a_deep_file_is_read_or_refused(text: str) -> None:
    with suppress(BuildFailed):
        values(text + "\n")
