"""Import the roster from the connected courses of course systems."""

from dataclasses import dataclass

from grader.course.lti.people import merged_members
from grader.course.records import Records
from grader.course.roster import Change, Import
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.lms.lti.port import LmsError, LtiClient
from grader.store.people import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseRoster:
    """What the roster of a connected course, by its ``title``, changes here."""

    title: str
    imported: Import


def import_members(
    workspace: Workspace, client: LtiClient, *, dry_run: bool = False
) -> tuple[CourseRoster, ...]:
    """Add the students of every connected course to the roster; with ``dry_run`` only say what would change.

    Raises: ``UserError`` if no course is connected, offers its roster, or answers.
    """
    with Records(workspace) as records:
        platforms = {each.id: each for each in records.store.platforms.list()}
        contexts = [each for each in records.store.platforms.contexts() if each.members_url]
        if not contexts:
            msg = "No course of a course system offers its roster here."
            raise UserError(msg, hint="Open Grader from a link in the course, as an instructor, once.")
        people = {each.id: each for each in records.store.people.list()}
        rosters = []
        changed: dict[str, Person] = {}
        for context in contexts:
            platform = platforms[context.platform]
            try:
                members = client.members(platform, context.members_url)
            except LmsError as error:
                raise UserError(str(error), hint="Try again later.") from error
            found = merged_members(people.values(), platform, members)
            news = {each.person.id: each.person for each in found.enrolled if each.change is not Change.SAME}
            people |= news
            changed |= news
            rosters.append(CourseRoster(title=context.title or context.context, imported=found))
        if not dry_run:
            records.store.people.put_all(list(changed.values()))
    return tuple(rosters)
