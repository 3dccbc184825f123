"""From ``grader.toml`` and options to what grading works with."""

import importlib.util
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace

from grader.cli.console import err, note
from grader.config import Config, load
from grader.config.settings import EngineChoice, SandboxChoice
from grader.engines.emulator.warm_up import is_warm, warm_up
from grader.errors import UserError
from grader.grading.environment import GradingEnvironment
from grader.labs.registry import Catalogue, Registry, discover
from grader.model.run import EngineKind
from grader.sandbox.choice import choose, offers_of, open_sandbox
from grader.sandbox.gpu import gpus
from grader.sandbox.port import Sandbox


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The configuration, the labs it leads to, and how to open a grading environment."""

    config: Config
    registry: Registry

    @contextmanager
    def environment(
        self,
        choice: EngineChoice | None,
        cancelled: threading.Event | None = None,
        *,
        trusted: bool,
        sandbox: SandboxChoice | None = None,
    ) -> Iterator[GradingEnvironment]:
        """A grading environment on the engine of ``choice`` in ``sandbox``, the configured ones by default.

        ``trusted``: whoever asks wrote the code themselves, or said that nobody hostile did.
        Raises: ``UserError`` where that engine or sandbox cannot be had, or must not be used for such code.
        """
        chosen = choice or self.config.engine.kind
        settings = self.config.sandbox
        kind = choose(sandbox or settings.kind, trusted=trusted, offers=offers_of(settings))
        with closing(open_sandbox(kind, settings, cancelled)) as opened:
            if chosen is EngineChoice.AUTO:
                yield self._automatic(opened, trusted=trusted)
            else:
                yield self._open_engine(EngineKind(chosen), opened, trusted=trusted)

    def _automatic(self, sandbox: Sandbox, *, trusted: bool) -> GradingEnvironment:
        # In a container, CuPy is the image's; on a machine with a GPU, a person wants to know why it is not used.
        if gpus() or importlib.util.find_spec("cupy") is not None:
            try:
                return self._open_engine(EngineKind.CUDA, sandbox, trusted=trusted)
            except UserError as error:
                note(f"Using the emulator: {error}")
        return self._open_engine(EngineKind.EMULATOR, sandbox, trusted=trusted)

    def _open_engine(self, kind: EngineKind, sandbox: Sandbox, *, trusted: bool) -> GradingEnvironment:
        prepare_emulator()  # which looks on where a GPU grades
        environment = GradingEnvironment.open(
            sandbox,
            kind,
            self.config.engine.device,
            self.config.limits,
            modelled_counts=self.config.scoring.modelled_speedups,
        )
        return replace(environment, trusted=trusted)


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
