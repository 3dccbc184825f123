"""The choice of a sandbox: never weaker than requested, and never the process sandbox for untrusted code."""

import pytest

from grader.config.settings import SandboxChoice, SandboxSettings
from grader.errors import UserError
from grader.sandbox.choice import OFFERS, Offer, choose, open_sandbox
from grader.sandbox.pool import PooledSandbox
from grader.sandbox.process import ProcessSandbox

AUTO, DOCKER, BUBBLEWRAP, PROCESS = (
    SandboxChoice.AUTO,
    SandboxChoice.DOCKER,
    SandboxChoice.BUBBLEWRAP,
    SandboxChoice.PROCESS,
)


def offer(kind: SandboxChoice, problem: str | None) -> Offer:
    return Offer(
        kind=kind,
        unavailable=lambda: problem,
        open=ProcessSandbox,
        weaknesses=lambda: (),
    )


BOTH = (offer(DOCKER, None), offer(BUBBLEWRAP, None))
NO_DOCKER = (offer(DOCKER, "no engine answers"), offer(BUBBLEWRAP, None))
NEITHER = (offer(DOCKER, "no engine answers"), offer(BUBBLEWRAP, "bwrap is not installed"))


@pytest.mark.parametrize(
    ("wish", "trusted", "offers", "taken"),
    [
        (AUTO, False, BOTH, DOCKER),
        (AUTO, False, NO_DOCKER, BUBBLEWRAP),
        (AUTO, True, BOTH, PROCESS),
        (DOCKER, True, BOTH, DOCKER),
        (DOCKER, False, BOTH, DOCKER),
        (BUBBLEWRAP, False, BOTH, BUBBLEWRAP),
        (PROCESS, True, NEITHER, PROCESS),
    ],
)
def test_auto_takes_the_strongest_or_for_trusted_the_fastest(
    wish: SandboxChoice, *, trusted: bool, offers: tuple[Offer, ...], taken: SandboxChoice
) -> None:
    assert choose(wish, trusted=trusted, offers=offers) is taken


def test_with_neither_the_refusal_says_why_and_what_to_do() -> None:
    with pytest.raises(UserError) as refusal:
        choose(AUTO, trusted=False, offers=NEITHER)
    text = str(refusal.value)
    assert "docker: no engine answers" in text
    assert "bubblewrap: bwrap is not installed" in text
    assert "--trust-submissions" in text
    assert "\n" not in text


def test_the_process_sandbox_is_refused_for_a_stranger_s_code() -> None:
    with pytest.raises(UserError, match=r"does not stop hostile code.*--trust-submissions"):
        choose(PROCESS, trusted=False, offers=BOTH)


@pytest.mark.parametrize("trusted", [False, True])
def test_an_unavailable_choice_is_not_replaced(*, trusted: bool) -> None:
    with pytest.raises(UserError, match=r"The docker sandbox cannot be used here: no engine answers"):
        choose(DOCKER, trusted=trusted, offers=NO_DOCKER)


def test_the_process_sandbox_is_never_offered_for_hostile_code() -> None:
    assert PROCESS not in {offer.kind for offer in OFFERS}


def test_the_process_sandbox_needs_no_pool() -> None:
    sandbox = open_sandbox(PROCESS, SandboxSettings(), None)
    sandbox.close()
    assert not isinstance(sandbox, PooledSandbox)
    assert sandbox.name == "process"
