"""Launches in the host code of CUDA C, read from the source."""

import pytest

from grader.compile.cpp_outline import outline
from grader.compile.host_launches.c_program import read_cuda_c
from grader.compile.host_launches.geometry_text import LaunchTarget, UnreadableLaunchError, host_geometry
from grader.compile.host_launches.values import HostFacts, HostLaunch
from grader.compile.tokens import tokenize
from grader.model.kernel import Param

SIZES = ("n", "rows", "cols")
VECTOR = tuple(map(Param.parse, ("const float32 a[n]", "float32 c[n]", "int32 n")))
MATRIX = tuple(
    map(Param.parse, ("const float32 a[rows][cols]", "float32 c[cols][rows]", "int32 rows", "int32 cols"))
)


def facts(*files: str) -> HostFacts:
    return read_cuda_c({f"{number}.cu": outline(tuple(tokenize(text))) for number, text in enumerate(files)})


def only(text: str) -> HostLaunch:
    (launch,) = facts(text).launches_of("k")
    return launch


def written(text: str) -> str:
    launch = only(text)
    parameters = MATRIX if len(launch.arguments) == len(MATRIX) else VECTOR
    found = host_geometry(
        launch,
        LaunchTarget(
            parameters=parameters, sizes=frozenset({"n"} if parameters is VECTOR else {"rows", "cols"})
        ),
    ).geometry
    shared = "" if found.shared == "0" else f" shared={found.shared}"
    return f"block={','.join(found.block)} grid={','.join(found.grid)}{shared}"


