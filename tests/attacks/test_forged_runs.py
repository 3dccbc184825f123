"""Forged answers about runs are failures of the worker or change nothing: no crash, no points, no fault of ours."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.run_answers import proven_run, proven_sample
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.submission import grade
from grader.model.block_sample import SampledRun
from grader.model.devices import TESLA_T4
from grader.model.module import DeviceModule
from grader.model.report import Report
from grader.model.run import EngineKind, RunResult
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.report.results_json import published_report
from grader.sandbox.port import WorkerLostError
from grader.sandbox.process import ProcessSandbox
from grader.worker import wire
from grader.worker.messages import RequestKind
from tests.attacks.lying_worker import Lie, LyingSandbox
from tools.labs import built_in_labs
from tools.messages import english
from tools.rung_kernels import module as built

pytestmark = pytest.mark.faults

LAB = built_in_labs().get("transpose")
SEED = 20_261_127
HUGE = 2**62


def results(answer: dict[str, Any]) -> dict[str, Any]:
    """The part of an answer that describes a run."""
    result: dict[str, Any] = answer.get("result", answer)
    return result


def counters(change: Callable[[dict[str, Any]], None]) -> Lie:
    """A lie in the counters of each kernel."""

    def lie(answer: dict[str, Any]) -> object:
        for each in results(answer)["counters"]:
            change(each)
        return answer

    return lie


def field(name: str, value: object) -> Lie:
    """Another value of a field of the result."""

    def lie(answer: dict[str, Any]) -> object:
        results(answer)[name] = value
        return answer

    return lie


def counted(name: str, value: object) -> Lie:
    """Another value of a counter."""
    return counters(lambda each: each.update({name: value}))


def repeated(times: int) -> Lie:
    """The same counters several times."""

    def lie(answer: dict[str, Any]) -> object:
        results(answer)["counters"] *= times
        return answer

    return lie


FINDING = {
    "kind": "shared-memory race",
    "severity": "warning",
    "message": {"code": "as-written", "params": {"text": "<script>\x1b[2J"}},
    "file": "../../etc/passwd",
    "line": -7,
}

LIES: dict[str, Lie] = {
    "negative counters": counted("global_requests", -5),
    "more sectors than there are bytes on earth": counted("global_sectors", HUGE),
    "numbers that are none": counted("busy_blocks", float("nan")),
    "endless work": counted("busy_warps", float("inf")),
    "no threads": counted("threads_per_block", 0),
    "blocks by the billion": counted("blocks", HUGE),
    "counters of another kernel": counted("kernel", "matmul"),
    "a name that acts": counted("kernel", "<script>\x1b[2J"),
    "text for numbers": counted("launches", "many"),
    "no counters": field("counters", []),
    "counters twice": repeated(2),
    "ten thousand counters": repeated(10_000),
    "more useful bytes than moved ones": counters(
        lambda each: each.update(arrays=[{**part, "useful": HUGE} for part in each["arrays"]])
    ),
    "bytes that move backwards": counters(
        lambda each: each.update(arrays=[{**part, "moved": -1} for part in each["arrays"]])
    ),
    "shared memory used backwards": counters(
        lambda each: each.update(
            shared_use=dict.fromkeys(
                ("staged", "direct", "exchanged", "read", "loaders", "receivers", "fetched", "gathered"), -1
            )
        )
    ),
    "a hundred thousand lines": counters(
        lambda each: each.update(
            lines=[
                {"file": f"{n}.cu", "line": n, "warp_instructions": 1, "thread_instructions": 1}
                for n in range(100_000)
            ]
        )
    ),
    "a line in another file": counters(
        lambda each: each.update(
            lines=[{"file": "/etc/passwd", "line": 1, "warp_instructions": 1, "thread_instructions": 1}]
        )
    ),
    "findings in words of its own": field("diagnostics", [FINDING]),
    "ten thousand findings": field("diagnostics", [{**FINDING, "line": n} for n in range(10_000)]),
    "a finding that no catalogue has": field(
        "diagnostics", [{**FINDING, "message": {"code": "no-such-code", "params": {}}}]
    ),
    "a finding without its numbers": field(
        "diagnostics", [{**FINDING, "message": {"code": "divergent-barrier", "params": {"thread": 3}}}]
    ),
    "a fault that is ours": field(
        "fault",
        {"verdict": "not gradable", "reason": {"code": "as-written", "params": {"text": "the GPU fell off"}}},
    ),
    "a fault that earns points": field("fault", {"verdict": "accepted", "reason": {"code": "case-right"}}),
    "a fault that no catalogue has": field(
        "fault", {"verdict": "crashed", "reason": {"code": "no-such-code"}}
    ),
    "outputs of another size": field("outputs", {"b": b"\0" * 7}),
    "outputs that were not asked for": field("outputs", {"../../b": b"\0" * 7, "a": b"", "expected": b""}),
    "changed inputs that there are not": field("changed_inputs", ["<script>", "b"] * 100),
    "a hundred million characters": field("printed", "x" * 10**7),
    "nothing": lambda _: None,
    "a list": lambda _: [],
}

BLOCK_LIES: dict[str, Lie] = {
    "missing bytes before the buffer": lambda answer: {
        **answer,
        "missing": [{"buffer": "a", "start": -8, "stop": 8}],
    },
    "missing bytes of no buffer": lambda answer: {
        **answer,
        "missing": [{"buffer": "expected", "start": 0, "stop": 8}],
    },
    "a missing part again and again": lambda answer: {
        **answer,
        "missing": [{"buffer": "a", "start": 0, "stop": 4}] * 100_000,
    },
    "instructions that ran less than never": lambda answer: {
        **answer,
        "executed": [{"count": -5, "file": None, "line": None}],
    },
    "code of another file": lambda answer: {
        **answer,
        "executed": [{"count": 1, "file": "x", "line": 1}],
    },
}


IN_WHOLE = (
    *("no counters", "a fault that is ours", "outputs of another size"),
    "changed inputs that there are not",
)
"""The lies that are followed through a whole grading: those that reach the judge, and one that ends a worker."""

BELIEVED = {
    *("no counters", "outputs of another size", "outputs that were not asked for"),
    *("changed inputs that there are not", "findings in words of its own without a file"),
    *("missing bytes before the buffer", "missing bytes of no buffer"),
}
"""Lies that only their reader can judge: the checks of outputs, of technique, and of the bytes that are sent."""


class Graded:
    """One submission, graded by workers that lie about runs; and an honest answer."""

    def __init__(self, environment: GradingEnvironment, sandbox: LyingSandbox) -> None:
        self._rungs = RungModules(environment)
        self._sandbox = sandbox
        self.answer: dict[str, Any] = {}
        self.honest = self.report(self._keep)

    def _keep(self, answer: dict[str, Any]) -> object:
        if answer["counters"]:
            self.answer = copy.deepcopy(answer)
        return answer

    def report(self, lie: Lie) -> Report:
        files = rung_files(LAB, LAB.manifest.rung("global"), Language.CUDA_C)
        submission = submission_of(LAB, files, Language.CUDA_C, "mallory")
        self._sandbox.lie = lie
        return grade(LAB, submission, RungModules(self._rungs.environment), SEED)


@pytest.fixture(scope="module")
def graded() -> Iterator[Graded]:
    with ProcessSandbox() as inner:
        sandbox = LyingSandbox(inner, RequestKind.RUN)
        environment = GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
        )
        yield Graded(environment, sandbox)


def is_refused(forged: object, module: DeviceModule, *, sampled: bool) -> bool:
    """Whether an answer is refused where it is read, or where it is compared with its job."""
    data = msgspec.msgpack.encode(forged)
    try:
        if sampled:
            proven_sample(wire.decode(data, SampledRun), module)
        else:
            proven_run(wire.decode(data, RunResult), module)
    except (wire.WireError, WorkerLostError):
        return True
    return False


def test_what_no_engine_answers_is_refused(graded: Graded) -> None:
    module = built(LAB, "global", Language.CUDA_C, TESLA_T4.arch)
    sampled = {
        "result": graded.answer,
        "executed": [{"count": 5, "file": "global.cu", "line": 3}],
        "missing": [],
    }
    assert not is_refused(graded.answer, module, sampled=False)
    assert not is_refused(sampled, module, sampled=True)
    for name, lie in LIES.items():
        forged = lie(copy.deepcopy(graded.answer))
        assert is_refused(forged, module, sampled=False) is (name not in BELIEVED), name
    for name, lie in (LIES | BLOCK_LIES).items():
        forged = lie(copy.deepcopy(sampled))
        assert is_refused(forged, module, sampled=True) is (name not in BELIEVED), name


@pytest.mark.parametrize("name", IN_WHOLE)
def test_a_forged_answer_earns_nothing_and_blames_nobody(graded: Graded, name: str) -> None:
    report = graded.report(LIES[name])
    assert report.verdict is not Verdict.NOT_GRADABLE, report.reason
    assert report.score <= graded.honest.score
    assert msgspec.json.encode(published_report(report))
    said = [
        report.reason,
        *(part.reason for part in report.parts),
        *(each.reason for each in report.kernels),
    ]
    notes = [each for kernel in report.kernels for each in kernel.diagnostics]
    said += [each.message for each in notes] + [each.advice for each in notes if each.advice]
    assert all(english(each) for each in said)
    assert {each.file for each in notes} <= {None, "global.cu"}
