"""Check a launch: the signed message of a course system, by pylti1p3 with stricter rules of ours."""

from collections.abc import Callable, Mapping
from typing import Any

import jwt
from pylti1p3.cookie import CookieService
from pylti1p3.deployment import Deployment
from pylti1p3.exception import LtiException
from pylti1p3.launch_data_storage.base import LaunchDataStorage
from pylti1p3.message_launch import MessageLaunch
from pylti1p3.registration import Registration
from pylti1p3.request import Request
from pylti1p3.session import SessionService
from pylti1p3.tool_config.abstract import ToolConfAbstract

from grader.errors import UserError
from grader.lms.lti.http import KeySets
from grader.lms.lti.keys import public_pem
from grader.store.lti_values import Platform, ToolKey

_ALGORITHM = "RS256"
"""The one algorithm that LTI 1.3 has; a token chooses none."""

_REQUIRED = ["iss", "aud", "sub", "exp", "iat", "nonce"]

_LEEWAY = 60
"""Seconds by which the clocks of platform and tool may differ."""


def registration_of(platform: Platform, key: ToolKey) -> Registration:
    """``platform`` as pylti1p3 knows one, signing with ``key``."""
    made = (
        Registration()
        .set_issuer(platform.issuer)
        .set_client_id(platform.client_id)
        .set_auth_login_url(platform.login_url)
        .set_auth_token_url(platform.token_url)
        .set_key_set_url(platform.keys_url)
        .set_tool_private_key(key.private_key)
        .set_tool_public_key(public_pem(key))
    )
    return made.set_auth_audience(platform.audience) if platform.audience else made


def checked_claims(
    platform: Platform, registration: Registration, keys: KeySets, token: str, nonce: str
) -> Mapping[str, Any]:
    """The claims of a launch that passes every check.

    Raises: ``UserError``, one line that says which check it fails; ``LmsError`` if the keys cannot be read.
    """
    message = _Message(token, nonce, platform, registration)
    for step, problem in _STEPS:
        try:
            if step is _Message.validate_jwt_signature:
                registration.set_key_set(keys.get(platform.keys_url, message.kid))
            step(message)
        except (LtiException, jwt.PyJWTError, ValueError, TypeError, AttributeError, KeyError) as error:
            raise UserError(problem, hint="Open the link in the course again.") from error
    return message.claims


class _Parameters(Request):
    """The fields of the form that the platform posted."""

    def __init__(self, token: str) -> None:
        self._token = token

    def is_secure(self) -> bool:
        return True

    def get_param(self, key: str) -> str:
        return self._token if key == "id_token" else ""


class _OneNonce(LaunchDataStorage[Any]):
    """The nonce of the login that was taken from the store, where it counts once."""

    def __init__(self, nonce: str) -> None:
        super().__init__()
        self._key = f"lti1p3-nonce-{nonce}"

    def get_session_cookie_name(self) -> None:
        return None

    def can_set_keys_expiration(self) -> bool:
        return False

    def get_value(self, key: str) -> None:
        del key

    def set_value(self, key: str, value: Any, exp: int | None = None) -> None:
        del key, value, exp

    def check_value(self, key: str) -> bool:
        return key == self._key


class _NoCookies(CookieService):
    """The state is compared before the message is read."""

    def get_cookie(self, name: str) -> None:
        del name

    def set_cookie(self, name: str, value: str | int, exp: int | None = 3600) -> None:
        del name, value, exp


class _OnePlatform(ToolConfAbstract[Request]):
    """The platform at which the login began."""

    def __init__(self, platform: Platform, registration: Registration) -> None:
        self._platform = platform
        self._registration = registration

    def check_iss_has_one_client(self, iss: str) -> bool:
        del iss
        return False

    def find_registration_by_issuer(self, iss: str, *arguments: Any, **named: Any) -> Registration:
        # The library asks so only where an issuer has one client; see ``check_iss_has_one_client``.
        raise NotImplementedError

    def find_registration_by_params(  # type: ignore[override]  # the library checks for none
        self, iss: str, client_id: str, *arguments: Any, **named: Any
    ) -> Registration | None:
        del arguments, named
        same = (iss, client_id) == (self._platform.issuer, self._platform.client_id)
        return self._registration if same else None

    def find_deployment(self, iss: str, deployment_id: str) -> None:
        # As for ``find_registration_by_issuer``: the library asks by the client as well.
        raise NotImplementedError

    def find_deployment_by_params(
        self, iss: str, deployment_id: str, client_id: str, *arguments: Any, **named: Any
    ) -> Deployment | None:
        del iss, client_id, arguments, named
        if deployment_id not in self._platform.deployments:
            return None
        return Deployment().set_deployment_id(deployment_id)


class _Message(MessageLaunch[Request, _OnePlatform, SessionService, CookieService]):
    """The message of a launch; each ``validate_`` method is one check."""

    def __init__(self, token: str, nonce: str, platform: Platform, registration: Registration) -> None:
        request = _Parameters(token)
        super().__init__(
            request,
            _OnePlatform(platform, registration),
            session_service=SessionService(request),
            cookie_service=_NoCookies(),
            launch_data_storage=_OneNonce(nonce),
        )
        self.set_auto_validation(enable=False)

    @property
    def kid(self) -> object:
        """The name of the key that the message claims to be signed with."""
        return self._jwt.get("header", {}).get("kid")

    @property
    def claims(self) -> Mapping[str, Any]:
        """What the message says."""
        return self._get_jwt_body()

    def _get_request_param(self, key: str) -> str:
        return self._request.get_param(key)

    def validate_jwt_signature(self) -> "_Message":
        """The library's check asks for no audience, no expiry and no issuer, and allows no skew of clocks."""
        public_key, _ = self.get_public_key()
        platform = self._registration
        assert platform is not None  # noqa: S101 - the step before found it
        jwt.decode(
            self._get_id_token(),
            public_key,
            algorithms=[_ALGORITHM],
            audience=platform.get_client_id(),
            issuer=platform.get_issuer(),
            leeway=_LEEWAY,
            options={"require": _REQUIRED, "strict_aud": False},
        )
        audience, party = self.claims["aud"], self.claims.get("azp", platform.get_client_id())
        if party != platform.get_client_id() or (isinstance(audience, list) and len(audience) != 1):
            msg = "the message is for several tools"
            raise LtiException(msg)
        return self


_STEPS: tuple[tuple[Callable[[_Message], object], str], ...] = (
    (_Message.validate_jwt_format, "The launch holds no readable token."),
    (_Message.validate_nonce, "The launch does not answer the login that began here."),
    (_Message.validate_registration, "The launch is for another tool or from another course system."),
    (_Message.validate_jwt_signature, "The launch is not validly signed, or has expired."),
    (_Message.validate_deployment, "The launch comes from a placement that is not registered here."),
    (_Message.validate_message, "The launch is no message of LTI 1.3 that Grader knows."),
)
"""Each check, and what is wrong with a launch that fails it."""
