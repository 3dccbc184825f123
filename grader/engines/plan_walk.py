"""The order in which every engine carries out a plan, with the loops that end by what kernels write."""

from collections.abc import Callable, Iterator

from grader.model.plan import LaunchPlan, Step
from grader.model.reason import reason
from grader.model.run import Fault
from grader.model.verdict import Verdict


class EndlessLoopError(Exception):
    """A loop of the plan has not ended after the most rounds that the lab allows."""

    def __init__(self, flag: str, most: int) -> None:
        self.fault = Fault(
            verdict=Verdict.TIMED_OUT, reason=reason("plan-loop-endless", flag=flag, count=most)
        )
        super().__init__(flag)


def walk(plan: LaunchPlan, is_set: Callable[[str], bool]) -> Iterator[Step]:
    """The steps of ``plan`` in the order in which they are carried out.

    ``is_set`` says whether the first element of a buffer is not 0; it is asked after each round of a loop, when all
    earlier steps are carried out. Raises: ``EndlessLoopError``.
    """
    steps, rounds, position = plan.ordered, [0] * len(plan.loops), 0
    while position < len(steps):
        yield steps[position]
        position += 1
        for index, loop in enumerate(plan.loops):
            if loop.behind != position:
                continue
            rounds[index] += 1
            if is_set(loop.flag) == loop.until:
                rounds[index] = 0
                continue
            if rounds[index] >= loop.most:
                raise EndlessLoopError(loop.flag, loop.most)
            position = loop.first
            break
