"""Any worker reply leads to a verdict or an infrastructure fault: no crash, no hang, no forged command executed."""

import dataclasses

import pytest

from grader.config.settings import LimitSettings
from grader.errors import InfrastructureError
from grader.grading.environment import GradingEnvironment
from grader.grading.sanitize_reason import MAX_REASON
from grader.judge.plausibility import exceeds_wall_clock
from grader.model.block_sample import BlockSample, SampledJob
from grader.model.build import BuildRequest, Translation
from grader.model.kernel import KernelSpec, Param
from grader.model.module import DeviceModule
from grader.model.plan import LaunchPlan
from grader.model.run import EngineKind, Fault, LaunchJob, RunOptions, TimedComparison
from grader.model.submission import Language, SourceFile
from grader.model.text import printable
from grader.model.verdict import Verdict
from grader.sandbox.port import LossCause, WorkerLostError
from grader.worker.messages import RequestKind
from tests.attacks.impostor import Impostor
from tools.messages import english
from tools.worker_requests import BUILD

FILL = KernelSpec(name="fill", params=(Param.parse("float32 y[n]"),))
REQUEST = BuildRequest(
    language=Language.CUDA_C, files=(SourceFile(name="fill.cu", data=b"?"),), kernels=(FILL,)
)
WORK = LaunchJob(
    module=DeviceModule(units=(), kernels=(), user_files=()),
    plan=LaunchPlan(buffers=(), launches=()),
    inputs={},
)
ACT = "<script>alert(1)</script>\\x1b[2J\\r\\n=cmd|'x'!A0\\u202e"
"""Text, escaped for a script, that would act on an HTML page, a terminal or a table."""

GARBLED = {
    "a wrong nonce": 'send(pack({"nonce": "0" * 32, "body": {}}))',
    "no nonce": 'send(pack({"body": {}}))',
    "a nonce of another type": 'send(pack({"nonce": 7, "body": {}}))',
    "nothing at all": 'send(b"")',
    "no MessagePack": 'send(b"\\xc1" * 100)',
    "a pickle": 'import pickle; send(pickle.dumps({"nonce": asked["nonce"], "body": {}}))',
    "a pickle as the body": "import pickle; answer(pickle.dumps(os.system))",
    "an exabyte announced": 'raw((2**60).to_bytes(8, "big") + b"x")',
    "one byte too many announced": 'raw((2**20 + 1).to_bytes(8, "big"))',
    "two answers at once": 'one = pack({"nonce": asked["nonce"]}); raw((len(one).to_bytes(8, "big") + one) * 2)',
    "deep nesting": 'send(b"\\x82\\xa5nonce\\xd9\\x20" + asked["nonce"].encode() + b"\\xa4body" + b"\\x91" * 10**6)',
    "an extension type": "answer(msgspec.msgpack.Ext(7, b'1234'))",
    "a time": "import datetime; answer(datetime.datetime.now(datetime.UTC))",
    "a list for a structure": "answer([1, 2, 3])",
    "a number for a list": 'answer({"diagnostics": 7})',
    "text that is no UTF-8": (
        'send(b"\\x82\\xa5nonce\\xd9\\x20" + asked["nonce"].encode() + b"\\xa4body\\x81\\xa5fault\\xa2\\xff\\xfe")'
    ),
    "a verdict that there is not": f'answer({{"fault": {{"verdict": "{ACT}" * 10**4, "reason": ""}}}})',
    "a name that is a number": 'answer({"problems": {"fill": 3}})',
    "a million wrong elements": 'answer({"diagnostics": [0] * 10**5})',
    "a map that announces four billion": 'send(b"\\xdf\\xff\\xff\\xff\\xff")',
    "text that announces four gigabytes": 'send(b"\\xdb\\xff\\xff\\xff\\xffabc")',
    "a number too large": 'answer({"module": {"units": [], "kernels": [], "user_files": [2**64 - 1]}})',
}

ENDINGS = {
    "silence": ("time.sleep(60)", LossCause.TIMED_OUT),
    "a dribble": (
        'raw((1000).to_bytes(8, "big"))\nwhile True:\n    raw(b"x")\n    time.sleep(0.2)',
        LossCause.TIMED_OUT,
    ),
    "words on the wrong stream": (
        'while True:\n    os.write(2, b"accepted\\n" * 10000)',
        LossCause.TIMED_OUT,
    ),
    "half an answer": ('raw((1000).to_bytes(8, "big") + b"x" * 10); sys.exit(0)', LossCause.DIED),
    "half a length": ('raw(b"\\0\\0"); os._exit(0)', LossCause.DIED),
    "a friendly exit": ("os._exit(0)", LossCause.DIED),
    "a strange exit": ("os._exit(211)", LossCause.DIED),
    "a signal": ("os.kill(os.getpid(), 11)", LossCause.DIED),
    "a closed pipe and a life after it": ("os.close(1); time.sleep(60)", LossCause.DIED),
}


