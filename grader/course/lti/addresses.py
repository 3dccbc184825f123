"""The addresses at which a course system reaches Grader."""

from collections.abc import Mapping

from grader.course.workspace import Workspace

LOGIN, LAUNCH, OPEN, KEYS = "/lti/login", "/lti/launch", "/lti/open", "/lti/keys"


def launch_url(workspace: Workspace) -> str:
    """Where launches go."""
    return _at(workspace, LAUNCH)


def tool_addresses(workspace: Workspace) -> Mapping[str, str]:
    """What an administrator enters in the course system, by the names that LTI gives it."""
    return {
        "Tool URL, redirect URI, deep linking URL": launch_url(workspace),
        "Initiate login URL": _at(workspace, LOGIN),
        "Public keyset URL": _at(workspace, KEYS),
        "Custom parameter of a link": "lab=NAME",
    }


def _at(workspace: Workspace, path: str) -> str:
    return workspace.config.portal.url.rstrip("/") + path
