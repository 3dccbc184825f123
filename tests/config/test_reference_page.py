"""``docs/reference/grader-toml.md`` documents every key and its default; the checkout's own file is valid."""

import dataclasses
import re
import tomllib
from pathlib import Path

import tomlkit

from grader.config import Config, load
from grader.config.settings import SECTIONS
from grader.model.devices import DEVICES

ROOT = Path(__file__).parents[2]
_SECTION = re.compile(r"^## `\[(\w+)\]`$(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| `(\w+)` \| `([^`]*)` \| (\S.*) \|$", re.MULTILINE)


def defaults_of(section: str) -> dict[str, object]:
    """The defaults of a section's settings, as TOML has them."""
    defaults = dataclasses.asdict(SECTIONS[section]())
    return {key: list(value) if isinstance(value, tuple) else value for key, value in defaults.items()}


def test_the_reference_lists_every_key_with_its_default() -> None:
    page = (ROOT / "docs" / "reference" / "grader-toml.md").read_text(encoding="utf-8")
    documented = {
        (section, key): tomllib.loads(f"x = {default}")["x"]
        for section, body in _SECTION.findall(page)
        for key, default, _ in _ROW.findall(body)
    }
    real = {(section, key): default for section in SECTIONS for key, default in defaults_of(section).items()}
    assert documented == real


def test_the_reference_lists_every_device_with_both_its_names() -> None:
    sections = dict(
        _SECTION.findall((ROOT / "docs" / "reference" / "grader-toml.md").read_text(encoding="utf-8"))
    )
    listed = re.findall(r"`([^`]+)`\s\(([^)]+)\)", sections["engine"])
    assert listed == [(short, device.name) for short, device in DEVICES.items()]


def test_every_section_is_part_of_the_configuration() -> None:
    config = Config(base=Path())
    assert {name: type(getattr(config, name)) for name in SECTIONS} == SECTIONS


def test_the_defaults_keep_their_own_rules(tmp_path: Path) -> None:
    document = tomlkit.document()
    for section in SECTIONS:
        document[section] = defaults_of(section)
    file = tmp_path / "grader.toml"
    file.write_text(tomlkit.dumps(document))
    assert load(file) == Config(base=tmp_path, source=file)


def test_the_sample_class_counts_modelled_speedups() -> None:
    config = load(ROOT)
    assert config.source == ROOT / "grader.toml"
    assert config.scoring.modelled_speedups
