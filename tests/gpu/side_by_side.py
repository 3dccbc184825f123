"""Assign tests on a GPU to processes when pytest-xdist runs several side by side."""

import re

from xdist.scheduler import LoadScopeScheduling

_CASE = re.compile(r"\[(\S+ \S+) ")
"""The prefix of the name of a test that belongs to a lab's case."""


class ByCase(LoadScopeScheduling):
    """Keep tests of one lab case together, because drawing its inputs may take ten seconds; group others by file."""

    def _split_scope(self, nodeid: str) -> str:
        found = _CASE.search(nodeid)
        return found[1] if found else nodeid.partition("::")[0]
