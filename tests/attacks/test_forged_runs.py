"""Forged answers about runs are failures of the worker or change nothing: no crash, no points, no fault of ours."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from grader.config.settings import LimitSettings
from grader.grading.environment import GradingEnvironment
from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.submission import grade
from grader.model.report import Report
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.report.results_json import published_report
from grader.sandbox.process import ProcessSandbox
from grader.worker.messages import RequestKind
from tests.attacks.lying_worker import Lie, LyingSandbox
from tools.labs import built_in_labs
from tools.messages import english

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
        "executed": [[-5, "/etc/passwd", -1]] * 10,
    },
    "other code in each answer": lambda answer: {**answer, "executed": [[HUGE, None, None]] * 100_000},
}


class Graded:
    """One submission, graded by workers that lie about one kind of request."""

    def __init__(self, environment: GradingEnvironment, sandbox: LyingSandbox) -> None:
        self._rungs = RungModules(environment)
        self._sandbox = sandbox
        self.honest = self.report("global", lambda answer: answer)

    def report(self, rung: str, lie: Lie) -> Report:
        files = rung_files(LAB, LAB.manifest.rung(rung), Language.CUDA_C)
        submission = submission_of(LAB, files, Language.CUDA_C, "mallory")
        self._sandbox.lie = lie
        rungs = RungModules(replace(self._rungs.environment))
        return grade(LAB, submission, rungs, SEED)


@pytest.fixture(scope="module", params=[RequestKind.RUN, RequestKind.RUN_BLOCKS])
def graded(request: pytest.FixtureRequest) -> Iterator[Graded]:
    with ProcessSandbox() as inner:
        sandbox = LyingSandbox(inner, request.param)
        environment = GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "Tesla T4", LimitSettings(), modelled_counts=True
        )
        yield Graded(environment, sandbox)


@pytest.mark.parametrize("lie", (LIES | BLOCK_LIES).values(), ids=LIES | BLOCK_LIES)
def test_a_forged_answer_earns_nothing_and_blames_nobody(graded: Graded, lie: Lie) -> None:
    report = graded.report("global", lie)
    assert report.verdict is not Verdict.NOT_GRADABLE, report.reason
    assert report.score <= graded.honest.score
    assert msgspec.json.encode(published_report(report))
    said = [report.reason, *(part.reason for part in report.parts), *(each.reason for each in report.kernels)]
    notes = [each for kernel in report.kernels for each in kernel.diagnostics]
    said += [each.message for each in notes] + [each.advice for each in notes if each.advice]
    assert all(english(each) for each in said)
    assert {each.file for each in notes} <= {None, "global.cu"}
