"""``python -m grader.worker SETTINGS``: runs one worker process."""

import sys

import msgspec

from grader.worker.limits import die_with_parent
from grader.worker.messages import WorkerSettings
from grader.worker.process import run_worker


def main() -> None:
    """Serve one grader over the standard streams until it closes them."""
    settings = msgspec.json.decode(sys.argv[1], type=WorkerSettings)
    die_with_parent(settings.parent)
    run_worker(settings)


if __name__ == "__main__":
    main()
