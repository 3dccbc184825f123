"""The places in a device's memory where a comparison is made, one after the other."""

from typing import Any

from grader.engines.cuda.answers import Answers
from grader.engines.cuda.arena import Arenas
from grader.engines.cuda.prepared import Prepared
from grader.engines.cuda.sides import Sides
from grader.engines.cuda.status import NoRoomError, checked

MOST = 240
"""Pieces of memory in which either side is launched, all copies of a batch among them: two or more for most pairs."""

SHARE = 2
"""All of them take at most one part in so many of the memory that is free at first."""


class BufferSetRotation:
    """``here`` both sides are launched next, in memory of which ``arenas`` has all.

    Where arrays lie is worth some percent of a kernel's time, and not of every kernel's the same. In one place that
    would be in every pair, and no interval would know of it; from place to place it is a noise like any other.
    ``answers`` are room for those of each copy of the submission, in whichever place it gave them.
    Raises (every method): as ``Sides``.
    """

    def __init__(self, cupy: Any, arenas: Arenas, baseline: Prepared, submission: Prepared) -> None:
        """One place with one copy of either side, neither of which has any yet."""
        self.arenas = arenas
        self.answers: list[Answers] = []
        self.here = Sides(arenas, baseline, submission)
        self.number = 0
        """Which of the places ``here`` is, from 0."""
        self.group = 1
        """In how many places a pair is made, one after the other; no other pair has some of them and not all."""
        self._cupy = cupy
        self._all = [self.here]
        # Before the submission is loaded: its variables could leave room for few places only.
        with checked(cupy):
            free, _ = cupy.cuda.runtime.memGetInfo()
        self._room = int(free) // SHARE
        self.multiply(1)
        self.nbytes = self.here.nbytes + sum(answers.nbytes for answers in self.answers)
        """What one copy takes on the device."""

    def multiply(self, count: int) -> None:
        """Have ``count`` copies here, and in all places to come."""
        self.here.multiply(count)
        while len(self.answers) < count:
            self.answers.append(Answers(self._cupy, self.here.submission.job.plan))

    @property
    def most(self) -> int:
        """How many places there will be: whole groups, or one."""
        count = min(MOST // len(self.answers), self._room // self.here.nbytes)
        return max(1, count - count % self.group)

    def in_groups_of(self, count: int) -> None:
        """Have pairs made in ``count`` places each from now on, the first of them in the first places."""
        self.group = count
        self.number = -1

    def begin_pair(self) -> None:
        """Have ``move_on`` go to the first place of a group: one that was begun when memory ended is left."""
        self.number += -(self.number + 1) % self.group

    def move_on(self) -> None:
        """Go to the next place: a new one until there are enough, then to all of them again."""
        self.number += 1
        if self.number >= len(self._all):
            self.number = 0
            if len(self._all) < self.most:
                self._extend()
        self.here = self._all[self.number]

    def _extend(self) -> None:
        try:
            another = self._another()
        except NoRoomError:  # somebody else has taken what was free: these must do
            self._room = len(self._all) * self.here.nbytes
            del self._all[self.most :]
        else:
            self.number = len(self._all)
            self._all.append(another)

    def _another(self) -> Sides:
        sides = Sides(self.arenas, self.here.baseline.again(), self.here.submission.again())
        sides.multiply(len(self.answers))
        return sides
