"""The settings of the portal in ``grader.toml``."""

from dataclasses import dataclass, field

from grader.config.rules import text, texts, whole_number, yes_or_no


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalSettings:
    """``[portal]``: how ``grader serve`` is reached, and how people sign in.

    ``url`` is the address that people type. ``trusted_proxies`` are the addresses of proxies that say for whom they
    ask. ``oidc_issuer`` is the sign-in service; empty: there is none. Its secret is in the file ``oidc_secret_file``,
    or in the variable ``GRADER_OIDC_SECRET``; its claim ``oidc_person`` finds a person by id or e-mail address.
    """

    url: str = field(default="http://127.0.0.1:8000", metadata=text("the address of the portal, in quotes"))
    trusted_proxies: tuple[str, ...] = field(
        default=(), metadata=texts("an array of addresses", "the address of a proxy, in quotes")
    )
    upload_mib: int = field(default=4, metadata=whole_number(1, 1024))
    session_days: int = field(default=30, metadata=whole_number(1, 366))
    passwords: bool = field(default=True, metadata=yes_or_no())
    oidc_name: str = field(default="", metadata=text("the name of the sign-in service, or empty", empty=True))
    oidc_issuer: str = field(default="", metadata=text("the address of the issuer, or empty", empty=True))
    oidc_client: str = field(default="", metadata=text("the id of the client, or empty", empty=True))
    oidc_secret_file: str = field(default="", metadata=text("the name of a file, or empty", empty=True))
    oidc_person: str = field(default="email", metadata=text("the name of a claim, in quotes"))
