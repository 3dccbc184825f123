"""``grader serve`` in a process of its own."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2

_START_SECONDS = 60


@dataclass(frozen=True, kw_only=True)
class Served:
    """A server at ``url``. ``link`` is the path of the link for the first instructor, if one was printed."""

    process: "subprocess.Popen[str]"
    url: str
    link: str


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@contextmanager
def served(folder: Path, *options: str) -> Iterator[Served]:
    """Context manager: the course in ``folder``, served until the end of the block."""
    port = free_port()
    settings = folder / "grader.toml"
    if "[portal]" not in settings.read_text("utf-8"):
        with settings.open("a", encoding="utf-8") as file:
            file.write(f'\n[portal]\nurl = "http://127.0.0.1:{port}"\n')
    command = [sys.executable, "-m", "grader.cli", "serve", "--port", str(port), *options]
    output = folder / "served.txt"
    with output.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(command, cwd=folder, stdout=file, stderr=subprocess.STDOUT, text=True)
    try:
        url = f"http://127.0.0.1:{port}"
        _wait(process, url, output)
        found = re.search(r"/sign-in/link/\S+", output.read_text("utf-8"))
        yield Served(process=process, url=url, link=found[0] if found else "")
    finally:
        process.terminate()
        process.wait(60)


def _wait(process: "subprocess.Popen[str]", url: str, output: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            httpx2.get(f"{url}/sign-in")
        except httpx2.TransportError:
            time.sleep(0.1)
        else:
            return
    msg = f"the server does not answer: {output.read_text('utf-8')}"
    raise RuntimeError(msg)
