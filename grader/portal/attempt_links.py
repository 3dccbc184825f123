"""Where the page of an attempt leads: for its student, and for staff who look at what the student sees."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from grader.course.attempt_lines import AttemptLine


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnLinks:
    """The addresses for the student; ``title`` is that of the lab."""

    lab: str
    title: str = ""
    are_own = True

    @property
    def crumbs(self) -> Sequence[tuple[str, str]]:
        """What the page is below: texts with their addresses."""
        return ((self.title, f"/labs/{quote(self.lab, safe='')}"),)

    def attempt(self, line: AttemptLine) -> str:
        """The page of an attempt."""
        return f"/attempts/{line.id}"

    def report(self, line: AttemptLine) -> str:
        """Its whole report."""
        return f"/attempts/{line.id}/report"

    def file(self, line: AttemptLine, name: str) -> str:
        """One of its files."""
        return f"/attempts/{line.id}/file?{urlencode({'name': name})}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewLinks:
    """The addresses for staff, who see what the student sees, but act in nobody's name."""

    student: str
    name: str
    lab: str
    are_own = False

    @property
    def _work(self) -> str:
        return f"{self._student}/{quote(self.lab, safe='')}"

    @property
    def _student(self) -> str:
        return f"/class/{quote(self.student, safe='')}"

    @property
    def crumbs(self) -> Sequence[tuple[str, str]]:
        """What the page is below: texts with their addresses."""
        return ((self.name, self._student), (self.lab, self._work))

    def staff(self, line: AttemptLine) -> str:
        """The attempt as staff see it."""
        return f"{self._work}?{urlencode({'attempt': line.number})}"

    def attempt(self, line: AttemptLine) -> str:
        """The page of an attempt, as the student sees it."""
        return f"{self._work}?{urlencode({'as': 'student', 'attempt': line.number})}"

    def report(self, line: AttemptLine) -> str:
        """The whole report, as the student sees it."""
        return f"{self._work}/report?{urlencode({'as': 'student', 'attempt': line.number})}"

    def file(self, line: AttemptLine, name: str) -> str:
        """One of its files."""
        return f"{self._work}/file?{urlencode({'attempt': line.number, 'name': name})}"
