"""``python -m tests.worker.fuzzing SECONDS SEED CORPUS``: mutate a worker's bytes by libFuzzer until time is up.

Coverage of the grader's decoding and sanitizing code guides the mutation. The program fails at the first input that
yields anything but a sanitized value of the expected type, or a ``WireError``.
"""

import io
import resource
import sys
from pathlib import Path

import atheris

from grader.model.reason import as_written
from tools.messages import english

with atheris.instrument_imports(include=["grader"]):
    from grader.grading.sanitize_reason import MAX_REASON
    from grader.grading.sanitize_worker_output import sanitize
    from grader.worker import wire


from grader.model.build import BuildOutcome, BuildRequest, Translation
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.kernel import KernelSpec, Param
from grader.model.module import Abi, FoundKernel, PtxModule, PtxUnit
from grader.model.run import Comparison, Fault, RunResult, TimedPair
from grader.model.submission import Language, SourceFile
from grader.model.text import printable
from grader.model.verdict import Verdict
from grader.worker.messages import Ready

LIMIT = 4096
MEMORY_BYTES = 4 * 2**30
"""A reply that takes more memory ends the search as a finding: it would use the grader's memory."""
ANSWERS = (Translation, BuildOutcome, RunResult, Comparison, Ready)
FILL = KernelSpec(name="fill", params=(Param.parse("float32 y[n]"),))
REQUEST = BuildRequest(
    language=Language.CUDA_C, files=(SourceFile(name="fill.cu", data=b""),), kernels=(FILL,)
)
_FAULT = Fault(verdict=Verdict.FAILED_TO_BUILD, reason=as_written("fill.cu, line 3: no"))
EXAMPLES = (
    Translation(
        module=PtxModule(
            units=(PtxUnit(name="fill.cu", ptx=".version 8.0"),),
            kernels=(FoundKernel(name="fill", symbol="fill", unit=0, abi=Abi.C, line=1, file="fill.cu"),),
            user_files=("fill.cu",),
        ),
        diagnostics=(
            Diagnostic(
                kind=DiagnosticKind.COMPILER,
                severity=Severity.NOTE,
                message=as_written("m"),
                file="fill.cu",
                line=2,
            ),
        ),
    ),
    Translation(fault=_FAULT, problems={"fill": _FAULT}),
    RunResult(outputs={"y": b"\0" * 8}, printed="hello"),
    Comparison(pairs=(TimedPair(baseline=1.0, submission=2.0),), modelled=True),
    Ready(),
)
"""One reply of each kind, from which the mutations start."""


def frame(answer: object) -> bytes:
    """Encode ``answer`` as a worker sends it."""
    return bytes(wire.answer("", answer))


def hear(data: bytes) -> None:
    """Decode a reply as every kind that it could be. Raises: ``AssertionError``."""
    try:
        payload = wire.read_frame(io.BytesIO(data), LIMIT)
        if payload is None:
            return
        assert len(payload) <= LIMIT
        reply = wire.decode(payload, wire.Reply)
    except wire.WireError:
        return
    for expected in ANSWERS:
        try:
            answer = wire.decode(reply.body, expected)
        except wire.WireError:
            continue
        assert isinstance(answer, expected)
        if isinstance(answer, Translation):
            check(sanitize(answer, REQUEST))


def check(translation: Translation) -> None:
    """Check that the reply answers ``REQUEST`` and nothing else. Raises: ``AssertionError``."""
    faults = [*translation.problems.values(), *([translation.fault] if translation.fault else [])]
    assert {fault.verdict for fault in faults} <= {Verdict.FAILED_TO_BUILD}
    texts = [*(fault.reason for fault in faults), *(note.message for note in translation.diagnostics)]
    assert all(
        printable(english(text)) == english(text) and len(english(text)) <= MAX_REASON for text in texts
    )
    assert set(translation.problems) <= {"fill"}
    assert {note.file for note in translation.diagnostics} <= {None, "fill.cu"}
    if translation.module is not None:
        assert translation.fault is None
        assert [kernel.name for kernel in translation.module.kernels] == ["fill"]
        assert all(0 <= kernel.unit < len(translation.module.units) for kernel in translation.module.kernels)
        assert set(translation.module.user_files) <= {"fill.cu"}


def main() -> None:
    """Start from ``EXAMPLES``, in the folder ``CORPUS``, and mutate."""
    seconds, seed, corpus = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    for number, example in enumerate(EXAMPLES):
        Path(corpus, str(number)).write_bytes(frame(example))
    options = [
        f"-max_total_time={seconds}",
        f"-seed={seed}",
        "-timeout=10",
        # It would count the memory of this process's parent.
        "-rss_limit_mb=0",
        "-max_len=2048",
    ]
    atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={corpus}/", corpus], hear)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
