"""One launch in host code, from its tokens."""

import re
from itertools import zip_longest

from grader.compile.host_launches.c_calls import CONFIGURATION_MEMBERS, LaunchTokens
from grader.compile.host_launches.c_expressions import Scope, read_expression
from grader.compile.host_launches.c_state import Frame
from grader.compile.host_launches.values import Expression, HostLaunch, Listing, Unreadable, value_of, whole

_NAME = re.compile(r"[\w:]*?(\w+)(?:<.*>)?")


def host_launch(found: LaunchTokens, scope: Scope, frame: Frame) -> HostLaunch:
    """The launch that ``found`` are the tokens of, where ``frame`` is."""
    line = found.kernel.line
    grid, block, shared, stream = _configuration(found, scope, frame)
    return HostLaunch(
        kernel=_kernel(found.kernel.text, frame),
        template_arguments=tuple(frame.templates.get(text, text) for text in found.templates),
        grid=Unreadable("", line) if grid is None else grid,
        block=Unreadable("", line) if block is None else block,
        shared=whole(0) if shared is None else shared,
        stream=stream,
        arguments=_arguments(found, scope),
        file=frame.file,
        line=line,
        function=frame.function,
    )


def _configuration(found: LaunchTokens, scope: Scope, frame: Frame) -> list[Expression | None]:
    """Grid, block, shared memory and stream, as far as they are given."""
    given: list[Expression | None]
    if found.configured_by is None:
        given = [read_expression(tokens, scope) for tokens in found.configuration]
    else:
        name = found.configured_by
        made = value_of(frame.values[name]) if name in frame.values else None
        first = made.items if isinstance(made, Listing) else ()
        members = [frame.values.get(f"{name}.{member}") for member in CONFIGURATION_MEMBERS]
        given = [member or item for member, item in zip_longest(members, first)]
    return [*given, None, None, None, None][: len(CONFIGURATION_MEMBERS)]


def _arguments(found: LaunchTokens, scope: Scope) -> tuple[Expression, ...]:
    arguments = tuple(read_expression(tokens, scope) for tokens in found.arguments)
    if not found.packed:
        return arguments
    packed = value_of(arguments[0])
    return packed.items if isinstance(packed, Listing) else ()


def _kernel(name: str, frame: Frame) -> str:
    """The kernel that ``name`` stands for: itself, or what a variable of this name points to."""
    pointed = value_of(frame.values[name]) if name in frame.values else None
    match = _NAME.fullmatch(pointed.text) if isinstance(pointed, Unreadable) else None
    return name if match is None else match[1]
