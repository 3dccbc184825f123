"""The order in which engines carry out the steps of a plan."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from grader.engines.cuda.prepared import Copy
from grader.engines.cuda.status import LaunchFailedError
from grader.engines.plan_walk import EndlessLoopError, walk
from grader.model.element_types import DType
from grader.model.plan import Buffer, Dim3, Launch, LaunchPlan, LaunchShape, Loop, Role, Step, Transfer
from grader.model.verdict import Verdict

SHAPE = LaunchShape(grid=Dim3(), block=Dim3())


def plan(*loops: Loop) -> LaunchPlan:
    """Launch a, zero the flag, launch b and c."""
    return LaunchPlan(
        buffers=(Buffer(name="flag", dtype=DType.INT32, shape=(1,), role=Role.SCRATCH),),
        launches=tuple(Launch(kernel=name, shape=SHAPE, args=()) for name in "abc"),
        steps=(Step(launch=0), Step(transfer=Transfer(target="flag")), Step(launch=1), Step(launch=2)),
        loops=loops,
    )


def flags(rounds: str) -> Callable[[str], bool]:
    """The flag after each round: ``1`` where it is set."""
    left = list(rounds)
    return lambda _flag: left.pop(0) == "1"


def order(of: LaunchPlan, rounds: str = "") -> str:
    steps = walk(of, flags(rounds))
    return "".join("0" if step.transfer else of.launches[step.launch].kernel for step in steps)


def test_without_steps_each_launch_runs_once() -> None:
    assert order(LaunchPlan(buffers=(), launches=plan().launches)) == "abc"


def test_a_loop_goes_on_while_its_flag_is_set() -> None:
    assert order(plan(Loop(first=1, behind=3, flag="flag", most=5)), "110") == "a0b0b0bc"


def test_a_loop_ends_once_its_flag_is_set() -> None:
    assert order(plan(Loop(first=2, behind=4, flag="flag", most=5, until=True)), "01") == "a0bcbc"


def test_an_inner_loop_starts_its_count_again_in_each_round() -> None:
    inner, outer = (
        Loop(first=2, behind=3, flag="flag", most=2),
        Loop(first=1, behind=4, flag="flag", most=2),
    )
    assert order(plan(inner, outer), "101100") == "a0bbc0bbc"


def test_a_loop_has_a_most_of_rounds() -> None:
    with pytest.raises(EndlessLoopError) as ended:
        order(plan(Loop(first=1, behind=4, flag="flag", most=3)), "111")
    assert ended.value.fault.verdict is Verdict.TIMED_OUT
    assert ended.value.fault.reason.params == {"flag": "flag", "count": 3}


def copy(of: LaunchPlan, done: list[str], rounds: str) -> Copy:
    """A copy on a device that notes what is done."""

    def launch(name: str) -> Any:
        return SimpleNamespace(start=lambda: done.append(name))

    memory = SimpleNamespace(
        carry=lambda step, target: done.append(f"{step.target}@{target}"), is_set=flags(rounds)
    )
    kernels = SimpleNamespace(address=lambda _step, _memory: 64)
    launches = [launch(each.kernel) for each in of.launches]
    return Copy(of, cast("Any", memory), cast("Any", kernels), launches, lambda: done.append("wait"))


def test_a_gpu_waits_before_it_reads_a_flag() -> None:
    done: list[str] = []
    copy(plan(Loop(first=1, behind=3, flag="flag", most=5)), done, "10").start()
    assert done == ["a", "flag@64", "b", "wait", "flag@64", "b", "wait", "c"]


def test_an_endless_loop_on_a_gpu_is_the_students_fault() -> None:
    endless = copy(plan(Loop(first=1, behind=3, flag="flag", most=1)), [], "1")
    with pytest.raises(LaunchFailedError) as failed:
        endless.start()
    assert failed.value.fault.verdict is Verdict.TIMED_OUT
    assert not failed.value.lethal
