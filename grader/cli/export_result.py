"""``grader export result``: one result as classroom50's ``result.json``."""

from typing import Annotated

import typer

from grader.cli.console import terminal
from grader.cli.document_options import Output, Overwrite
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative
from grader.course.export_documents import Target, export_result
from grader.course.workspace import open_workspace
from grader.lms.classroom50 import ResultContext
from grader.model.reason import reason

EXAMPLE = "Example: `grader export result student-01 row-sum --output result.json`"


def result(  # noqa: PLR0913 - one parameter per option of the command
    student: Annotated[str, typer.Argument(metavar="STUDENT", help="The student.")],
    lab: Annotated[str, typer.Argument(metavar="LAB", help="The lab.")],
    *,
    output: Output,
    classroom: Annotated[str, typer.Option(envvar="CLASSROOM", help="The classroom.")],
    assignment: Annotated[str, typer.Option(envvar="ASSIGNMENT", help="The assignment's slug.")],
    submission: Annotated[str, typer.Option(envvar="SUBMISSION_TAG", help="The tag of the submission.")],
    commit: Annotated[str, typer.Option(envvar="COMMIT_URL", help="The address of the commit.")],
    release: Annotated[str, typer.Option(envvar="RELEASE_URL", help="The address of the release.")],
    review: Annotated[
        str, typer.Option(envvar="REVIEW_URL", help="The address to review it at (default: the commit's).")
    ] = "",
    overwrite: Overwrite = False,
) -> None:
    """Write what counts of a student's work, in whole points, with a test for each line of the rubric.

    Inside a classroom50 autograder the variables of its runner give the options.
    """
    workspace = open_workspace()
    context = ResultContext(
        classroom=classroom,
        assignment=assignment,
        submission=submission,
        commit=commit,
        release=release,
        review=review,
    )
    export_result(workspace, student, context, lab, Target(file=output, overwrite=overwrite))
    terminal(workspace.config).note(reason("written", file=relative(output)))


app: typer.Typer = command_app(result, EXAMPLE)
