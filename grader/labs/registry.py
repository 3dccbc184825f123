"""Find labs: installed plugins by entry point, and folders named in ``grader.toml``."""

import difflib
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
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
    """A lab that cannot be loaded, with a one-line reason."""

    name: str
    folder: Path
    reason: str


class _Labs(Mapping[str, Lab]):
    """Labs by name. One lab is loaded when it is looked up by name, all of them when they are iterated."""

    def __init__(self, folders: Sequence[tuple[Path, Path]]) -> None:
        """``folders`` are lab folders, each with the folder of its rungs; of equal names the first to load counts."""
        self._folders = folders
        self._outcomes: dict[Path, Lab | ManifestError] = {}

    def find(self, name: str) -> Lab | None:
        """The lab called ``name``; loads no other."""
        named = (self._loaded(folder, rungs) for folder, rungs in self._folders if folder.name == name)
        return next((lab for lab in named if isinstance(lab, Lab)), None)

    def broken(self) -> Iterator[BrokenLab]:
        """The folders that provide no lab, in order."""
        for folder, rungs in self._folders:
            lab, owner = self._loaded(folder, rungs), self.find(folder.name)
            if isinstance(lab, ManifestError):
                yield BrokenLab(name=folder.name, folder=folder, reason=str(lab))
            elif owner is not None and owner.folder.resolve() != folder.resolve():
                reason = f"another lab of this name lives in {owner.folder}"
                yield BrokenLab(name=folder.name, folder=folder, reason=reason)

    def _loaded(self, folder: Path, rungs: Path) -> Lab | ManifestError:
        if folder not in self._outcomes:
            try:
                self._outcomes[folder] = load_lab(folder, rungs)
            except ManifestError as error:
                self._outcomes[folder] = error
        return self._outcomes[folder]

    def __getitem__(self, name: str) -> Lab:
        lab = self.find(name)
        if lab is None:
            raise KeyError(name)
        return lab

    def __iter__(self) -> Iterator[str]:
        names = dict.fromkeys(folder.name for folder, _ in self._folders)
        return (name for name in names if self.find(name) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Registry:
    """The labs found, by name, and the broken ones. A lab is loaded on its first use."""

    def __init__(self, folders: Sequence[tuple[Path, Path]], unreadable: Sequence[BrokenLab]) -> None:
        """``folders``: see ``_Labs``; ``unreadable``: plugins and folders that could not be searched."""
        self._labs = _Labs(folders)
        self._unreadable = unreadable

    @property
    def labs(self) -> _Labs:
        """The labs by name."""
        return self._labs

    @cached_property
    def broken(self) -> tuple[BrokenLab, ...]:
        """All broken labs. Loads every lab."""
        return (*self._unreadable, *self._labs.broken())

    def get(self, name: str) -> Lab:
        """The lab called ``name``. Raises: ``UserError`` with a similar name, or with the reason why it is broken."""
        lab = self.labs.find(name)
        if lab is not None:
            return lab
        for broken in self.broken:
            if broken.name == name:
                msg = f"The lab {name!r} is broken: {broken.reason}."
                raise UserError(msg, hint="Run `grader labs` to see every lab.")
        near = difflib.get_close_matches(name, self.labs, n=1)
        hint = (
            f"Did you mean {near[0]!r}?" if near else f"Known labs: {', '.join(sorted(self.labs)) or 'none'}."
        )
        msg = f"There is no lab called {name!r}."
        raise UserError(msg, hint=hint)


def discover(extra: Iterable[Catalogue] = ()) -> Registry:
    """The labs of the installed plugins, then those of ``extra`` (which may not reuse a name)."""
    catalogues: list[Catalogue] = []
    broken: list[BrokenLab] = []
    for point in sorted(
        entry_points(group=ENTRY_POINT_GROUP), key=lambda point: (point.name != "builtin", point.name)
    ):
        try:
            loaded = point.load()
            catalogue = loaded() if callable(loaded) else loaded
        except Exception as error:  # noqa: BLE001 - a plugin's import may raise anything, and other plugins must still load
            broken.append(
                BrokenLab(name=point.name, folder=Path(), reason=f"its plugin fails to load: {error!r}")
            )
            continue
        if not isinstance(catalogue, Catalogue):
            reason = f"its entry point gives a {type(catalogue).__name__}, not a grader.labs.Catalogue"
            broken.append(BrokenLab(name=point.name, folder=Path(), reason=reason))
            continue
        catalogues.append(catalogue)
    folders: list[tuple[Path, Path]] = []
    for catalogue in [*catalogues, *extra]:
        try:
            folders += _lab_folders(catalogue)
        except (FileNotFoundError, NotADirectoryError):
            reason = "no such folder"
        except OSError as error:
            reason = f"its folder cannot be read: {error.strerror}"
        else:
            continue
        broken.append(BrokenLab(name=catalogue.labs.name, folder=catalogue.labs, reason=reason))
    return Registry(folders, broken)


def _lab_folders(catalogue: Catalogue) -> list[tuple[Path, Path]]:
    """The lab folders of a catalogue, each with the folder of its rungs. Raises: ``OSError``."""
    return [
        (folder, catalogue.reference / folder.name)
        for folder in sorted(catalogue.labs.iterdir())
        if folder.is_dir() and not folder.name.startswith((".", "_"))
    ]


def load_lab(folder: Path, reference: Path) -> Lab:
    """Load one lab folder. Raises: ``ManifestError`` in one line for any problem."""
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
        msg = "there is no lab.py; add one with a subclass of grader.labs.Lab"
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
