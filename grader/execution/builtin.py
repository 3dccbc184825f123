"""The executors that Grader brings."""

from grader.execution.local import LocalExecutor
from grader.execution.port import Executor, ExecutorRequest


def local(request: ExecutorRequest) -> Executor:
    """Worker processes on the devices of this host."""
    return LocalExecutor(request)


def parsl(request: ExecutorRequest) -> Executor:
    """Worker processes on other hosts or a cluster, started by Parsl's providers or by hand."""
    from grader.execution.parsl_executor import ParslExecutor  # noqa: PLC0415 - needs the extra `grader[cluster]`

    return ParslExecutor(request)
