"""The failure of a baseline, which is no mistake of the submission's."""

from grader.errors import InfrastructureError
from grader.model.run import Fault


def baseline_failed(fault: Fault) -> InfrastructureError:
    """The error of a comparison with a baseline that ends with ``fault``."""
    from grader.messages import render  # noqa: PLC0415 - a worker starts faster without what only this needs

    return InfrastructureError(f"the baseline does not run: {render(fault.reason)}")
