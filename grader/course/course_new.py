"""Write the commented file of a new course."""

from collections.abc import Sequence
from pathlib import Path
from zoneinfo import available_timezones

from grader.config.wording import display, nearest
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.messages import LANGUAGES
from grader.model.text import printable
from grader.policy.course_file import FILE_NAME
from grader.policy.course_template import template


def new_course(  # noqa: PLR0913 - what the file says first
    workspace: Workspace, folder: Path, labs: Sequence[str], *, title: str, zone: str, language: str
) -> Path:
    """Write ``course.toml`` into ``folder``, with ``labs`` or every lab there is. Returns: the file.

    Raises: ``UserError`` for an unknown lab, time zone or language, or if the file is there already.
    """
    registry = workspace.registry
    for name in labs:
        registry.get(name)
    if zone not in available_timezones():
        near = nearest(zone, available_timezones())
        msg = f"{printable(zone)} is no time zone."
        raise UserError(msg, hint=f"Did you mean {near}?" if near else "Name one such as Europe/Berlin.")
    if language not in LANGUAGES:
        msg = f"{printable(language)} is no language of reports."
        raise UserError(msg, hint=f"Use one of {', '.join(LANGUAGES)}.")
    path = folder / FILE_NAME
    text = template(labs or sorted(registry.labs), title=title, zone=zone, language=language)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        msg = f"{display(path.absolute())} exists already."
        raise UserError(msg, hint="Edit it, or name another folder.") from error
    except OSError as error:
        msg = f"{display(path.absolute())} cannot be written: {error.strerror}."
        raise UserError(msg) from error
    return path
