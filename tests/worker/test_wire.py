"""Bytes from a worker are untrusted: they decode to a value of the expected type or raise a ``WireError``."""

import io
import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.build import BuildOutcome, Translation
from grader.model.reason import as_written
from grader.model.run import Comparison, Fault, RunResult, TimedPair
from grader.model.verdict import Verdict
from grader.worker import wire
from grader.worker.messages import Ready

REPLIES = [Translation, BuildOutcome, RunResult, Comparison, Ready, wire.Reply]


def test_a_frame_arrives_as_it_was_sent() -> None:
    stream = io.BytesIO()
    large = bytes(range(256)) * 10_000
    wire.send(stream, wire.frame("one"))
    wire.send(stream, wire.request("n", "run", {"x": large}))
    wire.send(stream, wire.answer("n", [large]))
    stream.seek(0)
    one, request, reply = (wire.read_frame(stream, 2**22) or b"" for _ in range(3))
    assert wire.decode(one, str) == "one"
    asked = wire.decode(request, wire.Request)
    assert (asked.nonce, asked.kind, wire.decode(asked.body, dict[str, bytes])) == ("n", "run", {"x": large})
    decoded = wire.decode(reply, wire.Reply)
    assert (decoded.nonce, decoded.error, wire.decode(decoded.body, list[bytes])) == ("n", None, [large])
    assert wire.read_frame(stream, 10) is None


def test_a_frame_above_the_limit_is_not_read() -> None:
    stream = io.BytesIO((2**40).to_bytes(8) + b"x")
    with pytest.raises(wire.WireError, match="at most 100 are read"):
        wire.read_frame(stream, 100)


@pytest.mark.parametrize("data", [b"\0\0", (5).to_bytes(8) + b"abc"])
def test_a_frame_cut_short_is_an_error(data: bytes) -> None:
    with pytest.raises(wire.WireError, match="cut short"):
        wire.read_frame(io.BytesIO(data), 100)


def test_values_survive_the_wire() -> None:
    result = RunResult(
        outputs={"y": bytes(range(256))}, fault=Fault(verdict=Verdict.CRASHED, reason=as_written("é\u202e"))
    )
    assert wire.decode(wire.encode(result), RunResult) == result
    comparison = Comparison(pairs=(TimedPair(baseline=1.0, submission=2.0),), modelled=True)
    assert wire.decode(wire.encode(comparison), Comparison) == comparison


def test_a_wrong_type_is_refused() -> None:
    forged = msgspec.msgpack.encode({"outputs": {"y": "text instead of bytes"}})
    with pytest.raises(wire.WireError, match="not a RunResult"):
        wire.decode(forged, RunResult)
    verdict = msgspec.msgpack.encode({"outputs": {}, "fault": {"verdict": "excellent", "reason": ""}})
    with pytest.raises(wire.WireError, match="not a RunResult"):
        wire.decode(verdict, RunResult)


@pytest.mark.parametrize("verdict", ["accepted", "suspicious"])
def test_what_did_not_finish_cannot_be_called_right(verdict: str) -> None:
    fault = {"verdict": verdict, "reason": "trust me"}
    for expected, answer in (
        (RunResult, {"outputs": {}, "fault": fault}),
        (Translation, {"fault": fault}),
        (Translation, {"problems": {"fill": fault}}),
    ):
        with pytest.raises(wire.WireError):
            wire.decode(msgspec.msgpack.encode(answer), expected)


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan, math.inf])
def test_what_is_no_time_is_not_taken_for_one(seconds: float) -> None:
    for pair in ({"baseline": 1.0, "submission": seconds}, {"baseline": seconds, "submission": 1.0}):
        with pytest.raises(wire.WireError):
            wire.decode(msgspec.msgpack.encode({"pairs": [pair], "modelled": False}), Comparison)


def test_a_comparison_without_times_needs_a_reason() -> None:
    with pytest.raises(wire.WireError):
        wire.decode(msgspec.msgpack.encode({"pairs": [], "modelled": False}), Comparison)


@given(st.binary(max_size=400))
def test_random_bytes_never_do_anything_else(data: bytes) -> None:
    for expected in REPLIES:
        try:
            value: object = wire.decode(data, expected)
        except wire.WireError:
            continue
        assert isinstance(value, expected)


json_like = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(max_size=20)
    | st.binary(max_size=20),
    lambda children: (
        st.lists(children, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "outputs",
                    "fault",
                    "module",
                    "units",
                    "kernels",
                    "pairs",
                    "nonce",
                    "body",
                    "problems",
                    "device",
                ]
            )
            | st.text(max_size=5),
            children,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@given(json_like)
def test_well_formed_nonsense_never_does_anything_else(value: object) -> None:
    data = msgspec.msgpack.encode(value)
    for expected in REPLIES:
        try:
            decoded: object = wire.decode(data, expected)
        except wire.WireError:
            continue
        assert isinstance(decoded, expected)


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(wire.WireError):
        wire.decode(b"\x91" * 100_000 + b"\xc0", RunResult)
