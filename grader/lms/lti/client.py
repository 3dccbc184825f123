"""The port over pylti1p3: launches, and the services of a platform."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import requests
from pylti1p3.assignments_grades import AssignmentsGradesService
from pylti1p3.deep_link import DeepLink
from pylti1p3.deep_link_resource import DeepLinkResource
from pylti1p3.exception import LtiException, LtiServiceException
from pylti1p3.grade import Grade
from pylti1p3.lineitem import LineItem
from pylti1p3.names_roles import NamesRolesProvisioningService
from pylti1p3.registration import Registration
from pylti1p3.service_connector import ServiceConnector

from grader.lms.lti.claims import launch_of, member_of
from grader.lms.lti.http import KeySets, TimedSession, brief
from grader.lms.lti.keys import signing_key
from grader.lms.lti.message import checked_claims, registration_of
from grader.lms.lti.port import LAB_PARAMETER, LabItem, Launch, LmsError, Member, SentScore
from grader.store.lti_values import Platform, Points

_AGS = "https://purl.imsglobal.org/spec/lti-ags/scope"
_SCORE, _RESULTS, _LINE_ITEMS = f"{_AGS}/score", f"{_AGS}/result.readonly", f"{_AGS}/lineitem"

_LASTING = frozenset({400, 403, 404, 405, 410, 413, 415, 422})
"""Statuses that the same request gets again."""

_CONFLICT = 409
"""The platform has a grade with this stamp or a newer one."""

_MOST_MEMBERS = 20_000
"""A roster that does not end is a fault of the platform."""


class PyltiClient:
    """``LtiClient`` over pylti1p3. Threads may share it."""

    def __init__(self) -> None:
        self._session = TimedSession()
        self._keys = KeySets(TimedSession())
        self._tokens = _Tokens()

    def launch(self, platform: Platform, token: str, nonce: str) -> Launch:
        """See ``LtiClient.launch``."""
        return launch_of(checked_claims(platform, _registration(platform), self._keys, token, nonce))

    def link_answer(self, platform: Platform, launch: Launch, item: LabItem) -> str:
        """See ``LtiClient.link_answer``. Raises: ``ValueError`` if the launch asks for no link."""
        if launch.link_request is None:
            msg = "the launch asks for no link"
            raise ValueError(msg)
        settings: Any = launch.link_request.settings
        answer = DeepLink(_registration(platform), launch.deployment, settings)
        message = answer.get_message_jwt([_resource(item)])
        given = {name: value for name, value in message.items() if value is not None}
        return str(answer.encode_jwt(given))  # type: ignore[no-untyped-call]  # the library has no types here

    def members(self, platform: Platform, members_url: str) -> tuple[Member, ...]:
        """See ``LtiClient.members``."""
        service = NamesRolesProvisioningService(
            self._connector(platform), {"context_memberships_url": members_url}
        )
        found: list[Member] = []
        page: str | None = members_url
        with _asking("the roster"):
            while page and len(found) < _MOST_MEMBERS:
                rows, page = service.get_members_page(page)
                active = (row for row in rows if row.get("status", "Active") == "Active")
                found.extend(member for row in active if (member := member_of(row)).subject)
        return tuple(found)

    def line_item(self, platform: Platform, line_items: str, item: LabItem) -> str:
        """See ``LtiClient.line_item``."""
        grades = self._grades(platform, _LINE_ITEMS, lineitems=line_items)
        with _asking("its columns"):
            made = grades.find_or_create_lineitem(_column(item), find_by="resource_id")
            return str(made.get_id() or "")

    def send(self, platform: Platform, line_item: str, score: SentScore) -> None:
        """See ``LtiClient.send``."""
        grades = self._grades(platform, _SCORE, lineitem=line_item)
        with _asking("a grade", and_accepting=_CONFLICT):
            grades.put_grade(_grade(score))

    def results(self, platform: Platform, line_item: str) -> Mapping[str, Points]:
        """See ``LtiClient.results``."""
        grades = self._grades(platform, _RESULTS, lineitem=line_item)
        with _asking("its grades"):
            return {
                str(row["userId"]): Points(points=float(row["resultScore"]), most=float(row["resultMaximum"]))
                for row in grades.get_grades()
                if row.get("resultScore") is not None
            }

    def _connector(self, platform: Platform) -> "_Connector":
        return _Connector(_registration(platform), self._session, self._tokens)

    def _grades(self, platform: Platform, scope: str, **addresses: str) -> AssignmentsGradesService:
        """The service of grades with one scope: a platform refuses a token for scopes that it did not grant."""
        data: Any = {"scope": [scope], **addresses}
        return AssignmentsGradesService(self._connector(platform), data)


def _registration(platform: Platform) -> Registration:
    return registration_of(platform, signing_key(platform, datetime.now(UTC)))


class _Tokens:
    """Tokens of platforms that are still valid. Threads may share it."""

    _MARGIN = 60.0
    """Seconds before its end from which a token is not used."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, tuple[float, str]] = {}

    def get(self, key: str) -> str | None:
        with self._lock:
            ends, token = self._known.get(key, (0.0, ""))
            return token if time.monotonic() < ends else None

    def put(self, key: str, token: str, seconds: float) -> None:
        with self._lock:
            self._known[key] = (time.monotonic() + seconds - self._MARGIN, token)

    def drop(self, key: str) -> None:
        with self._lock:
            self._known.pop(key, None)


