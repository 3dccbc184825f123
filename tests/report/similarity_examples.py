"""An invented comparison of a class."""

from grader.model.reason import reason
from grader.model.similarity import (
    BINS,
    ComparedWork,
    Lines,
    Measure,
    Passage,
    SimilarityDistribution,
    SimilarityReport,
    SimilarPair,
    Uncompared,
    View,
)
from grader.model.submission import Language, SourceFile
from grader.report.similarity_json import SimilarityDocument, document

FIRST = b"#include <x>\n__global__ void k(float *p) {\n  int i = threadIdx.x;\n  p[i] = 2 * p[i];\n}\n"
SECOND = b"__global__ void k(float *q) {\n  const int <b>j = threadIdx.x;\n  q[j] = 2 * q[j];\n}\n"


def compared(student: str, term: str = "", language: Language = Language.CUDA_C) -> ComparedWork:
    return ComparedWork(
        student=student, term=term, language=language, path=f"{student}.cu", digest=f"of {student}"
    )


def measure(view: View, similarity: float, deviation: float) -> Measure:
    return Measure(
        view=view,
        similarity=similarity,
        shared=12,
        first_share=0.5,
        second_share=0.75,
        rank=3,
        deviation=deviation,
    )


def passage(view: View, first: tuple[int, ...], second: tuple[int, ...], runs: int = 3) -> Passage:
    return Passage(
        view=view,
        first=(Lines(file="k.cu", lines=first),),
        second=(Lines(file="k.cu", lines=second),),
        runs=runs,
        others=2,
    )


def pair(first: ComparedWork, second: ComparedWork) -> SimilarPair:
    return SimilarPair(
        first=first,
        second=second,
        measures=(measure(View.TOKENS, 0.43, 1.25), measure(View.PTX, 0.97, 11.2)),
        passages=(
            passage(View.TOKENS, (2, 3), (1, 2)),
            passage(View.TOKENS, (4,), (3,), 2),
            passage(View.PTX, (3, 4), (2, 3), 5),
        ),
    )


def distribution(view: View, language: Language | None, median: float = 0.12) -> SimilarityDistribution:
    counts = tuple(max(0, 60 - 10 * number) for number in range(BINS - 1))
    return SimilarityDistribution(
        view=view, language=language, pairs=1 + sum(counts), median=median, spread=0.05, counts=(*counts, 1)
    )


def similarity(first: str = "ada", second: str = "ben", term: str = "") -> SimilarityReport:
    return SimilarityReport(
        lab="matmul",
        works=21,
        background=4,
        distributions=(
            distribution(View.TOKENS, Language.CUDA_C),
            distribution(View.PTX, Language.CUDA_C, 0.02),
            distribution(View.OPERATIONS, None),
        ),
        pairs=(pair(compared(first), compared(second, term)),),
        uncompared=tuple(
            Uncompared(work=compared(name), view=View.PTX, reason=reason("no-kernels-to-compile"))
            for name in ("cem", "dov")
        ),
    )


def similarity_document(report: SimilarityReport) -> SimilarityDocument:
    return document(report, grader_version="1", created_at="2026-03-01T12:00:00+00:00")


def similarity_sources(first: str = "ada", second: str = "ben") -> dict[str, tuple[SourceFile, ...]]:
    return {
        f"of {first}": (SourceFile(name="k.cu", data=FIRST),),
        f"of {second}": (SourceFile(name="k.cu", data=SECOND),),
    }
