"""A student's device functions in the frame of a lab, in CUDA C.

The frame includes ``student.cuh``, which includes the student's files.
"""

import posixpath
import re
from collections.abc import Sequence

from grader.compile.cpp_outline import Outline, device_macros, outline
from grader.compile.cuda_c import UNIT_SUFFIX, CudaProgram
from grader.compile.failure import BuildFailed
from grader.compile.frames.bodies import c_function
from grader.compile.frames.files import FOLDER, STUDENT, frame_sources, is_of_frame
from grader.compile.frames.isolation import check_isolation
from grader.compile.frames.vocabulary import VOCABULARY
from grader.compile.sources import Source
from grader.compile.tokens import Kind, directive, tokenize
from grader.model.build import Frame
from grader.model.kernel import FunctionSpec
from grader.model.location import SourceLocation
from grader.model.reason import reason

_SUFFIXES = frozenset({".cu", ".cuh", ".h", ".hpp"})
_HEADER = f"{STUDENT}.cuh"
_INCLUDE = re.compile(rf'^[ \t]*#[ \t]*include[ \t]*"{STUDENT}\.cuh"', re.MULTILINE)
_WORD = re.compile(r"[^\W\d]\w*")


def framed(frame: Frame, own: tuple[Source, ...]) -> tuple[Source, ...]:
    """The files to compile: the frame's, and the student's ``own``. Raises: ``BuildFailed``."""
    files = frame_sources(frame, _SUFFIXES, own)
    if frame.body is not None:
        own = c_function(frame.body, own)
    outlines = _outlines(own)
    asked = {function.name for function in frame.functions}
    hidden = {posixpath.basename(source.name) for source in files} | {_HEADER}
    check_isolation(outlines, _words(files) - VOCABULARY - asked, hidden)
    for function in frame.functions:
        _check_presence(function, outlines)
    units = [source.name for source in own if source.name.lower().endswith(UNIT_SUFFIX)]
    header = "".join(f'#include "{name}"\n' for name in units)
    sources = (*files, Source(name=FOLDER + _HEADER, text=header, encoding="utf-8"), *own)
    _check_alone(frame, sources)
    return sources


def units_of(program: CudaProgram) -> tuple[str, ...]:
    """The files of the frame to compile."""
    return tuple(name for name in program.units if is_of_frame(name))


def _outlines(own: Sequence[Source]) -> dict[str, Outline]:
    tokens = {source.name: tuple(tokenize(source.text)) for source in own}
    markers = frozenset[str]().union(*map(device_macros, tokens.values()))
    return {name: outline(each, markers) for name, each in tokens.items()}


def _words(files: Sequence[Source]) -> frozenset[str]:
    """The identifiers of the frame, those in its macros included."""
    words: set[str] = set()
    for token in (token for source in files for token in tokenize(source.text)):
        if token.kind is Kind.IDENTIFIER:
            words.add(token.text)
        elif token.kind is Kind.DIRECTIVE and directive(token)[0] != "include":
            words.update(_WORD.findall(directive(token)[1]))
    return frozenset(words)


def _check_presence(function: FunctionSpec, outlines: dict[str, Outline]) -> None:
    """Check that there is a device function of the asked name. Raises: ``BuildFailed``."""
    found = [
        (file, item)
        for file, each in outlines.items()
        for item in each.items
        if item.name == function.name and item.body is not None
    ]
    if not found:
        raise BuildFailed(
            reason("frame-function-missing", function=function.name, wanted=function.c_signature)
        )
    if not any(item.device for _, item in found):
        file, item = found[0]
        location = SourceLocation(file=file, line=item.tokens[0].line)
        raise BuildFailed(reason("frame-function-on-host", location=location, function=function.name))


def _check_alone(frame: Frame, sources: tuple[Source, ...]) -> None:
    """Compile the student's files after what stands before them in the frame, and nothing behind them.

    Then compile them with a use of each function by its type. Raises: ``BuildFailed``.
    """
    unit, before = next(
        (source, source.text[: found.start()])
        for source in sources
        if is_of_frame(source.name) and (found := _INCLUDE.search(source.text))
    )
    alone = Source(name=unit.name, text=f'{before}#include "{_HEADER}"\n', encoding=unit.encoding)
    others = tuple(source for source in sources if source is not unit)
    CudaProgram((alone, *others), {}).compile(unit.name, ())
    for function in frame.functions:
        asked = f"{function.c_pointer(f'frame_asks_{function.name}')} = &{function.name};\n"
        with_use = Source(name=unit.name, text=alone.text + asked, encoding=unit.encoding)
        try:
            CudaProgram((with_use, *others), {}).compile(unit.name, ())
        except BuildFailed:
            raise BuildFailed(
                reason("frame-function-differs", function=function.name, wanted=function.c_signature)
            ) from None
