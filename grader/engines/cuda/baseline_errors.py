"""Failures of the baseline, kept apart from those of the submission."""

from collections.abc import Iterator
from contextlib import contextmanager

from grader.engines.cuda.status import LaunchFailedError


class BaselineFailedError(LaunchFailedError):
    """A launch of the baseline failed, which is no mistake of the submission's."""

    def __init__(self, failed: LaunchFailedError) -> None:
        super().__init__(failed.fault, failed.diagnostic.kind, lethal=failed.lethal)


@contextmanager
def as_baseline_error() -> Iterator[None]:
    """Raises: ``BaselineFailedError`` for a ``LaunchFailedError`` in the block."""
    try:
        yield
    except LaunchFailedError as failed:
        raise BaselineFailedError(failed) from failed
