"""The people of a course system as people of the roster: known by the system's id for them."""

from collections.abc import Iterable, Mapping

from grader.course.roster import Change, Enrolled, Import, merge
from grader.errors import UserError
from grader.lms.lti.port import LmsRole, Member
from grader.lms.rosters import RosterFile, RosterRow
from grader.lms.words import System
from grader.messages import LANGUAGES
from grader.model.text import printable
from grader.store.lti_values import Platform
from grader.store.people import IdSystem, Person


def lti_id(platform: Platform, subject: str) -> str:
    """The id of a person in a system: theirs there, and where that is, since systems count from 1."""
    return f"{subject}@{platform.issuer.partition('://')[2] or platform.issuer}"


def subjects(platform: Platform, people: Iterable[Person]) -> Mapping[str, str]:
    """The ids in a system of those ``people`` that it knows, by their id here."""
    ending = lti_id(platform, "")
    return {
        person.id: own.value.removesuffix(ending)
        for person in people
        for own in person.ids
        if own.system == IdSystem.LTI and own.value.endswith(ending)
    }


def merged_members(known: Iterable[Person], platform: Platform, members: Iterable[Member]) -> Import:
    """The roster ``known`` after the students among ``members``; staff are no part of it."""
    rows = [
        _row(line, platform, each)
        for line, each in enumerate(members, start=1)
        if each.role is LmsRole.STUDENT
    ]
    return merge(known, RosterFile(system=System.LTI, rows=tuple(rows)))


def enrolled(known: tuple[Person, ...], platform: Platform, member: Member, locale: str) -> Enrolled:
    """A student who comes by a launch: a person of the roster by the system's or the school's id, or a new one.

    Raises: ``UserError`` if only the mail address says who in the roster it may be: a student may have changed it.
    """
    row = _row(1, platform, member, locale)
    sure = merge(known, RosterFile(system=System.LTI, rows=(_without_mail(row),)))
    if sure.notes:
        msg = f"The roster has two people who may be {printable(member.name or member.subject)}."
        raise UserError(msg, hint="Staff must correct the roster.")
    (found,) = sure.enrolled
    mail = member.email.casefold()
    if found.change is Change.ADDED and mail and any(mail in _names(person) for person in known):
        msg = (
            f"The roster has the address {printable(member.email)}, but not who that is in the course system."
        )
        raise UserError(msg, hint="Ask staff to import the roster from the course system.")
    (new,) = merge(known, RosterFile(system=System.LTI, rows=(row,))).enrolled
    return new


def _row(line: int, platform: Platform, member: Member, locale: str = "") -> RosterRow:
    language = locale.replace("_", "-").partition("-")[0].casefold()
    return RosterRow(
        line=line,
        own=tuple(filter(None, (member.school_id,))),
        issued=((System.LTI, lti_id(platform, member.subject)),),
        name=member.name,
        email=member.email,
        language=language if language in LANGUAGES else "",
    )


def _without_mail(row: RosterRow) -> RosterRow:
    return RosterRow(line=row.line, own=row.own, issued=row.issued, name=row.name)


def _names(person: Person) -> set[str]:
    return {person.id.casefold(), person.email.casefold()}
