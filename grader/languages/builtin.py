"""The languages that Grader brings."""

from grader.languages.port import LanguageSupport
from grader.model.submission import Language, SourceFile

CUDA_C = LanguageSupport(
    key=Language.CUDA_C,
    label="CUDA C",
    suffix=".cu",
    lexer="cuda",
    grammar="grader.similarity.grammars:CUDA_C",
    header_suffixes=frozenset({".cuh", ".h", ".hpp"}),
    host_suffixes=frozenset({".c", ".cc", ".cpp", ".cxx", ".hh", ".inc", ".inl"}),
    shared_suffix=".cuh",
    mark=b"__global__",
    textures=True,
    symbols=True,
    libraries=("nvrtc",),
    sample=SourceFile(
        name="warm_up.cu", data=b"__global__ void warm_up(int *out) { out[threadIdx.x] = threadIdx.x; }\n"
    ),
    translator="grader.compile.cuda_c_language:translate",
)

NUMBA = LanguageSupport(
    key=Language.NUMBA,
    label="Numba",
    suffix=".py",
    lexer="python",
    grammar="grader.similarity.grammars:PYTHON",
    shared_suffix=".py",
    mark=b"numba",
    libraries=("nvrtc", "nvvm"),
    sample=SourceFile(
        name="warm_up.py",
        data=b"from numba import cuda\n@cuda.jit\ndef warm_up(out):\n    out[cuda.grid(1)] = cuda.grid(1)\n",
    ),
    translator="grader.compile.numba_language:translate",
)