class _Connector(ServiceConnector):
    """Requests with a token of the platform. The library's key of a token lacks the client."""

    def __init__(self, registration: Registration, session: requests.Session, tokens: _Tokens) -> None:
        super().__init__(registration, session)
        self._tokens = tokens

    def _scope_key(self, scopes: Any) -> str:
        return " ".join(
            (str(self._registration.get_issuer()), str(self._registration.get_client_id()), *sorted(scopes))
        )

    def _get_cached_access_token(self, scope_key: str) -> str | None:
        return self._tokens.get(scope_key)

    def _cache_access_token(self, scope_key: str, access_token: str, expires_in: float) -> None:
        self._tokens.put(scope_key, access_token, float(expires_in))

    def make_service_request(self, scopes: Any, url: str, **options: Any) -> Any:
        """A token that the platform no longer knows is asked for once more."""
        try:
            return super().make_service_request(scopes, url, **options)
        except LtiServiceException as error:
            if error.response.status_code != requests.codes.unauthorized:
                raise
            self._tokens.drop(self._scope_key(scopes))
            return super().make_service_request(scopes, url, **options)


@contextmanager
def _asking(what: str, and_accepting: int | None = None) -> Iterator[None]:
    """Turn the errors of a request for ``what`` into ``LmsError``, but for one status that is as good as success."""
    try:
        yield
    except LtiServiceException as error:
        status = error.response.status_code
        if status != and_accepting:
            msg = f"The course system answers HTTP {status} to a request for {what}."
            raise LmsError(msg, lasting=status in _LASTING) from error
    except (LtiException, requests.RequestException, ValueError, KeyError, TypeError) as error:
        msg = f"A request of the course system for {what} failed: {brief(error)}."
        raise LmsError(msg) from error


def _column(item: LabItem) -> LineItem:
    made = LineItem().set_label(item.title).set_score_maximum(item.most)
    return made.set_resource_id(item.lab).set_tag(LAB_PARAMETER)


def _resource(item: LabItem) -> DeepLinkResource:
    made = _NewWindow().set_title(item.title).set_url(item.url)
    return made.set_custom_params({LAB_PARAMETER: item.lab}).set_lineitem(_column(item))


class _NewWindow(DeepLinkResource):
    """A link that opens in a window of its own, where a browser keeps the session."""

    def to_dict(self) -> dict[str, object]:
        return {**super().to_dict(), "window": {"targetName": "_blank"}}


def _grade(score: SentScore) -> Grade:
    """``score`` as a message. A message without a score empties the cell."""
    stamp = score.stamp.isoformat(timespec="milliseconds")
    made = Grade().set_user_id(score.subject).set_timestamp(stamp)
    if score.comment:
        made = made.set_comment(score.comment)
    if score.grade is None:
        return made.set_activity_progress("Submitted").set_grading_progress("NotReady")
    made = made.set_score_given(score.grade.points).set_score_maximum(score.grade.most)
    return made.set_activity_progress("Completed").set_grading_progress("FullyGraded")
