"""Finding labs: installed plugins by entry point, and folders that ``grader.toml`` names."""

import difflib
import importlib.util
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

from grader.errors import UserError
from grader.labs.consistency import ManifestError
from grader.labs.lab import Lab
from grader.labs.loader import load_manifest

ENTRY_POINT_GROUP = "grader.labs"
"""Entry points of this group load to a ``Catalogue`` or to a function without arguments that returns one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """A folder of lab folders, and the folder that holds their rungs as ``<reference>/<lab>/<rung>.cu|.py``."""

    labs: Path
    reference: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenLab:
    """A lab that could not be loaded, and why, in one line."""

    name: str
    folder: Path
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """Every lab that was found, by name, and every one that is broken."""

    labs: dict[str, Lab]
    broken: tuple[BrokenLab, ...]

    def get(self, name: str) -> Lab:
        """The lab called ``name``. Raises: ``UserError`` that names the nearest, or why it is broken."""
        if name in self.labs:
            return self.labs[name]
        for lab in self.broken:
            if lab.name == name:
                msg = f"The lab {name!r} is broken: {lab.reason}."
                raise UserError(msg, hint="Run `grader labs` to see every lab.")
        near = difflib.get_close_matches(name, self.labs, n=1)
        hint = (
            f"Did you mean {near[0]!r}?" if near else f"Known labs: {', '.join(sorted(self.labs)) or 'none'}."
        )
        msg = f"There is no lab called {name!r}."
        raise UserError(msg, hint=hint)


def discover(extra: Iterable[Catalogue] = ()) -> Registry:
    """Load every lab of the installed plugins, then those of ``extra`` (which may not reuse a name)."""
    labs: dict[str, Lab] = {}
    broken: list[BrokenLab] = []
    for point in sorted(
        entry_points(group=ENTRY_POINT_GROUP), key=lambda point: (point.name != "builtin", point.name)
    ):
        try:
            loaded = point.load()
            catalogue = loaded() if callable(loaded) else loaded
        except Exception as error:  # noqa: BLE001 - a plugin's import may fail in any way; it must not stop the others
            broken.append(
                BrokenLab(name=point.name, folder=Path(), reason=f"its plugin fails to load: {error!r}")
            )
            continue
        if not isinstance(catalogue, Catalogue):
            reason = f"its entry point gives a {type(catalogue).__name__}, not a grader.labs.Catalogue"
            broken.append(BrokenLab(name=point.name, folder=Path(), reason=reason))
            continue
        _load_catalogue(catalogue, labs, broken)
    for catalogue in extra:
        _load_catalogue(catalogue, labs, broken)
    return Registry(labs=labs, broken=tuple(broken))


def _load_catalogue(catalogue: Catalogue, labs: dict[str, Lab], broken: list[BrokenLab]) -> None:
    try:
        folders = [folder for folder in sorted(catalogue.labs.iterdir()) if folder.is_dir()]
    except (FileNotFoundError, NotADirectoryError):
        broken.append(BrokenLab(name=catalogue.labs.name, folder=catalogue.labs, reason="no such folder"))
        return
    except OSError as error:
        reason = f"its folder cannot be read: {error.strerror}"
        broken.append(BrokenLab(name=catalogue.labs.name, folder=catalogue.labs, reason=reason))
        return
    for folder in folders:
        if folder.name.startswith((".", "_")):
            continue
        try:
            lab = load_lab(folder, catalogue.reference / folder.name)
            if lab.name in labs:
                if labs[lab.name].folder.resolve() == folder.resolve():
                    continue
                msg = f"another lab of this name lives in {labs[lab.name].folder}"
                raise ManifestError(msg)  # noqa: TRY301 - the same handling as every other broken lab
        except ManifestError as error:
            broken.append(BrokenLab(name=folder.name, folder=folder, reason=str(error)))
        else:
            labs[lab.name] = lab


def load_lab(folder: Path, reference: Path) -> Lab:
    """Load one lab folder. Raises: ``ManifestError`` in one line, whatever is wrong with it."""
    manifest = load_manifest(folder / "lab.toml")
    if manifest.name != folder.name:
        msg = f"lab.toml says name = {manifest.name!r} but the folder is called {folder.name!r}"
        raise ManifestError(msg)
    return _lab_class(folder)(manifest, folder, reference)


def _lab_class(folder: Path) -> type[Lab]:
    path = folder / "lab.py"
    name = f"grader_lab_{folder.name.replace('-', '_')}_{abs(hash(folder.resolve())):x}"
    spec = importlib.util.spec_from_file_location(name, path)
    if not path.is_file() or spec is None or spec.loader is None:
        msg = "there is no lab.py"
        raise ManifestError(msg)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        msg = f"lab.py fails to import: {type(error).__name__}: {error}"
        raise ManifestError(msg) from error
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Lab) and value.__module__ == name
    ]
    if len(classes) != 1:
        msg = f"lab.py must define exactly one subclass of Lab, not {len(classes)}"
        raise ManifestError(msg)
    lab_class: type[Lab] = classes[0]
    missing = sorted(getattr(lab_class, "__abstractmethods__", ()))
    if missing:
        msg = f"lab.py: {lab_class.__name__} lacks {', '.join(missing)}"
        raise ManifestError(msg)
    return lab_class
