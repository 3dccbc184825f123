"""What a run inside of the container needs to know: written into the zip when it is built."""

from dataclasses import asdict, dataclass
from enum import StrEnum

import msgspec

from grader.errors import UserError
from grader.lms.gradescope_image.rate_limit import RateLimit

FILE = "gradescope.json"
"""The name of the settings among the sources."""


class ShownWhen(StrEnum):
    """When students see results, in Gradescope's words."""

    VISIBLE = "visible"
    AFTER_DUE_DATE = "after_due_date"
    AFTER_PUBLISHED = "after_published"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """The lab, when students see results, whether there is a leaderboard, the language and the rate limit."""

    lab: str
    visibility: ShownWhen = ShownWhen.VISIBLE
    leaderboard: bool = True
    language: str = "en"
    limit: RateLimit | None = None

    def encoded(self) -> bytes:
        """These settings as JSON."""
        return msgspec.json.format(msgspec.json.encode(asdict(self)), indent=2) + b"\n"


def settings_of(data: bytes) -> RunSettings:
    """The settings in ``data``. Raises: ``UserError`` if they are damaged."""
    try:
        return msgspec.json.decode(data, type=RunSettings)
    except msgspec.DecodeError as error:
        msg = f"{FILE} is damaged: {error}."
        raise UserError(msg, hint="Build autograder.zip again.") from error
