"""Recording of work into a graph: by the capture of streams, and one node at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from grader.programs.graphs import Executable, Graph, Node, NodeKind, kind_of
from grader.programs.wire import Site
from grader.programs.work import Captured, Work

_HANDLE_STEP = 16
_FIRST_HANDLE = 1 << 20


class Mode(IntEnum):
    """``cudaStreamCaptureMode``."""

    GLOBAL = 0
    THREAD_LOCAL = 1
    RELAXED = 2


@dataclass(slots=True)
class Handles:
    """Numbers of graphs, nodes and executable graphs, which programs take for pointers."""

    last: int = _FIRST_HANDLE

    def next(self) -> int:
        """A new one."""
        self.last += _HANDLE_STEP
        return self.last


@dataclass(eq=False, slots=True, kw_only=True)
class Capture:
    """The capture of a stream, and of those that joined it.

    ``tails`` has for each of these streams the nodes that its next work waits for. ``site`` began the capture.
    """

    graph: Graph
    handles: Handles
    origin: int
    mode: Mode
    is_strict: bool
    site: Site
    tails: dict[int, list[Node]]
    is_valid: bool = True

    def record(self, work: Work, key: int) -> None:
        """Add work of a stream to the graph; an event only notes what it stands for."""
        if work.name.code == "work-event":
            work.captured = Captured(self, self.tails[key])
            return
        node = Node(handle=self.handles.next(), kind=kind_of(work), after=self.tails[key], work=work)
        work.captured = Captured(self, [node])
        self.graph.nodes.append(node)
        self.tails[key] = [node]

    def wait(self, key: int, nodes: Sequence[Node]) -> None:
        """Let a stream wait for nodes; it joins the capture."""
        known = self.tails.setdefault(key, [])
        self.tails[key] = list(dict.fromkeys([*known, *nodes]))

    @property
    def unjoined(self) -> Node | None:
        """A node of a stream that the origin does not wait for at the end."""
        joined = self.graph.behind(self.tails[self.origin])
        return next((node for tail in self.tails.values() for node in tail if node not in joined), None)


@dataclass(eq=False, slots=True, kw_only=True)
class NodeScope:
    """The description of one node: the next call of the program gives its work.

    ``replaced`` is the node, or the step of an executable graph, with the work that the call replaces.
    """

    graph: Graph | None
    handles: Handles
    after: list[Node]
    site: Site
    replaced: Node | None = None
    executable: Executable | None = None
    node: Node | None = field(default=None, init=False)

    def record(self, work: Work, key: int) -> None:
        """Make the node, or replace the work of one."""
        del key
        if self.executable is not None and self.replaced is not None:
            step = self.executable.replaced(self.replaced)
            if step is not None:
                step.work = work
            self.node = self.replaced
        elif self.replaced is not None:
            self.replaced.work = work
            self.node = self.replaced
        elif self.graph is not None:
            after = self.after if self.node is None else [self.node]
            self.node = Node(handle=self.handles.next(), kind=kind_of(work), after=after, work=work)
            self.graph.nodes.append(self.node)
        work.captured = Captured(self, [] if self.node is None else [self.node])

    def wait(self, key: int, nodes: Sequence[Node]) -> None:
        """A description waits for nothing but the nodes that it names."""


def empty_node(graph: Graph, handles: Handles, after: list[Node], kind: NodeKind = NodeKind.EMPTY) -> Node:
    """A node without work."""
    node = Node(handle=handles.next(), kind=kind, after=after)
    graph.nodes.append(node)
    return node
