"""Facts survive storage without loss."""

import json

import pytest
from hypothesis import given, settings

from grader.model.devices import TESLA_T4
from grader.model.facts import FACTS_VERSION, Facts, decode_facts, encode_facts
from grader.model.report import Isolation
from grader.model.run import EngineKind
from grader.model.submission import Language
from tests.model.facts_strategies import facts as any_facts

EMPTY = Facts(
    lab="row-sum",
    language=Language.CUDA_C,
    engine=EngineKind.EMULATOR,
    device=TESLA_T4,
    isolation=Isolation(sandbox="process", trusted=False),
    seed=7,
    kernels=(),
)


@given(any_facts)
@settings(max_examples=50)
def test_decoded_facts_equal_the_encoded_ones(found: Facts) -> None:
    assert decode_facts(encode_facts(found)) == found


def test_facts_state_their_version() -> None:
    assert json.loads(encode_facts(EMPTY))["version"] == FACTS_VERSION


def test_facts_of_another_version_are_not_read() -> None:
    document = json.loads(encode_facts(EMPTY)) | {"version": FACTS_VERSION + 1, "lab": 7}
    with pytest.raises(ValueError, match=f"version {FACTS_VERSION + 1}"):
        decode_facts(json.dumps(document).encode())


def test_what_is_no_document_of_facts_is_not_read() -> None:
    with pytest.raises(ValueError, match="version"):
        decode_facts(b"{}")
