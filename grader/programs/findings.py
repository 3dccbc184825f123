"""What is found about a program: each at a line, once for each line and cause."""

from collections.abc import Mapping
from dataclasses import replace

from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import Reason
from grader.programs.language import Sites
from grader.programs.wire import Site


class Findings:
    """All findings of one run, in the order of their first occurrence."""

    def __init__(self, sites: Sites, wording: Mapping[str, str]) -> None:
        """``wording``: codes of statements that the program's language says in other words, with those."""
        self._sites = sites
        self._wording = wording
        self._found: dict[tuple[object, ...], Diagnostic] = {}

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings, the most severe first."""
        return tuple(sorted(self._found.values(), key=lambda found: found.severity.rank))

    def line(self, site: Site) -> SourceLocation:
        """The program's line that made a call."""
        return self._sites.location(site)

    def is_own(self, site: Site) -> bool:
        """Whether the program's own sources make a call, not a library that is compiled with them."""
        return self._sites.is_own(site)

    @property
    def has_errors(self) -> bool:
        """Whether an error was found so far."""
        return any(found.severity is Severity.ERROR for found in self._found.values())

    def error(
        self,
        kind: DiagnosticKind,
        site: Site,
        message: Reason,
        advice: Reason | None = None,
        related: SourceLocation | None = None,
    ) -> None:
        """Note an error at the line that made a call; ``related`` is another line that has a part in it."""
        self._add(kind, Severity.ERROR, self.line(site), message, advice, related)

    def warning(
        self, kind: DiagnosticKind, location: SourceLocation, message: Reason, advice: Reason | None = None
    ) -> None:
        """Note a warning."""
        self._add(kind, Severity.WARNING, location, message, advice)

    def in_kernel(self, found: Diagnostic, site: Site) -> None:
        """Note what the emulator found in a launch, and the line of the launch."""
        launched = self.line(site)
        related = found.related if launched.line is None else (*found.related, launched)
        self._join(replace(found, related=related))

    def worded(self, said: Reason) -> Reason:
        """A statement as the program's language says it."""
        return replace(said, code=self._wording.get(said.code, said.code))

    def _add(  # noqa: PLR0913, PLR0917 - the parts of a diagnostic
        self,
        kind: DiagnosticKind,
        severity: Severity,
        location: SourceLocation,
        message: Reason,
        advice: Reason | None,
        related: SourceLocation | None = None,
    ) -> None:
        others = () if related is None or related.line is None or related == location else (related,)
        self._join(
            Diagnostic(
                kind=kind,
                severity=severity,
                message=self.worded(message),
                advice=None if advice is None else self.worded(advice),
                file=location.file,
                line=location.line,
                related=others,
            )
        )

    def _join(self, found: Diagnostic) -> None:
        before = self._found.get(found.identity)
        self._found[found.identity] = (
            found if before is None else replace(before, count=before.count + found.count)
        )
