"""The server of the chaos runs: a dispatcher with workers under Slurm.

``python -m tools.chaos_server URL FOLDER ADDRESS PORT``. ``FOLDER`` also holds the keys, with which a second host
joins by hand.
"""

import sys
from pathlib import Path

from grader.config.settings import Config, ExecutionSettings, StoreSettings
from grader.execution.device_health import DeviceHealth
from grader.execution.dispatcher import Dispatcher
from grader.execution.parsl_executor import ParslExecutor
from grader.execution.port import ExecutorRequest
from grader.store.sql_store import open_store
from tools.fake_jobs import WORK, FakeHandler
from tools.fake_work import FOLDER
from tools.paths import CHECKOUT

GPUS = 4
"""Of the node; the second host has one more."""


def settings(folder: Path, address: str, port: int) -> ExecutionSettings:
    """One Slurm job for each GPU."""
    return ExecutionSettings(
        executor="parsl",
        provider="slurm",
        address=address,
        port=port,
        blocks=GPUS,
        slots=1,
        queue="gpu",
        model="Fake",
        options=("--gres=gpu:1",),
        before=f"export PYTHONPATH={CHECKOUT} {FOLDER}={folder}/devices",
        idle_seconds=5.0,
        folder="workers",
    )


def main(url: str, folder: str, address: str, port: str) -> None:
    """Serve the queue until somebody ends this process."""
    store = open_store(Config(base=Path(folder), store=StoreSettings(url=url)))
    request = ExecutorRequest(
        settings=settings(Path(folder), address, int(port)),
        work=WORK,
        folder=Path(folder),
        devices=(),
        slots=lambda _: 1,
    )
    with Dispatcher(store, ParslExecutor(request), FakeHandler(store), DeviceHealth()) as dispatcher:
        while True:
            dispatcher.step(0.1)


if __name__ == "__main__":
    main(*sys.argv[1:])
