"""The executor of this host."""

import time
from dataclasses import replace

import psutil
import pytest

from grader.config.settings import ExecutionSettings
from grader.execution.local import LocalExecutor
from grader.execution.port import Executor, ExecutorRequest
from grader.execution.ticket import Reply
from grader.model.needs import ComputeDevice
from tests.execution.contract import ExecutorContract, found, hand_all
from tools.fake_jobs import ticket


class TestLocalExecutor(ExecutorContract):
    """It meets the contract."""

    @pytest.fixture
    def executor(self, request_for: ExecutorRequest) -> Executor:
        return LocalExecutor(request_for)

    def test_an_idle_worker_ends_and_another_starts(self, request_for: ExecutorRequest) -> None:
        executor = LocalExecutor(replace(request_for, settings=ExecutionSettings(idle_seconds=0.1)))
        (first,) = hand_all(executor, [ticket(1)])
        deadline = time.monotonic() + 10
        while psutil.pid_exists(found(first).pid) and time.monotonic() < deadline:
            list(executor.outcomes(0.05))
        assert not psutil.pid_exists(found(first).pid)
        (second,) = hand_all(executor, [ticket(2)])
        executor.close()
        assert found(first).pid != found(second).pid

    def test_a_device_is_a_worker_before_its_first_job(self, request_for: ExecutorRequest) -> None:
        executor = LocalExecutor(request_for)
        assert {worker.device for worker in executor.workers()} == set(request_for.devices)
        assert not any(worker.jobs for worker in executor.workers())

    def test_a_device_that_cannot_be_opened_says_why(self, request_for: ExecutorRequest) -> None:
        broken = ComputeDevice(id="GPU-9", engine="cuda", model="broken")
        executor = LocalExecutor(replace(request_for, devices=(broken,)))
        (outcome,) = hand_all(executor, [ticket(1)])
        executor.close()
        assert Reply.decode(outcome.reply).problem == "the device fell off the bus"
