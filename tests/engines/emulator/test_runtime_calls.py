"""``printf``, assertions and the heap in kernels."""

import ctypes
import re
from typing import Any

import numpy as np
import pytest
from numba import cuda

from grader.engines.emulator.services.printing import CUT_OFF, MAX_PRINTED
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.verdict import Verdict
from tools.emulator.compiling import Out, Ran, line_of, run_cuda, run_numba
from tools.messages import english


def printed_by(body: str, threads: int = 1, blocks: int = 1) -> str:
    ran = run_cuda(
        f'extern "C" __global__ void talk(int* out) {{ {body} out[threadIdx.x] = 1; }}',
        blocks,
        threads,
        {"out": Out((threads,), np.int32)},
    )
    assert ran.fault is None
    return ran.result.printed


def test_printf_prints_in_the_order_of_threads_and_blocks() -> None:
    text = printed_by(r'printf("block %d thread %d\n", blockIdx.x, threadIdx.x);', threads=40, blocks=2)
    assert text == "".join(f"block {b} thread {t}\n" for b in range(2) for t in range(40))


CONVERSIONS = [
    ("%d|%i|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%.0d", "-7", [-7]),
    ("%u|%x|%X|%#x|%o|%#o|%08x", "4000000000u", [4000000000]),
    ("%f|%.2f|%10.3f|%-10.1f|%+f|%e|%.3E|%g|%G|%#g|%010.2f|%.0f", "1234.5678", [1234.5678]),
    ("%g|%e|%a|%.2a|%A|%.0a", "1e-5", [1e-5]),
    ("%f|%5.1f|%E|%08g", "-1.0 / zero", [-float("inf")]),
    ("%a|%.3a|%g", "0.0", [0.0]),
    ("%5c|%-3c|%c", "65", [65]),
]


@pytest.mark.parametrize(("template", "argument", "values"), CONVERSIONS)
def test_every_conversion_is_formatted_as_the_c_library_does(
    template: str, argument: str, values: list[int | float]
) -> None:
    count = template.count("%")
    text = printed_by(
        f'volatile double zero = 0.0; (void)zero; printf("{template}\\n", {", ".join([argument] * count)});'
    )
    assert text.removesuffix("\n") == c_formatted(template, values * count)


def c_formatted(template: str, values: list[int | float]) -> str:
    """The text that this machine's C library formats."""
    library = ctypes.CDLL(None)
    buffer = ctypes.create_string_buffer(4096)
    arguments = [ctypes.c_double(v) if isinstance(v, float) else ctypes.c_int(v) for v in values]
    library.snprintf(buffer, 4096, template.encode(), *arguments)
    return buffer.value.decode()


def test_printf_takes_strings_widths_and_long_numbers() -> None:
    text = printed_by(
        r'const char* none = nullptr; printf("%s|%.2s|%8s|%-4s|%%|%*d|%.*f|%lld|%llx|%hhd|%hd|%lu|%s\n",'
        r' "word", "word", "right", "l", 6, 42, 2, 3.14159, -5000000000LL, 0xABCDEF0123ULL, 300, 70000,'
        r" 18446744073709551615ul, none);"
    )
    assert (
        text
        == "word|wo|   right|l   |%|    42|3.14|-5000000000|abcdef0123|44|4464|18446744073709551615|(null)\n"
    )


def test_printf_answers_with_the_number_of_its_arguments() -> None:
    source = """
extern "C" __global__ void talk(int* out) {
    out[0] = printf("%d %s\\n", 1, "a");
    out[1] = printf("none");
}
"""
    ran = run_cuda(source, 1, 1, {"out": Out((2,), np.int32)})
    assert ran["out"].tolist() == [2, 0]


def test_only_the_threads_of_a_branch_print() -> None:
    assert printed_by(r'if (threadIdx.x % 8 == 3) printf("%d,", threadIdx.x);', threads=32) == "3,11,19,27,"


def test_printed_output_is_bounded_and_marks_the_cut() -> None:
    text = printed_by(r'for (int i = 0; i < 1000; ++i) printf("%0100d\n", i);', threads=1)
    assert text.endswith(CUT_OFF)
    assert len(text) == MAX_PRINTED + len(CUT_OFF)


def test_numba_prints_numbers_and_strings() -> None:
    def talk(out: Any) -> None:
        i = cuda.threadIdx.x
        print("thread", i, out[i], 2.5, i > 0)  # noqa: T201 - the test checks this output

    ran = run_numba(talk, 1, 2, {"out": np.array([1, -2], np.int64)})
    assert ran.result.printed == "thread 0 1 2.500000 False\nthread 1 -2 2.500000 True\n"


ASSERTING = """
extern "C" __device__ void __assertfail(const char*, const char*, unsigned, const char*, size_t);
#define assert(e) ((e) ? (void)0 : __assertfail(#e, __FILE__, __LINE__, __func__, sizeof(char)))
extern "C" __global__ void check(const int* x, int* out) {
    assert(x[threadIdx.x] < 20);  // fails
    out[threadIdx.x] = 1;
}
"""


