"""Whether a request was made by a page of this portal: forms of other sites change nothing here."""

from collections.abc import Mapping

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

_OWN_SITES = frozenset({"same-origin", "none"})
"""``none``: the user typed the address."""


def is_own(headers: Mapping[str, str], origin: str) -> bool:
    """Whether a request with ``headers`` comes from ``origin``, or from a program that is no browser.

    Browsers state ``Sec-Fetch-Site`` or at least ``Origin`` with every unsafe method.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in _OWN_SITES
    return headers.get("origin", origin) == origin
