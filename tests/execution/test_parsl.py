"""The executor over Parsl, with workers of this host."""

import pytest

from grader.execution.port import Executor, ExecutorRequest
from tests.execution.contract import ExecutorContract

pytest.importorskip("parsl", reason="the extra grader[cluster] is not installed")


class TestParslExecutor(ExecutorContract):
    """It meets the contract."""

    @pytest.fixture
    def executor(self, request_for: ExecutorRequest) -> Executor:
        from grader.execution.parsl_executor import ParslExecutor  # noqa: PLC0415 - of an extra

        return ParslExecutor(request_for)