def test_a_failed_assertion_says_its_condition_line_and_thread() -> None:
    x = np.arange(32, dtype=np.int32)
    ran = run_cuda(ASSERTING, 1, 32, {"x": x, "out": Out((32,), np.int32)})
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.CRASHED
    (found,) = ran.found(DiagnosticKind.TRAP)
    assert found.line == line_of(ASSERTING, "// fails")
    assert "x[threadIdx.x] < 20" in english(ran.fault.reason)
    assert "thread (20,0,0)" in english(ran.fault.reason)
    assert run_cuda(ASSERTING, 1, 20, {"x": x[:20], "out": Out((20,), np.int32)})["out"].sum() == 20


def heap_kernel(body: str, *, threads: int = 1, out: int = 32) -> tuple[str, Ran]:
    source = f"""
extern "C" __global__ void work(int* out, int n) {{
{body}
}}
"""
    return source, run_cuda(source, 1, threads, {"out": Out((out,), np.int32), "n": 10})


def test_each_thread_has_its_own_memory_from_malloc() -> None:
    _, ran = heap_kernel(
        """    int* list = (int*)malloc(n * sizeof(int));
    for (int i = 0; i < n; ++i) list[i] = i * threadIdx.x;
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += list[i];
    out[threadIdx.x] = sum;
    free(list);
    free(nullptr);""",
        threads=32,
    )
    assert ran["out"].tolist() == [45 * t for t in range(32)]
    assert not ran.found(DiagnosticKind.HEAP)


def test_memory_from_malloc_lives_on_to_the_next_launch() -> None:
    source = """
__device__ int* kept;
extern "C" __global__ void work(int* out) {
    if (kept == nullptr) { kept = (int*)malloc(4); *kept = 0; }
    out[0] = ++*kept;
}
"""
    ran = run_cuda(source, 1, 1, {"out": Out((1,), np.int32)}, times=3)
    assert ran["out"].tolist() == [3]


HEAP_MISTAKES = {
    "past the end": (
        "int* a = (int*)malloc(40); a[n] = 1;  // here",
        "writes 4 bytes past the end of the 40 bytes",
    ),
    "use after free": (
        "int* a = (int*)malloc(40); a[0] = n; free(a);\n    out[0] = a[0];  // here",
        "reads the 40 bytes allocated at line 3, freed at line 3",
    ),
    "double free": (
        "int* a = (int*)malloc(40); out[0] = n; free(a);\n    free(a);  // here",
        "freed at line 3",
    ),
    "no malloc": ("free(out);  // here", "did not return"),
    "inner pointer": ("int* a = (int*)malloc(40);\n    free(a + 1);  // here", "did not return"),
}


@pytest.mark.parametrize("mistake", HEAP_MISTAKES)
def test_mistakes_with_the_heap_have_their_line(mistake: str) -> None:
    body, words = HEAP_MISTAKES[mistake]
    source, ran = heap_kernel("    " + body)
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.CRASHED
    (found,) = ran.found(DiagnosticKind.HEAP)
    assert found.line == line_of(source, "// here")
    assert found.severity is Severity.ERROR
    assert words in english(found.message)


def test_reading_what_malloc_gave_before_writing_it_is_noticed() -> None:
    source, ran = heap_kernel("    int* a = (int*)malloc(40);\n    out[0] = a[n - 1];  // here")
    assert ran.lines(DiagnosticKind.UNINITIALISED) == {line_of(source, "// here")}


def test_an_exhausted_heap_gives_null_and_a_warning() -> None:
    source, ran = heap_kernel(
        """    char* first = (char*)malloc(6 << 20);
    char* second = (char*)malloc(n << 20);  // here
    out[0] = first != nullptr; out[1] = second != nullptr;
    free(first);
    char* third = (char*)malloc(6 << 20);
    out[2] = third != nullptr;""",
    )
    assert ran["out"][:3].tolist() == [1, 0, 1]
    (found,) = ran.found(DiagnosticKind.HEAP)
    assert (found.severity, found.line) == (Severity.WARNING, line_of(source, "// here"))


def test_freed_memory_is_reused_when_the_heap_is_full() -> None:
    _, ran = heap_kernel(
        """    int failures = 0;
    for (int i = 0; i < 100; ++i) {
        char* a = (char*)malloc(1 << 20);
        if (a == nullptr) ++failures;
        else { a[i] = 1; free(a); }
    }
    out[0] = failures;""",
    )
    assert ran["out"][0] == 0


def test_new_and_delete_use_the_heap() -> None:
    _, ran = heap_kernel(
        """    struct Pair { int a; int b; };
    Pair* pair = new Pair[n];
    pair[n - 1].b = 7;
    out[0] = pair[n - 1].b;
    delete[] pair;""",
    )
    assert ran["out"][0] == 7
    assert not re.search("heap", str(ran.result.diagnostics))
