"""``[needs]`` in ``lab.toml`` and in a course's changes to a lab: the device on which jobs of the lab run."""

import re

import msgspec

from grader.labs.convert import refuse
from grader.model.needs import Needs

_CAPABILITY = re.compile(r"(\d{1,2})\.(\d)")


class NeedsTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The table as TOML gives it."""

    device: str = ""
    memory_mib: int = 0
    capability: str = ""


def needs_of(table: NeedsTable) -> Needs:
    """The needs in ``table``. Raises: ``ManifestError``."""
    if table.memory_mib < 0:
        refuse(f"needs: memory_mib must not be negative, and is {table.memory_mib}", "needs", "memory_mib")
    capability = _CAPABILITY.fullmatch(table.capability or "0.0")
    if capability is None:
        refuse(
            f'needs: capability must be a compute capability such as "8.0", and is {table.capability!r}',
            "needs",
            "capability",
        )
    return Needs(
        device=table.device,
        memory_mib=table.memory_mib,
        capability=(int(capability[1]), int(capability[2])),
    )