BLOCKS = "block=256 grid=(n + 255) // 256"
MAIN = "int main() {{ float *a, *c; int n = 1 << 20; {} }}"
IN_MAIN = [
    ("k<<<(n + 255) / 256, 256>>>(a, c, n);", BLOCKS),
    ("int t = 256; int b = (n + t - 1) / t; k<<<b, t>>>(a, c, n);", BLOCKS),
    ("int t = 256, b = (n + t - 1) / t; k<<<b, t>>>(a, c, n);", BLOCKS),
    ("int b; b = (n + 255) / 256; k<<<b, 256>>>(a, c, n);", BLOCKS),
    ("dim3 t(256), b((n + t.x - 1) / t.x); k<<<b, t>>>(a, c, n);", BLOCKS),
    ("dim3 t{256}; dim3 b{(unsigned)((n + 255) / 256)}; k<<<b, t>>>(a, c, n);", BLOCKS),
    ("dim3 t = dim3(256, 1, 1); dim3 b; b.x = (n + 255) / 256; k<<<b, t>>>(a, c, n);", BLOCKS),
    ("auto t = dim3(256); k<<<dim3((n + 255) / 256, 1), t>>>(a, c, n);", BLOCKS),
    ("k<<<ceil(n / 256.0), 256>>>(a, c, n);", "block=256 grid=ceil(n / 256)"),
    ("k<<<(int)ceil((float)n / 256), 256>>>(a, c, n);", "block=256 grid=ceil(n / 256)"),
    ("int b = std::ceil(n * 1.0f / 256); k<<<b, 256>>>(a, c, n);", "block=256 grid=ceil(n * 1 / 256)"),
    ("k<<<ceil(n / 256), 256>>>(a, c, n);", "block=256 grid=ceil(n // 256)"),
    ("k<<<n / 256 + 1, 256>>>(a, c, n);", "block=256 grid=n // 256 + 1"),
    ("k<<<std::min(1024, (n + 255) / 256), 256>>>(a, c, n);", "block=256 grid=min(1024, (n + 255) // 256)"),
    (
        "k<<<n % 256 ? n / 256 + 1 : n / 256, 256>>>(a, c, n);",
        "block=256 grid=n // 256 + 1 if n % 256 else n // 256",
    ),
    ("k<<<n / 256 + (n % 256 != 0), 256>>>(a, c, n);", "block=256 grid=n // 256 + (1 if n % 256 else 0)"),
    (
        "int b = n / 256; if (n % 256) b++; k<<<b, 256>>>(a, c, n);",
        "block=256 grid=n // 256 + 1 if n % 256 else n // 256",
    ),
    (
        "int b = (n + 255) / 256; if (b > 1024) { b = 1024; } k<<<b, 256>>>(a, c, n);",
        "block=256 grid=1024 if (n + 255) // 256 > 1024 else (n + 255) // 256",
    ),
    ("k<<<(n + 255) >> 8, 1 << 8>>>(a, c, n);", BLOCKS),
    ("k<<<1, 256, 256 * sizeof(float)>>>(a, c, n);", "block=256 grid=1 shared=1024"),
    ("size_t s = n * sizeof(double); k<<<1, 32, s, 0>>>(a, c, n);", "block=32 grid=1 shared=n * 8"),
    ("cudaStream_t s; cudaStreamCreate(&s); k<<<2, 64, 0, s>>>(a, c, n);", "block=64 grid=2"),
    ("k<float><<<(n + 255) / 256, 256>>>(a, c, n);", BLOCKS),
    ("lab::k<float, 4><<<(n + 255) / 256, 256>>>(a, c, n);", BLOCKS),
    ("auto f = k; f<<<(n + 255) / 256, 256>>>(a, c, n);", BLOCKS),
    ("void (*f)(const float *, float *, int) = k; k<<<(n + 255) / 256, 256>>>(a, c, n);", BLOCKS),
    (
        "void *args[] = {&a, &c, &n}; cudaLaunchKernel((void *)k, dim3((n + 255) / 256), dim3(256), args, 0, 0);",
        BLOCKS,
    ),
    (
        (
            "void *args[] = {(void *)&a, &c, &n}; "
            "cudaLaunchCooperativeKernel((const void *)k<float>, (n + 255) / 256, 256, args, 64);"
        ),
        BLOCKS + " shared=64",
    ),
    (
        (
            "cudaLaunchConfig_t g = {0}; g.gridDim = (n + 255) / 256; g.blockDim = 256; "
            "cudaLaunchKernelEx(&g, k, a, c, n);"
        ),
        BLOCKS,
    ),
    ("CHECK(cudaMalloc(&a, n)); for (int i = 0; i < 9; ++i) k<<<(n + 255) / 256, 256>>>(a, c, n);", BLOCKS),
    ("if (n > 0) { k<<<(n + 255) / 256, 256>>>(a, c, n); }", BLOCKS),
    ("int t = 256; if (argc > 1) t = atoi(argv[1]); k<<<(n + t - 1) / t, t>>>(a, c, n);", None),
    ("bench([&] { k<<<(n + 255) / 256, 256>>>(a, c, n); });", BLOCKS),
    ("auto go = [&](int t) { k<<<(n + 255) / 256, 256>>>(a, c, n); };", BLOCKS),
    ("do { k<<<(n + 255) / 256, 256>>>(a, c, n); } while (0);", BLOCKS),
    ('scanf("%d", &n); k<<<(n + 255) / 256, 256>>>(a, c, n);', BLOCKS),
    ('n = atoi("12"); k<<<(n + 255) / 256, 256>>>(a, c, n);', BLOCKS),
    ("const unsigned int m = n; k<<<(m + 255) / 256, 256>>>(a, c, m);", BLOCKS),
    ("long m = n; k<<<(m + 255) / 256, 256>>>(a, c, (int)m);", BLOCKS),
    ("k<<<(h.size() + 255) / 256, 256>>>(a, c, h.size());", BLOCKS),
    ("cudaDeviceProp p; int t = p.warpSize * 8; k<<<(n + t - 1) / t, t>>>(a, c, n);", BLOCKS),
    ("int t = 256; { int t = 1; } k<<<(n + 255) / 256, t>>>(a, c, n);", BLOCKS),
    ("const dim3 t(256); static const dim3 b((n + 255) / 256); k<<<b, t>>>(a, c, n);", BLOCKS),
    ("auto cdiv = [](int x, int y) { return (x + y - 1) / y; }; k<<<cdiv(n, 256), 256>>>(a, c, n);", BLOCKS),
    ("std::vector<float> h(n); k<<<(h.size() + 255) / 256, 256>>>(a, c, n);", BLOCKS),
    ("int ts[] = {256, 512}; for (int i = 0; i < 2; i++) k<<<(n + 255) / 256, ts[i]>>>(a, c, n);", BLOCKS),
    ("for (int t : {256, 512}) k<<<(n + 255) / 256, t>>>(a, c, n);", BLOCKS),
    ("cudaLaunchConfig_t g{(n + 255) / 256, 256}; cudaLaunchKernelEx(&g, k, a, c, n);", BLOCKS),
    ("k<<<{(unsigned)(n + 255) / 256}, {256}>>>(a, c, n);", BLOCKS),
    ("k <<< (n + 255) / 256 , 256 >>> (a, c, n);", BLOCKS),
    ("while (n > 1) { k<<<(n + 255) / 256, 256>>>(a, c, n); n = (n + 255) / 256; }", BLOCKS),
    ("switch (n) { case 0: break; case 1: k<<<(n + 255) / 256, 256>>>(a, c, n); break; }", BLOCKS),
    ("int n1 = 1'000'000; k<<<(n1 + 255) / 256, 256>>>(a, c, n1);", BLOCKS),
    ("k<<<(n - 1) / 256 + 1, 256>>>(a, c, n);", "block=256 grid=(n - 1) // 256 + 1"),
    ("k<<<ceil(double(n) / 256), 256>>>(a, c, n);", "block=256 grid=ceil(n / 256)"),
    (
        "int b = (n + 255) / 256; b = b > 64 ? 64 : b; k<<<b, 256>>>(a, c, n);",
        "block=256 grid=64 if (n + 255) // 256 > 64 else (n + 255) // 256",
    ),
    ("k<<<(n + 255 & ~255) / 256, 256>>>(a, c, n);", "block=256 grid=(n + 255) // 256 * 256 // 256"),
    (
        "const int t = 256; int m = (n + t - 1) & ~(t - 1); k<<<m / t, t>>>(a, c, n);",
        "block=256 grid=(n + 256 - 1) // 256 * 256 // 256",
    ),
    (
        "const int t = 256; k<<<((n + t - 1) & -t) / t, t>>>(a, c, n);",
        "block=256 grid=(n + 256 - 1) // 256 * 256 // 256",
    ),
    (
        "int t = 256; k<<<n / t + ((n & (t - 1)) != 0), t>>>(a, c, n);",
        "block=256 grid=n // 256 + (1 if n % 256 else 0)",
    ),
    ("bool big = false; k<<<(n + 255) / 256, big ? 1024 : 256>>>(a, c, n);", BLOCKS),
    (
        'int t = 256; if (checkCmdLineFlag(argc, argv, "t")) t = read(); k<<<(n + 255) / 256, t>>>(a, c, n);',
        BLOCKS,
    ),
    ("int err = 1; if (err) { return 1; } k<<<(n + 255) / 256, 256>>>(a, c, n);", BLOCKS),
]
PROGRAMS = [
    ("#define N 1024\n#define T 256\nint main() { k<<<(N + T - 1) / T, T>>>(0, 0, N); }", BLOCKS),
    ("#define T (32 * 8)\nint main() { int n = 5; k<<<(n + T - 1) / T, T>>>(0, 0, n); }", BLOCKS),
    ("#define T 32 * 8\nint main() { int n = 5; k<<<1, T>>>(0, 0, n); }", "block=256 grid=1"),
    ("const int T = 256;\nint main() { int n = 5; k<<<(n + T - 1) / T, T>>>(0, 0, n); }", BLOCKS),
    ("constexpr int T = 256;\nint main() { int n = 5; k<<<(n + T - 1) / T, T>>>(0, 0, n); }", BLOCKS),
    ("enum { X };\nvoid solve(float *a, float *c, int n) { k<<<(n + 255) / 256, 256>>>(a, c, n); }", BLOCKS),
    (
        (
            "int cdiv(int a, int b) { return (a + b - 1) / b; }\n"
            "int main() { int n = 5; k<<<cdiv(n, 256), 256>>>(0, 0, n); }"
        ),
        "block=256 grid=(n + 256 - 1) // 256",
    ),
    (
        "#define CDIV(a, b) (((a) + (b) - 1) / (b))\nint main() { int n = 5; k<<<CDIV(n, 256), 256>>>(0, 0, n); }",
        "block=256 grid=(n + 256 - 1) // 256",
    ),
    (
        (
            "template <int T> void run(float *a, int m) { k<<<(m + T - 1) / T, T>>>(a, a, m); }\n"
            "int main() { int n = 5; float *a; run<256>(a, n); }"
        ),
        BLOCKS,
    ),
    (
        (
            "void run(float *a, int m, int t = 256) { k<<<(m + t - 1) / t, t>>>(a, a, m); }\n"
            "int main() { int n = 5; float *a; run(a, n); }"
        ),
        BLOCKS,
    ),
    (
        (
            "void run(float *a, int b, int t, int m) { k<<<b, t>>>(a, a, m); }\n"
            "int main() { int n = 5; float *a; run(a, (n + 255) / 256, 256, n); }"
        ),
        BLOCKS,
    ),
    (
        (
            "void sizes(int n, int &b, int *t) { *t = 256; b = (n + *t - 1) / *t; }\n"
            "int main() { int n = 5, b, t; sizes(n, b, &t); k<<<b, t>>>(0, 0, n); }"
        ),
        BLOCKS,
    ),
    (
        "struct App { int n; void go(float *a) { k<<<(n + 255) / 256, 256>>>(a, a, n); } };\n",
        BLOCKS,
    ),
    (
        (
            "#define LAUNCH(f, ...) do { f<<<(n + 255) / 256, 256>>>(__VA_ARGS__); } while (0)\n"
            "int main() { int n = 5; LAUNCH(k, 0, 0, n); }"
        ),
        BLOCKS,
    ),
    (
        (
            "int main() { int rows = 5, cols = 6; dim3 t(16, 16); dim3 g((cols + t.x - 1) / t.x, (rows + 15) / t.y);"
            " k<<<g, t>>>(0, 0, rows, cols); }"
        ),
        "block=16,16 grid=(cols + 16 - 1) // 16,(rows + 15) // 16",
    ),
    (
        "int main() { int h = 5, w = 6; dim3 t(32, 8), g(w / 32 + 1, h / 8 + 1); k<<<g, t>>>(0, 0, h, w); }",
        "block=32,8 grid=cols // 32 + 1,rows // 8 + 1",
    ),
]


