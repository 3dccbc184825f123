"""Launches in a student's Python host code."""

import ast

from grader.compile.python.constants import evaluate
from grader.compile.python.files import PythonFiles
from grader.compile.python.launches import KernelLaunch, assigned, kernel_launches
from grader.compile.sources import Source

KERNEL = """\
from numba import cuda
import math

BLOCK = 128

@cuda.jit
def scale(a, n):
    i = cuda.grid(1)
    if i < n:
        a[i] *= 2
"""


def launches(host: str) -> list[KernelLaunch]:
    files = PythonFiles([Source(name="scale.py", text=KERNEL + host, encoding="utf-8")], {})
    return list(kernel_launches(files))


def test_a_launch_at_the_top_level_is_read_with_its_line() -> None:
    (launch,) = launches("n = 1000\nscale[math.ceil(n / BLOCK), BLOCK](a, n)\n")
    assert launch.kernel.name == "scale"
    assert launch.location.line == 12
    assert [evaluate(part, launch.scope) for part in launch.configuration] == [8, 128]
    assert [ast.unparse(part) for part in launch.arguments] == ["a", "n"]


def test_launches_in_functions_and_below_the_main_guard_are_read() -> None:
    found = launches(
        "def run(a, n):\n    scale[1, BLOCK](a, n)\n"
        'if __name__ == "__main__":\n    for _ in range(3):\n        scale[2, (8, 8)](a, 5)\n'
    )
    assert [launch.location.line for launch in found] == [12, 15]
    assert evaluate(found[1].configuration[1], found[1].scope) == (8, 8)


def test_a_launch_by_another_name_is_one_of_the_kernel() -> None:
    (launch,) = launches("alias = scale\nalias[1, 32, 0, 64](a, 3)\n")
    assert (launch.kernel.name, len(launch.configuration)) == ("scale", 4)


def test_an_index_of_an_array_is_no_launch() -> None:
    assert launches("f = [print]\nf[0](3)\ntable[1, 2](3)\n") == []


def test_expressions_that_a_block_assigns_are_found() -> None:
    (launch,) = launches("def main(n):\n    grid = (n + BLOCK - 1) // BLOCK\n    scale[grid, BLOCK](a, n)\n")
    (expression,) = assigned(launch.scope, "grid")
    assert ast.unparse(expression) == "(n + BLOCK - 1) // BLOCK"
