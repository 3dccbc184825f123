"""Calls about several devices: access to each other's memory."""

from collections.abc import Callable, Mapping
from enum import IntEnum

from grader.programs.device_state import State
from grader.programs.error_codes import Error
from grader.programs.wire import Call, Reply, Request


class Operation(IntEnum):
    """What a program asks for; the order is that of ``PeerOperation`` in ``runtime/peers.cpp``."""

    ENABLE = 0
    DISABLE = 1


class DeviceCalls:
    """Answers calls about devices. The runtime has checked the numbers of devices."""

    def __init__(self, state: State) -> None:
        self._memory = state.memory

    @property
    def answers(self) -> Mapping[Call, Callable[[Request], Reply]]:
        """What answers each call."""
        return {Call.PEER: self._answer}

    def _answer(self, asked: Request) -> Reply:
        operation, argument = asked.arguments[:2]
        if operation == Operation.ENABLE:
            is_new = self._memory.peers.enable(asked.device, argument)
            return Reply(Error.SUCCESS if is_new else Error.PEER_ACCESS_ALREADY_ENABLED)
        was_on = self._memory.peers.disable(asked.device, argument)
        return Reply(Error.SUCCESS if was_on else Error.PEER_ACCESS_NOT_ENABLED)
