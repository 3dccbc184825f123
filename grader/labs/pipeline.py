"""Programs of several kernels, ``[[programs]]`` in ``lab.toml``: launches that are graded and timed as one.

Each step is one table: ``{ launch = "scan", args = { x = "sums", n = "n / 2" } }``, ``{ swap = ["a", "b"] }``, or a
loop with ``steps`` of its own. The steps of a program that has none in the manifest are those of ``Lab.steps``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from grader.labs.by_value import Written
from grader.labs.geometry import evaluate
from grader.model.kernel import KernelSpec

if TYPE_CHECKING:
    from grader.labs.steps import Steps

ACTIONS: dict[str, tuple[str, ...]] = {
    "launch": ("args",),
    "swap": (),
    "copy": (),
    "zero": (),
    "fill": ("byte",),
    "repeat": ("counter", "steps"),
    "while": ("most", "steps"),
    "until": ("most", "steps"),
}
"""The keys of which a step has exactly one, and the keys that it may have beside."""

_PAIR = 2


class PipelineStep(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, rename={"loop_while": "while"}
):
    """One step of a program. Exactly one of ``ACTIONS`` is set.

    ``args`` are arguments of a launch by name: an array, or a value with expressions of sizes. ``copy`` names source
    and target, ``fill`` an array that gets ``byte`` in each byte. ``repeat`` is an expression; ``counter`` names its
    round, from 0. ``while`` and ``until`` name an array with a flag in its first element: ``while`` zeroes it before
    each round and goes on where the round has set it, ``until`` zeroes it once and ends where it is set. ``most``
    bounds the rounds.
    """

    launch: str | None = None
    args: dict[str, Written | dict[str, Written]] = {}
    swap: list[str] | None = None
    copy: list[str] | None = None
    zero: str | None = None
    fill: str | None = None
    byte: int | None = None
    repeat: str | int | None = None
    counter: str | None = None
    loop_while: str | None = None
    until: str | None = None
    most: str | int | None = None
    steps: "list[PipelineStep]" = []

    @property
    def actions(self) -> list[str]:
        """Those of ``ACTIONS`` that the step has."""
        present = {**{name: getattr(self, name, None) for name in ACTIONS}, "while": self.loop_while}
        return [name for name in ACTIONS if present[name] is not None]

    @property
    def beside(self) -> list[str]:
        """The keys that the step has beside its action."""
        given = [name for name in ("byte", "counter", "most") if getattr(self, name) is not None]
        return [*given, *(name for name in ("args", "steps") if getattr(self, name))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """A program of several kernels that is graded as one.

    ``spec`` has its name and the arrays and numbers that its launches share. ``kernels`` are those that students
    submit for it. Without ``steps``, ``Lab.steps`` has them.
    """

    spec: KernelSpec
    kernels: tuple[str, ...]
    steps: tuple[PipelineStep, ...] = ()


def launched_kernels(steps: tuple[PipelineStep, ...] | list[PipelineStep]) -> Iterator[str]:
    """The kernels that ``steps`` launch, those of loops included."""
    for step in steps:
        if step.launch is not None:
            yield step.launch
        yield from launched_kernels(step.steps)


def carry_out(pipeline: Pipeline, steps: "Steps") -> None:
    """Add the launches of ``pipeline`` to ``steps``.

    Raises: as ``Steps.launch``; ``ValueError`` for a step that is none.
    """
    _Walk(steps).all(pipeline.steps, {})


def _check_keys(action: str, step: PipelineStep) -> None:
    """Check that ``step`` has what its action needs, and nothing else. Raises: ``ValueError``."""
    for key in step.beside:
        if key not in ACTIONS[action]:
            owners = " or ".join(name for name, keys in ACTIONS.items() if key in keys)
            msg = f"{key} belongs to {owners}, not to {action}; remove it"
            raise ValueError(msg)
    if "steps" in ACTIONS[action] and not step.steps:
        msg = f'{action} has no steps; add e.g. steps = [{{ launch = "NAME" }}]'
        raise ValueError(msg)


class _Walk:
    """``names`` are the arrays that swapped names stand for."""

    def __init__(self, steps: "Steps") -> None:
        self._steps = steps
        self._names: dict[str, str] = {}

    def all(self, steps: tuple[PipelineStep, ...] | list[PipelineStep], counters: Mapping[str, int]) -> None:
        for step in steps:
            actions = step.actions
            if len(actions) != 1:
                msg = f"a step has exactly one of {', '.join(ACTIONS)}, not {' and '.join(actions) or 'none'}"
                raise ValueError(msg)
            (action,) = actions
            _check_keys(action, step)
            getattr(self, f"_{action}")(step, counters)

    def _launch(self, step: PipelineStep, counters: Mapping[str, int]) -> None:
        self._steps.launch_in_round(step.launch or "", step.args, self._names, counters)

    def _swap(self, step: PipelineStep, _counters: Mapping[str, int]) -> None:
        first, second = self._pair(step.swap, "swap")
        self._steps.check_alike(self._array(first), self._array(second))
        self._names[first], self._names[second] = self._array(second), self._array(first)

    def _copy(self, step: PipelineStep, _counters: Mapping[str, int]) -> None:
        source, target = self._pair(step.copy, "copy")
        self._steps.copy(self._array(source), self._array(target))

    def _zero(self, step: PipelineStep, _counters: Mapping[str, int]) -> None:
        self._steps.fill(self._array(step.zero or ""), 0)

    def _fill(self, step: PipelineStep, _counters: Mapping[str, int]) -> None:
        self._steps.fill(self._array(step.fill or ""), step.byte or 0)

    def _repeat(self, step: PipelineStep, counters: Mapping[str, int]) -> None:
        rounds = self._number(step.repeat, counters)
        if rounds < 0:
            msg = f"repeat = {step.repeat!r} is {rounds}, and rounds are 0 or more; write e.g. max({step.repeat}, 0)"
            raise ValueError(msg)
        for index in range(rounds):
            self.all(step.steps, {**counters, **({step.counter: index} if step.counter else {})})

    def _while(self, step: PipelineStep, counters: Mapping[str, int]) -> None:
        self._loop(step, step.loop_while or "", counters)

    def _until(self, step: PipelineStep, counters: Mapping[str, int]) -> None:
        self._loop(step, step.until or "", counters)

    def _loop(self, step: PipelineStep, flag: str, counters: Mapping[str, int]) -> None:
        """A loop that kernels end. Its rounds are the same launches, so no swap may be left over."""
        if step.most is None:
            msg = f"a loop on {flag} needs most, the greatest number of rounds"
            raise ValueError(msg)
        before = dict(self._names)
        loop = self._steps.until_set if step.until is not None else self._steps.while_set
        with loop(self._array(flag), most=self._number(step.most, counters)):
            self.all(step.steps, counters)
        if {name for name in {*before, *self._names} if before.get(name, name) != self._array(name)}:
            msg = f"the steps of a loop on {flag} must swap arrays an even number of times, or copy"
            raise ValueError(msg)

    def _array(self, name: str) -> str:
        return self._names.get(name, name)

    def _pair(self, names: list[str] | None, action: str) -> tuple[str, str]:
        if names is None or len(names) != _PAIR:
            msg = f'{action} needs two arrays, such as {action} = ["a", "b"]'
            raise ValueError(msg)
        return names[0], names[1]

    def _number(self, text: str | int | None, counters: Mapping[str, int]) -> int:
        return evaluate(str(text), {**self._steps.sizes, **counters})
