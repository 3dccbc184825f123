"""Calls about graphs. Each is a ``GRAPH`` request with an ``Operation`` as its first argument."""

import struct
from collections.abc import Callable, Mapping
from enum import IntEnum

from grader.model.reason import reason
from grader.programs.capture import NodeScope, empty_node
from grader.programs.error_codes import Error
from grader.programs.graph_tables import WORD, GraphTables
from grader.programs.graphs import Executable, Graph, Node, NodeKind
from grader.programs.wire import Call, Reply, Request


class Operation(IntEnum):
    """What a program asks for; the order is that of ``Operation`` in ``runtime/graphs.cpp``."""

    CREATE = 0
    DESTROY = 1
    CLONE = 2
    BEGIN_NODE = 3
    END_NODE = 4
    ADD_EMPTY = 5
    ADD_CHILD = 6
    ADD_EVENT = 7
    ADD_DEPENDENCIES = 8
    DESTROY_NODE = 9
    NODES = 10
    ROOTS = 11
    EDGES = 12
    NODE_KIND = 13
    INSTANTIATE = 14
    LAUNCH = 15
    UPDATE = 16
    ENABLE = 17
    DESTROY_EXECUTABLE = 18


class GraphCalls:
    """Answers calls that describe and launch graphs."""

    def __init__(self, tables: GraphTables) -> None:
        self._tables = tables
        self._state = tables.state
        self._schedule = tables.state.schedule
        self._operations: Mapping[int, Callable[[Request, tuple[int, ...]], Reply]] = {
            Operation.CREATE: self._create,
            Operation.DESTROY: self._destroy,
            Operation.BEGIN_NODE: self._begin_node,
            Operation.END_NODE: self._end_node,
            Operation.ADD_EMPTY: self._add_empty,
            Operation.ADD_CHILD: self._add_child,
            Operation.ADD_EVENT: self._add_event,
            Operation.ADD_DEPENDENCIES: self._add_dependencies,
            Operation.NODES: self._list_nodes,
            Operation.NODE_KIND: self._node_kind,
            Operation.INSTANTIATE: self._instantiate,
            Operation.LAUNCH: self._launch,
            Operation.DESTROY_EXECUTABLE: self._destroy_executable,
            Operation.UPDATE: self._update,
            Operation.ENABLE: self._enable,
            Operation.CLONE: self._clone,
            Operation.ROOTS: self._roots,
            Operation.EDGES: self._edges,
            Operation.DESTROY_NODE: self._destroy_node,
        }

    @property
    def answers(self) -> Mapping[Call, Callable[[Request], Reply]]:
        """What answers each call."""
        return {Call.GRAPH: self._answer}

    def _answer(self, asked: Request) -> Reply:
        return self._operations[asked.arguments[0]](asked, asked.arguments[1:])

    # Graphs and nodes

    def _create(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        del arguments
        return Reply(values=(self._tables.new_graph(asked).handle,))

    def _destroy(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        graph = self._tables.graphs.pop(arguments[0], None)
        if graph is None:
            return self._tables.unknown(asked)
        for node in graph.nodes:
            self._tables.nodes.pop(node.handle, None)
        return Reply()

    def _clone(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        graph = self._tables.graphs.get(arguments[0])
        if graph is None:
            return self._tables.unknown(asked)
        clone = self._tables.new_graph(asked)
        made: dict[Node, Node] = {}
        for node in graph.ordered():
            made[node] = copy = Node(
                handle=self._tables.handles.next(),
                kind=node.kind,
                after=[made[each] for each in node.after],
                work=node.work,
                child=node.child,
                event=node.event,
            )
            clone.nodes.append(copy)
            self._tables.nodes[copy.handle] = copy
        return Reply(values=(clone.handle,))

    def _begin_node(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        """Begin the description of a node of a graph, or the change of one, in a graph or an executable graph."""
        into, changed, executable = arguments[:3]
        graph, replaced = self._tables.graphs.get(into), self._tables.nodes.get(changed)
        target = self._tables.executables.get(executable)
        if (graph is None and replaced is None) or (executable and target is None):
            return self._tables.unknown(asked)
        self._schedule.every_recorder = NodeScope(
            graph=graph,
            handles=self._tables.handles,
            after=self._tables.known(asked.extra),
            site=asked.site,
            replaced=replaced,
            executable=target,
        )
        return Reply()

    def _end_node(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        del asked, arguments
        scope, self._schedule.every_recorder = self._schedule.every_recorder, None
        node = scope.node if isinstance(scope, NodeScope) else None
        if node is None:
            return Reply(Error.INVALID_VALUE)
        self._tables.nodes[node.handle] = node
        return Reply(values=(node.handle,))

    def _add_empty(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        graph = self._tables.graphs.get(arguments[0])
        return self._tables.unknown(asked) if graph is None else self._added(graph, asked, NodeKind.EMPTY)

    def _add_child(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        graph, child = (self._tables.graphs.get(handle) for handle in arguments[:2])
        if graph is None or child is None:
            return self._tables.unknown(asked)
        reply = self._added(graph, asked, NodeKind.CHILD)
        graph.nodes[-1].child = Graph(handle=child.handle, site=child.site, nodes=list(child.nodes))
        return reply

    def _add_event(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        into, event, records = arguments[:3]
        graph = self._tables.graphs.get(into)
        if graph is None or event not in self._schedule.events:
            return self._tables.unknown(asked)
        reply = self._added(graph, asked, NodeKind.RECORD_EVENT if records else NodeKind.WAIT_EVENT)
        graph.nodes[-1].event = event
        return reply

    def _added(self, graph: Graph, asked: Request, kind: NodeKind) -> Reply:
        node = empty_node(graph, self._tables.handles, self._tables.known(asked.extra), kind)
        self._tables.nodes[node.handle] = node
        return Reply(values=(node.handle,))

    def _add_dependencies(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        """Add or remove edges; their ends follow each other in the request."""
        graph, removes = self._tables.graphs.get(arguments[0]), bool(arguments[1])
        ends = self._tables.known(asked.extra)
        if graph is None or len(ends) != len(asked.extra) // WORD:
            return self._tables.unknown(asked)
        for first, second in zip(ends[::2], ends[1::2], strict=True):
            if (first in second.after) != removes:
                return Reply(Error.INVALID_VALUE)
            if removes:
                second.after = [each for each in second.after if each is not first]
            else:
                second.after = [*second.after, first]
        return Reply()

    def _destroy_node(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        node = self._tables.nodes.pop(arguments[0], None)
        if node is None:
            return self._tables.unknown(asked)
        for graph in self._tables.graphs.values():
            graph.nodes = [each for each in graph.nodes if each is not node]
            for each in graph.nodes:
                each.after = [other for other in each.after if other is not node]
        return Reply()

    def _list_nodes(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        graph = self._tables.graphs.get(arguments[0])
        return (
            self._tables.unknown(asked) if graph is None else _listed([node.handle for node in graph.nodes])
        )

    def _roots(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        graph = self._tables.graphs.get(arguments[0])
        if graph is None:
            return self._tables.unknown(asked)
        return _listed([node.handle for node in graph.nodes if not node.after])

    def _edges(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        graph = self._tables.graphs.get(arguments[0])
        if graph is None:
            return self._tables.unknown(asked)
        ends = [end for node in graph.nodes for first in node.after for end in (first.handle, node.handle)]
        return _listed(ends)

    def _node_kind(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        node = self._tables.nodes.get(arguments[0])
        return self._tables.unknown(asked) if node is None else Reply(values=(node.kind,))

    # Executable graphs

    def _instantiate(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        graph = self._tables.graphs.get(arguments[0])
        if graph is None:
            return self._tables.unknown(asked)
        try:
            made = Executable(graph, self._schedule)
        except ValueError:
            return self._tables.refused(Error.INVALID_VALUE, asked, reason("graph-has-cycle"))
        handle = self._tables.handles.next()
        self._tables.executables[handle] = made
        return Reply(values=(handle,))

    def _launch(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        executable, key = self._tables.executables.get(arguments[0]), self._schedule.stream(arguments[1])
        if executable is None or key is None:
            return self._tables.unknown(asked)
        executable.launch(key, asked.site)
        return Reply(self._state.sticky)

    def _destroy_executable(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        executable = self._tables.executables.pop(arguments[0], None)
        if executable is None:
            return self._tables.unknown(asked)
        executable.close()
        return Reply()

    def _update(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        executable, graph = self._tables.executables.get(arguments[0]), self._tables.graphs.get(arguments[1])
        if executable is None or graph is None:
            return self._tables.unknown(asked)
        try:
            newer = Executable(graph, self._schedule)
        except ValueError:
            return self._tables.refused(Error.INVALID_VALUE, asked, reason("graph-has-cycle"))
        differs = executable.take_over(newer)
        newer.close()
        if differs is not None:
            problem, advice = reason("graph-differs"), reason("instantiate-again")
            self._tables.refused(Error.GRAPH_UPDATE, asked, problem, advice)
            return Reply(Error.GRAPH_UPDATE, (differs.node.handle,))
        return Reply()

    def _enable(self, asked: Request, arguments: tuple[int, ...]) -> Reply:
        executable, node = self._tables.executables.get(arguments[0]), self._tables.nodes.get(arguments[1])
        step = None if executable is None or node is None else executable.replaced(node)
        if step is None:
            return self._tables.unknown(asked)
        step.is_enabled = bool(arguments[2])
        return Reply()


def _listed(numbers: list[int]) -> Reply:
    """Numbers as bytes of a reply."""
    return Reply(values=(len(numbers),), extra=struct.pack(f"<{len(numbers)}Q", *numbers))
