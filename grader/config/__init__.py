"""``grader.toml``: the settings, and reading them with errors that name the line."""

from grader.config.load import load
from grader.config.settings import Config, LabFolder
from grader.config.table import Table

__all__ = ["Config", "LabFolder", "Table", "load"]
