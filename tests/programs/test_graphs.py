"""Graphs of CUDA: capture, explicit nodes, launches, updates, and what is found about them."""

import pytest

from tests.programs.running import cases, expected, ran

FAULTS, CORRECT = "graph_faults.cu", "graphs.cu"


@pytest.mark.parametrize("number", cases(CORRECT))
def test_a_correct_graph_runs_without_findings(number: str) -> None:
    done = ran(CORRECT, number)
    assert done.run.diagnostics == ()
    assert done.printed.split() == ["1"]


@pytest.mark.parametrize("number", cases(FAULTS))
def test_a_fault_with_graphs_is_found_at_its_line(number: str) -> None:
    done = ran(FAULTS, number).run
    assert {(each.message.code, each.line) for each in done.diagnostics} == expected(FAULTS, number)
    assert done.exit_code == 0


def test_a_race_inside_a_graph_asks_for_a_dependency() -> None:
    (found,) = ran(FAULTS, "12").run.diagnostics
    assert found.advice is not None
    assert found.advice.code == "order-in-graph"
