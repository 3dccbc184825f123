"""Run the tests of this folder inside a container that is set up like a run worker's.

``python -m tests.gpu.in_docker [ARGUMENT...]`` passes its arguments to pytest and returns pytest's exit code. The
container has the workers' image (from ``scripts/host_image.sh``, so that Python is the same), one GPU, no network, no
capability, Grader's system call filter and user 65534. It also sees this checkout and this Python's packages,
read-only.
"""

import os
import sys
from pathlib import Path

import docker
from docker.types import Mount

from grader.config.settings import SandboxSettings
from grader.sandbox.docker.image import tagged
from grader.sandbox.docker.options import NOBODY, SCRATCH, environment, gpu_options, host_options
from grader.sandbox.gpu import chosen_gpu
from grader.worker.messages import WorkerLimits
from tools.paths import CHECKOUT

_HANDED_ON = ("PYTHONPATH", "CUDA_HOME", "GRADER_COMMIT")

_SCRATCH_BYTES = 2**31


def main() -> int:
    """Run the tests, and print their output. Returns: pytest's exit code."""
    client = docker.from_env()
    info = client.info()
    gpu = chosen_gpu()
    limits = WorkerLimits(
        memory_bytes=0,
        processes=0,
        open_files=0,
        file_bytes=0,
        scratch_bytes=_SCRATCH_BYTES,
        cpus=float(info["NCPU"]),
    )
    options = host_options(limits, info) | gpu_options(gpu, info)
    options["mounts"] = [*options.get("mounts", []), *_packages()]
    del options["log_config"]  # the output is read from the engine
    created = client.api.create_container(
        tagged(SandboxSettings().image),
        ["-m", "pytest", "-c", "tests/gpu/pytest.ini", *(sys.argv[1:] or ["tests/gpu"])],
        entrypoint=[sys.executable],
        working_dir=str(CHECKOUT),
        user=NOBODY,
        environment=environment(gpu)
        | {name: os.environ[name] for name in _HANDED_ON if name in os.environ}
        | {"GRADER_GPU_RESULTS": f"{SCRATCH}/results", "PYTHONDONTWRITEBYTECODE": "1"},
        host_config=client.api.create_host_config(**options),
    )
    try:
        client.api.start(created["Id"])
        for printed in client.api.logs(created["Id"], stream=True, follow=True):
            sys.stdout.buffer.write(printed)
            sys.stdout.buffer.flush()
        return int(client.api.wait(created["Id"])["StatusCode"])
    finally:
        client.api.remove_container(created["Id"], force=True)


def _packages() -> list[Mount]:
    """Return this checkout and the folders that Python imports from, as far as they exist."""
    folders = {CHECKOUT, *(Path(folder) for folder in sys.path if folder and Path(folder).is_dir())}
    outermost = [folder for folder in folders if not any(other in folder.parents for other in folders)]
    return [Mount(target=str(each), source=str(each), type="bind", read_only=True) for each in outermost]


if __name__ == "__main__":
    sys.exit(main())
