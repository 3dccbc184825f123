"""Workers of this host that connect to a dispatcher elsewhere: the command that starts Parsl's pool by hand."""

import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from grader.errors import UserError
from grader.execution.parsl_executor import HEARTBEAT_SECONDS, LOST_AFTER_SECONDS
from grader.execution.parsl_programs import POOL
from grader.model.needs import ComputeDevice
from grader.sandbox.gpu import VISIBLE_VARIABLE

_OWNER_ONLY = 0o077


def pool_command(
    address: str, port: int, keys: Path, devices: Sequence[ComputeDevice], slots: int
) -> list[str]:
    """The command of a pool with ``slots`` workers for each of ``devices``, which connects to ``address``.

    Raises: ``UserError`` if ``keys`` is no folder of keys, or others can read it.
    """
    if not (keys / "client.key_secret").is_file():
        msg = f"{keys} holds no key of a host."
        raise UserError(msg, hint="Make one on the server: grader workers key NAME FOLDER")
    if keys.stat().st_mode & _OWNER_ONLY:
        msg = f"Others can read the keys in {keys}."
        raise UserError(msg, hint=f"Run: chmod -R go= {keys}")
    accelerators = [device.id for device in devices if device.is_gpu] * slots
    workers = len(accelerators) or slots
    return [
        *POOL,
        *("-a", address, "--port", str(port), "--cert_dir", str(keys)),
        *("--block_id", socket.gethostname(), "--logdir", str(keys.parent / "worker-logs")),
        *("--max_workers_per_node", str(workers), "-c", "0.001", "-m", "None", "-p", "0", "--poll", "10"),
        *("--hb_period", str(HEARTBEAT_SECONDS), "--hb_threshold", str(LOST_AFTER_SECONDS)),
        *("--drain_period", "None", "--cpu-affinity", "none", "--mpi-launcher", "mpiexec"),
        *(["--available-accelerators", *accelerators] if accelerators else []),
    ]


def pool_environment() -> dict[str, str]:
    """The environment of the pool: nothing outside chooses the devices."""
    environment = {name: value for name, value in os.environ.items() if name != VISIBLE_VARIABLE}
    return environment | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
