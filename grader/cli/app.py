"""The command line: what people type, and how they are told that something must be mended."""

import sys
from typing import Annotated

import typer

from grader import __version__
from grader.cli import (
    bench_labs,
    calibrate,
    check,
    doctor,
    grade,
    labs,
    profile,
    results,
    review,
    start,
    sweep,
)
from grader.cli.console import complain
from grader.errors import GraderError, UserError

NOT_GRADABLE = 1
"""Exit code: something failed that is neither the student's doing nor the person's at the keyboard."""

HINT = 2
"""Exit code: the person at the keyboard must hint something, said in one line."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells expect it."""

app = typer.Typer(
    name="grader",
    help="Grade CUDA C and Numba kernels, with or without a GPU.",
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
app.add_typer(labs.app, name="labs")
app.command("start", epilog=start.EXAMPLE)(start.start)
app.command("check", epilog=check.EXAMPLE)(check.check)
app.command("profile", epilog=profile.EXAMPLE)(profile.profile)
app.command("sweep", epilog=sweep.EXAMPLE)(sweep.sweep_command)
app.command("grade", epilog=grade.EXAMPLE)(grade.grade)
app.command("show", epilog=results.SHOW_EXAMPLE)(results.show)
app.command("leaderboard", epilog=results.LEADERBOARD_EXAMPLE)(results.leaderboard)
app.command("review", epilog=review.EXAMPLE)(review.review)
app.command("calibrate", epilog=calibrate.EXAMPLE)(calibrate.calibrate)
app.command("bench-labs", epilog=bench_labs.EXAMPLE)(bench_labs.bench_labs)
app.command("doctor", epilog=doctor.EXAMPLE)(doctor.doctor)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it so
    if wanted:
        typer.echo(f"grader {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and stop.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Options of every command."""


def main() -> None:
    """Run the command line and exit: 0 everything was graded, 1 something was not gradable, 2 hint something."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; its exit code."""
    try:
        code = app(arguments or ["--help"], prog_name="grader", standalone_mode=False)
    except UserError as error:
        complain(str(error))
        return HINT
    except GraderError as error:
        complain(str(error))
        return NOT_GRADABLE
    except typer.TyperException as error:
        complain(error.format_message())
        return HINT
    except (KeyboardInterrupt, typer.Abort):
        complain("stopped; what was finished is kept, run the same command to go on")
        return INTERRUPTED
    return code if isinstance(code, int) else 0
