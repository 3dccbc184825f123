"""What a program lab asks for: a whole program with its own host code, and points for its structure."""

import re
from dataclasses import dataclass
from enum import StrEnum

from grader.model.kernel import KernelSpec, Param

PLACEHOLDER = re.compile(r"\{(\w+)\}")
"""The name of a parameter in an argument or in a line of output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRequest:
    """A program that students must submit.

    With a ``function``, it is ``int function(params)``: it gets pointers to host memory and sizes, and returns 0 where
    it succeeds. Without one, it is a whole program with a ``main`` of its own. Its ``arguments`` then name sizes, and
    arrays by the paths of their files; ``stdout`` is a line of its output with the arrays that it prints. All times are
    modelled for ``device``.
    """

    params: tuple[Param, ...]
    device: str
    function: str | None = None
    arguments: tuple[str, ...] = ()
    stdout: str | None = None

    @property
    def name(self) -> str:
        """What reports call the program."""
        return self.function or "main"

    @property
    def spec(self) -> KernelSpec:
        """Its name and parameters, for launch plans: a plan's buffers are the program's inputs and outputs."""
        return KernelSpec(name=self.name, params=self.params)

    @property
    def signature(self) -> str:
        """The declaration that a student must write."""
        if self.function is None:
            return "int main(int argc, char **argv)"
        return f"int {self.function}({', '.join(param.c_declaration for param in self.params)})"

    @property
    def printed(self) -> tuple[str, ...]:
        """The arrays that it prints."""
        return tuple(PLACEHOLDER.findall(self.stdout or ""))


class StructureCheck(StrEnum):
    """A property of a program's run."""

    PINNED = "pinned-memory"
    COPIED_ONCE = "copied-once"
    OVERLAP = "overlap"
    SYNCHRONISATIONS = "synchronisations"
    NO_LEAK = "no-leak"
    ERRORS_CHECKED = "errors-checked"


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureRule:
    """Points for one property, judged on the largest public case.

    ``bound`` is the least share of the copied bytes in pinned memory, of the kernels' time during which a copy runs,
    or of the calls with a checked error; the most bytes copied per byte of inputs and outputs; or the most waits.
    """

    check: StructureCheck
    points: float
    bound: float
