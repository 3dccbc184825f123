"""Everything said to a person: the catalogue of statements, and their rendering in English, Russian and Chinese.

A statement travels as a ``Reason`` and becomes text last, here. This package imports only ``grader.model``.
"""

from grader.messages.languages import LANGUAGES
from grader.messages.rendering import render
from grader.messages.speech import ENGLISH, Speech

__all__ = ["ENGLISH", "LANGUAGES", "Speech", "render"]
