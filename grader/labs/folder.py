"""Load one lab from its folder: manifest, class, and the files that grading will read."""

import importlib.util
import os
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from grader.config.wording import display
from grader.labs.convert import ManifestError, refuse
from grader.labs.frame import check_frame
from grader.labs.lab import Lab
from grader.labs.loader import load_manifest, with_line
from grader.labs.manifest import Manifest

_SHARED_HEADER = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"(\w+\.cuh)"', re.MULTILINE)


def load_lab(
    folder: Path, reference: Path, change: Callable[[Manifest], Manifest] = lambda manifest: manifest
) -> Lab:
    """Load one lab folder; ``change`` is applied to its manifest.

    Raises: ``ManifestError``, one line with the file, for any problem; what ``change`` raises.
    """
    path = folder / "lab.toml"
    manifest = change(load_manifest(path))
    try:
        if manifest.name != folder.name:
            refuse(f"name is {manifest.name!r} but the folder is called {folder.name!r}; rename one", "name")
        lab = _instance(folder, manifest, reference)
        _check_sources(lab)
        check_frame(lab)
        _check_outputs(lab)
    except ManifestError as error:
        raise with_line(path, error) if error.where else error from None
    return lab


def _check_sources(lab: Lab) -> None:
    """Find the sources that grading reads, so that a missing one stops no class. Raises: ``ManifestError``."""
    sources = _files(lab.reference)
    for rung in lab.manifest.rungs:
        own = [path for path in sources if path.stem == rung.name]
        if not own:
            missing = f"{rung.name}.cu or {rung.name}.py"
            refuse(
                f"rung {rung.name} has no source; add {missing} in {display(lab.reference)}",
                "rungs",
                rung.name,
            )
        _check_readable(own, "rungs", rung.name)
        _check_headers(lab, own, rung.name)
    if lab.common is None:
        return
    if not lab.common.is_dir():
        problem = f"the folder {display(lab.common)} of shared code is missing; restore it, or remove common"
        refuse(problem, "common")
    _check_readable(_files(lab.common), "common")


def _check_outputs(lab: Lab) -> None:
    """Check that what is graded writes something, where the manifest says what it writes. Raises: ``ManifestError``."""
    own_plan = lab.has_steps or type(lab).plan is not Lab.plan or type(lab).plan_for is not Lab.plan_for
    for name in () if own_plan else lab.manifest.graded:
        params = [param for param in lab.manifest.spec(name).params if param.is_array]
        if all(param.const or param.scratch for param in params):
            where = "programs" if lab.manifest.pipeline(name) else "kernels"
            refuse(
                f"{name} writes no array, so nothing can be checked; add a parameter such as 'float32 out[n]'",
                where,
                name,
                "params",
            )


def _check_headers(lab: Lab, sources: list[Path], rung: str) -> None:
    """Check that shared headers which a rung includes are in the folder ``common``. Raises: ``ManifestError``."""
    shared = [] if lab.common is None else [path.name for path in _files(lab.common)]
    for source in sources:
        for name in _SHARED_HEADER.findall(source.read_text(encoding="utf-8", errors="replace")):
            if name not in shared:
                there = "common names no folder" if lab.common is None else f"{display(lab.common)} lacks it"
                refuse(
                    f"{display(source)} includes {name}, and {there}; put it into a folder beside the rungs' own, "
                    'and write e.g. common = "shared-code"',
                    "rungs",
                    rung,
                )


def _files(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.is_file()]
    except FileNotFoundError:
        return []
    except OSError as error:
        refuse(f"{display(folder)} cannot be read: {error.strerror}; check its permissions", "rungs")


def _check_readable(paths: list[Path], *where: str) -> None:
    for path in paths:
        if not os.access(path, os.R_OK):
            refuse(f"{display(path)} cannot be read; check its permissions", *where)


def _instance(folder: Path, manifest: Manifest, reference: Path) -> Lab:
    path = folder / "lab.py"
    lab_class = _lab_class(_imported(path), path)
    if lab_class.oracle is Lab.oracle and lab_class.check is Lab.check:
        refuse(f"{lab_class.__name__} in {display(path)} judges no output; add an oracle, or a check")
    try:
        return lab_class(manifest, folder, reference)
    except Exception as error:  # noqa: BLE001 - a lab's constructor may raise anything, and other labs must still load
        refuse(f"{_place(path, error)} fails: {type(error).__name__}: {error}")


def _imported(path: Path) -> ModuleType:
    folder = path.parent
    name = f"grader_lab_{folder.name.replace('-', '_')}_{abs(hash(folder.resolve())):x}"
    spec = importlib.util.spec_from_file_location(name, path)
    if not path.is_file() or spec is None or spec.loader is None:
        refuse(f"there is no {display(path)}; add one with a subclass of grader.labs.Lab")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - code of a lab may raise anything, and other labs must still load
        del sys.modules[name]
        refuse(f"{_place(path, error)} fails to import: {type(error).__name__}: {error}")
    return module


def _lab_class(module: ModuleType, path: Path) -> type[Lab]:
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Lab) and value.__module__ == module.__name__
    ]
    if len(classes) != 1:
        refuse(f"{display(path)} must define exactly one subclass of Lab, not {len(classes)}")
    lab_class: type[Lab] = classes[0]
    missing = sorted(getattr(lab_class, "__abstractmethods__", ()))
    if missing:
        refuse(f"{display(path)}: {lab_class.__name__} lacks {', '.join(missing)}")
    return lab_class


def _place(path: Path, error: BaseException) -> str:
    """``path`` with the last of its lines that ``error`` went through."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f"{display(path)} line {error.lineno}"
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)
    ]
    return f"{display(path)} line {lines[-1]}" if lines else path.name
