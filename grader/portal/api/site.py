"""The table of the API."""

from grader.portal.api import (
    account,
    attempt_events,
    attempt_results,
    attempts,
    class_data,
    decisions,
    labs,
    regrades,
)
from grader.portal.api.route import Route

API: tuple[Route, ...] = (
    *account.ROUTES,
    *labs.ROUTES,
    *attempts.ROUTES,
    *attempt_results.ROUTES,
    *attempt_events.ROUTES,
    *class_data.ROUTES,
    *decisions.ROUTES,
    *regrades.ROUTES,
)
"""Every operation but the description of the API itself."""
