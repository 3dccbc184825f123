"""The address of a server, as a person types it."""

import pytest

from grader.client.address import is_private, server_address
from grader.errors import UserError


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("grader.example.org", "https://grader.example.org"),
        ("https://grader.example.org/", "https://grader.example.org"),
        ("https://grader.example.org/login?x=1#y", "https://grader.example.org"),
        ("HTTP://Localhost:8000", "http://localhost:8000"),
        ("localhost:8000", "https://localhost:8000"),
        ("http://[::1]:8000/labs", "http://[::1]:8000"),
    ],
)
def test_an_address_loses_its_path(typed: str, address: str) -> None:
    assert server_address(typed) == address


@pytest.mark.parametrize(
    "typed",
    ["", "https://", "ftp://a.org", "http://a:b@c.org", "https://a.org:port", "http://[", "file:///etc"],
)
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(UserError):
        server_address(typed)


@pytest.mark.parametrize(
    ("server", "private"),
    [
        ("https://grader.example.org", True),
        ("http://localhost:8000", True),
        ("http://127.0.0.1", True),
        ("http://[::1]", True),
        ("http://grader.example.org", False),
        ("http://10.0.0.7", False),
        ("http://localhost.example.org", False),
    ],
)
def test_a_connection_in_clear_is_known(server: str, *, private: bool) -> None:
    assert is_private(server) is private
