"""Which submissions a service works on."""

from pathlib import Path

from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.intake import Intake, LabRules, collect


def require_exists(path: Path) -> Path:
    """``path``, if it exists. Raises: ``UserError``."""
    try:
        there = path.exists()
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror}."
        raise UserError(msg) from error
    if not there:
        msg = f"There is nothing at {path}."
        raise UserError(msg, hint="Check the path.")
    return path


def submissions_at(path: Path, workspace: Workspace, lab: str | None) -> Intake:
    """The submissions at ``path``, for ``lab`` if it is given. Raises: ``UserError`` if there is none."""
    registry = workspace.registry
    labs = registry.labs
    require_exists(path)
    if lab is not None:
        registry.get(lab)
    try:
        return collect(
            path,
            labs=labs,
            lab=lab,
            limits=workspace.config.limits,
            rules=LabRules.of(registry),
        )
    except UserError as error:
        if lab in labs and path.is_dir() and error.hint is not None:
            # For a folder of a known lab the error can only mean that the folder is empty.
            raise UserError(error.problem, hint="Put a .cu or .py file in it.") from error
        raise
