"""What this machine can do, found by trying it."""

import platform
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.cache import cache_folder
from grader.compile import toolchain
from grader.config.settings import EngineChoice, SandboxChoice
from grader.course.environment import open_environment
from grader.course.workspace import open_workspace
from grader.engines.emulator.warm_up import is_warm
from grader.errors import GraderError, UserError
from grader.sandbox.choice import OFFERS, Offer, offers_of

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
    checks: list[Callable[[], Capability]] = [_python, _configuration, _compilers, _emulator, _labs, _gpu]
    return [*(check() for check in checks), *sandboxes(_offers()), _nvcc()]


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


def _gpu() -> Capability:
    try:
        with open_environment(open_workspace(), EngineChoice.CUDA, trusted=True) as environment:
            return Capability(
                name="GPU", present=True, detail=f"{environment.device.name} ({environment.device.arch})"
            )
    except UserError as error:
        return Capability(
            name="GPU", present=False, detail=f"speedups are modelled: {error.problem}", hint=error.hint or ""
        )
    except GraderError as error:
        return Capability(name="GPU", present=False, detail=f"speedups are modelled: {error}")


def _nvcc() -> Capability:
    found = shutil.which("nvcc")
    return Capability(
        name="nvcc", present=found is not None, detail=found or "not needed: NVRTC compiles CUDA C"
    )


def _offers() -> Sequence[Offer]:
    try:
        return offers_of(open_workspace().config.sandbox)
    except UserError:
        # The line of the configuration reports what is wrong with it.
        return OFFERS


def sandboxes(offers: Sequence[Offer]) -> list[Capability]:
    """Each sandbox that stops hostile code, with its weaknesses here, and the process sandbox, which stops none."""
    found: list[Capability] = []
    for offer in offers:
        problem = offer.unavailable()
        if problem is not None:
            found.append(Capability(name=_sandbox(offer.kind), present=False, detail=problem))
            continue
        detail = "stops hostile code" if any(other.present for other in found) else _TAKEN
        found.append(
            Capability(
                name=_sandbox(offer.kind), present=True, detail=detail, hint=" ".join(offer.weaknesses())
            )
        )
    alone = not any(capability.present for capability in found)
    found.append(
        Capability(
            name=_sandbox(SandboxChoice.PROCESS),
            present=True,
            detail="limits only, stops no attack: for your own code, and with --trust-submissions",
            hint="`grader grade` needs one of the others, or --trust-submissions." if alone else "",
        )
    )
    return found


def _sandbox(kind: SandboxChoice) -> str:
    return f"{kind} sandbox"
