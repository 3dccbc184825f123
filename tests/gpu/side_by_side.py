"""Which tests on a GPU go to one process, where pytest-xdist runs several side by side."""

import re

from xdist.scheduler import LoadScopeScheduling

_CASE = re.compile(r"\[(\S+ \S+) ")
"""How the name of a test begins that is of a lab's case."""


class ByCase(LoadScopeScheduling):
    """Tests of one case of a lab stay together, for its inputs may take ten seconds to draw; others go by file."""

    def _split_scope(self, nodeid: str) -> str:
        found = _CASE.search(nodeid)
        return found[1] if found else nodeid.partition("::")[0]
