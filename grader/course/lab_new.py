"""Write the files of a new lab into the course's own folders."""

from pathlib import Path

from grader.config.wording import display
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.labs.scaffold import scaffold


def new_lab(workspace: Workspace, name: str, like: str) -> tuple[Path, Path]:
    """Write the lab ``name``, which is ``like`` one of the scaffolds. Returns: its folder and that of its rungs.

    Raises: ``UserError`` for a name or a scaffold that is none, without a folder for labs, or if the lab is there.
    """
    files = scaffold(name, like)
    folders = workspace.config.lab_folders
    if not folders:
        msg = "grader.toml names no folder for labs of your own."
        raise UserError(msg, hint='Add: [labs] folders = ["assignments"]')
    places = {"assignment": folders[0].labs / name, "reference": folders[0].reference / name}
    for place in places.values():
        if place.exists():
            msg = f"{display(place)} exists already."
            raise UserError(msg, hint="Choose another name, or remove the folder.")
    try:
        for path, text in files.items():
            top, _, rest = path.partition("/")
            file = places[top] / rest
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    except OSError as error:
        msg = f"{display(error.filename or places['assignment'])} cannot be written: {error.strerror}."
        raise UserError(msg) from error
    return places["assignment"], places["reference"]
