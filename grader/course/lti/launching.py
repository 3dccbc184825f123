"""Launches: a person comes from a link in a course system, is known here, and goes on to a lab."""

import hmac
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from grader.course.accounts.secrets import digest, new_secret
from grader.course.lti.labs import lab_items
from grader.course.lti.people import enrolled, lti_id
from grader.course.records import Records
from grader.course.roster import Change
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.lms.lti.login import Announced, announced_by, login_address
from grader.lms.lti.port import Launch, LmsError, LmsRole, LtiClient, Member
from grader.model.text import printable
from grader.policy.access import Role
from grader.store.account_values import Account
from grader.store.lti_values import Context, NewContext, PendingLogin, Platform
from grader.store.ports import Store

LOGIN_LIFE = timedelta(minutes=10)
"""How long the course system may take to say who comes."""

_STAFF = frozenset({LmsRole.ASSISTANT, LmsRole.INSTRUCTOR})


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """A login that began: where the browser goes, and the state that it must bring back in a cookie too."""

    url: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchAnswer:
    """What the course system posts: a token and the state; ``cookie`` is the state that the browser kept."""

    token: str
    state: str
    cookie: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A lab that can be placed in the course: ``answer`` is the signed message that places it."""

    lab: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkChoice:
    """The labs that a member of staff may place: the answer is posted to ``return_url``."""

    return_url: str
    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """Who came by a launch, for which lab if the link names one, or to choose one."""

    person: str
    lab: str
    choice: LinkChoice | None


def begin_login(workspace: Workspace, announced: Announced, launch_url: str, at: datetime) -> Login:
    """Begin a login that a course system announced. Raises: ``UserError`` if it is not registered."""
    state, nonce = new_secret(), new_secret()
    with Records(workspace) as records:
        platforms = records.store.platforms
        platform = announced_by(platforms.list(), announced)
        platforms.begin_login(digest(state), PendingLogin(platform=platform.id, nonce=nonce), at + LOGIN_LIFE)
    return Login(url=login_address(platform, announced, launch_url, state, nonce), state=state)


def frame_origins(workspace: Workspace) -> tuple[str, ...]:
    """The origins of registered systems, which may show Grader in a frame."""
    with Records(workspace) as records:
        return tuple(sorted({origin(each.login_url) for each in records.store.platforms.list()}))


def origin(url: str) -> str:
    """Scheme and host of ``url``."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def arrive(
    workspace: Workspace, client: LtiClient, answer: LaunchAnswer, launch_url: str, at: datetime
) -> Arrival:
    """Check a launch, and know its person: found by the system's id for them, or made.

    A launch counts once, whether it is accepted or not. Raises: ``UserError``, one line that says what is wrong.
    """
    if not answer.state or not hmac.compare_digest(answer.state.encode(), answer.cookie.encode()):
        msg = "The browser kept no trace of the login that began here."
        raise UserError(msg, hint="Open the link in a new window, and allow cookies for it.")
    with Records(workspace) as records:
        store = records.store
        login = store.platforms.end_login(digest(answer.state), at)
        if login is None:
            msg = "This launch was used already, or took too long."
            raise UserError(msg, hint="Open the link in the course again.")
        platform = next(each for each in store.platforms.list() if each.id == login.platform)
        try:
            launch = client.launch(platform, answer.token, login.nonce)
        except LmsError as error:
            raise UserError(str(error), hint="Try again in a minute.") from error
        role = _role(launch.member)
        context = _connected(store, platform, launch)
        person = _person(store, platform, launch, role, at)
        if launch.link_request is not None:
            choice = _choice(workspace, client, platform, launch, launch_url)
            return Arrival(person=person, lab="", choice=choice)
        return Arrival(person=person, lab=_lab(workspace, store, context, launch), choice=None)


def _role(member: Member) -> Role:
    if member.role is None:
        msg = "The course system gives you no role in the course that Grader knows."
        raise UserError(msg, hint="Ask staff to enrol you there as a student, an assistant or an instructor.")
    return Role(member.role.value)


