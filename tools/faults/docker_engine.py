"""A private Docker engine, which a test may kill."""

import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Self

import docker
import psutil

_START_SECONDS = 120.0
_POLL_SECONDS = 0.1
_ALONE = ("--bridge=none", "--iptables=false", "--ip6tables=false")
"""No container gets a network, and two engines must not rule over the same one."""


class OwnEngine:
    """An engine with its own socket and folders. Use it as a context manager."""

    def __init__(self) -> None:
        """Start it, without an image. Raises: ``TimeoutError`` where it does not start."""
        self._folder = Path(tempfile.mkdtemp(prefix="engine-"))
        self.host = f"unix://{self._folder / 'docker.sock'}"
        self.client = docker.DockerClient(base_url=self.host, version="1.40")
        self.start()
        self._own_mounts = self._mounts()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
        self.client.close()
        for mount in sorted(self._mounts(), reverse=True):
            subprocess.run(["/bin/umount", mount], check=True)
        shutil.rmtree(self._folder)

    def start(self) -> None:
        """Start it, as often as it takes, and wait until it answers. Raises: ``TimeoutError``."""
        roots = [f"--data-root={self._folder / 'data'}", f"--exec-root={self._folder / 'exec'}"]
        command = ["dockerd", "--host", self.host, f"--pidfile={self._folder / 'pid'}", *roots, *_ALONE]
        self._process = self._launched(command)
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            if time.monotonic() > deadline:
                raise TimeoutError((self._folder / "log").read_text("utf-8", "replace")[-2000:])
            if self._process.poll() is not None:
                # It took what its predecessor had started for alive. A service manager restarts an engine then.
                self._process = self._launched(command)
            time.sleep(_POLL_SECONDS)

    def _launched(self, command: list[str]) -> subprocess.Popen[bytes]:
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

    def kill(self) -> None:
        """Kill the engine's process at once; containers and what keeps them may go on."""
        self._process.kill()
        self._process.wait()

    def load(self, image: str) -> None:
        """Take ``image`` over from the usual engine."""
        pipe = 'docker save "$0" | docker --host "$1" load --quiet'
        subprocess.run(["/bin/sh", "-c", pipe, image, self.host], check=True)

    def processes(self) -> list[psutil.Process]:
        """What runs in its containers now."""
        first = [
            self.client.api.inspect_container(row["Id"])["State"]["Pid"]
            for row in self.client.api.containers()
        ]
        found = [psutil.Process(pid) for pid in first if pid and psutil.pid_exists(pid)]
        return [one for process in found for one in (process, *process.children(recursive=True))]

    def left(self) -> list[str]:
        """Containers, their keepers and their mounts that are still there."""
        containers = [row["Id"] for row in self.client.api.containers(all=True)]
        shims = [
            command
            for process in psutil.process_iter(["cmdline"])
            if str(self._folder) in (command := " ".join(process.info["cmdline"] or []))
            and "-shim" in command
        ]
        return [*containers, *shims, *sorted(self._mounts() - self._own_mounts)]

    def _mounts(self) -> set[str]:
        lines = Path("/proc/mounts").read_text("utf-8").splitlines()
        return {mount for line in lines if (mount := line.split()[1]).startswith(f"{self._folder}/")}

    def _answers(self) -> bool:
        try:
            return bool(self.client.ping())
        except (docker.errors.DockerException, OSError):
            return False
