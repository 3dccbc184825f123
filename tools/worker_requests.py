"""A small request for a worker: build a kernel that fills a vector."""

from dataclasses import replace

from grader.languages import installed, reference
from grader.model.build import BuildRequest
from grader.model.kernel import KernelSpec, Param
from grader.model.submission import Language, SourceFile
from grader.worker.messages import WorkerLimits, WorkerRole, WorkerSettings
from tools.hostile.language import HOSTILE

MIB = 2**20

LIMITS = WorkerLimits(memory_bytes=4096 * MIB, processes=32, open_files=256, file_bytes=16 * MIB)

BUILD = WorkerSettings(
    role=WorkerRole.BUILD, limits=LIMITS, languages=tuple(reference(key) for key in installed())
)

HOSTILE_BUILD = replace(BUILD, languages=("tools.hostile.language:HOSTILE",))
"""A worker with a compiler that runs submitted Python. Only ``tools.hostile`` and plain processes can load it."""

FILL = KernelSpec(name="fill", params=(Param.parse("float32 y[n]"), Param.parse("int32 n")))

FILL_CU = 'extern "C" __global__ void fill(float *y, int n) { if (threadIdx.x < n) y[threadIdx.x] = 1.0f; }\n'

SECONDS = 60.0


def request(source: str, name: str) -> BuildRequest:
    """A request to build ``fill`` from a file called ``name``. A Python file runs: see ``HOSTILE_BUILD``."""
    language = HOSTILE.key if name.endswith(HOSTILE.suffix) else Language.CUDA_C
    return BuildRequest(
        language=language, files=(SourceFile(name=name, data=source.encode()),), kernels=(FILL,)
    )


def settings(name: str) -> WorkerSettings:
    """The settings of a worker that builds a file called ``name``."""
    return HOSTILE_BUILD if name.endswith(HOSTILE.suffix) else BUILD