def _connected(store: Store, platform: Platform, launch: Launch) -> Context:
    """The course of the launch. The first one in which an instructor comes is connected with the course here."""
    if not launch.context:
        msg = "The course system does not say from which course the launch is."
        raise UserError(msg, hint="Place the link in a course.")
    contexts = store.platforms.contexts()
    known = next(
        (each for each in contexts if (each.platform, each.context) == (platform.id, launch.context)), None
    )
    if known is None and (contexts or launch.member.role is not LmsRole.INSTRUCTOR):
        title = printable(launch.context_title or launch.context)
        msg = f"The course {title} of the course system is not connected with the course here."
        raise UserError(
            msg,
            hint=f"The operator connects it with `grader lti register --course {printable(launch.context)}`.",
        )
    found = NewContext(
        platform=platform.id,
        deployment=launch.deployment,
        context=launch.context,
        title=launch.context_title or (known.title if known else ""),
        members_url=launch.members_url or (known.members_url if known else ""),
        line_items_url=launch.line_items or (known.line_items_url if known else ""),
    )
    return known if known is not None and _as_new(known) == found else store.platforms.connect(found)


def _as_new(context: Context) -> NewContext:
    return NewContext(**{each.name: getattr(context, each.name) for each in fields(NewContext)})


def _person(store: Store, platform: Platform, launch: Launch, role: Role, at: datetime) -> str:
    """Who came: the account that the system's id leads to, or else a new one."""
    member, issuer = launch.member, f"lti+{platform.issuer}"
    person = store.accounts.identify(issuer, member.subject)
    is_known = person is not None
    if role is Role.STUDENT:
        student = enrolled(store.people.list(), platform, member, launch.language)
        if student.change is not Change.SAME:
            store.people.put_all([student.person])
        person = person or student.person.id
    if person is None:
        person = member.school_id or member.email or lti_id(platform, member.subject)
    account = store.accounts.find(person)
    if account is None:
        account = store.accounts.add(
            Account(person=person, role=role, name=member.name, email=member.email, created_at=at)
        )
    elif not is_known and account.role != Role.STUDENT and person != member.school_id:
        # An address can be changed; an id of the school is the school's.
        msg = f"There is an account of staff for {printable(person)}, and nothing shows that it is yours."
        raise UserError(msg, hint="Ask an instructor to disable that account, or sign in as before.")
    if not store.accounts.bind(person, issuer, member.subject):
        msg = f"Another person is known here as {printable(member.subject)} of the course system."
        raise UserError(msg, hint="Staff must correct the accounts.")
    if account.role != role and not _is_last_instructor(store, account):
        store.accounts.put(replace(account, role=role))
    return person


def _is_last_instructor(store: Store, account: Account) -> bool:
    """Whether a course would be left without an instructor."""
    others = (each for each in store.accounts.list() if each.person != account.person)
    return account.role == Role.INSTRUCTOR and not any(each.role == Role.INSTRUCTOR for each in others)


def _lab(workspace: Workspace, store: Store, context: Context, launch: Launch) -> str:
    """The lab of the link, which is noted with its column; empty if the link names none."""
    if launch.lab:
        workspace.registry.get(launch.lab)
        store.platforms.link(context.id, launch.lab, launch.line_item)
    return launch.lab


def _choice(
    workspace: Workspace, client: LtiClient, platform: Platform, launch: Launch, launch_url: str
) -> LinkChoice:
    if launch.link_request is None or launch.member.role not in _STAFF:
        msg = "Only staff place links in the course."
        raise UserError(msg, hint="Ask an instructor of the course.")
    return LinkChoice(
        return_url=launch.link_request.return_url,
        offers=tuple(
            Offer(lab=item.lab, answer=client.link_answer(platform, launch, item))
            for item in lab_items(workspace, launch_url)
        ),
    )
