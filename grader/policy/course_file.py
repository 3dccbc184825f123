"""Reading ``course.toml``: every mistake is one line with its place."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from grader.config.document import document_of, read_document
from grader.config.lines import KeyPath
from grader.config.table import Table
from grader.config.wording import dotted, nearest, quoted, shown
from grader.errors import UserError
from grader.model.text import printable
from grader.policy import keys
from grader.policy.keys import Key
from grader.policy.rules import Course, Exemption, LabRule, Scope

FILE_NAME = "course.toml"
"""The file of a course, beside or above where commands run."""

_DOCUMENTED = "docs/reference/course-toml.md lists every key."
_SECTIONS = ("course", "late_days", "defaults", "labs", "exceptions", "groups", "labels", "grades")
_BARE_TIME = re.compile(r"^[^#\"\n]*= *\d{4}-\d\d-\d\d[ T]\d\d:\d\d\s*(#.*)?$", re.MULTILINE)
_UTC = ZoneInfo("UTC")
_CHANGES = ("due", "days", "closes", "attempts", "excused")


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseFile:
    """A file that was read. ``course`` is whole only if there are no ``mistakes``, each of which is one line."""

    course: Course
    table: Table
    mistakes: tuple[str, ...] = ()

    def strangers(
        self, students: Collection[str], groups: Collection[str], labels: Collection[str]
    ) -> tuple[str, ...]:
        """A line for each name of an exception, group or label that the roster does not know."""
        known = {
            "student": set(students),
            "group": {*groups, *self.course.groups},
            "label": {*labels, *self.course.labels},
        }
        return tuple(
            self.table.located(
                where, f"the roster has no {scope} {quoted(name)}.{_did_you_mean(name, known[scope])}"
            )
            for where, scope, name in self._named()
            if name not in known[scope]
        )

    def _named(self) -> Iterable[tuple[KeyPath, str, str]]:
        """Each student, group and label that the file names, with its place and kind."""
        content = self.table.content
        for number, each in enumerate(content.get("exceptions", ())):
            for scope in ("student", "group", "label"):
                for name in _as_list(each.get(scope)):
                    yield ("exceptions", number, scope), scope, name.strip()
        for section in ("groups", "labels"):
            for name, members in content.get(section, {}).items():
                for position, member in enumerate(members):
                    yield (section, name, position), "student", member.strip()


def read_course(path: Path, labs: Collection[str]) -> CourseFile:
    """Read the course at ``path``; ``labs`` are those that exist.

    Raises: ``UserError`` if the file cannot be read or is no TOML. Other mistakes are in the result.
    """
    try:
        return _Reader(read_document(path, _DOCUMENTED), labs).read()
    except UserError as error:
        text = path.read_text("utf-8", "replace") if path.is_file() else ""
        raise _explained(error, text) from error


def course_in(text: str, labs: Collection[str]) -> CourseFile:
    """The course in the ``text`` of such a file. Raises: ``UserError`` if it is no TOML."""
    try:
        return _Reader(document_of(FILE_NAME, text, _DOCUMENTED), labs).read()
    except UserError as error:
        raise _explained(error, text) from error


def _explained(error: UserError, text: str) -> UserError:
    """``error`` with what to write, if it is about a time."""
    if error.hint is None and _BARE_TIME.search(text):
        # TOML has no time without seconds, and its parser says so in other words.
        return UserError(error.problem, hint='Write times in quotes: "2026-06-18 23:59".')
    return error


@dataclass(slots=True)
class _Reader:
    """One file being read."""

    table: Table
    known_labs: Collection[str]
    zone: ZoneInfo = _UTC
    mistakes: list[tuple[int, str]] = field(default_factory=list)

    def read(self) -> CourseFile:
        self._refuse_unknown((), self.table.content, _SECTIONS)
        # The time zone first: dates need it.
        about = self._values(("course",), keys.COURSE)
        self.zone = about.get("time_zone", _UTC)
        late_days = self._values(("late_days",), keys.LATE_DAYS)
        pool = late_days.get("per_student", 0)
        defaults = {
            "late_days": late_days.get("per_lab", pool),
            **self._values(("defaults",), keys.RULES),
        }
        course = Course(
            title=about.get("title", ""),
            zone=self.zone,
            language=about.get("language", ""),
            sections=about.get("sections", ()),
            late_days=pool,
            labs=self._labs(defaults),
            # Other labs are practice.
            others=_rule({**defaults, "weight": 0.0}),
            groups=self._named("groups", keys.MEMBERS),
            labels=self._named("labels", keys.MEMBERS),
            boundaries=self._boundaries(),
        )
        found = replace(course, exemptions=self._exemptions(course))
        return CourseFile(
            course=found,
            table=self.table,
            mistakes=tuple(line for _, line in sorted(dict.fromkeys(self.mistakes))),
        )

    def _labs(self, defaults: Mapping[str, Any]) -> dict[str, LabRule]:
        found = {}
        for name, _ in self._tables(("labs",)):
            path: KeyPath = ("labs", name)
            if name not in self.known_labs:
                self._mistake(path, f"there is no lab {quoted(name)}.{_did_you_mean(name, self.known_labs)}")
            own = {**defaults, **self._values(path, {**keys.DATES, **keys.RULES})}
            found[name] = _rule(own)
            self._check_order(path, found[name])
        return found

    def _check_order(self, path: KeyPath, rule: LabRule) -> None:
        """Opening, due date and closing must come in this order."""
        dates = [(name, when) for name in keys.DATES if (when := getattr(rule, name)) is not None]
        for (first, earlier), (second, later) in pairwise(dates):
            if later < earlier:
                self._mistake((*path, second), f"{dotted((*path, second))} is before {first}.")

    def _exemptions(self, course: Course) -> tuple[Exemption, ...]:
        content = self.table.content.get("exceptions", [])
        if not isinstance(content, list) or not all(isinstance(each, dict) for each in content):
            self._mistake(("exceptions",), "exceptions are tables, each written [[exceptions]].")
            return ()
        return tuple(
            each for number in range(len(content)) for each in self._exemption(("exceptions", number), course)
        )

    def _exemption(self, path: KeyPath, course: Course) -> Iterable[Exemption]:
        values = self._values(path, keys.EXCEPTIONS)
        scopes = [name for name in keys.SCOPES if name in self._content(path)]
        if len(scopes) != 1:
            self._mistake(
                path, f"an exception is for one of {', '.join(keys.SCOPES)}; write exactly one of them."
            )
        if not any(name in self._content(path) for name in _CHANGES):
            self._mistake(path, f"this exception changes nothing; write one of {', '.join(_CHANGES)}.")
        if "due" in values and "days" in values:
            self._mistake((*path, "days"), "an exception has due or days, not both.")
        for lab in values.get("lab", ()):
            if lab not in course.labs:
                self._mistake(
                    (*path, "lab"), f"the course has no lab {quoted(lab)}.{_did_you_mean(lab, course.labs)}"
                )
        self._check_sections(path, values.get("section", ()), course)
        changes = {name: values[name] for name in (*_CHANGES, "reason", "by") if name in values}
        return [
            Exemption(scope=Scope(scope), name=name, lab=lab, **changes)
            for scope in scopes
            for name in values.get(scope, ())
            for lab in values.get("lab", (None,))
        ]

    def _check_sections(self, path: KeyPath, names: Iterable[str], course: Course) -> None:
        for name in names:
            if course.sections and name not in course.sections:
                self._mistake(
                    (*path, "section"),
                    f"the course has no section {quoted(name)}.{_did_you_mean(name, course.sections)}",
                )

    def _boundaries(self) -> tuple[tuple[str, float], ...]:
        found = self._named("grades", keys.BOUNDARY)
        return tuple(sorted(found.items(), key=lambda each: -each[1]))

    def _named(self, section: str, key: Key) -> dict[str, Any]:
        """A table with any keys, each with a value like ``key``."""
        return self._values((section,), dict.fromkeys(self._content((section,)), key))

    def _values(self, path: KeyPath, known: Mapping[str, Key]) -> dict[str, Any]:
        """The values of the table at ``path`` that are right; each other one is a mistake."""
        content = self._content(path)
        self._refuse_unknown(path, content, known)
        found = {}
        for name, value in content.items():
            if name not in known:
                continue
            try:
                found[name] = known[name].read(value, self.zone)
            except ValueError as error:
                self._mistake((*path, name), _broken((*path, name), known[name], value, error))
        return found

    def _tables(self, path: KeyPath) -> Iterable[tuple[str, Mapping[str, Any]]]:
        """The tables inside that at ``path``."""
        for name, value in self._content(path).items():
            if isinstance(value, dict):
                yield name, value
            else:
                self._mistake((*path, name), f"{dotted((*path, name))} must be a table, not {shown(value)}.")

    def _content(self, path: KeyPath) -> Mapping[str, Any]:
        content: Any = self.table.content
        for key in path:
            content = content[key] if isinstance(key, int) else content.get(key, {})
        if isinstance(content, dict):
            return content
        self._mistake(
            path, f"{dotted(path)} must be a table, written [{dotted(path)}], not {shown(content)}."
        )
        return {}

    def _refuse_unknown(self, path: KeyPath, found: Iterable[str], known: Iterable[str]) -> None:
        for name in found:
            if name not in known:
                near = nearest(name, known)
                hint = (
                    f"did you mean {dotted((*path, near))}?" if near else f"known here: {', '.join(known)}."
                )
                self._mistake((*path, name), f"there is no key {dotted((*path, name))}; {hint}")

    def _mistake(self, where: KeyPath, problem: str) -> None:
        self.mistakes.append((self.table.line(where), self.table.located(where, printable(problem))))


def _rule(values: Mapping[str, Any]) -> LabRule:
    """The rule with ``values`` by their keys in the file."""
    own = dict(values)
    if "grace_minutes" in own:
        own["grace"] = own.pop("grace_minutes")
    if "attempts" in own:
        own["limits"] = (own.pop("attempts"),)
    return LabRule(**own)


def _broken(path: KeyPath, key: Key, value: Any, error: ValueError) -> str:
    detail = f" ({error})" if str(error) else ""
    return f"{dotted(path)} must be {key.expected}, not {shown(value)}{detail}."


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    near = nearest(name, known)
    return f" Did you mean {quoted(near)}?" if near else ""


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
