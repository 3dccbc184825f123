"""A language for tests of the sandboxes only: its compiler runs the submitted Python, as a hijacked compiler might.

No language of Grader runs a student's code while it builds. The sandboxes must hold even if a compiler's flaw lets one
do so.
"""

from grader.compile.failure import failed_to_build
from grader.compile.messages import quoted
from grader.languages import LanguageSupport
from grader.languages.builtin import CUDA_C
from grader.model.build import BuildRequest, Translation
from grader.model.submission import Language, SourceFile

KERNELS = b"""
extern "C" __global__ void fill(float *y, int n) { if (threadIdx.x < n) y[threadIdx.x] = 1.0f; }
extern "C" __global__ void warm_up(int *out) { out[threadIdx.x] = threadIdx.x; }
"""
"""What is compiled after the submitted Python ran."""

HOSTILE = LanguageSupport(
    key=Language("python-that-runs"),
    label="Python that runs",
    suffix=".py",
    shared_suffix=".py",
    mark=b"",
    sample=SourceFile(name="sample.py", data=b""),
    translator="tools.hostile.language:translate",
)


def translate(request: BuildRequest) -> Translation:
    """Run the submitted files, then compile ``KERNELS``. An exception of theirs fails the build."""
    try:
        for file in request.files:
            exec(compile(file.data, file.name, "exec"), {"__name__": file.name})  # noqa: S102 - the point of it
    except Exception as error:  # noqa: BLE001 - an exception of any code that a test runs
        return Translation(fault=failed_to_build(quoted(f"{type(error).__name__}: {error}")))
    files = (SourceFile(name="kernel.cu", data=KERNELS),)
    return CUDA_C.translate(
        BuildRequest(language=CUDA_C.key, files=files, kernels=request.kernels, arch=request.arch)
    )
