"""The choice of a sandbox: never weaker than requested, and never the process sandbox for untrusted code."""

from contextlib import closing
from pathlib import Path

import pytest

from grader.config import load
from grader.config.settings import AUTO, SandboxSettings
from grader.errors import UserError
from grader.sandbox.builtin import BUBBLEWRAP, DOCKER, PROCESS
from grader.sandbox.choice import choose, offers_of, open_sandbox
from grader.sandbox.offer import Offer
from grader.sandbox.pool import PooledSandbox
from grader.sandbox.process import ProcessSandbox


def offer(name: str, problem: str | None, *, isolates: bool = True) -> Offer:
    return Offer(name=name, isolates=isolates, rank=1, open=ProcessSandbox, unavailable=lambda: problem)


LIMITS_ONLY = offer(PROCESS, None, isolates=False)
BOTH = (offer(DOCKER, None), offer(BUBBLEWRAP, None), LIMITS_ONLY)
NO_DOCKER = (offer(DOCKER, "no engine answers"), offer(BUBBLEWRAP, None), LIMITS_ONLY)
NEITHER = (offer(DOCKER, "no engine answers"), offer(BUBBLEWRAP, "bwrap is not installed"), LIMITS_ONLY)


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
    wish: str, *, trusted: bool, offers: tuple[Offer, ...], taken: str
) -> None:
    assert choose(wish, trusted=trusted, offers=offers).name == taken


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


def test_a_missing_sandbox_is_named_with_the_installed_ones() -> None:
    with pytest.raises(UserError, match=r"'jail'.*docker, bubblewrap, process"):
        choose("jail", trusted=True, offers=BOTH)


class TestTheInstalledSandboxes:
    """Sandboxes are entry points; the built-in ones come in the same way as others."""

    def test_the_built_in_ones_are_the_strongest_first(self) -> None:
        names = [offer.name for offer in offers_of(SandboxSettings())]
        assert names == [DOCKER, BUBBLEWRAP, PROCESS]

    def test_the_process_sandbox_does_not_claim_to_isolate(self) -> None:
        assert [offer.name for offer in offers_of(SandboxSettings()) if not offer.isolates] == [PROCESS]

    def test_the_process_sandbox_needs_no_pool(self) -> None:
        settings = SandboxSettings()
        sandbox = open_sandbox(choose(PROCESS, trusted=True, offers=offers_of(settings)), settings, None)
        sandbox.close()
        assert not isinstance(sandbox, PooledSandbox)
        assert sandbox.name == PROCESS

    @pytest.mark.usefixtures("installed_plugin")
    def test_one_of_another_package_is_found_and_can_be_configured(self, tmp_path: Path) -> None:
        (tmp_path / "grader.toml").write_text('sandbox.kind = "plain"', encoding="utf-8")
        settings = load(tmp_path).sandbox
        offer = choose(settings.kind, trusted=True, offers=offers_of(settings))
        with closing(open_sandbox(offer, settings, None)) as sandbox:
            assert sandbox.name == "plain"
        with pytest.raises(UserError, match="does not stop hostile code"):
            choose(settings.kind, trusted=False, offers=offers_of(settings))

    def test_without_its_package_its_name_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "grader.toml").write_text('sandbox.kind = "plain"', encoding="utf-8")
        with pytest.raises(UserError, match=r'"auto", "bubblewrap", "docker", "process", not "plain"'):
            load(tmp_path)
