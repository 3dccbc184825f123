"""Both sides of a comparison on the device, in the same memory."""

from grader.engines.cuda.arena import Arenas
from grader.engines.cuda.baseline_errors import as_baseline_error
from grader.engines.cuda.prepared import Prepared


class Sides:
    """``baseline`` and ``submission``, launched in turn: the n-th copies of both have one arena of ``arenas``.

    Raises (every method): as ``Prepared.add``, ``BaselineFailedError`` where it is the baseline's fault.
    """

    def __init__(self, arenas: Arenas, baseline: Prepared, submission: Prepared) -> None:
        """No copy of either side; neither may have any yet."""
        self.baseline = baseline
        self.submission = submission
        self.nbytes = 0
        """What all copies take on the device."""
        self._arenas = arenas

    def multiply(self, count: int) -> None:
        """Have ``count`` copies, with nothing in the new ones, and launch those of a side as one graph if several."""
        while len(self.submission.copies) < count:
            self._add()
        if count > 1:
            with as_baseline_error():
                self.baseline.capture()
            self.submission.capture()

    def _add(self) -> None:
        arena = self._arenas.add()
        with as_baseline_error():
            self.baseline.add(arena)
        self.submission.add(arena)
        added = (side.copies[-1].memory for side in (self.baseline, self.submission))
        self.nbytes += arena.nbytes + sum(memory.textures_nbytes for memory in added)
