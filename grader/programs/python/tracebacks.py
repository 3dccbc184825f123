"""The exception that ended a Python program, as its interpreter printed it."""

import re
from collections.abc import Collection
from pathlib import Path

from grader.compile.messages import clean
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason

_TRACEBACK = "Traceback (most recent call last):\n"
_FRAME = re.compile(r'^ +File "([^"\n]+)", line (\d+)', re.MULTILINE)
_RAISED = re.compile(r"^([A-Za-z_][\w.]*(?:: ?\s*.+)?)$", re.MULTILINE)
_MOST = 300


def raised(printed: str, files: Collection[str]) -> Reason | None:
    """The last exception in ``printed``, at its innermost line of ``files``; ``None`` where there is none."""
    _, found, text = printed.rpartition(_TRACEBACK)
    error = _RAISED.search(text)
    if not found or error is None:
        return None
    own = [(Path(path).name, int(line)) for path, line in _FRAME.findall(text) if Path(path).name in files]
    location = SourceLocation(file=own[-1][0], line=own[-1][1]) if own else SourceLocation()
    return reason("program-raises", location=location, error=clean(error[1][:_MOST]))
