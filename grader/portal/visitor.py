"""Who asks for a page."""

from dataclasses import dataclass, field, replace

from grader.course.accounts import sessions, tokens
from grader.course.accounts.members import Member
from grader.course.workspace import Workspace
from grader.model.signing_in import SignedInBy
from grader.policy.access import SCOPES_OF, Role, Scope
from grader.portal.cookies import Cookies
from grader.portal.languages import language_of, language_of_program


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Who asks. Without a session or token ``person`` and ``name`` are empty, ``role`` is ``None``.

    ``session`` is the id of the session in a browser, and ``signed_in_by`` is how it began; ``token`` is the id of the
    token of a program.
    """

    language: str
    person: str = ""
    name: str = ""
    role: Role | None = None
    scopes: frozenset[Scope] = field(default=frozenset())
    session: int | None = None
    signed_in_by: SignedInBy | None = None
    token: int | None = None

    @property
    def is_known(self) -> bool:
        """Whether the visitor is signed in."""
        return bool(self.person)

    @property
    def scopes_of_role(self) -> frozenset[Scope]:
        """What the visitor may do in a browser; a token may less."""
        return SCOPES_OF[self.role] if self.role else frozenset()

    def may(self, scope: Scope | None) -> bool:
        """Whether the visitor has ``scope``; ``None`` is what anybody may do."""
        return scope is None or scope in self.scopes


def visitor_in_browser(workspace: Workspace, cookies: Cookies, accepted: str) -> Visitor:
    """The visitor with ``cookies``; the browser ``accepted`` languages."""
    signed_in = sessions.find(workspace, cookies.session) if cookies.session else None
    language = language_of(workspace, cookies.language, accepted, signed_in)
    if signed_in is None:
        return Visitor(language=language)
    session = signed_in.session
    known = _of(signed_in.member, language)
    return replace(known, session=session.id, signed_in_by=session.signed_in_by)


def visitor_with_token(workspace: Workspace, authorization: str, accepted: str) -> Visitor:
    """The person of the token in the header ``authorization``; the program ``accepted`` languages."""
    scheme, _, secret = authorization.partition(" ")
    owner = tokens.find(workspace, secret.strip()) if scheme.lower() == "bearer" and secret else None
    language = language_of_program(workspace, accepted, owner.member.language if owner else "")
    if owner is None:
        return Visitor(language=language)
    return replace(_of(owner.member, language), scopes=owner.scopes, token=owner.token.id)


def _of(member: Member, language: str) -> Visitor:
    return Visitor(
        language=language,
        person=member.person,
        name=member.label,
        role=member.role,
        scopes=member.scopes,
    )
