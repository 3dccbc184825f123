"""The metadata of a package with entry points, as an installer writes it."""

from pathlib import Path


def install(site: Path, name: str, points: str) -> None:
    """Register ``points``, the text of an ``entry_points.txt``, as those of the package ``name`` in ``site``."""
    folder = site / f"{name}-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (folder / "entry_points.txt").write_text(points, encoding="utf-8")
