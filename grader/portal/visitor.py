"""Who asks for a page."""

from dataclasses import dataclass, field

from grader.course.accounts import sessions
from grader.course.accounts.sessions import SignedIn
from grader.course.workspace import Workspace
from grader.model.signing_in import SignedInBy
from grader.policy.access import Role, Scope
from grader.portal.cookies import Cookies
from grader.portal.languages import language_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Who asks. Without a session or token ``person`` and ``name`` are empty, ``role`` is ``None``.

    ``session`` is the id of the session in a browser, ``None`` for a token; ``signed_in_by`` is how it began.
    """

    language: str
    person: str = ""
    name: str = ""
    role: Role | None = None
    scopes: frozenset[Scope] = field(default=frozenset())
    session: int | None = None
    signed_in_by: SignedInBy | None = None

    @property
    def is_known(self) -> bool:
        """Whether somebody is signed in."""
        return bool(self.person)

    def may(self, scope: Scope | None) -> bool:
        """Whether the visitor has ``scope``; ``None`` is what anybody may do."""
        return scope is None or scope in self.scopes


def visitor_in_browser(workspace: Workspace, cookies: Cookies, accepted: str) -> Visitor:
    """The visitor with ``cookies``; the browser ``accepted`` languages."""
    signed_in = sessions.find(workspace, cookies.session) if cookies.session else None
    language = language_of(workspace, cookies.language, accepted, signed_in)
    return Visitor(language=language) if signed_in is None else _member(signed_in, language)


def _member(signed_in: SignedIn, language: str) -> Visitor:
    member = signed_in.member
    return Visitor(
        language=language,
        person=member.person,
        name=member.label,
        role=member.role,
        scopes=member.scopes,
        session=signed_in.session.id,
        signed_in_by=signed_in.session.signed_in_by,
    )
