"""Hypothesis strategies for facts of every shape."""

from hypothesis import strategies as st

from grader.model.devices import H200, TESLA_T4
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.facts import (
    Agreement,
    BuiltFacts,
    CaseOutcome,
    DrawnBlocks,
    Facts,
    KernelFacts,
    TimedBytes,
    Work,
)
from grader.model.location import SourceLocation
from grader.model.module import DeviceProbe, KernelResources, ProbeKind
from grader.model.reason import Reason
from grader.model.report import Isolation
from grader.model.run import AccessSite, Counters, EngineKind, Fault, LineProfile, TimedComparison, TimedPair
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.model.wrong_map import WrongMap

_text = st.text(max_size=8)
_name = st.text("abc-1", min_size=1, max_size=6)
_count = st.integers(0, 2**53)
_number = st.floats(allow_nan=False, allow_infinity=False)
_time = st.floats(min_value=1e-9, max_value=1e9)
_location = st.builds(SourceLocation, file=st.none() | _text, line=st.none() | st.integers(1, 10**6))
_plain = st.none() | _text | st.integers(-(2**63), 2**64 - 1) | _number


def _several(strategy: st.SearchStrategy[object], most: int = 3) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(strategy, max_size=most).map(tuple)


def _by_name(strategy: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    return st.dictionaries(_name, strategy, max_size=3)


def _reason(params: st.SearchStrategy[object]) -> st.SearchStrategy[Reason]:
    return st.builds(
        Reason,
        code=_name,
        params=st.dictionaries(_name, params, max_size=3),
        location=st.none() | _location,
        case=st.none() | _name,
    )


reasons = st.recursive(
    _reason(_plain),
    lambda inner: _reason(_plain | inner | _several(_text | st.integers(0, 9) | inner)),
    max_leaves=3,
)
_fault = st.builds(
    Fault,
    verdict=st.sampled_from([each for each in Verdict if not each.earns_correctness]),
    reason=reasons,
)
_diagnostic = st.builds(
    Diagnostic,
    kind=st.sampled_from(DiagnosticKind),
    severity=st.sampled_from(Severity),
    message=reasons,
    advice=st.none() | reasons,
    kernel=_text,
    file=st.none() | _text,
    line=st.none() | st.integers(1, 10**6),
    related=_several(_location, 2),
    threads=_count,
    count=st.integers(1, 2**53),
    case=st.none() | _name,
)
_site = st.builds(
    AccessSite,
    space=st.sampled_from(["global", "shared"]),
    file=st.none() | _text,
    line=st.none() | st.integers(1, 99),
    store=st.booleans(),
    requests=_count,
    transactions=_count,
    ideal=_count,
)
_line = st.builds(
    LineProfile,
    file=st.none() | _text,
    line=st.none() | st.integers(1, 99),
    warp_instructions=_count,
    thread_instructions=_count,
    branches=_count,
    atomic_passes=_count,
)
_counters = st.builds(
    Counters,
    kernel=_text,
    launches=_count,
    blocks=_count,
    threads_per_block=_count,
    shared_bytes=_count,
    registers=_count,
    thread_instructions=_count,
    warp_instructions=_count,
    fp32_instructions=_count,
    fp64_instructions=_count,
    global_requests=_count,
    global_sectors=_count,
    shared_requests=_count,
    shared_wavefronts=_count,
    atomics=_count,
    barriers=_count,
    sites=_several(_site),
    lines=_several(_line),
    footprint_bytes=_count,
    busy_blocks=_number,
    busy_warps=_number,
    integer_operations=_count,
)
_work = st.builds(
    Work,
    threads_per_block=_count,
    shared_bytes=_count,
    moved_bytes=_count,
    footprint_bytes=_count,
    float32=_count,
    float64=_count,
    int32=_count,
)
_comparison = st.builds(
    TimedComparison,
    pairs=st.lists(
        st.builds(TimedPair, baseline=_time, submission=_time, place=st.none() | st.integers(0, 9)),
        min_size=1,
        max_size=3,
    ).map(tuple),
    modelled=st.booleans(),
    launches=_count,
    dropped=_count,
    clock=st.none() | _time,
    wall_seconds=st.none() | _time,
)
_map = st.builds(
    WrongMap,
    output=_text,
    shape=_several(_count),
    plane=_several(_count),
    row_length=_count,
    row_step=_count,
    column_step=_count,
    cells=_several(_text),
)
kernels = st.builds(
    KernelFacts,
    name=_name,
    build_fault=st.none() | _fault,
    built=st.none()
    | st.builds(
        BuiltFacts,
        resources=st.builds(
            KernelResources,
            registers=_count,
            spill_bytes=_count,
            local_bytes=_count,
            shared_bytes=_count,
            max_threads=_count,
        ),
        location=_location,
        clock_reading=st.none() | _location,
        device_probe=st.none() | st.builds(DeviceProbe, kind=st.sampled_from(ProbeKind), location=_location),
    ),
    cases=_several(
        st.builds(
            CaseOutcome,
            name=_name,
            verdict=st.sampled_from(Verdict),
            reason=reasons,
            wrong_map=st.none() | _map,
        )
    ),
    diagnostics=_several(_diagnostic),
    printed=_by_name(_text),
    observed=_several(_counters, 2),
    drawn=st.none()
    | st.builds(
        DrawnBlocks,
        case=_name,
        counters=_several(_counters, 2),
        unfinished=st.none() | reasons,
        only_here=st.none() | _location,
        other_code=st.none() | _location,
    ),
    counted=_by_name(_work),
    timed_bytes=st.none() | st.builds(TimedBytes, read=_count, touched=_count),
    timing_fault=st.none() | _fault,
    comparisons=_by_name(_comparison),
    rungs_counted=_by_name(_work),
)
facts = st.builds(
    Facts,
    lab=_name,
    language=st.sampled_from(Language),
    engine=st.sampled_from(EngineKind),
    device=st.sampled_from([H200, TESLA_T4]),
    isolation=st.builds(Isolation, sandbox=_text, trusted=st.booleans()),
    seed=st.integers(0, 2**128 - 1),
    kernels=_several(kernels, 2),
    agreement=st.builds(Agreement, complete=st.booleans(), disagreements=_several(reasons, 2)),
    build_fault=st.none() | _fault,
    diagnostics=_several(_diagnostic, 2),
    timing_case=st.none() | _name,
    observed_case=st.none() | _name,
)
