"""What stands behind ``%grader`` and ``%%grader``."""

import argparse
import shlex
from typing import NoReturn

from IPython.core.error import UsageError


class _Parser(argparse.ArgumentParser):
    """A parser that ends no notebook."""

    def error(self, message: str) -> NoReturn:
        """Raises: ``UsageError``, which a notebook shows as one line."""
        usage = " ".join(self.format_usage().split())
        msg = f"{message}. {usage}"
        raise UsageError(msg)


def _cell_parser() -> _Parser:
    parser = _Parser(prog="%%grader", add_help=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="check|submit")
    check = commands.add_parser("check", prog="%%grader check", add_help=False)
    check.add_argument("lab", metavar="LAB")
    check.add_argument("--case", action="append", default=[], metavar="NAME")
    check.add_argument("--seed", type=int)
    submit = commands.add_parser("submit", prog="%%grader submit", add_help=False)
    submit.add_argument("lab", metavar="LAB")
    return parser


def _line_parser() -> _Parser:
    parser = _Parser(prog="%grader", add_help=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="status|board")
    status = commands.add_parser("status", prog="%grader status", add_help=False)
    status.add_argument("attempt", type=int, nargs="?", metavar="ATTEMPT")
    board = commands.add_parser("board", prog="%grader board", add_help=False)
    board.add_argument("lab", metavar="LAB")
    return parser


def parsed(line: str, *, cell: bool) -> argparse.Namespace:
    """The arguments in ``line``. Raises: ``UsageError``."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        msg = f"{line!r} cannot be read: {error}"
        raise UsageError(msg) from error
    return (_cell_parser() if cell else _line_parser()).parse_args(words)
