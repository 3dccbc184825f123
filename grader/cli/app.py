"""The command line: its commands, its exit codes, and how errors become one line."""

import os
import sys
from collections.abc import Mapping
from typing import Annotated, ClassVar

import typer

from grader import __version__
from grader.cli import streams
from grader.cli.lazy_group import LazyGroup
from grader.cli.signals import exit_code, raise_when_asked_to_end
from grader.errors import GraderError, UserError
from grader.logs import Event, Level, LogFormat, bound, configure, log

NOT_GRADABLE = 1
"""Exit code: something failed that neither the student nor the user caused."""

USER_ERROR = 2
"""Exit code: the user must change something; one line says what."""


class _Commands(LazyGroup):
    modules: ClassVar[Mapping[str, str]] = {
        "labs": "grader.cli.labs",
        "course": "grader.cli.course",
        "start": "grader.cli.start",
        "check": "grader.cli.check",
        "run": "grader.cli.run",
        "profile": "grader.cli.profile",
        "sweep": "grader.cli.sweep",
        "import": "grader.cli.import_archive",
        "grade": "grader.cli.grade",
        "queue": "grader.cli.queue",
        "workers": "grader.cli.workers",
        "serve": "grader.cli.serve",
        "show": "grader.cli.show",
        "feedback": "grader.cli.feedback",
        "export": "grader.cli.export",
        "gradescope": "grader.cli.gradescope",
        "gradescope-run": "grader.cli.gradescope_run",
        "leaderboard": "grader.cli.leaderboard",
        "review": "grader.cli.review",
        "similar": "grader.cli.similar",
        "rescore": "grader.cli.rescore",
        "regrade": "grader.cli.regrade",
        "diff": "grader.cli.diff",
        "override": "grader.cli.override",
        "excuse": "grader.cli.excuse",
        "extend": "grader.cli.extend",
        "comment": "grader.cli.comment",
        "request": "grader.cli.request",
        "answer": "grader.cli.answer",
        "publish": "grader.cli.publish",
        "decisions": "grader.cli.decisions",
        "gradebook": "grader.cli.gradebook",
        "statistics": "grader.cli.statistics",
        "backup": "grader.cli.backup",
        "restore": "grader.cli.restore",
        "lti": "grader.cli.lti",
        "person": "grader.cli.person",
        "calibrate": "grader.cli.calibrate",
        "bench-labs": "grader.cli.bench_labs",
        "doctor": "grader.cli.doctor",
        "login": "grader.cli.login",
        "logout": "grader.cli.logout",
        "submit": "grader.cli.submit",
        "status": "grader.cli.status",
        "board": "grader.cli.board",
    }


app = typer.Typer(
    name="grader",
    help="Grade CUDA C and Numba kernels, with or without a GPU.",
    cls=_Commands,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer requires it
    if wanted:
        typer.echo(f"grader {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    *,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
    log_level: Annotated[
        Level, typer.Option(envvar="GRADER_LOG_LEVEL", help="The least level of events that are logged.")
    ] = Level.WARNING,
    log_format: Annotated[
        LogFormat, typer.Option(envvar="GRADER_LOG_FORMAT", help="How the log looks on standard error.")
    ] = LogFormat.TEXT,
) -> None:
    """Options of every command; they stand before its name."""
    del version  # its callback has printed it
    configure(level=log_level, format=log_format, write=_log_line)
    log(Event.COMMAND_STARTED, command=context.invoked_subcommand, version=__version__)


def main() -> None:
    """Run the command line and exit: 0 for success, 1 if something was not gradable, 2 for a user error."""
    streams.protect()
    raise_when_asked_to_end()
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code."""
    with bound(run=os.urandom(4).hex()):
        code = _run(arguments)
        log(Event.COMMAND_FINISHED, code=code)
    return code


def _run(arguments: list[str]) -> int:
    try:
        code = app(arguments or ["--help"], prog_name="grader", standalone_mode=False)
    except UserError as error:
        return _failed(str(error), USER_ERROR)
    except GraderError as error:
        log(Event.COMMAND_FAILED, error=str(error))
        return _failed(str(error), NOT_GRADABLE)
    except typer.TyperException as error:
        return _failed(error.format_message(), USER_ERROR)
    except (KeyboardInterrupt, typer.Abort) as stopped:
        code = exit_code(stopped if isinstance(stopped, KeyboardInterrupt) else KeyboardInterrupt())
        return _failed("stopped; finished work is kept, run the same command to continue", code)
    return code if isinstance(code, int) else 0


def _log_line(line: str) -> None:
    from grader.cli.console import log_line  # noqa: PLC0415 - loads rich, which `grader --version` does not need

    log_line(line)


def _failed(message: str, code: int) -> int:
    from grader.cli.console import print_error  # noqa: PLC0415 - loads rich, which `grader --version` does not need

    print_error(message)
    return code
