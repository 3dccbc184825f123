"""Launches in the host code of Numba, read from the syntax tree."""

import ast

import pytest

from grader.compile.host_launches.geometry_text import LaunchTarget, UnreadableLaunchError, host_geometry
from grader.compile.host_launches.python_program import read_python
from grader.compile.host_launches.values import HostLaunch
from grader.model.kernel import Param

VECTOR = tuple(map(Param.parse, ("const float32 a[n]", "float32 c[n]", "int32 n")))
MATRIX = tuple(
    map(Param.parse, ("const float32 a[rows][cols]", "float32 c[cols][rows]", "int32 rows", "int32 cols"))
)
KERNEL = "import math\nimport numpy as np\nfrom numba import cuda\n@cuda.jit\ndef k(a, c, n):\n    pass\n"
BLOCKS = "block=256 grid=(n + 255) // 256"
CEIL = "block=256 grid=ceil(n / 256)"


def launches(text: str) -> tuple[HostLaunch, ...]:
    return read_python({"k.py": ast.parse(KERNEL + text).body}).launches_of("k")


def target(launch: HostLaunch) -> LaunchTarget:
    parameters = MATRIX if len(launch.arguments) == len(MATRIX) else VECTOR
    return LaunchTarget(
        parameters=parameters, sizes=frozenset({"n"} if parameters is VECTOR else {"rows", "cols"})
    )


