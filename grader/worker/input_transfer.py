"""Sends each input to a worker once, for any number of kernels: the grader numbers inputs, the worker keeps them."""

from collections.abc import Mapping

from grader.errors import InfrastructureError
from grader.model.run import LaunchJob
from grader.worker.messages import SentJob


class Sender:
    """The grader's side, for one worker; tracks which inputs the worker keeps.

    Inputs are compared by identity, since comparing large ones takes long: an input to send once must be one object.
    """

    def __init__(self) -> None:
        self._kept: dict[int, bytes] = {}
        self._next = 0

    def pack(self, *jobs: LaunchJob) -> tuple[list[SentJob], dict[int, bytes]]:
        """The ``jobs`` of the next request, and the inputs by number that must be sent before it."""
        numbers = {id(data): number for number, data in self._kept.items()}
        named: dict[int, bytes] = {}
        sent = []
        for job in jobs:
            inputs = {}
            for name, data in job.inputs.items():
                if id(data) not in numbers:
                    numbers[id(data)] = self._next
                    self._next += 1
                inputs[name] = numbers[id(data)]
                named[inputs[name]] = data
            sent.append(SentJob(module=job.module, plan=job.plan, inputs=inputs))
        fresh = {number: data for number, data in named.items() if number not in self._kept}
        self._kept = named
        return sent, fresh


class Receiver:
    """The worker's side; keeps the inputs of the latest request and those received since."""

    def __init__(self) -> None:
        self._kept: dict[int, bytes] = {}

    def keep(self, fresh: Mapping[int, bytes]) -> None:
        """Keep ``fresh`` for the next request."""
        self._kept |= fresh

    def unpack(self, *sent: SentJob) -> list[LaunchJob]:
        """The jobs of one request. Raises: ``InfrastructureError`` for an unknown input number."""
        known = self._kept
        try:
            self._kept = {number: known[number] for job in sent for number in job.inputs.values()}
        except KeyError as error:
            msg = f"input number {error} was named and never sent"
            raise InfrastructureError(msg) from None
        return [
            LaunchJob(
                module=job.module,
                plan=job.plan,
                inputs={name: known[number] for name, number in job.inputs.items()},
            )
            for job in sent
        ]
