"""Write the files of a new lab into the course's own folders."""

from pathlib import Path

from grader.config import Config, LabFolder
from grader.config.load import FILE_NAME
from grader.config.wording import display
from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.labs.scaffold import scaffold

_FIRST_CONFIG = '[labs]\nfolders = ["assignments"]\n'


def new_lab(workspace: Workspace, name: str, like: str) -> tuple[Path, Path]:
    """Write the lab ``name``, which is ``like`` one of the scaffolds. Returns: its folder and that of its rungs.

    Where no ``grader.toml`` applies, write one that names the folder of labs.

    Raises: ``UserError`` for a name or a scaffold that is none, without a folder for labs, or if the lab is there.
    """
    files = scaffold(name, like)
    folder = _folder_of_labs(workspace.config)
    places = {"assignment": folder.labs / name, "reference": folder.reference / name}
    for place in places.values():
        if place.exists():
            msg = f"{display(place)} exists already."
            raise UserError(msg, hint="Choose another name, or remove the folder.")
    try:
        if workspace.config.source is None:
            (workspace.config.base / FILE_NAME).write_text(_FIRST_CONFIG, encoding="utf-8")
        for path, text in files.items():
            top, _, rest = path.partition("/")
            file = places[top] / rest
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    except OSError as error:
        msg = f"{display(error.filename or places['assignment'])} cannot be written: {error.strerror}."
        raise UserError(msg) from error
    return places["assignment"], places["reference"]


def _folder_of_labs(config: Config) -> LabFolder:
    """The first folder for labs of the course's own. Raises: ``UserError`` if ``grader.toml`` names none."""
    if config.lab_folders:
        return config.lab_folders[0]
    if config.source is not None:
        msg = f"{display(config.source)} names no folder for labs of your own."
        raise UserError(msg, hint='Add: [labs] folders = ["assignments"]')
    return LabFolder(labs=config.base / "assignments", reference=config.base / "reference")
