"""A lab that lives in an installed package of its own is found like the built-in ones."""

from pathlib import Path

from grader.labs.registry import discover


def test_an_installed_plugins_lab_is_found(installed_plugin: Path) -> None:
    lab = discover().get("saxpy")
    assert lab.folder.is_relative_to(installed_plugin)


def test_the_plugins_rungs_have_sources_in_both_languages(installed_plugin: Path) -> None:
    lab = discover().get("saxpy")
    for rung in lab.manifest.rungs:
        for suffix in (".cu", ".py"):
            assert (lab.reference / f"{rung.name}{suffix}").is_file()
    assert installed_plugin in lab.reference.parents


def test_a_plugin_that_is_not_installed_is_not_found() -> None:
    assert "saxpy" not in discover().labs
