"""``grader run``: a whole program, with or without a GPU."""

from pathlib import Path
from typing import Annotated

import typer

from grader.cli.console import err, terminal
from grader.cli.lazy_group import command_app
from grader.cli.paths import relative
from grader.course.language import ReportLanguage
from grader.course.run_program import ProgramRequest, run_program
from grader.course.workspace import open_workspace
from grader.model.reason import reason
from grader.model.run import EngineKind
from grader.report.terminal.program import program_report

EXAMPLE = "Example: `grader run vector_add.cu -- 1000000`"

_SIGNALS = 128
_FOUND = 1


def run(  # noqa: PLR0913 - the options of the command
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="A .cu file, a folder of sources, or a .py file.")
    ],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- ARGS]", help="The program's arguments, after two dashes."),
    ] = None,
    *,
    device: Annotated[
        str | None, typer.Option(help="The GPU to imitate (default: that of grader.toml).")
    ] = None,
    devices: Annotated[int, typer.Option(min=1, max=16, help="How many of that GPU the program sees.")] = 1,
    default_stream: Annotated[
        str,
        typer.Option(
            "--default-stream", metavar="KIND", help="legacy or per-thread, as the option of nvcc says."
        ),
    ] = "legacy",
    engine: Annotated[
        str, typer.Option(metavar="ENGINE", help="emulator, or cuda to run it on this machine's GPU.")
    ] = EngineKind.EMULATOR,
    sanitize: Annotated[
        bool, typer.Option("--sanitize", help="Check the memory of host code; on a GPU: compute-sanitizer.")
    ] = False,
    include: Annotated[
        list[Path] | None,
        typer.Option("--include", "-I", metavar="DIR", help="A folder of headers (repeatable)."),
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, help="End the program after this time.")] = 60.0,
    times: Annotated[bool, typer.Option("--timeline", help="Show what overlapped with what.")] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Also write findings and timeline as a page."),
    ] = None,
    fast: Annotated[bool, typer.Option("--fast", help="Do not look for faults in kernels.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if an error was found.")] = False,
    trust: Annotated[
        bool,
        typer.Option(
            "--trust", help="Run without a sandbox: the program may write files and use the network."
        ),
    ] = False,
    language: Annotated[
        ReportLanguage | None,
        typer.Option(help="The language of the findings (default: the course's, or LANG)."),
    ] = None,
) -> int:
    """Compile and run a program in CUDA C++ or Numba as a GPU would, and show what is wrong with it.

    The program's output goes to standard output, findings to standard error.
    """
    workspace = open_workspace()
    request = ProgramRequest(
        path=path,
        arguments=arguments or (),
        device=device or workspace.config.engine.device,
        seconds=seconds,
        include=tuple(include or ()),
        trusted=trust,
        diagnose=not fast,
        devices=devices,
        default_stream=default_stream,
        engine=EngineKind(engine),
        sanitize=sanitize,
        recorded=times or html is not None,
    )
    shown = terminal(workspace.config, language)
    ran = run_program(request, shown)
    err.print(program_report(ran.run, ran.device, ran.sources, shown.speech, times=times))
    if html is not None:
        from grader.report.pages import program_page  # noqa: PLC0415 - loads the templates

        program_page.write(html, path.name, ran.run, ran.device, ran.sources, shown.speech.language)
        shown.note(reason("written", file=relative(html)))
    code = ran.run.exit_code
    if strict and code == 0 and ran.run.has_errors:
        return _FOUND
    return code if code >= 0 else _SIGNALS - code


app = command_app(run, EXAMPLE)
