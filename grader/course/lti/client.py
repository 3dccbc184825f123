"""The client of course systems, which an extra brings."""

from functools import cache

from grader.errors import UserError
from grader.lms.lti.port import LtiClient


@cache
def lti_client() -> LtiClient:
    """The client of this process; it remembers keys and tokens. Raises: ``UserError`` without the extra."""
    try:
        from grader.lms.lti.client import PyltiClient  # noqa: PLC0415 - an extra that only LTI needs
    except ModuleNotFoundError as error:
        msg = f"The package {error.name} is missing, which LTI needs."
        raise UserError(msg, hint="Install it with `pip install 'grader[lti]'`.") from error
    return PyltiClient()
