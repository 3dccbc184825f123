"""The sets of device buffers in which baseline and submission are timed, used in rotation."""

from typing import Any

from grader.engines.cuda.arena import Arenas
from grader.engines.cuda.baseline_errors import as_baseline_error
from grader.engines.cuda.prepared import Prepared
from grader.engines.cuda.status import NoRoomError, checked
from grader.engines.cuda.timed_data import OutputSnapshot

MAX_COPIES = 240
"""Copies of either side's buffers over all sets, the copies of a batch included: at least two for most pairs."""

MEMORY_DIVISOR = 2
"""All sets together take at most the memory that is free at the start, divided by this."""


class BufferSet:
    """Buffers for ``baseline`` and ``submission`` at the same addresses: their n-th copies share an arena.

    Raises (every method): as ``Prepared.add``, ``BaselineFailedError`` where the baseline fails.
    """

    def __init__(self, arenas: Arenas, baseline: Prepared, submission: Prepared) -> None:
        """Start without copies; ``baseline`` and ``submission`` must have none yet."""
        self.baseline = baseline
        self.submission = submission
        self.nbytes = 0
        """Device memory of all copies."""
        self._arenas = arenas

    def set_copies(self, count: int) -> None:
        """Add uninitialised copies up to ``count``; with several, launch all copies of a side as one graph."""
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


class BufferSetRotation:
    """The buffer sets of a comparison, one of which is ``current``; ``arenas`` owns their memory.

    The address of an array changes a kernel's time by some percent, and differently for each kernel. With one buffer
    set this error would be the same in every pair, and no confidence interval could show it. With many sets it is
    ordinary noise. ``snapshots`` has one output snapshot for each copy of the submission, shared by all sets.
    Raises (every method): as ``BufferSet``.
    """

    def __init__(self, cupy: Any, arenas: Arenas, baseline: Prepared, submission: Prepared) -> None:
        """Make one buffer set with one copy of either side; ``baseline`` and ``submission`` must have none yet."""
        self.arenas = arenas
        self.snapshots: list[OutputSnapshot] = []
        self.current = BufferSet(arenas, baseline, submission)
        self.index = 0
        """Index of ``current``, from 0."""
        self.group_size = 1
        """Buffer sets per pair. Groups are disjoint: two pairs use the same group or have no set in common."""
        self._cupy = cupy
        self._sets = [self.current]
        # Read before the submission is loaded: its device variables could leave room for few sets only.
        with checked(cupy):
            free, _ = cupy.cuda.runtime.memGetInfo()
        self._budget = int(free) // MEMORY_DIVISOR
        self.set_copies(1)
        self.nbytes = self.current.nbytes + sum(snapshot.nbytes for snapshot in self.snapshots)
        """Device memory of one copy."""

    def set_copies(self, count: int) -> None:
        """Have ``count`` copies in the current set and in all sets made later."""
        self.current.set_copies(count)
        while len(self.snapshots) < count:
            self.snapshots.append(OutputSnapshot(self._cupy, self.current.submission.job.plan))

    @property
    def limit(self) -> int:
        """The number of sets to make: a multiple of the group size, or one."""
        count = min(MAX_COPIES // len(self.snapshots), self._budget // self.current.nbytes)
        return max(1, count - count % self.group_size)

    def set_group_size(self, count: int) -> None:
        """Make each later pair in ``count`` sets, beginning with the first sets."""
        self.group_size = count
        self.index = -1

    def begin_pair(self) -> None:
        """Have ``advance`` go to the first set of a group; skip the rest of a group cut short by lack of memory."""
        self.index += -(self.index + 1) % self.group_size

    def advance(self) -> None:
        """Go to the next set: a new one up to ``limit`` sets, then to the existing ones in order."""
        self.index += 1
        if self.index >= len(self._sets):
            self.index = 0
            if len(self._sets) < self.limit:
                self._extend()
        self.current = self._sets[self.index]

    def _extend(self) -> None:
        try:
            added = self._new_set()
        except NoRoomError:  # another process took the free memory: use the sets that exist
            self._budget = len(self._sets) * self.current.nbytes
            del self._sets[self.limit :]
        else:
            self.index = len(self._sets)
            self._sets.append(added)

    def _new_set(self) -> BufferSet:
        baseline, submission = self.current.baseline, self.current.submission
        added = BufferSet(self.arenas, baseline.without_copies(), submission.without_copies())
        added.set_copies(len(self.snapshots))
        return added
