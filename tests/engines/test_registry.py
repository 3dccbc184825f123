"""Engines are entry points; a worker gets what it needs of one and looks nothing up."""

from pathlib import Path

import msgspec
import pytest

from grader.config import load
from grader.engines.builtin import CUDA, EMULATOR
from grader.engines.registry import installed, support
from grader.errors import UserError
from grader.model.run import EngineKind
from grader.worker.messages import WorkerRole, WorkerSettings
from tools.plugin_metadata import install
from tools.worker_requests import LIMITS


def test_the_built_in_engines_are_found() -> None:
    assert dict(installed()) == {EngineKind.CUDA: CUDA, EngineKind.EMULATOR: EMULATOR}
    assert support("cuda") is CUDA


def test_a_missing_engine_is_named_with_the_installed_ones() -> None:
    with pytest.raises(UserError, match=r"'rocm'.*cuda, emulator"):
        support("rocm")


def test_what_is_no_engine_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    install(tmp_path, "other", "[grader.engines]\nother = grader.engines.builtin:CUDA\n")
    with pytest.raises(UserError, match="gives no engine called 'other'"):
        installed()


def test_a_worker_gets_its_engine_whole() -> None:
    settings = WorkerSettings(role=WorkerRole.RUN, limits=LIMITS, engine=CUDA)
    received = msgspec.json.decode(msgspec.json.encode(settings), type=WorkerSettings)
    assert received == settings
    assert received.needs_gpu
    assert not WorkerSettings(role=WorkerRole.RUN, limits=LIMITS, engine=EMULATOR).needs_gpu


@pytest.mark.usefixtures("installed_plugin")
def test_one_of_another_package_can_be_configured(tmp_path: Path) -> None:
    (tmp_path / "grader.toml").write_text('engine.kind = "quiet-emulator"', encoding="utf-8")
    assert support(load(tmp_path).engine.kind).modelled


def test_without_its_package_its_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "grader.toml").write_text('engine.kind = "quiet-emulator"', encoding="utf-8")
    with pytest.raises(UserError, match=r'"auto", "cuda", "emulator", not "quiet-emulator"'):
        load(tmp_path)
