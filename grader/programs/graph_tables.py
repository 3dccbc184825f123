"""Graphs, nodes and executable graphs by their handles, and how calls about them are refused."""

import struct
from dataclasses import dataclass, field

from grader.model.diagnostic import DiagnosticKind
from grader.model.reason import Reason, reason
from grader.programs.capture import Handles
from grader.programs.device_state import State
from grader.programs.error_codes import Error
from grader.programs.graphs import Executable, Graph, Node
from grader.programs.wire import Reply, Request

WORD = 8
"""Bytes of a handle."""


@dataclass(slots=True, kw_only=True)
class GraphTables:
    """What a program's handles stand for."""

    state: State
    handles: Handles = field(default_factory=Handles)
    graphs: dict[int, Graph] = field(default_factory=dict)
    nodes: dict[int, Node] = field(default_factory=dict)
    executables: dict[int, Executable] = field(default_factory=dict)

    def new_graph(self, asked: Request) -> Graph:
        """An empty graph."""
        graph = Graph(handle=self.handles.next(), site=asked.site)
        self.graphs[graph.handle] = graph
        return graph

    def known(self, handles: bytes) -> list[Node]:
        """The nodes with these handles; unknown ones are left out."""
        numbers = struct.unpack(f"<{len(handles) // WORD}Q", handles)
        return [self.nodes[number] for number in numbers if number in self.nodes]

    def unknown(self, asked: Request) -> Reply:
        """Refuse a handle that stands for nothing."""
        return self.refused(Error.INVALID_VALUE, asked, reason("graph-unknown"))

    def refused(self, error: Error, asked: Request, problem: Reason, advice: Reason | None = None) -> Reply:
        """Note why a call fails."""
        self.state.findings.error(DiagnosticKind.RUNTIME_ERROR, asked.site, problem, advice)
        return Reply(error)
