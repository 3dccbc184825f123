"""CUDA graphs: work that is described once and then launched as a whole."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from grader.model.reason import reason
from grader.programs.bus import LAUNCH_SECONDS
from grader.programs.schedule import Schedule
from grader.programs.wire import Site
from grader.programs.work import Work


class NodeKind(IntEnum):
    """``cudaGraphNodeType`` of ``driver_types.h``."""

    KERNEL = 0
    COPY = 1
    FILL = 2
    HOST = 3
    CHILD = 4
    EMPTY = 5
    WAIT_EVENT = 6
    RECORD_EVENT = 7


_KINDS = {
    "work-kernel": NodeKind.KERNEL,
    "work-memset": NodeKind.FILL,
    "work-host-function": NodeKind.HOST,
}
"""The kind of a node by the name of its work; all other work copies."""


@dataclass(eq=False, slots=True, kw_only=True)
class Node:
    """A part of a graph, and the nodes that it waits for.

    ``work`` is launched each time, ``child`` is launched as a part, and ``event`` is recorded or waited for.
    """

    handle: int
    kind: NodeKind
    after: list["Node"]
    work: Work | None = None
    child: "Graph | None" = None
    event: int = 0


@dataclass(eq=False, slots=True, kw_only=True)
class Graph:
    """Nodes in the order in which they were added, which none of them contradicts; ``site`` made the graph."""

    handle: int
    site: Site
    nodes: list[Node] = field(default_factory=list)

    def ordered(self) -> Iterator[Node]:
        """The nodes, each behind those that it waits for. Raises: ``ValueError`` where they wait for each other."""
        done: set[Node] = set()
        left = list(self.nodes)
        while left:
            ready = [node for node in left if done.issuperset(node.after)]
            if not ready:
                msg = "the nodes wait for each other"
                raise ValueError(msg)
            done.update(ready)
            left = [node for node in left if node not in done]
            yield from ready

    def behind(self, nodes: Iterable[Node]) -> set[Node]:
        """``nodes``, and all that they wait for."""
        found: set[Node] = set()
        stack = list(nodes)
        while stack:
            node = stack.pop()
            if node not in found:
                found.add(node)
                stack += node.after
        return found


def kind_of(work: Work) -> NodeKind:
    """The kind of the node that launches ``work``."""
    return _KINDS.get(work.name.code, NodeKind.COPY)


@dataclass(eq=False, slots=True)
class Step:
    """A node of an executable graph: its work can be replaced, and it has a branch that runs beside the others.

    ``branch`` is the key of a hidden stream. ``after`` are the places of earlier steps.
    """

    node: Node
    kind: NodeKind
    work: Work | None
    event: int
    branch: int
    after: tuple[int, ...]
    is_enabled: bool = True


class Executable:
    """A graph that is ready for launches: a copy, so that the graph can change. Child graphs are part of it."""

    def __init__(self, graph: Graph, schedule: Schedule) -> None:
        """Raises: ``ValueError`` where nodes wait for each other."""
        self._schedule = schedule
        self.steps: list[Step] = []
        self._add(graph, ())

    def launch(self, key: int, site: Site) -> None:
        """Put all work behind that of a stream; the stream goes on when all is done."""
        schedule = self._schedule
        schedule.times.spend(LAUNCH_SECONDS)
        number = schedule.number(key)
        begin = schedule.add(self._mark(site, number), key)
        made: list[Work] = []
        for step in self.steps:
            for each in [made[place] for place in step.after] or [begin]:
                schedule.make_wait(step.branch, each)
            made.append(schedule.add(self._work(step, site, number), step.branch))
            if step.event and step.kind is NodeKind.RECORD_EVENT and step.event in schedule.events:
                schedule.events[step.event].mark = made[-1]
        for work in made:
            schedule.make_wait(key, work)
        schedule.add(self._mark(site, number), key)

    def replaced(self, node: Node) -> Step | None:
        """The step of a node; ``None`` where the executable graph has none."""
        return next((step for step in self.steps if step.node is node), None)

    def take_over(self, other: "Executable") -> Step | None:
        """Take the work of a graph of the same shape. Returns: the first step that differs, which changes nothing."""
        for mine, theirs in zip(self.steps, other.steps, strict=False):
            if mine.kind is not theirs.kind or mine.after != theirs.after:
                return theirs
        if len(self.steps) != len(other.steps):
            longer = max(self.steps, other.steps, key=len)
            return longer[min(len(self.steps), len(other.steps))]
        for mine, theirs in zip(self.steps, other.steps, strict=True):
            mine.node, mine.work, mine.event = theirs.node, theirs.work, theirs.event
        return None

    def close(self) -> None:
        """Give the branches back."""
        for branch in {step.branch for step in self.steps}:
            self._schedule.destroy_stream(branch)

    def _add(self, graph: Graph, outside: Sequence[int]) -> list[int]:
        """Add the steps of ``graph`` behind those ``outside``. Returns: the places of its last steps."""
        ends: dict[Node, list[int]] = {}
        for node in graph.ordered():
            after = [place for each in node.after for place in ends[each]] or list(outside)
            if node.child is not None:
                ends[node] = self._add(node.child, after) or after
                continue
            self.steps.append(
                Step(node, node.kind, node.work, node.event, self._branch(after), tuple(dict.fromkeys(after)))
            )
            ends[node] = [len(self.steps) - 1]
        waited = {each for node in graph.nodes for each in node.after}
        return [place for node, places in ends.items() if node not in waited for place in places]

    def _branch(self, after: Sequence[int]) -> int:
        """The branch of a step: that of the first step that it waits for and that no other continues."""
        continued = {step.branch: place for place, step in enumerate(self.steps)}
        for place in after:
            branch = self.steps[place].branch
            if continued[branch] == place:
                return branch
        return self._schedule.create_branch()

    def _work(self, step: Step, site: Site, number: int) -> Work:
        """New work that does what a step describes; it names the line that describes it."""
        described = step.work
        if described is None or not step.is_enabled:
            return self._mark(site, number)
        return Work(
            lane=described.lane,
            name=described.name,
            stream=number,
            site=described.site,
            perform=described.perform,
            pending=described.pending,
            moved_bytes=described.moved_bytes,
            touched=described.last_touched,
            is_of_graph=True,
        )

    def _mark(self, site: Site, number: int) -> Work:
        return Work(
            lane=None,
            name=reason("work-graph"),
            stream=number,
            site=site,
            perform=lambda: 0.0,
        )
