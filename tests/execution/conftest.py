"""Fake devices for executors."""

import socket
from pathlib import Path

import pytest

from grader.config.settings import ExecutionSettings
from grader.execution.port import ExecutorRequest
from grader.model.needs import ComputeDevice
from tests.databases import new_postgresql_url, postgresql_url, sqlite_url, url
from tools.fake_jobs import WORK
from tools.fake_work import FOLDER
from tools.paths import CHECKOUT

__all__ = ["new_postgresql_url", "postgresql_url", "sqlite_url", "url"]

DEVICES = tuple(
    ComputeDevice(id=f"GPU-{number}", engine="cuda", model="Fake H100", memory_mib=81920, capability=(9, 0))
    for number in range(2)
)


@pytest.fixture
def fake_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the fake devices have their locks."""
    folder = tmp_path / "devices"
    folder.mkdir()
    monkeypatch.setenv(FOLDER, str(folder))
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))
    return folder


def unused_port() -> int:
    """A port of this host that nothing listens on."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


@pytest.fixture
def request_for(tmp_path: Path, fake_folder: Path) -> ExecutorRequest:
    """Two fake GPUs with one slot each."""
    assert fake_folder.is_dir()
    settings = ExecutionSettings(port=unused_port())
    return ExecutorRequest(settings=settings, work=WORK, folder=tmp_path, devices=DEVICES, slots=lambda _: 1)
