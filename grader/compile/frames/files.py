"""The names of a frame's files beside those of a submission."""

import posixpath
from collections.abc import Sequence

from grader.compile.failure import BuildFailed
from grader.compile.sources import Source, read_source
from grader.model.build import Frame
from grader.model.location import SourceLocation
from grader.model.reason import reason

FOLDER = "frame/"
"""The folder of a frame's files in the compiler's eyes and in reports."""

STUDENT = "student"
"""The stem of the file by which a frame includes or imports the student's files."""


def is_of_frame(file: str) -> bool:
    """Whether ``file`` belongs to the lab's frame, and not to the submission."""
    return file.startswith(FOLDER)


def frame_sources(frame: Frame, suffixes: frozenset[str], own: Sequence[Source]) -> tuple[Source, ...]:
    """The frame's files with one of ``suffixes``, below ``FOLDER``.

    Raises: ``BuildFailed`` if a file of the submission has such a name.
    """
    for source in own:
        if is_of_frame(posixpath.normpath(source.name)):
            raise BuildFailed(reason("frame-file-name", location=SourceLocation(file=source.name, line=1)))
    wanted = [file for file in frame.files if posixpath.splitext(file.name)[1] in suffixes]
    sources = [read_source(file)[0] for file in wanted]
    return tuple(
        Source(name=FOLDER + source.name, text=source.text, encoding=source.encoding) for source in sources
    )