@pytest.mark.parametrize(("statement", "expected"), IN_MAIN)
def test_a_launch_in_main_is_read(statement: str, expected: str | None) -> None:
    text = MAIN.format(statement)
    if expected is None:
        text, expected = text.replace("main()", "main(int argc, char **argv)"), BLOCKS
    assert written(text).replace("256 - 1", "255") == expected.replace("256 - 1", "255")


@pytest.mark.parametrize(("program", "expected"), PROGRAMS)
def test_a_launch_is_followed_through_the_program(program: str, expected: str) -> None:
    assert written(program).replace("256 - 1", "255") == expected.replace("256 - 1", "255")


@pytest.mark.parametrize(
    "statement",
    [
        "int t = atoi(argv[1]); k<<<(n + t - 1) / t, t>>>(a, c, n);",
        "int b, t; cudaOccupancyMaxPotentialBlockSize(&b, &t, k, 0, 0); k<<<n / t, t>>>(a, c, n);",
        "int t = 1; while (t < n) t *= 2; k<<<1, t>>>(a, c, n);",
        "k<<<prop.multiProcessorCount, 256>>>(a, c, n);",
        "int t = 96; k<<<((n + t - 1) & ~(t - 1)) / t, t>>>(a, c, n);",
    ],
)
def test_a_part_that_is_computed_elsewhere_is_named(statement: str) -> None:
    launch = only(MAIN.format(statement))
    with pytest.raises(UnreadableLaunchError) as caught:
        host_geometry(launch, LaunchTarget(parameters=VECTOR, sizes=frozenset({"n"})))
    assert caught.value.reason.code == "launch-part-unknown"
