"""The table of all pages."""

from grader.portal.page import Page
from grader.portal.pages import (
    api,
    attempt,
    course_system,
    device,
    health,
    home,
    invitations,
    lab,
    language,
    live_state,
    lti,
    my_labs,
    oidc,
    password,
    sign_in,
    sign_out,
    static,
)

ROUTES: tuple[Page, ...] = (
    *home.ROUTES,
    *my_labs.ROUTES,
    *lab.ROUTES,
    *attempt.ROUTES,
    *live_state.ROUTES,
    *sign_in.ROUTES,
    *oidc.ROUTES,
    *invitations.ROUTES,
    *password.ROUTES,
    *sign_out.ROUTES,
    *language.ROUTES,
    *lti.ROUTES,
    *course_system.ROUTES,
    *health.ROUTES,
    *device.ROUTES,
    *api.ROUTES,
    *static.ROUTES,
)
"""Every page; of two that match, the first answers. The order of labels is that of the navigation."""
