"""The tokens of sources: what disguises and what damage does to them."""

from grader.model.submission import SourceFile
from grader.similarity.grammars import CUDA_C, PYTHON
from grader.similarity.source_symbols import source_symbols
from grader.similarity.winnowing import Symbol
from tests.similarity.sources import NUMBA, ORIGINAL


def cuda(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return shown(source_symbols(SourceFile(name="k.cu", data=text.encode()), CUDA_C))


def python(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return shown(source_symbols(SourceFile(name="k.py", data=text.encode()), PYTHON))


def shown(symbols: tuple[Symbol, ...]) -> list[tuple[str, tuple[str, ...]]]:
    return [(symbol.text, symbol.names) for symbol in symbols]


def test_layout_and_comments_of_cuda_c_do_not_count() -> None:
    squeezed = (
        ORIGINAL.replace("    ", "\t").replace(";\n", "; // done\n").replace("// Multiplies tiles.\n", "")
    )
    assert cuda(squeezed) == cuda(ORIGINAL)


def test_comments_and_documentation_of_python_do_not_count() -> None:
    explained = NUMBA.replace("n, k):\n", 'n, k):\n    """Multiply."""  # tiles\n')
    assert explained != NUMBA
    assert python(explained) == python(NUMBA)


def test_literals_count_by_their_kind() -> None:
    assert cuda("int x = 16;") == cuda("int x = 0x20u;")
    assert cuda("int x = 16;") != cuda('const char *x = "16";')


def test_names_of_cuda_stay_and_others_are_names() -> None:
    found = cuda("__syncthreads(); mine(threadIdx.x);")
    assert ("__syncthreads", ()) in found
    assert ("threadIdx", ()) in found
    assert ("name", ("mine",)) in found


def test_a_variable_may_have_the_name_of_a_member() -> None:
    first = "int y = threadIdx.y; point.y = y; other.part = y;"
    assert [text for text, _ in cuda(first)].count("y") == 2
    assert cuda(first.replace("int y", "int r").replace("= y", "= r"))[1:] != cuda(first)[1:]
    assert (".part",) in [names for _, names in cuda(first)]


def test_the_body_of_a_macro_is_read() -> None:
    symbols = source_symbols(
        SourceFile(name="k.cu", data=b"\n#define LOAD(p, i) (p)[(i) * 2]\nint x;\n"), CUDA_C
    )
    names = [(symbol.names[0], symbol.line) for symbol in symbols if symbol.names]
    assert names == [("LOAD", 2), ("p", 2), ("i", 2), ("p", 2), ("i", 2), ("x", 3)]


def test_source_that_does_not_parse_still_has_its_tokens() -> None:
    assert ("name", ("after",)) in cuda("__global__ void k(int *p { p[0] = ; }\nint after;")
    assert ("name", ("after",)) in python("def k(:\n    x = = 1\nafter = 2\n")


def test_any_bytes_can_be_read() -> None:
    for data in (b"", b"\0\xff\xfe", b"(" * 5000, b"#define A " + b"(" * 3000, bytes(range(256)) * 8):
        for grammar in (CUDA_C, PYTHON):
            source_symbols(SourceFile(name="k", data=data), grammar)