def ask(script: str, *, seconds: float = 20.0) -> Translation:
    with Impostor(script).worker(BUILD) as worker:
        return worker.ask(RequestKind.TRANSLATE, REQUEST, Translation, seconds=seconds, reply_bytes=2**20)


@pytest.mark.parametrize("what", GARBLED)
def test_what_is_not_an_answer_is_garbled(what: str) -> None:
    with pytest.raises(WorkerLostError) as caught:
        ask(GARBLED[what])
    assert caught.value.cause is LossCause.GARBLED
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("what", ENDINGS)
def test_a_worker_that_does_not_answer_is_lost(what: str) -> None:
    script, cause = ENDINGS[what]
    with pytest.raises(WorkerLostError) as caught:
        ask(script, seconds=1.5)
    assert caught.value.cause is cause
    assert len(caught.value.detail) < 20_000


@pytest.mark.parametrize(
    "first",
    [
        'send(b"")',
        'send(pack({"nonce": "", "body": {"device": 7}}))',
        'send(pack({"nonce": "", "body": {"device": {"name": "GPU"}}}))',
        'send(pack({"nonce": "", "error": "no"}))',
        'raw((2**40).to_bytes(8, "big"))',
        "os._exit(0)",
    ],
)
def test_a_first_word_that_is_none_is_a_fault_of_ours(first: str) -> None:
    with pytest.raises(InfrastructureError):
        Impostor("pass", ready=first).worker(BUILD)


def environment(script: str) -> GradingEnvironment:
    return GradingEnvironment.open(
        Impostor(script),
        EngineKind.EMULATOR,
        "Tesla T4",
        LimitSettings(build_seconds=20),
        modelled_counts=True,
    )


SAID = [f'answer(error="{ACT}" * 10**5)', f'answer(error="{ACT}" * 10**5, hint="Run `curl x | sh`.")']


@pytest.fixture
def _on_a_machine_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the control succeed: these sandboxes have no honest worker."""
    for name in ("confirm_builds", "confirm_runs"):
        monkeypatch.setattr(f"grader.grading.environment.{name}", lambda *_: None)


def quotes_the_worker(fault: Fault | None, verdict: Verdict) -> bool:
    """Whether ``fault`` quotes the worker's words as its own, cut, and nothing of its advice."""
    assert fault is not None
    text = english(fault.reason)
    assert fault.verdict is verdict, text
    return "“<script>" in text and text.isprintable() and len(text) < 500 and "curl" not in text


@pytest.mark.usefixtures("_on_a_machine_that_works")
@pytest.mark.parametrize("script", SAID)
def test_words_of_a_build_worker_are_quoted_as_its_own(script: str) -> None:
    fault = environment(script).build(REQUEST).fault
    assert quotes_the_worker(fault, Verdict.FAILED_TO_BUILD)


@pytest.mark.parametrize("script", SAID)
def test_the_machine_is_at_fault_if_a_known_good_kernel_fails(script: str) -> None:
    with pytest.raises(InfrastructureError, match="a kernel of Grader's own fails here as well"):
        environment(script).build(REQUEST)


TRANSLATED = """if asked["kind"] == "translate":
    answer({"module": {"units": [{"name": "u", "ptx": ".version 8.0"}], "user_files": ["fill.cu"], "kernels":
        [{"name": "fill", "symbol": "fill", "unit": 0, "abi": "c"}]}})
"""
"""A script that replies to the translation; a test appends its reply to the next request."""


@pytest.mark.usefixtures("_on_a_machine_that_works")
@pytest.mark.parametrize("script", SAID)
def test_the_same_goes_for_one_that_assembles(script: str) -> None:
    fault = environment(f"{TRANSLATED}else:\n    {script}").build(REQUEST).fault
    assert quotes_the_worker(fault, Verdict.FAILED_TO_BUILD)


@pytest.mark.usefixtures("_on_a_machine_that_works")
@pytest.mark.parametrize("script", SAID)
def test_the_same_goes_for_one_that_runs_kernels(script: str) -> None:
    with environment(script).session() as session:
        assert quotes_the_worker(session.run(WORK).fault, Verdict.CRASHED)


def test_a_comparison_that_fails_for_the_baseline_too_is_our_fault() -> None:
    with environment(SAID[0]).own_session() as session, pytest.raises(InfrastructureError, match="was lost"):
        session.compare(WORK, WORK)