def written(text: str) -> str:
    (launch,) = launches(text)
    found = host_geometry(launch, target(launch)).geometry
    shared = "" if found.shared == "0" else f" shared={found.shared}"
    return f"block={','.join(found.block)} grid={','.join(found.grid)}{shared}"


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("n = 1000\nk[(n + 255) // 256, 256](a, c, n)", BLOCKS),
        ("n = 1000\nt = 256\nb = (n + t - 1) // t\nk[b, t](a, c, n)", BLOCKS),
        ("n = 1000\nt, b = 256, (n + 255) // 256\nk[b, t](a, c, n)", BLOCKS),
        ("n = 1000\nk[math.ceil(n / 256), 256](a, c, n)", CEIL),
        ("n = 1000\nk[int(np.ceil(n / 256)), 256](a, c, np.int32(n))", CEIL),
        ("n: int = 1 << 20\nk[-(-n // 256), 256](a, c, n)", "block=256 grid=0 - (0 - n) // 256"),
        ("n = 9\nb = n // 256\nif n % 256:\n    b += 1\nk[b, 256](a, c, n)",
         "block=256 grid=n // 256 + 1 if n % 256 else n // 256"),
        ("n = 9\nk[min(64, (n + 255) // 256), 256](a, c, n)", "block=256 grid=min(64, (n + 255) // 256)"),
        ("a = np.ones(1000)\nk[(a.size + 255) // 256, 256](a, c, a.size)", BLOCKS),
        ("a = np.ones(1000)\nk[(len(a) + 255) // 256, 256](a, c, 1000)", BLOCKS),
        ("a = np.ones(1000)\nk[(a.shape[0] + 255) // 256, 256](a, c, 1000)", BLOCKS),
        ("h = np.ones(1000)\nd = cuda.to_device(h)\nk[(h.size + 255) // 256, 256](d, c, 1000)", BLOCKS),
        ("n = 1000\nh = np.random.rand(n)\nk[(h.size + 255) // 256, 256](x, y, n)", BLOCKS),
        ("n = 9\nk[(n + 255) // 256, 256, 0, 1024](a, c, n)", BLOCKS + " shared=1024"),
        ("n = 9\ns = cuda.stream()\nk[(n + 255) // 256, 256, s](a, c, n)", BLOCKS),
        ("n = 9\ncfg = ((n + 255) // 256, 256)\nk[cfg](a, c, n)", BLOCKS),
        ("n = 9\nrun = k[(n + 255) // 256, 256]\nrun(a, c, n)", BLOCKS),
        ("n = 9\nf = k\nf[(n + 255) // 256, 256](a, c, n)", BLOCKS),
        ("n = 9\nk.forall(n)(a, c, n)", CEIL),
        ("n = 9\nt = 256\nk[(n + t - 1 & ~(t - 1)) // t, t](a, c, n)",
         "block=256 grid=(n + 255) // 256 * 256 // 256"),
        ("n = 9\nk.configure((n + 255) // 256, 256)(a, c, n)", BLOCKS),
        ("N = int(1e6)\nk[(N + 255) // 256, 256](a, c, N)", BLOCKS),
        ("n = 9\nk.forall(n, 128)(a, c, n)", "block=128 grid=ceil(n / 128)"),
        ("n = 9\nk.forall(n, tpb=128)(a, c, n)", "block=128 grid=ceil(n / 128)"),
        ("def main():\n    n = 9\n    k[(n + 255) // 256, 256](a, c, n)\nmain()", BLOCKS),
        ("def main():\n    n = 9\n    k[(n + 255) // 256, 256](a, c, n)", BLOCKS),
        ("if __name__ == '__main__':\n    n = 9\n    k[(n + 255) // 256, 256](a, c, n)", BLOCKS),
        ("def run(x, m, t=256):\n    k[(m + t - 1) // t, t](x, x, m)\nrun(q, 77)", BLOCKS),
        ("def cdiv(x, y):\n    return (x + y - 1) // y\nn = 9\nk[cdiv(n, 256), 256](a, c, n)", BLOCKS),
        ("n = 9\nfor i in range(10):\n    k[(n + 255) // 256, 256](a, c, n)", BLOCKS),
        ("n = 9\nwith timer():\n    k[(n + 255) // 256, 256](a, c, n)", BLOCKS),
        ("n = 9\ntry:\n    k[(n + 255) // 256, 256](a, c, n)\nexcept Exception:\n    pass", BLOCKS),
        ("n = 9\nt = int(sys.argv[1]) if len(sys.argv) > 1 else 256\nk[(n + t - 1) // t, t](a, c, n)", BLOCKS),
        ("class A:\n    def go(self, a, n):\n        k[(n + 255) // 256, 256](a, a, n)", BLOCKS),
        (("a = np.ones((5, 6))\nt = (16, 16)\nb = ((a.shape[1] + 15) // t[0], math.ceil(a.shape[0] / t[1]))\n"
         "k[b, t](a, c, 5, 6)"), "block=16,16 grid=(cols + 15) // 16,ceil(rows / 16)"),
        ("rows, cols = a.shape\nk[((cols + 15) // 16, (rows + 15) // 16), (16, 16)](a, c, rows, cols)",
         "block=16,16 grid=(cols + 15) // 16,(rows + 15) // 16"),
        ("h, w = 5, 6\nx = math.ceil(w / 32)\ny = math.ceil(h / 8)\nk[(x, y), (32, 8)](a, c, h, w)",
         "block=32,8 grid=ceil(cols / 32),ceil(rows / 8)"),
    ],
)  # fmt: skip
def test_a_launch_is_read(host: str, expected: str) -> None:
    assert written(host).replace("256 - 1", "255") == expected


@pytest.mark.parametrize(
    "host",
    [
        "t = int(input())\nk[4, t](a, c, 9)",
        "k[cuda.get_current_device().MULTIPROCESSOR_COUNT, 256](a, c, 9)",
        "t = 1\nwhile t < 99:\n    t *= 2\nk[1, t](a, c, 9)",
    ],
)
def test_a_part_that_is_computed_elsewhere_is_named(host: str) -> None:
    (launch,) = launches(host)
    with pytest.raises(UnreadableLaunchError) as caught:
        host_geometry(launch, target(launch))
    assert caught.value.reason.code == "launch-part-unknown"


def test_the_line_and_function_of_a_launch_are_kept() -> None:
    (launch,) = launches("def go(a, n):\n    k[1, 2](a, a, n)\n")
    assert (launch.file, launch.line, launch.function) == ("k.py", 8, "go")
