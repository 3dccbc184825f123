"""What the subcommands of ``grader export`` that fill in a gradebook have in common."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative
from grader.course.export import GradebookRequest, export_gradebook
from grader.course.language import ReportLanguage
from grader.course.workspace import open_workspace
from grader.lms.gradebooks import Scaling
from grader.lms.words import System
from grader.model.reason import reason


def gradebook_command(system: System, about: str | None, example: str) -> typer.Typer:
    """The application with the command that fills in a gradebook of ``system``; ``about`` is its help."""
    return command_app(_command(system, about), example)


def _command(system: System, about: str | None) -> Callable[..., None]:
    def export(  # noqa: PLR0913 - one parameter per option of the command
        file: Annotated[Path, typer.Argument(metavar="FILE", help="The file, as the other system wrote it.")],
        *,
        lab: Annotated[str, typer.Option(help="The lab.")],
        output: Annotated[
            Path | None,
            typer.Option(metavar="FILE", help="The file to write (default: FILE with -graded in its name)."),
        ] = None,
        overwrite: Annotated[
            bool, typer.Option("--overwrite", help="Replace the file to write, if it is there.")
        ] = False,
        column: Annotated[
            str | None, typer.Option(metavar="HEADER", help="The header of the column of grades.")
        ] = None,
        scale: Annotated[
            bool | None,
            typer.Option(
                "--scale/--as-is", help="Convert points to the file's maximum, or write them unchanged."
            ),
        ] = None,
        feedback: Annotated[
            bool,
            typer.Option(
                "--feedback/--no-feedback", help="Write feedback, where the file has a column of it."
            ),
        ] = True,
        encoding: Annotated[
            str | None, typer.Option(metavar="NAME", help="The encoding of the file, if it is not found.")
        ] = None,
        language: Annotated[
            ReportLanguage | None,
            typer.Option(help="The language of all feedback (default: each student's)."),
        ] = None,
    ) -> None:
        workspace = open_workspace()
        shown = terminal(workspace.config)
        written = export_gradebook(
            workspace,
            GradebookRequest(
                system=system,
                file=file,
                lab=lab,
                output=output,
                overwrite=overwrite,
                column=column,
                codec=encoding,
                feedback=feedback,
                scaling=_SCALING[scale],
                language=language,
            ),
        )
        for note in written.notes:
            shown.warn(note)
        shown.note(
            reason("export-written", count=written.changed, same=written.same, file=relative(written.file))
        )

    export.__doc__ = about
    return export


_SCALING = {None: Scaling.REFUSE, True: Scaling.SCALE, False: Scaling.AS_IS}
