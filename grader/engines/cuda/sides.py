"""Both sides of a comparison on the device, in the same memory."""

from typing import Any

from grader.engines.cuda.answers import Answers
from grader.engines.cuda.arena import Arenas
from grader.engines.cuda.blame import blamed_on_the_baseline
from grader.engines.cuda.prepared import Prepared


class Sides:
    """``baseline`` and ``submission``, launched in turn: the n-th copies of both have one arena of ``arenas``.

    ``answers`` are room beside it for those of each copy of the submission. Raises (every method): as ``Prepared.add``,
    ``BaselineFailedError`` where it is the baseline's fault.
    """

    def __init__(self, cupy: Any, arenas: Arenas, baseline: Prepared, submission: Prepared) -> None:
        """One copy of either side, neither of which has any yet."""
        self.baseline = baseline
        self.submission = submission
        self.answers: list[Answers] = []
        self._cupy = cupy
        self.arenas = arenas
        self.nbytes = self._add()
        """What a copy takes on the device."""

    def multiply(self, count: int) -> None:
        """Have ``count`` copies, with nothing in the new ones, and launch those of a side as one graph."""
        while len(self.answers) < count:
            self._add()
        with blamed_on_the_baseline():
            self.baseline.capture()
        self.submission.capture()

    def _add(self) -> int:
        arena = self.arenas.add()
        with blamed_on_the_baseline():
            self.baseline.add(arena)
        self.submission.add(arena)
        answers = Answers(self._cupy, self.submission.work.plan)
        self.answers.append(answers)
        return arena.nbytes + answers.nbytes
