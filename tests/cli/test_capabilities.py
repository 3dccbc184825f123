"""What ``grader doctor`` reports about the sandboxes."""

from grader.cli.capabilities import Capability, sandboxes
from grader.config.settings import SandboxChoice
from grader.sandbox.choice import Offer
from grader.sandbox.process import ProcessSandbox


def offer(kind: SandboxChoice, problem: str | None = None, *weaknesses: str) -> Offer:
    return Offer(
        kind=kind,
        unavailable=lambda: problem,
        open=ProcessSandbox,
        weaknesses=lambda: weaknesses,
    )


def capabilities(*offers: Offer) -> dict[str, Capability]:
    return {capability.name: capability for capability in sandboxes(offers)}


def test_the_strongest_is_the_one_that_auto_takes() -> None:
    found = capabilities(offer(SandboxChoice.DOCKER), offer(SandboxChoice.BUBBLEWRAP))
    assert '"auto" takes it' in found["docker sandbox"].detail
    assert '"auto" takes it' not in found["bubblewrap sandbox"].detail
    assert found["process sandbox"].hint == ""


def test_one_that_is_missing_says_why_and_the_next_is_taken() -> None:
    found = capabilities(
        offer(SandboxChoice.DOCKER, "no engine answers"),
        offer(SandboxChoice.BUBBLEWRAP, None, "It leaks a bit."),
    )
    assert not found["docker sandbox"].present
    assert found["docker sandbox"].detail == "no engine answers"
    assert '"auto" takes it' in found["bubblewrap sandbox"].detail
    assert found["bubblewrap sandbox"].hint == "It leaks a bit."


def test_with_neither_it_is_said_how_to_grade() -> None:
    found = capabilities(
        offer(SandboxChoice.DOCKER, "no engine answers"),
        offer(SandboxChoice.BUBBLEWRAP, "bwrap is not installed"),
    )
    assert "--trust-submissions" in found["process sandbox"].hint
