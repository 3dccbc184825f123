"""From ``grader.toml`` and options to what grading works with."""

import importlib.util
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.cli.console import err, note
from grader.config import Config, load
from grader.config.settings import EngineChoice
from grader.engines.emulator.warm_up import is_warm, warm_up
from grader.errors import UserError
from grader.grading.bench import Bench
from grader.labs.registry import Catalogue, Registry, discover
from grader.model.run import EngineKind
from grader.sandbox.port import Sandbox
from grader.sandbox.process import ProcessSandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The configuration, the labs it leads to, and how to open a bench."""

    config: Config
    registry: Registry

    @contextmanager
    def bench(self, choice: EngineChoice | None, cancelled: threading.Event | None = None) -> Iterator[Bench]:
        """A bench on the engine of ``choice``, the configured one by default.

        Raises: ``UserError`` where that engine cannot be had.
        """
        chosen = choice or self.config.engine.kind
        with ProcessSandbox(cancelled) as sandbox:
            if chosen is EngineChoice.AUTO:
                yield self._automatic(sandbox)
            else:
                yield self.open_engine(EngineKind(chosen), sandbox)

    def _automatic(self, sandbox: Sandbox) -> Bench:
        if importlib.util.find_spec("cupy") is not None:
            try:
                return self.open_engine(EngineKind.CUDA, sandbox)
            except UserError as error:
                note(f"Using the emulator: {error.problem}")
        return self.open_engine(EngineKind.EMULATOR, sandbox)

    def open_engine(self, kind: EngineKind, sandbox: Sandbox) -> Bench:
        """A bench on ``kind``. Raises: ``UserError`` where it cannot be had."""
        if kind is EngineKind.EMULATOR or self._counts_on_emulator():
            prepare_emulator()
        return Bench.open(
            sandbox,
            kind,
            self.config.engine.device,
            self.config.limits,
            modelled_counts=self.config.scoring.modelled_speedups,
        )

    def _counts_on_emulator(self) -> bool:
        return any(lab.manifest.rubric.technique for lab in self.registry.labs.values())


def open_setting() -> Setting:
    """Read the configuration that applies here and find the labs. Raises: ``UserError``."""
    config = load()
    folders = [Catalogue(labs=folder.labs, reference=folder.reference) for folder in config.lab_folders]
    return Setting(config=config, registry=discover(folders))


def prepare_emulator() -> None:
    """Compile the emulator where this has not been done yet, and say so: it takes some seconds, once."""
    if is_warm():
        return
    with err.status("Preparing the emulator, once for this version …") as status:
        warm_up(lambda step: status.update(f"Preparing the emulator, once for this version: {step}"))


def existing(path: Path) -> Path:
    """``path``, if there is something. Raises: ``UserError``."""
    if not path.exists():
        msg = f"There is nothing at {path}."
        raise UserError(msg, mend="Check the path.")
    return path
