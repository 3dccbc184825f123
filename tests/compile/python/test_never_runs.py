"""Nothing of a student's Python is executed: not one line, in whatever place an expression can stand."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.compile.failure import BuildFailed
from grader.compile.python.files import PythonFiles
from grader.compile.sources import Source
from tests.compile.examples import NUMBA_KERNEL, build_numba
from tests.compile.python.shapes import FOLDER, shapes

NAME = "row_sum.py"

STATEMENTS = [
    "§",
    "x = §",
    "x = y = §",
    "x, *y = §",
    "x: § = 1",
    "x: int = §",
    "x += §",
    "x @= §",
    "a[§] = 1",
    "§.x = 1",
    "del §.x, a[§]",
    "assert §, §",
    "raise § from §",
    "def f(x=§, *, y=§): pass",
    "def f(x: §, *y: §, **z: §) -> §: pass",
    "def f():\n    §\n    return §\nf()",
    "def f():\n    yield §\nlist(f())",
    "async def f():\n    await §",
    "@§\ndef f(): pass",
    "@§\nclass C: pass",
    "@cuda.jit(§)\ndef f(): pass",
    "@cuda.jit(device=§, fastmath=§, link=§)\ndef f(): pass",
    "@cuda.jit(**§)\ndef f(): pass",
    "@cuda.jit('void(int32[:§])')\ndef f(x): pass",
    "class C(§, metaclass=§): pass",
    "class C:\n    x = §\n    def __init_subclass__(cls): §\nclass D(C): pass",
    "if §: pass\nelif §: pass\nelse: §",
    "while §: break\nelse: §",
    "for x in §: §\nelse: §",
    "for a[§] in (1, 2): pass",
    "with § as x, §: §",
    "with § as a[§]: pass",
    "try: §\nexcept § as x: §\nelse: §\nfinally: §",
    "try: §\nexcept* §: §",
    "match §:\n    case C(x=1) if §: §\n    case [a.x, *_] | {a.y: _}: §",
    "global x\nx = §",
    "type_alias: '§'",
    "from nowhere import E_\nE",
    "if __name__ == '__main__':\n    §",
    "exec('§')\neval('§')\ncompile('§', 'x', 'exec')",
    "import builtins\nbuiltins.__build_class__ = lambda *_: §",
    "np.__getattr__ = lambda name: §\nnp.missing",
    "row_sum = §",
    "row_sum.__class__ = §",
    "__builtins__['len'] = §",
    "__annotations__ = §\nx: §",
    "import sys\nsys.meta_path.append(§)\nimport missing",
    "cuda.compile_ptx = lambda *a, **k: §",
]

EXPRESSIONS = [
    "open(MARKER, MODE)",
    "§",
    "(§)(§, *§, k=§, **§)",
    "§[§]",
    "§[§:§:§]",
    "§.attribute",
    "(lambda x=§: §)(§)",
    "[§ for x in § if §]",
    "{§: § for x in §}",
    "{§, §}",
    "(§ for x in §)",
    "{**§, §: §}",
    "(§, *§)",
    "f'{§!r:{§}}'",
    "(§ if § else §)",
    "(§ and § or not §)",
    "(-§ + § ** § << §)",
    "(1 < § in § is §)",
    "(z := §)",
    "np.array([§], dtype=§)",
    "np.float32(§)",
    "np.zeros(§)",
    "math.sqrt(§)",
    "float32(§)",
    "cuda.jit(§)",
    "cuda.jit(device=True)(lambda x=§: §)",
    "getattr(§, 'x')",
    "type('T', (§,), {'x': §})",
    "max(§, key=§)",
    "range(§)",
]


def expressions() -> st.SearchStrategy[str]:
    """Return expressions with others in them, all of which would write the marker."""
    leaf = st.just(EXPRESSIONS[0])
    return st.recursive(
        leaf,
        lambda inner: st.tuples(st.sampled_from(EXPRESSIONS), inner).map(
            lambda pair: pair[0].replace("§", pair[1])
        ),
        max_leaves=6,
    )


def program(statement: str, expression: str = EXPRESSIONS[0]) -> str:
    """Return a file with a kernel and a statement in which every ``§`` is an expression."""
    return f"import math\n{NUMBA_KERNEL}{statement.replace('§', expression)}\n"


def marking(text: str, marker: Path) -> str:
    """Return a valid file that writes ``marker`` when one of its expressions is executed."""
    marked = f"MARKER, MODE = {str(marker)!r}, 'w'\n{text}"
    compile(marked, NAME, "exec")
    return marked


@contextmanager
def executed_files() -> Iterator[set[str]]:
    """Collect the files of all code that is executed."""
    seen: set[str] = set()
    before = sys.getprofile()
    sys.setprofile(lambda frame, _event, _value: seen.add(frame.f_code.co_filename))
    try:
        yield seen
    finally:
        sys.setprofile(before)


def executed_by_reading(text: str) -> set[str]:
    """Return the files of the code that is executed when a file is read, whether it is valid Python or not."""
    with executed_files() as seen, suppress(BuildFailed):
        PythonFiles([Source(name=NAME, text=text, encoding="utf-8")], {})
    return seen


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(STATEMENTS), expressions())
def test_reading_a_file_executes_none_of_it(statement: str, expression: str) -> None:
    assert NAME not in executed_by_reading(program(statement, expression))


@pytest.mark.parametrize("statement", STATEMENTS)
def test_building_a_file_executes_none_of_it(statement: str, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    text = marking(program(statement), marker)
    with executed_files() as seen:
        build_numba(text)
    assert NAME not in seen
    assert not marker.exists()


BODIES = [
    "total = §",
    "total = [§ for i in §][0]",
    "with §: pass",
    "raise ValueError(§)",
    "assert §, §",
    "x = '§'\n        f = lambda: x\n        total = f()",
    "def f(x='§'): return x\n        total = f()",
    "@§\n        def f(): pass\n        total = f()",
    "class C: x = §",
    "import os; os.abort()",
    "total: § = 1",
    "total = np.testing.measure('§')",
    "total = __import__('os').abort()",
    "total = eval('§')",
    "global row_sum; row_sum = §",
    "print(f'{§}')",
    "total = cuda.const.array_like(§)[0]",
    "t = cuda.shared.array(§, §)",
    "x = '§'\n        total = sorted([1], key=lambda y: x)[0]",
    "yield §",
]


@pytest.mark.parametrize("body", BODIES)
def test_compiling_a_body_executes_none_of_it(body: str, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    text = marking(NUMBA_KERNEL.replace("total = 0.0", body.replace("§", EXPRESSIONS[0])), marker)
    with executed_files() as seen:
        build_numba(text)
    assert NAME not in seen
    assert not marker.exists()


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.txt")))
def test_reading_students_scripts_executes_none_of_them(name: str) -> None:
    for piece in shapes(name).values():
        assert NAME not in executed_by_reading(NUMBA_KERNEL + piece)
