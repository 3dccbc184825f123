"""``grader.toml``: what may be set, and reading it with errors that name the line."""

from grader.config.load import load
from grader.config.settings import Config, LabFolder

__all__ = ["Config", "LabFolder", "load"]
