"""A kind of engine, as a package registers it: the entry points in the group ``grader.engines``.

An entry point names an ``EngineSupport``. Importing it must be cheap: every command does. What it opens must pass the
contract in ``tests/engines/contract.py``.
"""

from dataclasses import dataclass

from grader.engines.port import Engine
from grader.model.device import Device
from grader.model.run import EngineKind
from grader.references import attribute

GROUP = "grader.engines"
"""The group of entry points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSupport:
    """What the rest of Grader knows of an engine; a run worker gets it whole.

    ``key`` is the word in ``grader.toml`` and in results. ``on_gpu``: it needs a GPU for itself, so its workers are
    neither forked nor started ahead, and have no limits of memory and processes. ``modelled``: its times come from a
    cost model. ``counts``: it counts accesses and can run threads in another order; otherwise the emulator does that
    beside it. It runs the cases that a lab gives to the engine ``cases``. ``opener`` is the ``module:function`` from a
    ``Device`` to an ``Engine``; ``preparation``, if any, the ``module:function`` that loads it ahead of requests.
    """

    key: EngineKind
    on_gpu: bool
    modelled: bool
    counts: bool
    cases: EngineKind
    opener: str
    preparation: str = ""

    def open(self, device: Device) -> Engine:
        """The engine; ``device`` is what it imitates, and is ignored on a real GPU.

        Raises: ``UserError`` where this machine lacks what the engine needs.
        """
        engine: Engine = attribute(self.opener)(device)
        return engine

    def prepare(self) -> None:
        """Do the work that the first request would otherwise wait for."""
        if self.preparation:
            attribute(self.preparation)()
