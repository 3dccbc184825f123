"""The frame of a lab: its own kernels, in the folder ``frame``, around functions that students write."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.labs.convert import refuse
from grader.languages import installed, support
from grader.model.build import Frame
from grader.model.element_types import Composite, element_type
from grader.model.kernel import FunctionSpec, Param
from grader.model.submission import Language, SourceFile

if TYPE_CHECKING:
    from grader.labs.lab import Lab

FOLDER = "frame"
"""The folder beside ``lab.toml``."""

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]*)"|<([^>\n]*)>)', re.MULTILINE)
_STUDENT = "student.cuh"
_IMPORT = re.compile(r"^(?:from[ \t]+student[ \t]+import\b|import[ \t]+student\b)", re.MULTILINE)


class FunctionTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A function of ``[[frame]]`` as TOML gives it."""

    name: str
    params: list[str] = []
    returns: str | None = None
    body: bool = False


def functions(tables: list[FunctionTable], structs: tuple[Composite, ...]) -> tuple[FunctionSpec, ...]:
    """The functions that the frame asks for. Raises: ``ManifestError``."""
    found: list[FunctionSpec] = []
    for index, table in enumerate(tables):
        where = ("frame", index)
        if not table.name.isidentifier() or table.name in {each.name for each in found}:
            refuse(f"frame: {table.name!r} is no name of a new function; write e.g. combine", *where, "name")
        try:
            returns = None if table.returns is None else element_type(table.returns, structs)
            params = tuple(Param.parse(text, structs) for text in table.params)
        except ValueError as error:
            refuse(f"frame: function {table.name}: {error}", *where)
        found.append(FunctionSpec(name=table.name, params=params, returns=returns, body=table.body))
    if len(found) > 1 and any(each.body for each in found):
        refuse("frame: where students write a body, the frame has one function; remove the others", "frame")
    return tuple(found)


def frame_of(lab: "Lab", language: Language) -> Frame | None:
    """The frame of ``lab`` in ``language``, if it has one."""
    if not lab.manifest.frame:
        return None
    suffixes = {support(language).suffix, *support(language).header_suffixes}
    paths = [path for path in _files(lab.folder) if path.suffix in suffixes]
    files = tuple(SourceFile(name=path.name, data=path.read_bytes()) for path in paths)
    return Frame(files=files, functions=lab.manifest.frame)


def check_frame(lab: "Lab") -> None:
    """Check the files of the frame: one in each language of the lab, which includes the student's.

    Raises: ``ManifestError``.
    """
    if not lab.manifest.frame:
        if _files(lab.folder):
            refuse("there is a folder frame, and no [[frame]] names the functions that students write")
        return
    for key, language in installed().items():
        written = [path for path in _files(lab.folder) if path.suffix == language.suffix]
        if not written and lab.manifest.takes(key):
            refuse(
                f"frame: there is no {FOLDER}/*{language.suffix}; add it, or list languages without {key}",
                "frame",
            )
        texts = {path.name: path.read_text(encoding="utf-8") for path in written}
        if texts and not any(_reads_student(name, text) for name, text in texts.items()):
            line = f'#include "{_STUDENT}"' if key == Language.CUDA_C else "from student import …"
            refuse(f"frame: no {FOLDER}/*{language.suffix} has the line {line}", "frame")


def _reads_student(name: str, text: str) -> bool:
    """Whether a file of the frame reads the student's. Raises: ``ManifestError`` for an include after that."""
    if name.endswith(".py"):
        return _IMPORT.search(text) is not None
    included = [quoted or angled for quoted, angled in _INCLUDE.findall(text)]
    if _STUDENT in included and included[-1] != _STUDENT:
        refuse(
            f'frame: {FOLDER}/{name} includes {included[-1]} after "{_STUDENT}"; include it before', "frame"
        )
    return _STUDENT in included


def _files(folder: Path) -> list[Path]:
    frame = folder / FOLDER
    return sorted(path for path in frame.iterdir() if path.is_file()) if frame.is_dir() else []
