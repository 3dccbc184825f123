"""``grader start``: copy a lab's handout and starter."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import out
from grader.cli.lazy_group import command_app
from grader.cli.workspace import open_workspace
from grader.errors import UserError
from grader.model.submission import LANGUAGE_OF_SUFFIX, Language

EXAMPLE = "Example: `grader start row-sum my-row-sum --language numba`"


def start(
    lab_name: Annotated[str, typer.Argument(metavar="LAB", help="The lab to start.")],
    folder: Annotated[
        Path | None,
        typer.Argument(metavar="[DIR]", help="Where to copy to (default: a folder with the lab's name)."),
    ] = None,
    language: Annotated[Language | None, typer.Option(help="Copy only the starter in this language.")] = None,
) -> None:
    """Copy a lab's handout and starter files."""
    lab = open_workspace().registry.get(lab_name)
    target = folder or Path(lab.name)
    wanted = [suffix for suffix, of in LANGUAGE_OF_SUFFIX.items() if language in {None, of}]
    sources = sorted(lab.folder.glob("README*.md"))
    sources += sorted(path for path in (lab.folder / "starter").glob("*") if path.suffix in wanted)
    try:
        taken = [source.name for source in sources if (target / source.name).exists()]
        if taken:
            msg = f"{target} already holds {', '.join(taken)}; nothing was copied."
            raise UserError(msg, hint="Name another folder.")
        target.mkdir(parents=True, exist_ok=True)
        for source in sources:
            (target / source.name).write_bytes(source.read_bytes())
    except OSError as error:
        msg = f"{target} cannot be written: {error.strerror}."
        raise UserError(msg) from None
    out.print(
        f"{lab.manifest.title}: {', '.join(source.name for source in sources)} are in {target}", markup=False
    )
    first = next(source for source in sources if source.suffix in wanted)
    out.print(
        f"Fill in {first.name}, then run: grader check {target / first.name} --lab {lab.name}", markup=False
    )


app = command_app(start, EXAMPLE)