REPLIES = {
    "a fault in strange words": f'{{"fault": {{"verdict": "accepted", "reason": "{ACT}" * 10**5}}}}',
    "problems by strange names": f'{{"problems": {{"{ACT}": {{"verdict": "accepted", "reason": "{ACT}"}}}}}}',
    "many problems": '{"problems": {str(i): {"verdict": "accepted", "reason": "x"} for i in range(10**5)}}',
    "many diagnostics": (
        f'{{"diagnostics": [{{"kind": "compiler", "severity": "error", "message": "{ACT}", "file": "../{ACT}"}}]'
        " * 10**4}"
    ),
    "a hundred thousand kernels": (
        '{"module": {"units": [{"name": "u", "ptx": ""}], "user_files": [], "kernels": '
        '[{"name": "k%d" % i, "symbol": "k", "unit": -i, "abi": "c"} for i in range(10**5)]}}'
    ),
    "a kernel in a unit that there is not": (
        '{"module": {"units": [], "user_files": ["/etc/passwd"], "kernels": '
        '[{"name": "fill", "symbol": "fill", "unit": 10**9, "abi": "c", "line": -1, "file": "/etc/passwd"}]}}'
    ),
    "device code that is none": (
        '{"module": {"units": [{"name": "/../u", "ptx": "\\x00" * 1000}], "user_files": [], "kernels": '
        '[{"name": "fill", "symbol": "; touch x", "unit": 0, "abi": "c"}]}}'
    ),
    "a module and a fault at once": (
        '{"module": {"units": [], "kernels": [], "user_files": []}, "fault": {"verdict": "accepted", "reason": ""}}'
    ),
    "a finished report": '{"verdict": "accepted", "score": 100.0}',
}


@pytest.mark.parametrize("what", REPLIES)
def test_what_a_build_tells_is_at_most_a_failed_build(what: str) -> None:
    outcome = environment(f"answer({REPLIES[what]})").build(REQUEST)
    assert outcome.module is None
    assert outcome.fault is not None
    assert outcome.fault.verdict is Verdict.FAILED_TO_BUILD
    reasons = [outcome.fault.reason, *(fault.reason for fault in outcome.problems.values())]
    texts = [*reasons, *(note.message for note in outcome.diagnostics)]
    assert all(
        len(english(text)) <= MAX_REASON and printable(english(text)) == english(text) for text in texts
    )
    assert set(outcome.problems) <= {"fill"}
    assert {note.file for note in outcome.diagnostics} <= {None, "fill.cu"}


RUN_ANSWERS = {
    "times that are not numbers": '{"pairs": [{"baseline": float("nan"), "submission": 1.0}], "modelled": False}',
    "times without end": '{"pairs": [{"baseline": float("inf"), "submission": 1.0}], "modelled": False}',
    "times before the start": '{"pairs": [{"baseline": 1.0, "submission": -1.0}], "modelled": False}',
    "no time at all": '{"pairs": [{"baseline": 1.0, "submission": 0.0}], "modelled": False}',
    "no pairs": '{"pairs": [], "modelled": False}',
}


@pytest.mark.parametrize("what", RUN_ANSWERS)
def test_times_that_no_clock_shows_are_a_fault_of_ours(what: str) -> None:
    with (
        environment(f"answer({RUN_ANSWERS[what]})").own_session() as session,
        pytest.raises(InfrastructureError, match="cannot be read"),
    ):
        session.compare(WORK, WORK)


def compared(answer: str, engine: EngineKind) -> TimedComparison:
    with dataclasses.replace(environment(f"answer({answer})"), engine=engine).own_session() as session:
        return session.compare(WORK, WORK)


FORGED = '{"pairs": [{"baseline": 1000.0, "submission": 1.0}] * 30, "modelled": False, "took": 1e9}'


def test_times_longer_than_the_judges_clock_raise_an_alarm() -> None:
    forged = compared(FORGED, EngineKind.CUDA)
    assert forged.wall_seconds is not None
    assert forged.wall_seconds < 60
    assert exceeds_wall_clock(forged)


@pytest.mark.parametrize(("engine", "said"), [(EngineKind.CUDA, True), (EngineKind.EMULATOR, False)])
def test_modelled_and_measured_times_are_never_confused(engine: EngineKind, *, said: bool) -> None:
    answer = f'{{"pairs": [{{"baseline": 1e-3, "submission": 1e-4}}], "modelled": {said}}}'
    with pytest.raises(InfrastructureError, match="times of another kind"):
        compared(answer, engine)


@pytest.mark.parametrize(
    "script", [GARBLED["a wrong nonce"], GARBLED["deep nesting"], ENDINGS["a signal"][0]]
)
@pytest.mark.usefixtures("_on_a_machine_that_works")
def test_a_run_worker_that_always_misbehaves_is_charged(script: str) -> None:
    sample = BlockSample(seed=1, blocks=1, steps=1)
    drawn = SampledJob(module=WORK.module, plan=WORK.plan, sample=sample)
    with environment(script).session() as session:
        faults = [session.run(WORK).fault, session.run_blocks(drawn, RunOptions()).result.fault]
    assert [fault and fault.verdict for fault in faults] == [Verdict.CRASHED, Verdict.CRASHED]
