"""The machinery for operators: queue, faults, workers and their devices, versions, and a backup."""

import tempfile
from pathlib import Path

from starlette.responses import Response

from grader.course import queue
from grader.course.operations import installation, operations, pause, resume
from grader.course.storage import backup
from grader.policy.access import Scope
from grader.portal.answers import download, page
from grader.portal.asked import Asked
from grader.portal.forms import NOT_FAILED, Failed, done_or_again
from grader.portal.page import Page

_HERE = "/machines"
_LANES = {
    "interactive": "staff-lane-interactive",
    "staff": "staff-lane-staff",
    "class": "staff-lane-class",
}


def machines(asked: Asked, failed: Failed = NOT_FAILED) -> Response:
    """The state of everything."""
    return page(
        asked,
        "machines.html.j2",
        found=operations(asked.workspace),
        lanes=_LANES,
        installed=installation(asked.workspace),
        failed=failed,
    )


def change_device(asked: Asked) -> Response:
    """Pause or resume a device."""

    def act() -> str:
        device = asked.text("device", 500)
        if asked.choice("do", {"pause": True, "resume": False}):
            pause(asked.workspace, device, asked.visitor.name)
        else:
            resume(asked.workspace, device)
        return _HERE

    return done_or_again(asked, "device", act, machines)


def change_job(asked: Asked) -> Response:
    """Retry or cancel a job."""

    def act() -> str:
        change = asked.choice("do", {"retry": queue.retry, "cancel": queue.cancel})
        change(asked.workspace, [asked.number("job", 1, 2**31)])
        return _HERE

    return done_or_again(asked, "job", act, machines)


def download_backup(asked: Asked) -> Response:
    """Everything in the store as one file."""
    name = f"grader-{asked.now:%Y-%m-%d-%H%M}.backup"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, name)
        backup(asked.workspace.config, file)
        return download(name, file.read_bytes())


ROUTES = (
    Page(path=_HERE, endpoint=machines, scope=Scope.OPERATE, label="staff-machines"),
    Page(path=f"{_HERE}/device", endpoint=change_device, scope=Scope.OPERATE, methods=("POST",)),
    Page(path=f"{_HERE}/job", endpoint=change_job, scope=Scope.OPERATE, methods=("POST",)),
    Page(path=f"{_HERE}/backup", endpoint=download_backup, scope=Scope.OPERATE, methods=("POST",)),
)
