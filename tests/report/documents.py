"""Hypothesis strategies for every results document that Grader could write."""

from datetime import UTC, datetime

from hypothesis import strategies as st

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import as_written
from grader.model.report import (
    CaseReport,
    EngineInfo,
    Isolation,
    KernelReport,
    Part,
    Report,
    Resources,
    ResultsDocument,
    Speedup,
    SpeedupKind,
    Timing,
    Visibility,
)
from grader.model.run import AccessSite, EngineKind, LineProfile, TimedPair
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.model.wrong_map import WrongMap
from tests.report.examples import in_case

_text = st.text(max_size=12)
_amount = st.floats(min_value=0, max_value=1e9)
_time = st.floats(min_value=1e-9, max_value=1e9)
_count = st.integers(min_value=0, max_value=2**40)


def _some(strategy: st.SearchStrategy[object], size: int = 3) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(strategy, max_size=size).map(tuple)


_verdict = st.sampled_from(Verdict)
_reason = _text.map(as_written) | st.builds(in_case, _text, _text)
_file = st.none() | _text
_line = st.none() | st.integers(1, 10**6)
_diagnostic = st.builds(
    Diagnostic,
    kind=st.sampled_from(DiagnosticKind),
    severity=st.sampled_from(Severity),
    message=_reason,
    advice=st.none() | _reason,
    kernel=_text,
    file=_file,
    line=_line,
    related=_some(st.builds(SourceLocation, file=_file, line=_line)),
    threads=_count,
    count=st.integers(1, 2**40),
)
_wrong_map = st.builds(
    WrongMap,
    output=_text,
    shape=_some(_count),
    plane=_some(_count),
    row_length=_count,
    row_step=_count,
    column_step=_count,
    cells=_some(st.text(".159aei ")),
)
_case = st.builds(
    CaseReport,
    name=_text,
    visibility=st.sampled_from(Visibility),
    verdict=_verdict,
    reason=_reason,
    wrong_map=st.none() | _wrong_map,
)
_speedup = st.builds(
    Speedup, value=_amount, low=_amount, high=_amount, kind=st.sampled_from(SpeedupKind), baseline=_text
)
_resources = st.builds(
    Resources,
    registers=_count,
    spill_bytes=_count,
    shared_bytes=_count,
    occupancy=st.floats(0, 1),
    limiter=_text,
)
_kernel = st.builds(
    KernelReport,
    name=_text,
    verdict=_verdict,
    reason=_reason,
    cases=_some(_case),
    speedup=st.none() | _speedup,
    seconds=st.none() | _amount,
    resources=st.none() | _resources,
    diagnostics=_some(_diagnostic),
    lines=_some(
        st.builds(
            LineProfile,
            file=_file,
            line=_line,
            warp_instructions=_count,
            thread_instructions=_count,
            atomic_requests=_count,
            atomic_passes=_count,
        )
    ),
    sites=_some(
        st.builds(
            AccessSite,
            space=st.sampled_from(["global", "shared"]),
            file=_file,
            line=_line,
            store=st.booleans(),
            requests=_count,
            transactions=_count,
            ideal=_count,
        )
    ),
    printed=_text,
    timings=_some(
        st.builds(
            Timing,
            rung=_text,
            kind=st.sampled_from(SpeedupKind),
            pairs=_some(st.builds(TimedPair, baseline=_time, submission=_time)),
        )
    ),
)
reports = st.builds(
    Report,
    student=_text,
    lab=_text,
    file=_text,
    language=st.sampled_from(Language),
    verdict=_verdict,
    reason=_reason,
    score=_amount,
    max_score=_amount,
    parts=_some(st.builds(Part, name=_text, score=_amount, max_score=_amount, reason=_reason)),
    kernels=_some(_kernel),
    diagnostics=_some(_diagnostic, 2),
    isolation=st.none() | st.builds(Isolation, sandbox=_text, trusted=st.booleans()),
    lab_version=_text,
)
documents = st.builds(
    ResultsDocument,
    grader_version=_text,
    created_at=st.datetimes(timezones=st.just(UTC)).map(datetime.isoformat),
    engine=st.builds(EngineInfo, kind=st.sampled_from(EngineKind), device=_text),
    reports=_some(reports),
)
