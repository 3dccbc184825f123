"""The launches, and what happens between them, that together compute what a lab grades."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.labs.array_arguments import check_array
from grader.labs.by_value import Passable, example, passed
from grader.labs.geometry import evaluate, launch_shape
from grader.model.element_types import NumberKind, element_type
from grader.model.kernel import KernelSpec, Param
from grader.model.plan import Buffer, Geometry, Launch, LaunchPlan, Loop, Role, Step, Transfer
from grader.model.texture import Texture

if TYPE_CHECKING:
    from grader.labs.manifest import Case, Manifest

MOST_LAUNCHES = 20_000
"""Launches of one plan; more are a mistake of the lab."""

_MOST_BYTE = 255


@dataclass(frozen=True, slots=True)
class SubmittedKernels:
    """The kernels to launch: their ``geometries`` by name, and which are ``present``; ``None``: all."""

    geometries: Mapping[str, Geometry]
    present: Collection[str] | None = None


class Steps:
    """What computes the answer of one kernel or program on one case, in order, on one stream.

    The arrays of its own parameters exist from the start; other memory is declared before the launch that uses it.
    Every kernel of the lab may be launched, each in the student's own geometry.
    """

    def __init__(
        self,
        manifest: "Manifest",
        graded: KernelSpec,
        case: "Case",
        kernels: SubmittedKernels,
        names: Mapping[str, int],
    ) -> None:
        """``names`` are the case's sizes and the lab's macros."""
        self._specs = {each.spec.name: each.spec for each in manifest.kernels}
        self._optional = {each.spec.name for each in manifest.kernels if each.optional}
        self._structs = manifest.structs
        self._kernels = kernels
        self.sizes = names
        """The case's sizes and the lab's macros by name."""
        self._values = case.values
        self._buffers: dict[str, Buffer] = {}
        self._launches: list[Launch] = []
        self._steps: list[Step] = []
        self._loops: list[Loop] = []
        self._filled: dict[tuple[str, str], str] = {}
        for param in graded.params:
            self._own(param)

    def has(self, kernel: str) -> bool:
        """Whether the submission has ``kernel``: of an optional one, whether a step may rely on it."""
        return self._kernels.present is None or kernel in self._kernels.present

    def input(self, name: str, dtype: str, *shape: int) -> str:
        """Declare an array that ``Lab.inputs`` gives. Returns: ``name``."""
        return self._declare(name, dtype, shape, Role.INPUT)

    def output(self, name: str, dtype: str, *shape: int) -> str:
        """Declare an array that the launches must write. Returns: ``name``."""
        return self._declare(name, dtype, shape, Role.OUTPUT)

    def inout(self, name: str, dtype: str, *shape: int) -> str:
        """Declare an array that ``Lab.inputs`` gives and that the launches write in place. Returns: ``name``."""
        return self._declare(name, dtype, shape, Role.INOUT)

    def scratch(self, name: str, dtype: str, *shape: int) -> str:
        """Declare memory between launches; its content is not checked. Returns: ``name``."""
        return self._declare(name, dtype, shape, Role.SCRATCH)

    def launch(self, kernel: str, **arguments: Any) -> None:
        """Launch ``kernel``. ``arguments`` are by the names of its parameters: the name of an array, or a value.

        The value of a vector is a sequence of its components, that of a struct a mapping by its members. What is not
        given is the array, the size or the value of the parameter's own name. A number that is given is also the size
        of that name in the geometry of the launch. A symbol of the kernel is filled before its launch from the array
        of its own name, or from the one that is given. An optional kernel that the submission does not have is left
        out.
        Raises: ``GeometryError`` for the geometry of a student; ``ValueError`` for a mistake of the lab.
        """
        spec = self._spec(kernel)
        self._params(kernel, arguments)
        if kernel in self._optional and not self.has(kernel):
            return
        if len(self._launches) >= MOST_LAUNCHES:
            msg = f"more than {MOST_LAUNCHES:,} launches; let a kernel do more, or repeat less"
            raise ValueError(msg)
        for symbol in spec.symbols:
            self._fill_symbol(kernel, symbol, str(arguments.get(symbol.name, symbol.name)))
        sizes = {
            **self.sizes,
            **{name: number for name, number in arguments.items() if isinstance(number, int)},
        }
        launch = Launch(
            kernel=kernel,
            shape=launch_shape(self._kernels.geometries[kernel], sizes),
            args=tuple(self._argument(param, arguments) for param in spec.params),
        )
        for param, given in zip(spec.params, launch.args, strict=True):
            if isinstance(given, str):
                check_array(kernel, param, self._known(given), sizes)
        self._steps.append(Step(launch=len(self._launches)))
        self._launches.append(launch)

    def launch_in_round(
        self,
        kernel: str,
        texts: Mapping[str, Any],
        arrays: Mapping[str, str],
        counters: Mapping[str, int],
    ) -> None:
        """``launch`` with arguments as a manifest writes them: arrays by name, numbers as expressions of sizes.

        ``arrays`` are those that swapped names stand for, ``counters`` the rounds of loops.
        """
        params = {param.name: param for param in self._params(kernel, texts)}
        given: dict[str, Any] = {
            name: arrays[name] for name, param in params.items() if param.is_array and name in arrays
        }
        for name, text in texts.items():
            is_array = params[name].is_array
            given[name] = arrays.get(text, text) if is_array else self._evaluated(text, counters)
        own = {name: counters[name] for name in params if name in counters and name not in texts}
        self.launch(kernel, **own, **given)

    def _evaluated(self, written: Any, counters: Mapping[str, int]) -> Any:
        """A value in which texts are the names of values, or expressions of sizes."""
        if isinstance(written, list):
            return [self._evaluated(each, counters) for each in written]
        if isinstance(written, dict):
            return {name: self._evaluated(each, counters) for name, each in written.items()}
        if not isinstance(written, str):
            return written
        return (
            self._values[written]
            if written in self._values
            else evaluate(written, {**self.sizes, **counters})
        )

    def fill(self, name: str, byte: int = 0) -> None:
        """Set every byte of the array ``name`` to ``byte``. Raises: ``ValueError``."""
        if not 0 <= byte <= _MOST_BYTE:
            msg = f"fill sets bytes, from 0 to {_MOST_BYTE}, and not {byte}"
            raise ValueError(msg)
        self._written(name)
        self._steps.append(Step(transfer=Transfer(target=name, byte=byte)))

    def copy(self, source: str, target: str) -> None:
        """Copy the array ``source`` to ``target``, which has as many bytes. Raises: ``ValueError``."""
        if self._known(source).nbytes != self._written(target).nbytes:
            msg = f"{source} and {target} have different sizes, so neither can be copied to the other"
            raise ValueError(msg)
        self._steps.append(Step(transfer=Transfer(target=target, source=source)))

    def check_alike(self, first: str, second: str) -> None:
        """Check that two arrays can stand for each other. Raises: ``ValueError``."""
        one, other = self._known(first), self._known(second)
        if (one.dtype, one.shape) != (other.dtype, other.shape):
            msg = f"{first} and {second} have different types or sizes, so they cannot be swapped"
            raise ValueError(msg)

    @contextmanager
    def while_set(self, flag: str, *, most: int) -> Iterator[None]:
        """Repeat the steps inside as long as they set the first element of ``flag``, which is zeroed before each round.

        After ``most`` rounds the submission has timed out. Raises: ``ValueError``.
        """
        first = len(self._steps)
        self._zero_flag(flag, most)
        yield
        self._end_loop(first, flag, most, until=False)

    @contextmanager
    def until_set(self, flag: str, *, most: int) -> Iterator[None]:
        """Repeat the steps inside until the first element of ``flag`` is not 0; it is zeroed before the first round.

        After ``most`` rounds the submission has timed out. Raises: ``ValueError``.
        """
        self._zero_flag(flag, most)
        first = len(self._steps)
        yield
        self._end_loop(first, flag, most, until=True)

    def plan(self) -> LaunchPlan:
        """The plan of all steps, with the buffers that they use. Raises: ``ValueError`` without a launch."""
        if not self._launches:
            msg = "steps launch no kernel"
            raise ValueError(msg)
        used = {
            argument.buffer if isinstance(argument, Texture) else argument
            for launch in self._launches
            for argument in launch.args
            if isinstance(argument, (str, Texture))
        }
        for step in self._steps:
            if step.transfer is not None:
                used |= {step.transfer.source, step.transfer.target}
        plain = all(step.transfer is None for step in self._steps) and not self._loops
        return LaunchPlan(
            buffers=tuple(buffer for name, buffer in self._buffers.items() if name in used),
            launches=tuple(self._launches),
            steps=() if plain else tuple(self._steps),
            loops=tuple(self._loops),
        )

    def _spec(self, kernel: str) -> KernelSpec:
        if kernel not in self._specs:
            msg = f"there is no kernel {kernel}; the lab has {', '.join(self._specs)}"
            raise ValueError(msg)
        return self._specs[kernel]

    def _params(self, kernel: str, named: Iterable[str]) -> tuple[Param, ...]:
        """The parameters and symbols of ``kernel``. Raises: ``ValueError`` where one of ``named`` is none of them."""
        spec = self._spec(kernel)
        params = (*spec.params, *spec.symbols)
        if unknown := set(named) - {param.name for param in params}:
            msg = (
                f"{kernel} has no parameter {min(unknown)}; it has {', '.join(each.name for each in params)}"
            )
            raise ValueError(msg)
        return params

    def _declare(self, name: str, dtype: str, shape: tuple[int, ...], role: Role) -> str:
        self._buffers[name] = Buffer(
            name=name, dtype=element_type(dtype, self._structs), shape=shape, role=role
        )
        return name

    def _own(self, param: Param, role: Role | None = None) -> None:
        """Declare the array of a parameter, if it is one."""
        if param.is_array:
            self._buffers[param.name] = Buffer(
                name=param.name,
                dtype=param.dtype,
                shape=tuple(evaluate(dim, self.sizes) for dim in param.dims),
                role=role or role_of(param),
                fixed=param.fixed,
            )

    def _known(self, name: str) -> Buffer:
        if name not in self._buffers:
            msg = f"{name} is no declared array; there are {', '.join(self._buffers)}"
            raise ValueError(msg)
        return self._buffers[name]

    def _written(self, name: str) -> Buffer:
        buffer = self._known(name)
        if buffer.role is Role.INPUT:
            msg = f"{name} is an input, which nothing may write; declare scratch memory"
            raise ValueError(msg)
        return buffer

    def _zero_flag(self, flag: str, most: int) -> None:
        if any(number.kind is not NumberKind.WHOLE for number in self._known(flag).dtype.numbers):
            msg = f"{flag} holds no whole numbers, so it cannot end a loop; declare e.g. scratch int32 {flag}[1]"
            raise ValueError(msg)
        if most < 1:
            msg = f"a loop has at least one round, and most is {most}"
            raise ValueError(msg)
        self.fill(flag)

    def _end_loop(self, first: int, flag: str, most: int, *, until: bool) -> None:
        if all(step.transfer is not None for step in self._steps[first:]):
            msg = f"a loop on {flag} launches no kernel, so nothing can end it"
            raise ValueError(msg)
        self._loops.append(Loop(first=first, behind=len(self._steps), flag=flag, most=most, until=until))

    def _fill_symbol(self, kernel: str, symbol: Param, source: str) -> None:
        if source == symbol.name and source not in self._buffers:
            self._own(symbol, Role.INPUT)
        if self._filled.get((kernel, symbol.name)) == source:
            return
        self._known(source)
        self._filled[kernel, symbol.name] = source
        self._steps.append(Step(transfer=Transfer(target=symbol.name, source=source, symbol_of=kernel)))

    def _argument(self, param: Param, arguments: Mapping[str, Any]) -> Passable:
        values = {**self.sizes, **self._values}
        given = arguments.get(
            param.name, param.name if param.is_array else values.get(param.name, param.name)
        )
        if param.is_array != isinstance(given, str) or (
            isinstance(given, str) and given not in self._buffers
        ):
            wanted = (
                f"a declared array; declare {param.name}, or pass another by that name"
                if param.is_array
                else f"a value such as {example(param.dtype)}"
            )
            msg = f"{param.name} is {given!r}, and needs {wanted}"
            raise ValueError(msg)
        return passed(param, given)


def role_of(param: Param) -> Role:
    """The purpose of the buffer of an array parameter."""
    if param.scratch:
        return Role.SCRATCH
    if param.inout or param.zeroed:
        return Role.INOUT
    return Role.INPUT if param.const else Role.OUTPUT
