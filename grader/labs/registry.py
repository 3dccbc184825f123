"""Find labs: installed plugins by entry point, and folders named in ``grader.toml``."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from grader.config.table import Table
from grader.config.wording import nearest
from grader.errors import UserError
from grader.labs.convert import ManifestError
from grader.labs.folder import load_lab
from grader.labs.lab import Lab
from grader.labs.overlay import Overlay

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


@dataclass(frozen=True, slots=True)
class _Found:
    """A lab folder, the folder of its rungs, and whether a plugin installed it or the course named it."""

    folder: Path
    rungs: Path
    installed: bool

    @property
    def name(self) -> str:
        return self.folder.name


class _Labs(Mapping[str, Lab]):
    """Labs by name. One lab is loaded when it is looked up by name, all of them when they are iterated."""

    def __init__(self, found: Sequence[_Found], overlays: Mapping[str, Overlay]) -> None:
        """``found`` are all lab folders; of equal names the first to load counts."""
        self._found = found
        self._overlays = overlays
        self._outcomes: dict[Path, Lab | ManifestError] = {}

    def find(self, name: str) -> Lab | None:
        """The lab called ``name``; loads no other. Raises: ``UserError`` if its overlay does not fit it."""
        loaded = (self._loaded(found) for found in self._found if found.name == name and self._counts(found))
        return next((lab for lab in loaded if isinstance(lab, Lab)), None)

    def broken(self) -> Iterator[BrokenLab]:
        """The folders that provide no lab, in order."""
        for found in filter(self._counts, self._found):
            lab, owner = self._loaded(found), self.find(found.name)
            if isinstance(lab, ManifestError):
                yield BrokenLab(name=found.name, folder=found.folder, reason=str(lab))
            elif owner is not None and owner.folder.resolve() != found.folder.resolve():
                reason = f"another lab of this name lives in {owner.folder}; rename this one"
                if not found.installed:
                    reason += (
                        f", or take it instead with replace = true in [labs.{found.name}] of grader.toml"
                    )
                yield BrokenLab(name=found.name, folder=found.folder, reason=reason)

    def _counts(self, found: _Found) -> bool:
        """Whether no lab of the course takes its place."""
        overlay = self._overlays.get(found.name)
        return not (found.installed and overlay is not None and overlay.replaces)

    def _loaded(self, found: _Found) -> Lab | ManifestError:
        if found.folder not in self._outcomes:
            overlay = self._overlays.get(found.name)
            changes = () if overlay is None else (overlay.applied,)
            try:
                self._outcomes[found.folder] = load_lab(found.folder, found.rungs, *changes)
            except ManifestError as error:
                self._outcomes[found.folder] = error
        return self._outcomes[found.folder]

    def __getitem__(self, name: str) -> Lab:
        lab = self.find(name)
        if lab is None:
            raise KeyError(name)
        return lab

    def __iter__(self) -> Iterator[str]:
        names = dict.fromkeys(found.name for found in self._found)
        return (name for name in names if self.find(name) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class Registry:
    """The labs found, by name, and the broken ones. A lab is loaded on its first use."""

    def __init__(self, labs: _Labs, unreadable: Sequence[BrokenLab]) -> None:
        """``unreadable``: plugins and folders that could not be searched."""
        self._labs = labs
        self._unreadable = unreadable

    @property
    def labs(self) -> _Labs:
        """The labs by name."""
        return self._labs

    @cached_property
    def broken(self) -> tuple[BrokenLab, ...]:
        """All broken labs. Loads every lab."""
        return (*self._unreadable, *self._labs.broken())

    def is_broken(self, name: str) -> bool:
        """Whether there is a lab called ``name`` that cannot be loaded."""
        return self._labs.find(name) is None and any(broken.name == name for broken in self.broken)

    def get(self, name: str) -> Lab:
        """The lab called ``name``. Raises: ``UserError`` with a similar name, or with the reason why it is broken."""
        lab = self.labs.find(name)
        if lab is not None:
            return lab
        for broken in self.broken:
            if broken.name == name:
                msg = f"The lab {name!r} is broken: {broken.reason}."
                raise UserError(msg, hint="Run `grader labs` to see every lab.")
        near = nearest(name, self.labs)
        hint = f"Did you mean {near!r}?" if near else f"Known labs: {', '.join(sorted(self.labs)) or 'none'}."
        msg = f"There is no lab called {name!r}."
        raise UserError(msg, hint=hint)


def discover(extra: Iterable[Catalogue] = (), tables: Mapping[str, Table] | None = None) -> Registry:
    """The labs of the installed plugins, then those of ``extra``. ``tables`` are the course's tables for labs.

    Raises: ``UserError`` for a table that names no lab, or does not fit its lab.
    """
    catalogues: list[tuple[Catalogue, bool]] = []
    broken: list[BrokenLab] = []
    for point in sorted(
        entry_points(group=ENTRY_POINT_GROUP), key=lambda point: (point.name != "builtin", point.name)
    ):
        plugin = _plugin(point)
        if isinstance(plugin, BrokenLab):
            broken.append(plugin)
        else:
            catalogues.append((plugin, True))
    catalogues += [(catalogue, False) for catalogue in extra]
    found: list[_Found] = []
    for catalogue, installed in catalogues:
        try:
            found += _lab_folders(catalogue, installed=installed)
        except (FileNotFoundError, NotADirectoryError):
            reason = "no such folder"
        except OSError as error:
            reason = f"its folder cannot be read: {error.strerror}"
        else:
            continue
        broken.append(BrokenLab(name=catalogue.labs.name, folder=catalogue.labs, reason=reason))
    overlays = {name: Overlay(table) for name, table in (tables or {}).items()}
    labs = _Labs(found, overlays)
    for name, overlay in overlays.items():
        # A lab of a plugin that fails to load has no name here, and the others must still be graded.
        overlay.check_name({each.name for each in found}, complete=not broken)
        overlay.check_replacement(exists=any(each.name == name and not each.installed for each in found))
        labs.find(name)
    return Registry(labs, broken)


def _plugin(point: EntryPoint) -> Catalogue | BrokenLab:
    try:
        loaded = point.load()
        catalogue = loaded() if callable(loaded) else loaded
    except Exception as error:  # noqa: BLE001 - a plugin's import may raise anything, and other plugins must still load
        reason = f"its plugin fails to load: {error!r}"
    else:
        if isinstance(catalogue, Catalogue):
            return catalogue
        reason = f"its entry point gives a {type(catalogue).__name__}, not a grader.labs.Catalogue"
    return BrokenLab(name=point.name, folder=Path(), reason=reason)


def _lab_folders(catalogue: Catalogue, *, installed: bool) -> list[_Found]:
    """The lab folders of a catalogue. Raises: ``OSError``."""
    return [
        _Found(folder, catalogue.reference / folder.name, installed)
        for folder in sorted(catalogue.labs.iterdir())
        if folder.is_dir() and not folder.name.startswith((".", "_"))
    ]
