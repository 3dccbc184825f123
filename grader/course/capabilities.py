"""What this machine can do, found by trying it: each language is built and run where submissions would be."""

import platform
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.cache import cache_folder
from grader.compile import toolchain
from grader.config.settings import SandboxSettings
from grader.course.environment import open_environment
from grader.course.workspace import Workspace, open_workspace
from grader.engines.emulator.warm_up import is_warm
from grader.errors import GraderError, UserError
from grader.grading.environment import GradingEnvironment
from grader.grading.self_test import try_language
from grader.languages import installed
from grader.model.devices import TESLA_T4
from grader.model.run import EngineKind
from grader.programs.build import build
from grader.programs.python.program import Numba
from grader.programs.python.sample import SAMPLE as NUMBA_SAMPLE
from grader.programs.run import RunRequest, run
from grader.programs.sample import SAMPLE
from grader.programs.toolchain import find_toolchain
from grader.sandbox.choice import choose, offers_of
from grader.sandbox.offer import Offer
from grader.sandbox.program_start import unconfined

_TAKEN = 'stops hostile code; "auto" takes it'


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """One thing that a machine may be able to do. ``needed``: grading fails without it."""

    name: str
    present: bool
    detail: str
    hint: str = ""
    needed: bool = False


def capabilities() -> list[Capability]:
    """Every capability, the most important first."""
    checks: list[Callable[[], Capability]] = [_python, _configuration, _compilers, _emulator, _labs]
    return [*(check() for check in checks), *sandboxes(_offers()), *_engines(), programs(), numba_programs()]


def _python() -> Capability:
    return Capability(
        name="Python",
        present=sys.version_info >= (3, 11),
        detail=f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        needed=True,
    )


def _configuration() -> Capability:
    try:
        config = open_workspace().config
    except UserError as error:
        return Capability(
            name="grader.toml", present=False, detail=error.problem, hint=error.hint or "", needed=True
        )
    source = "not found; defaults apply" if config.source is None else str(config.source)
    return Capability(name="grader.toml", present=True, detail=source, needed=True)


def _compilers() -> Capability:
    try:
        versions = toolchain()
    except GraderError as error:
        hint = "Reinstall the package with its pinned dependencies."
        return Capability(name="compilers", present=False, detail=str(error), hint=hint, needed=True)
    detail = ", ".join(f"{name} {version}" for name, version in versions.items())
    return Capability(name="compilers", present=True, detail=detail, needed=True)


def _emulator() -> Capability:
    state = (
        "compiled" if is_warm() else "not compiled yet; the first run compiles it once, in about 15 seconds"
    )
    return Capability(name="emulator", present=True, detail=f"{state} ({cache_folder()})", needed=True)


def _labs() -> Capability:
    try:
        registry = open_workspace().registry
    except UserError as error:
        return Capability(
            name="labs", present=False, detail=error.problem, hint=error.hint or "", needed=True
        )
    detail = ", ".join(sorted(registry.labs)) or "none"
    if registry.broken:
        detail += f"; broken: {', '.join(lab.name for lab in registry.broken)}"
    return Capability(name="labs", present=bool(registry.labs), detail=detail, needed=True)


def _engines() -> list[Capability]:
    """Each language on the emulator, the GPU, and each language on it."""
    try:
        workspace = _without_spare_workers(open_workspace())
    except UserError:
        return []  # the line of the configuration reports what is wrong with it
    try:
        trusted = _only_trusted(workspace.config.sandbox)
    except UserError as error:
        return [_failed("a sandbox", error, needed=True)]
    try:
        with open_environment(workspace, EngineKind.EMULATOR, trusted=trusted) as environment:
            found = languages(environment, "the emulator")
    except GraderError as error:
        found = [_failed("the emulator", error, needed=True)]
    try:
        with open_environment(workspace, EngineKind.CUDA, trusted=trusted) as environment:
            device = f"{environment.device.name} ({environment.device.arch})"
            return [
                *found,
                Capability(name="GPU", present=True, detail=device),
                *languages(environment, environment.device.name),
            ]
    except GraderError as error:
        needed = workspace.config.engine.kind == EngineKind.CUDA
        return [*found, _failed("GPU", error, "speedups are modelled: ", needed=needed)]


