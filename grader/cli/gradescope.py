"""``grader gradescope``: an autograder for Gradescope."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative
from grader.course.gradescope import build_autograder
from grader.course.language import ReportLanguage
from grader.course.workspace import open_workspace
from grader.lms.gradescope_image import RateLimit, RunSettings
from grader.lms.gradescope_image.settings import ShownWhen
from grader.model.reason import reason

EXAMPLE = "Example: `grader gradescope row-sum --attempts 5 --hours 24`"


def gradescope(  # noqa: PLR0913 - one parameter per option of the command
    lab: Annotated[str, typer.Argument(metavar="LAB", help="The lab.")],
    *,
    output: Annotated[Path, typer.Option(metavar="FILE", help="The file to write.")] = Path("autograder.zip"),
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the file to write, if it is there.")
    ] = False,
    visibility: Annotated[
        ShownWhen, typer.Option(help="When students see their results.")
    ] = ShownWhen.VISIBLE,
    leaderboard: Annotated[
        bool, typer.Option("--leaderboard/--no-leaderboard", help="Show speedups on a leaderboard.")
    ] = True,
    attempts: Annotated[
        int | None, typer.Option(min=1, help="How many submissions are graded in any --hours (default: all).")
    ] = None,
    hours: Annotated[float, typer.Option(min=0, help="The hours for --attempts.")] = 24,
    language: Annotated[
        ReportLanguage, typer.Option(help="The language of the results.")
    ] = ReportLanguage.ENGLISH,
) -> None:
    """Write the autograder of a lab for Gradescope, which grades on the emulator in Gradescope's container."""
    workspace = open_workspace()
    settings = RunSettings(
        lab=lab,
        visibility=visibility,
        leaderboard=leaderboard,
        language=language,
        limit=None if attempts is None else RateLimit(attempts=attempts, hours=hours),
    )
    build_autograder(workspace, settings, output, overwrite=overwrite)
    terminal(workspace.config).note(reason("written", file=relative(output)))


app = command_app(gradescope, EXAMPLE)
