"""Options of the subcommands of ``grader export`` that write a document of their own."""

from pathlib import Path
from typing import Annotated

import typer

from grader.course.language import ReportLanguage
from grader.report.redact import Audience

Output = Annotated[Path, typer.Option(metavar="FILE", help="The file to write.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the file to write, if it is there.")]
Labs = Annotated[list[str] | None, typer.Option("--lab", help="Only this lab (repeatable).")]
ReadAs = Annotated[
    Audience, typer.Option("--as", help="The reader: a student does not see what only staff may see.")
]
TextLanguage = Annotated[
    ReportLanguage | None,
    typer.Option("--language", help="The language of the texts (default: the course's)."),
]
