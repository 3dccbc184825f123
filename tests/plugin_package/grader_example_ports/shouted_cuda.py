"""An example of a language that lives outside Grader's own tree: CUDA C in capital letters."""

from dataclasses import replace

from grader.languages import LanguageSupport
from grader.languages.builtin import CUDA_C
from grader.model.build import BuildRequest, Translation
from grader.model.submission import Language, SourceFile


def translate(request: BuildRequest) -> Translation:
    """Turn the sources into CUDA C, and let Grader's own translator compile that."""
    files = tuple(
        SourceFile(
            name=file.name.removesuffix("shout"), data=file.data.lower().replace(b"threadidx", b"threadIdx")
        )
        for file in request.files
    )
    return CUDA_C.translate(replace(request, language=CUDA_C.key, files=files))


SHOUTED_CUDA = LanguageSupport(
    key=Language("shouted-cuda"),
    label="Shouted CUDA",
    suffix=".cushout",
    lexer=CUDA_C.lexer,
    shared_suffix=".cushout",
    mark=b"__GLOBAL__",
    libraries=CUDA_C.libraries,
    sample=SourceFile(
        name="warm_up.cushout",
        data=b"__GLOBAL__ VOID WARM_UP(INT *OUT) { OUT[THREADIDX.X] = THREADIDX.X; }",
    ),
    translator="grader_example_ports.shouted_cuda:translate",
)
