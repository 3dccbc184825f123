"""Copy a lab's handout and starter."""

from dataclasses import dataclass
from pathlib import Path

from grader.course.workspace import Workspace
from grader.errors import UserError
from grader.labs.lab import Lab
from grader.languages import by_suffix, support


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """What was copied where; ``first`` is the file to fill in."""

    lab: Lab
    folder: Path
    names: tuple[str, ...]
    first: str


def start(workspace: Workspace, lab_name: str, folder: Path | None, language: str | None) -> Started:
    """Copy the files into ``folder``, by default one with the lab's name; only the starter in ``language`` if given.

    Raises: ``UserError`` for an unknown lab or language, a file that exists already, or a folder that is not writable.
    """
    lab = workspace.registry.get(lab_name)
    target = folder or Path(lab.name)
    wanted = list(by_suffix()) if language is None else [support(language).suffix]
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
    return Started(
        lab=lab,
        folder=target,
        names=tuple(source.name for source in sources),
        first=next(source.name for source in sources if source.suffix in wanted),
    )