def languages(environment: GradingEnvironment, where: str) -> list[Capability]:
    """Whether each language can be built and run in ``environment``, an engine called ``where``."""
    found = []
    for language in installed().values():
        trial = try_language(environment, language)
        worked = f"built and ran a kernel in {trial.seconds:.1f} s, in the {environment.sandbox.name} sandbox"
        found.append(
            Capability(
                name=f"{language.label} on {where}",
                present=not trial.problem,
                detail=trial.problem or worked,
                hint=trial.hint,
                needed=True,
            )
        )
    return found


def _without_spare_workers(workspace: Workspace) -> Workspace:
    """The same configuration, except that no worker starts that is not used."""
    config = workspace.config
    return replace(workspace, config=replace(config, sandbox=replace(config.sandbox, spare=0)))


def _only_trusted(settings: SandboxSettings) -> bool:
    """Whether only trusted submissions can be graded here. Raises: ``UserError`` if none can."""
    offers = offers_of(settings)
    try:
        choose(settings.kind, trusted=False, offers=offers)
    except UserError:
        choose(settings.kind, trusted=True, offers=offers)
        return True
    return False


def _failed(name: str, error: GraderError, consequence: str = "", *, needed: bool) -> Capability:
    problem, hint = (error.problem, error.hint or "") if isinstance(error, UserError) else (str(error), "")
    return Capability(name=name, present=False, detail=consequence + problem, hint=hint, needed=needed)


def numba_programs() -> Capability:
    """Whether ``grader run`` can run a Numba program."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="grader-sample-") as folder:
        script = Path(folder) / "sample.py"
        script.write_bytes(NUMBA_SAMPLE)
        try:
            read = Numba().read(script, ())
            ran = run(read.build(), read.sources, RunRequest(device=TESLA_T4), unconfined)
        except GraderError as error:
            return _failed("Numba programs", error, needed=False)
    if ran.exit_code or ran.diagnostics:
        return Capability(name="Numba programs", present=False, detail=f"a sample ended with {ran.exit_code}")
    return Capability(
        name="Numba programs",
        present=True,
        detail=f"ran a program in {time.monotonic() - started:.1f} s",
    )


def programs() -> Capability:
    """Whether ``grader run`` can compile and run a program."""
    started = time.monotonic()
    try:
        tools = find_toolchain()
        built = build(SAMPLE, tools)
        ran = run(built, SAMPLE, RunRequest(device=TESLA_T4), unconfined)
    except GraderError as error:
        return _failed("programs", error, needed=False)
    if ran.exit_code or ran.diagnostics:
        return Capability(name="programs", present=False, detail=f"a sample ended with {ran.exit_code}")
    detail = f"compiled and ran a program in {time.monotonic() - started:.1f} s, with {tools.nvcc}"
    return Capability(name="programs", present=True, detail=detail)


def _offers() -> Sequence[Offer]:
    try:
        return offers_of(open_workspace().config.sandbox)
    except UserError:
        # The line of the configuration reports what is wrong with it.
        return offers_of(SandboxSettings())


def sandboxes(offers: Sequence[Offer]) -> list[Capability]:
    """Each sandbox: first those that stop hostile code, with their weaknesses here, then those that stop none."""
    found: list[Capability] = []
    for offer in (offer for offer in offers if offer.isolates):
        problem = offer.unavailable()
        if problem is not None:
            found.append(Capability(name=_sandbox(offer), present=False, detail=problem))
            continue
        detail = "stops hostile code" if any(other.present for other in found) else _TAKEN
        found.append(
            Capability(name=_sandbox(offer), present=True, detail=detail, hint=" ".join(offer.weaknesses()))
        )
    alone = not any(capability.present for capability in found)
    return found + [
        Capability(
            name=_sandbox(offer),
            present=offer.unavailable() is None,
            detail="limits only, stops no attack: for your own code, and with --trust-submissions",
            hint="`grader grade` needs one of the others, or --trust-submissions." if alone else "",
        )
        for offer in offers
        if not offer.isolates
    ]


def _sandbox(offer: Offer) -> str:
    return f"{offer.name} sandbox"
