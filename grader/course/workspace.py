"""The configuration that applies in the current directory, and the labs it leads to."""

from dataclasses import dataclass

from grader.config import Config, load
from grader.labs.registry import Catalogue, Registry, discover


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """The configuration and its labs."""

    config: Config
    registry: Registry


def open_workspace() -> Workspace:
    """Read the configuration that applies here, find the labs and apply the course's changes. Raises: ``UserError``."""
    config = load()
    folders = [Catalogue(labs=folder.labs, reference=folder.reference) for folder in config.lab_folders]
    return Workspace(config=config, registry=discover(folders, config.overlays))
