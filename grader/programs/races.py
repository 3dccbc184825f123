"""Races of two streams: work that uses the same bytes, of which one writes them, and that nothing orders.

Only work that is unfinished at one time can race, because the host issues later work after it has waited for the
earlier. So accesses are kept while anything is unfinished, and only of work that has peers.
"""

from dataclasses import dataclass

from grader.engines.touched import Access, Clash, Touched
from grader.model.diagnostic import DiagnosticKind
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason
from grader.programs.clocks import HOST
from grader.programs.findings import Findings
from grader.programs.memory import ProgramMemory
from grader.programs.schedule import Schedule, is_legacy
from grader.programs.wire import Site
from grader.programs.work import Work

_MOST_KEPT = 4096
"""Accesses that are kept for each allocation; the oldest are forgotten."""

_HOST_BYTES = 1
"""Bytes of a host's access that is known by its address alone."""


@dataclass(frozen=True, slots=True)
class _HostAccess:
    """The host's own access at a line, at a position on its clock."""

    site: Site
    position: int


@dataclass(frozen=True, slots=True)
class _Kept:
    by: Work | _HostAccess
    touched: Touched


class Races:
    """Compares each piece of work with what ran beside it."""

    def __init__(self, schedule: Schedule, memory: ProgramMemory, findings: Findings) -> None:
        self._schedule = schedule
        self._memory = memory
        self._findings = findings
        self._kept: dict[int, list[_Kept]] = {}

    def check(self, work: Work) -> None:
        """Compare ``work``, which has just run, with what ran before it and may have run beside it."""
        if self._schedule.has_peers(work):
            for touched in work.touched():
                self._compare(work, touched)
        if self._schedule.is_idle:
            self._kept.clear()

    def note_host(self, address: int, site: Site, *, is_write: bool) -> None:
        """Keep an access of the host to memory that unfinished work may use."""
        position = self._schedule.host.get(HOST, 0) + 1
        self._schedule.host[HOST] = position
        access = Access.WRITE if is_write else Access.READ
        for work in self._schedule.owners(address, is_write=True):
            work.has_peers = True
        touched = Touched.whole(address, _HOST_BYTES, access)
        self._keep(_Kept(_HostAccess(site, position), touched))

    def _compare(self, work: Work, touched: Touched) -> None:
        for before in self._kept.get(self._allocation(touched), ()):
            if isinstance(before.by, _HostAccess):
                is_ordered = work.clock.get(HOST, 0) >= before.by.position
            else:
                is_ordered = before.by.is_ordered_before(work.clock)
            clash = None if is_ordered else before.touched.clash(touched)
            if clash is not None:
                self._say(before.by, work, clash)
        self._keep(_Kept(work, touched))

    def _keep(self, kept: _Kept) -> None:
        all_kept = self._kept.setdefault(self._allocation(kept.touched), [])
        all_kept.append(kept)
        del all_kept[:-_MOST_KEPT]

    def _allocation(self, touched: Touched) -> int:
        return self._memory.window(touched.start)

    def _say(self, before: Work | _HostAccess, work: Work, clash: Clash) -> None:
        name = self._memory.name(clash.address)
        if isinstance(before, _HostAccess):
            code = "host-writes-early" if clash.writes else "host-reads-early"
            said = reason(code, name=name, work=work.name)
            advice = reason("wait-before-this")
            self._findings.error(
                DiagnosticKind.MISSING_WAIT, before.site, said, advice, self._findings.line(work.site)
            )
            return
        is_swapped = before.issue > work.issue
        first, second = (work, before) if is_swapped else (before, work)
        first_writes, second_writes = (
            (clash.other_writes, clash.writes) if is_swapped else (clash.writes, clash.other_writes)
        )
        line = self._findings.line(first.site)
        said = reason(
            _CODES[first_writes, second_writes],
            name=name,
            first=first.name,
            second=second.name,
            first_stream=first.stream,
            second_stream=second.stream,
        )
        self._findings.error(
            DiagnosticKind.STREAM_RACE, second.site, said, _advice(first, second, line), line
        )


_CODES = {
    (True, True): "streams-write-both",
    (True, False): "streams-write-then-read",
    (False, True): "streams-read-then-write",
}
"""The statement by whether the first and the second work write."""


def _advice(first: Work, second: Work, line: SourceLocation) -> Reason:
    """What orders two pieces of work."""
    if first.is_of_graph and second.is_of_graph:
        return reason("order-in-graph")
    uses_default = is_legacy(first.key) or is_legacy(second.key)
    code = "default-stream-does-not-wait" if uses_default else "order-by-event"
    return reason(code, stream=second.stream, line=line.line or 0)
