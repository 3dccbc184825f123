"""Calls about texture and surface objects."""

from collections.abc import Callable, Mapping

from grader.model.reason import reason
from grader.programs.arrays import ArrayFlag
from grader.programs.device_state import State
from grader.programs.error_codes import Error
from grader.programs.textures import Description, Objects, Refusal, Resource, sampler_of, surface_of
from grader.programs.wire import Call, Reply, Request


class TextureCalls:
    """Answers calls that create and destroy texture and surface objects."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._objects = Objects(state.memory.emulated)
        state.memory.when_released.append(self._objects.forget)

    @property
    def answers(self) -> Mapping[Call, Callable[[Request], Reply]]:
        """What answers each call."""
        return {
            Call.TEXTURE_CREATE: self._texture,
            Call.SURFACE_CREATE: self._surface,
            Call.OBJECT_DESTROY: self._destroy,
        }

    def _texture(self, asked: Request) -> Reply:
        given = Description.of(asked.extra)
        memory = self._state.memory
        if given.resource == Resource.ARRAY:
            found = memory.array(given.address)
            if found is None:
                return self._state.failed(Error.INVALID_HANDLE, asked, reason("not-an-array"))
            allocation, shape = found
        else:
            linear = memory.find(given.address)
            is_usable = linear is not None and linear.freed is None and linear.shape is None
            if linear is None or not is_usable:
                return self._state.failed(Error.INVALID_VALUE, asked, reason("texture-of-no-memory"))
            allocation, shape = linear, None
        made = sampler_of(given, allocation, shape)
        if isinstance(made, Refusal):
            return self._state.failed(made.error, asked, made.problem)
        return Reply(values=(self._objects.add(made, allocation),))

    def _surface(self, asked: Request) -> Reply:
        found = self._state.memory.array(asked.arguments[0])
        if found is None:
            return self._state.failed(Error.INVALID_HANDLE, asked, reason("not-an-array"))
        allocation, shape = found
        if ArrayFlag.SURFACE not in shape.flags:
            return self._state.failed(
                Error.INVALID_VALUE, asked, reason("surface-of-plain-array", name=allocation.name)
            )
        return Reply(values=(self._objects.add(surface_of(allocation, shape), allocation),))

    def _destroy(self, asked: Request) -> Reply:
        self._state.schedule.wait_for_all()
        known = self._objects.remove(asked.arguments[0])
        return Reply(Error.SUCCESS if known else Error.INVALID_VALUE)
