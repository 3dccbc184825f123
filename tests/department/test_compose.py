"""A department's server on a real engine: sign in through HTTPS, submit, be graded, restart, back up and restore."""

import os
import re
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tools.paths import CHECKOUT
from tools.portal_process import free_port

COMPOSE = os.environ.get("GRADER_TEST_COMPOSE", "")
"""The compose program; CI sets it, and builds the images."""

pytestmark = pytest.mark.skipif(not COMPOSE, reason="GRADER_TEST_COMPOSE names no compose program")

_COURSE = '[course]\ntitle = "GPU programming"\ntime_zone = "UTC"\n[labs.row-sum]\n'
_PEOPLE = "id,name,email\nada,Ada Lovelace,ada@example.edu\n"
_SECONDS = 120


@dataclass(frozen=True, kw_only=True)
class Department:
    """The server in ``folder``, at ``url``."""

    folder: Path
    url: str
    environment: dict[str, str] = field(default_factory=dict)

    def compose(self, *arguments: str, **options: Any) -> str:
        """What a command of compose prints."""
        return self.run(COMPOSE, *arguments, **options)

    def run(self, *command: str, **options: Any) -> str:
        """What a command in the folder prints; its other output is shown if it fails."""
        done = subprocess.run(
            command,
            check=False,
            cwd=self.folder,
            env=os.environ | self.environment,
            capture_output=True,
            text=True,
            **options,
        )
        assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
        return str(done.stdout)

    def grader(self, *arguments: str) -> str:
        """What a command of Grader prints in the server's container."""
        return self.compose("exec", "-T", "server", "entrypoint", *arguments)

    @contextmanager
    def browser(self) -> Iterator[httpx2.Client]:
        """A browser that trusts the proxy's own authority."""
        authority = self.compose("exec", "-T", "proxy", "cat", "/data/caddy/pki/authorities/local/root.crt")
        context = ssl.create_default_context(cadata=authority)
        with httpx2.Client(
            base_url=self.url, verify=context, headers={"Origin": self.url}, timeout=30
        ) as client:
            yield client

    def wait(self) -> None:
        """Wait until pages are served through the proxy."""
        deadline = time.monotonic() + _SECONDS
        while True:
            try:
                with self.browser() as client:
                    if client.get("/healthz").status_code == httpx2.codes.OK:
                        return
            except (httpx2.TransportError, AssertionError):
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.5)


@pytest.fixture
def department(tmp_path: Path) -> Iterator[Department]:
    folder = tmp_path / "deploy"
    shutil.copytree(CHECKOUT / "deploy", folder)
    https, http = free_port(), free_port()
    made = Department(
        folder=folder,
        url=f"https://localhost:{https}",
        environment={
            "COMPOSE": COMPOSE,
            "COMPOSE_PROJECT_NAME": f"grader-test-{https}",
            "GRADER_PROCESSES": "1",
            "GRADER_HTTPS_PORT": f"127.0.0.1:{https}",
            "GRADER_HTTP_PORT": f"127.0.0.1:{http}",
        },
    )
    made.run("./prepare", "localhost", "tls internal")
    settings = folder / "course" / "grader.toml"
    settings.write_text(settings.read_text("utf-8").replace('https://localhost"', f'{made.url}"'), "utf-8")
    (folder / "course" / "course.toml").write_text(_COURSE, "utf-8")
    (folder / "course" / "people.csv").write_text(_PEOPLE, "utf-8")
    try:
        made.compose("up", "--detach")
        made.wait()
        yield made
    finally:
        made.compose("down", "--volumes", "--timeout", "2")


def signed_in(department: Department, client: httpx2.Client) -> None:
    """Ada follows her link."""
    (path,) = re.findall(r"/sign-in/link/[\w-]+", department.grader("course", "invite", "ada"))
    assert client.get(path).status_code == httpx2.codes.OK
    assert client.post(path).status_code == httpx2.codes.SEE_OTHER


def wait_until_graded(client: httpx2.Client, attempt: str) -> None:
    """Ask for the state of an attempt until it is final."""
    deadline = time.monotonic() + _SECONDS
    while not (state := client.get(f"{attempt}/state").json())["final"]:
        assert time.monotonic() < deadline, state
        time.sleep(1)
    assert state["phase"] == "done", state


def test_a_department_grades_restarts_and_is_restored(department: Department, tmp_path: Path) -> None:
    department.grader("course", "roster", "people.csv")
    with department.browser() as client:
        signed_in(department, client)
        source = (CHECKOUT / "submissions" / "row-sum" / "student-04.py").read_bytes()
        sent = client.post("/labs/row-sum/attempts", files={"file": ("ada.py", source)})
        assert sent.status_code == httpx2.codes.SEE_OTHER, sent.text
        attempt = sent.headers["location"]
        wait_until_graded(client, attempt)
        assert "row-sum" in client.get(attempt).text

        department.compose("restart", "server", "workers", "database")
        department.wait()
        assert client.get(f"{attempt}/state").json()["final"]

    department.run("./backup", str(tmp_path / "monday.backup"))
    department.compose("down", "--volumes", "--timeout", "2")
    department.run("./restore", str(tmp_path / "monday.backup"))
    department.compose("up", "--detach")
    department.wait()
    with department.browser() as client:
        signed_in(department, client)
        assert client.get(attempt).status_code == httpx2.codes.OK
