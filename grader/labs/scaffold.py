"""New labs to start from: small whole labs, one text file each, with the lab's name to be filled in.

A line ``==> PATH`` begins a file. ``==> mutant NAME of RUNG`` is a copy of a rung with a first line before it, in which
the lines with ``+`` replace those with ``-``.
"""

import re
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from grader.config.wording import nearest
from grader.errors import UserError

_FOLDER = resources.files("grader.labs") / "scaffolds"
_SECTION = re.compile(r"^==> (.+)\n", re.MULTILINE)
_MUTANT = re.compile(r"mutant (\S+) of (\S+)")
_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


def kinds() -> list[str]:
    """The labs that a new one may be like."""
    return sorted(Path(file.name).stem for file in _FOLDER.iterdir() if file.name.endswith(".txt"))


def scaffold(name: str, like: str) -> Mapping[str, str]:
    """The files of a new lab ``name``: texts by their paths, which begin with ``assignment/`` or ``reference/``.

    Raises: ``UserError`` for a name that no lab may have, or an unknown ``like``.
    """
    if _NAME.fullmatch(name) is None:
        msg = f"{name!r} is no name of a lab."
        raise UserError(msg, hint="Use small letters, digits and hyphens, such as exclusive-scan.")
    if like not in kinds():
        near = nearest(like, kinds())
        hint = f"Did you mean {near}?" if near else f"Use one of {', '.join(kinds())}."
        msg = f"There is nothing like {like!r} to start from."
        raise UserError(msg, hint=hint)
    text = (_FOLDER / f"{like}.txt").read_text(encoding="utf-8")
    class_name = "".join(part.capitalize() for part in name.split("-"))
    return _files(text.replace("@name@", name).replace("@Class@", class_name))


def _files(text: str) -> dict[str, str]:
    _, *parts = _SECTION.split(text)
    files: dict[str, str] = {}
    for heading, body in zip(parts[::2], parts[1::2], strict=True):
        mutant = _MUTANT.fullmatch(heading)
        if mutant is None:
            files[heading] = body
        else:
            files[f"assignment/mutants/{mutant[1]}"] = _mutated(files[f"reference/{mutant[2]}"], body)
    return files


def _mutated(rung: str, change: str) -> str:
    first, *lines = change.splitlines()
    old, new = ("\n".join(line[1:] for line in lines if line[:1] == sign) for sign in "-+")
    if old not in rung:
        msg = f"a mutant replaces {old!r}, which its rung does not have"
        raise ValueError(msg)
    return f"{first}\n{rung.replace(old, new) if old else rung}"
