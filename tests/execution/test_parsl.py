"""The executor over Parsl, with workers of this host, and with workers that join by hand."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from grader.config.settings import ExecutionSettings
from grader.errors import UserError
from grader.execution.port import Executor, ExecutorRequest
from grader.model.needs import ComputeDevice
from tests.execution.contract import ExecutorContract, found, hand_all
from tools.fake_jobs import ticket

pytest.importorskip("parsl", reason="the extra grader[cluster] is not installed")

from grader.execution.parsl_executor import ParslExecutor
from grader.execution.parsl_pool import pool_command, pool_environment
from grader.execution.worker_keys import host_keys, server_keys

FAR = ComputeDevice(id="GPU-7", engine="cuda", model="Fake")


class TestParslExecutor(ExecutorContract):
    """It meets the contract."""

    @pytest.fixture
    def executor(self, request_for: ExecutorRequest) -> Executor:
        return ParslExecutor(request_for)


@contextmanager
def pool(keys: Path, settings: ExecutionSettings, name: str) -> Iterator[None]:
    """Workers that were started by hand with ``keys``."""
    command = pool_command("127.0.0.1", settings.port, keys, [FAR], 1)
    command[command.index("--block_id") + 1] = name
    with (keys.parent / f"{name}.out").open("wb") as output:
        process = subprocess.Popen(command, env=pool_environment(), stdout=output, stderr=output)
        try:
            yield
        finally:
            process.terminate()
            process.wait()


def test_only_a_host_with_a_key_gets_jobs(request_for: ExecutorRequest, tmp_path: Path) -> None:
    settings = replace(request_for.settings, provider="hand", address="127.0.0.1", model="Fake")
    folder = tmp_path / settings.folder
    known = host_keys(folder, "known", tmp_path / "known" / "keys")
    stranger = host_keys(folder, "stranger", tmp_path / "stranger" / "keys")
    (server_keys(folder) / "host-stranger.key").unlink()
    executor = ParslExecutor(replace(request_for, settings=settings, devices=()))
    executor.start()
    try:
        with pool(stranger, settings, "stranger"):
            with pool(known, settings, "known"):
                outcomes = list(hand_all(executor, [ticket(number) for number in range(3)]))
                assert {found(outcome).visible for outcome in outcomes} == {FAR.id}
                assert {worker.host for worker in executor.workers()} == {"known"}
            deadline = time.monotonic() + 3
            while time.monotonic() < deadline:
                assert "stranger" not in {worker.host for worker in executor.workers()}
                time.sleep(0.5)
    finally:
        executor.close()


def test_keys_that_others_can_read_are_refused(tmp_path: Path) -> None:
    keys = host_keys(tmp_path / "server", "host", tmp_path / "keys")
    keys.chmod(0o755)
    with pytest.raises(UserError, match="Others can read"):
        pool_command("127.0.0.1", 1, keys, [FAR], 1)


def test_a_host_gets_one_key(tmp_path: Path) -> None:
    host_keys(tmp_path / "server", "host", tmp_path / "one")
    with pytest.raises(UserError, match="already"):
        host_keys(tmp_path / "server", "host", tmp_path / "two")


def test_a_host_gets_no_secret_of_the_server(tmp_path: Path) -> None:
    keys = host_keys(tmp_path / "server", "host", tmp_path / "one")
    secrets = {
        (server_keys(tmp_path / "server") / f"{name}.key_secret").read_text() for name in ("server", "client")
    }
    assert not any(file.read_text() in secrets for file in keys.iterdir())


def test_devices_of_several_models_are_refused(request_for: ExecutorRequest) -> None:
    other = replace(request_for.devices[0], id="GPU-9", model="Other")
    with pytest.raises(UserError, match="several models"):
        ParslExecutor(replace(request_for, devices=(*request_for.devices, other)))


def test_a_capability_that_is_none_is_refused(request_for: ExecutorRequest) -> None:
    settings = replace(request_for.settings, provider="slurm", capability="new")
    with pytest.raises(UserError, match="capability"):
        ParslExecutor(replace(request_for, settings=settings))
