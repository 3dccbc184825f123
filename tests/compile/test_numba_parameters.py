"""Parameters of Numba kernels in an order of their own: names and the use of arrays say which argument each takes."""

import pytest

from grader.model.build import BuildOutcome
from grader.model.diagnostic import DiagnosticKind
from grader.model.kernel import KernelSpec, Param
from grader.model.reason import reason
from tests.compile.examples import build_numba, of_kind, only_kernel
from tests.compile.parameter_labs import LABS

ADD = "    i = cuda.grid(1)\n    if i < {size}:\n        {c}[i] = {a}[i] + {b}[i]\n"
TRANSPOSE = "    x, y = cuda.grid(2)\n    if x < {cols} and y < {rows}:\n        {b}[x, y] = {a}[y, x]\n"


def add(parameters: str, a: str = "a", b: str = "b", c: str = "c", size: str = "n") -> BuildOutcome:
    """Build a vector addition with these parameters."""
    return built("add", parameters, ADD.format(a=a, b=b, c=c, size=size))


def built(lab: str, parameters: str, body: str) -> BuildOutcome:
    spec = KernelSpec(name="kernel", params=tuple(map(Param.parse, LABS[lab])))
    text = f"from numba import cuda\n@cuda.jit\ndef kernel({parameters}):\n{body}"
    return build_numba(text, kernels=(spec,))


def taken(outcome: BuildOutcome) -> str:
    """Return the names of the lab's parameters in the order of the kernel's."""
    kernel = only_kernel(outcome)
    return " ".join(kernel.params[each.source].name for each in kernel.passed)


@pytest.mark.parametrize(
    ("parameters", "names", "expected"),
    [
        ("a, b, c, n", {}, "a b c n"),
        ("a, b, c", {"size": "c.size"}, "a b c"),
        ("x, y, z", {"a": "x", "b": "y", "c": "z", "size": "z.shape[0]"}, "a b c"),
        ("c, a, b, n", {}, "c a b n"),
        ("out, x, y", {"a": "x", "b": "y", "c": "out", "size": "out.size"}, "c a b"),
        ("n, a, b, c", {}, "n a b c"),
        ("num, x, y, result", {"a": "x", "b": "y", "c": "result", "size": "num"}, "n a b c"),
        ("limit, x, y, z", {"a": "x", "b": "y", "c": "z", "size": "limit"}, "n a b c"),
        ("d_a, d_b, d_out, size", {"a": "d_a", "b": "d_b", "c": "d_out", "size": "size"}, "a b c n"),
    ],
)
def test_a_vector_addition_in_any_order_is_taken(
    parameters: str, names: dict[str, str], expected: str
) -> None:
    assert taken(add(parameters, **names)) == expected


@pytest.mark.parametrize(
    ("parameters", "names", "expected"),
    [
        ("a, b, rows, cols", ("a", "b", "rows", "cols"), "a b rows cols"),
        ("a, b, cols, rows", ("a", "b", "rows", "cols"), "a b cols rows"),
        ("src, dst, width, height", ("src", "dst", "height", "width"), "a b cols rows"),
        ("dst, src, h, w", ("src", "dst", "h", "w"), "b a rows cols"),
        ("u, v, p, q", ("u", "v", "p", "q"), "a b rows cols"),
        ("a, b", ("a", "b", "a.shape[0]", "a.shape[1]"), "a b"),
    ],
)
def test_a_transpose_in_any_order_is_taken(
    parameters: str, names: tuple[str, str, str, str], expected: str
) -> None:
    a, b, rows, cols = names
    body = TRANSPOSE.format(a=a, b=b, rows=rows, cols=cols)
    assert taken(built("transpose", parameters, body)) == expected


@pytest.mark.parametrize(
    ("parameters", "code"),
    [
        ("a, b, c, n, alpha", "parameter-unknown"),
        ("a, b, c, debug, n", "parameter-unknown"),
        ("a, c, n", "parameter-missing"),
        ("a, b, c, *, n", "parameters-differ"),
        ("a, b, c, *n", "parameters-differ"),
        ("", "parameter-missing"),
    ],
)
def test_what_is_not_certain_is_refused(parameters: str, code: str) -> None:
    said = built("add", parameters, "    pass\n").problems["kernel"].reason
    assert (said.code, said.location and said.location.line) == (code, 3)


def test_a_note_says_what_is_taken() -> None:
    (note,) = of_kind(
        add("out, x, y", a="x", b="y", c="out", size="out.size"),
        DiagnosticKind.PARAMETERS,
    )
    changes = note.message.params["changes"]
    assert isinstance(changes, tuple)
    assert reason("parameter-not-passed", parameter="n") in changes
    assert note.advice == reason("sizes-not-declared", sizes=("`n`",))


def test_an_eager_signature_follows_the_kernels_own_order() -> None:
    text = (
        'from numba import cuda\n@cuda.jit("void(int32, float32[:], float32[:], float32[:])")\n'
        "def kernel(n, c, a, b):\n" + ADD.format(a="a", b="b", c="c", size="n")
    )
    spec = KernelSpec(name="kernel", params=tuple(map(Param.parse, LABS["add"])))
    assert taken(build_numba(text, kernels=(spec,))) == "n c a b"
