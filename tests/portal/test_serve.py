"""``grader serve``: from an empty folder to a signed-in instructor."""

import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx2
import psutil
import pytest

from grader.cli.serve_workers import WorkersBeside
from grader.portal.rates import PASSWORD
from tools.portal_process import served


def _until(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 20
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def test_the_first_instructor_signs_in_with_the_printed_link(tmp_path: Path) -> None:
    (tmp_path / "grader.toml").write_text('[engine]\nkind = "emulator"\n', encoding="utf-8")
    with served(tmp_path, "--no-workers") as server, httpx2.Client(base_url=server.url) as client:
        assert client.get(server.link).status_code == 200
        assert client.post(server.link).status_code == 303
        assert client.get("/", follow_redirects=True).status_code == 200
        assert client.post(server.link).status_code == 410
        assert client.get("/").headers.get("server") is None
    assert server.process.returncode in {0, 143, -15}
    with served(tmp_path, "--no-workers") as server:
        assert server.link == ""


def test_several_processes_share_the_sessions(tmp_path: Path) -> None:
    (tmp_path / "grader.toml").write_text('[engine]\nkind = "emulator"\n', encoding="utf-8")
    with served(tmp_path, "--no-workers", "--processes", "2") as server:
        with httpx2.Client(base_url=server.url) as client:
            assert client.post(server.link).status_code == 303
            cookies = dict(client.cookies)
        # A connection of its own for each request, so that either process answers.
        for _ in range(6):
            answer = httpx2.get(f"{server.url}/", cookies=cookies)
            assert answer.headers.get("location") != "/sign-in"


def test_processes_share_limits_and_figures(tmp_path: Path) -> None:
    (tmp_path / "grader.toml").write_text('[engine]\nkind = "emulator"\n', encoding="utf-8")
    with served(tmp_path, "--no-workers", "--processes", "2") as server:
        with httpx2.Client(base_url=server.url, headers={"Origin": server.url}) as client:
            assert client.post(server.link).status_code == 303
            made = client.post("/me/tokens", data={"label": "monitor", "scope": ["operate"], "days": "1"})
            assert made.status_code in {200, 201}, made.text
            secret = re.search(r"gr_[\w-]+", made.text)
        assert secret is not None
        wrong = {"person": "nobody", "password": "not the password"}
        statuses = [
            httpx2.post(f"{server.url}/sign-in", data=wrong, headers={"Origin": server.url}).status_code
            for _ in range(PASSWORD.burst + 2)
        ]
        assert statuses == [*[401] * PASSWORD.burst, 429, 429]
        time.sleep(1.5)
        figures = {
            httpx2.get(f"{server.url}/metrics", headers={"Authorization": f"Bearer {secret[0]}"}).text
            for _ in range(6)
        }
        counted = [re.search(r'page="/sign-in",status="401"} (\d+)', text) for text in figures]
        assert {found and int(found[1]) for found in counted} == {PASSWORD.burst}


def test_everything_ends_with_a_server_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "grader.toml").write_text('[engine]\nkind = "emulator"\n', encoding="utf-8")
    with served(tmp_path, "--processes", "2") as server:
        log = tmp_path / "served.txt"
        assert _until(lambda: "grader workers stop" in log.read_text("utf-8"))
        started = psutil.Process(server.process.pid).children(recursive=True)
        assert any("workers" in each.cmdline() for each in started)
        assert len(started) >= 3
        server.kill()
        _, alive = psutil.wait_procs(started, timeout=20)
        assert alive == []


def test_workers_that_end_are_started_again(tmp_path: Path) -> None:
    script = f"open({str(tmp_path / 'starts')!r}, 'a').write('x')"
    starts = tmp_path / "starts"
    with WorkersBeside((sys.executable, "-c", script), pause=0.05):
        assert _until(lambda: starts.exists() and len(starts.read_text()) >= 2)


def test_workers_end_with_the_server(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    script = (
        "import pathlib, time, sys\n"
        f"mark = pathlib.Path({str(mark)!r})\n"
        "mark.write_text('started')\n"
        "try:\n    time.sleep(60)\nfinally:\n    mark.write_text('ended')\n"
    )
    script = "import signal\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\nimport sys\n" + script
    with WorkersBeside((sys.executable, "-c", script)):
        assert _until(lambda: mark.exists() and mark.read_text() == "started")
    assert mark.read_text() == "ended"


@pytest.mark.parametrize("package", ["uvicorn", "authlib"])
def test_a_missing_extra_is_named(
    package: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from grader.cli import serve  # noqa: PLC0415 - its finder is replaced
    from grader.cli.app import USER_ERROR, run  # noqa: PLC0415 - the same

    monkeypatch.setattr(serve, "find_spec", lambda name: None if name == package else name)
    assert run(["serve"]) == USER_ERROR
    shown = capsys.readouterr().err
    assert package in shown
    assert "grader[server]" in shown
