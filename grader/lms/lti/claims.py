"""Read a checked launch: its claims become values."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from grader.lms.lti.port import LAB_PARAMETER, Launch, LinkRequest, Member
from grader.lms.lti.roles import role_in_course

_LTI = "https://purl.imsglobal.org/spec/lti/claim/"
_LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
_GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
_MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"

_UNRESOLVED = "$"
"""A platform leaves a variable that it does not know as it was written."""


def launch_of(claims: Mapping[str, Any]) -> Launch:
    """The launch with these ``claims``."""
    context = _part(claims, f"{_LTI}context")
    grades = _part(claims, _GRADES)
    return Launch(
        member=member_of(
            {
                **claims,
                "user_id": claims.get("sub"),
                "roles": claims.get(f"{_LTI}roles"),
                "lis_person_sourcedid": _part(claims, f"{_LTI}lis").get("person_sourcedid"),
            }
        ),
        deployment=_text(claims, f"{_LTI}deployment_id"),
        context=_text(context, "id"),
        context_title=_text(context, "title") or _text(context, "label"),
        lab=_lab(claims),
        language=_text(_part(claims, f"{_LTI}launch_presentation"), "locale"),
        line_item=_text(grades, "lineitem"),
        line_items=_text(grades, "lineitems"),
        members_url=_text(_part(claims, _MEMBERS), "context_memberships_url"),
        link_request=_link_request(claims),
    )


def member_of(row: Mapping[str, Any]) -> Member:
    """A person as the roster service of a platform describes one."""
    roles = row.get("roles")
    parts = (_text(row, "given_name"), _text(row, "family_name"))
    return Member(
        subject=_text(row, "user_id"),
        role=role_in_course(roles if isinstance(roles, list) else []),
        name=_text(row, "name") or " ".join(filter(None, parts)),
        email=_text(row, "email"),
        school_id=_text(row, "lis_person_sourcedid"),
    )


def _lab(claims: Mapping[str, Any]) -> str:
    """The lab that the link names: by its parameter, or in the query of its address."""
    named = _text(_part(claims, f"{_LTI}custom"), LAB_PARAMETER)
    query = parse_qs(urlsplit(_text(claims, f"{_LTI}target_link_uri")).query)
    return named or query.get(LAB_PARAMETER, [""])[0]


def _link_request(claims: Mapping[str, Any]) -> LinkRequest | None:
    settings = _part(claims, _LINKING)
    url = _text(settings, "deep_link_return_url")
    return LinkRequest(return_url=url, settings=settings) if url else None


def _part(claims: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = claims.get(name)
    return found if isinstance(found, dict) else {}


def _text(values: Mapping[str, Any], name: str) -> str:
    found = values.get(name)
    text = found.strip() if isinstance(found, str) else ""
    return "" if text.startswith(_UNRESOLVED) else text
