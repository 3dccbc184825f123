"""Several launches that together compute what one kernel of a lab is graded for."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from grader.labs.geometry import evaluate, launch_shape
from grader.model.element_types import element_type
from grader.model.kernel import KernelSpec, Param
from grader.model.plan import Buffer, Geometry, Launch, LaunchPlan, Role

if TYPE_CHECKING:
    from grader.labs.lab import Lab
    from grader.labs.manifest import Case


class Steps:
    """The launches for one kernel on one case, in order, on one stream.

    The arrays of the kernel's own parameters exist from the start; other memory is declared before the launch that uses
    it. Every kernel of the lab may be launched, each in the student's own geometry.
    """

    def __init__(
        self,
        lab: "Lab",
        kernel: KernelSpec,
        case: "Case",
        geometries: Mapping[str, Geometry],
        names: Mapping[str, int],
    ) -> None:
        """``geometries`` are those of the kernels by name, ``names`` the case's sizes and macros."""
        self._specs = {each.spec.name: each.spec for each in lab.manifest.kernels}
        self._structs = lab.manifest.structs
        self._geometries = geometries
        self._names = names
        self._values = case.values
        self._buffers = {
            param.name: Buffer(
                name=param.name,
                dtype=param.dtype,
                shape=tuple(evaluate(dim, case.sizes) for dim in param.dims),
                role=role_of(param),
                fixed=param.fixed,
            )
            for param in kernel.params
            if param.is_array and param.sampling is None
        }
        self._launches: list[Launch] = []

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

    def launch(self, kernel: str, **arguments: str | float) -> None:
        """Launch ``kernel``. ``arguments`` are by the names of its parameters: the name of an array, or a number.

        What is not given is the array, the size or the value of the parameter's own name. A number that is given is
        also the size of that name in the geometry of the launch.
        Raises: ``GeometryError`` for the geometry of a student; ``ValueError`` for a mistake of the lab.
        """
        if kernel not in self._specs:
            msg = f"there is no kernel {kernel}; the lab has {', '.join(self._specs)}"
            raise ValueError(msg)
        spec = self._specs[kernel]
        if unknown := arguments.keys() - {param.name for param in spec.params}:
            msg = f"{kernel} has no parameter {min(unknown)}; it has {', '.join(each.name for each in spec.params)}"
            raise ValueError(msg)
        sizes = {name: number for name, number in arguments.items() if isinstance(number, int)}
        self._launches.append(
            Launch(
                kernel=kernel,
                shape=launch_shape(self._geometries[kernel], {**self._names, **sizes}),
                args=tuple(self._argument(param, arguments) for param in spec.params),
            )
        )

    def plan(self) -> LaunchPlan:
        """The plan of all launches, with the buffers that they use. Raises: ``ValueError`` without a launch."""
        if not self._launches:
            msg = "steps launch no kernel"
            raise ValueError(msg)
        used = {
            argument for launch in self._launches for argument in launch.args if isinstance(argument, str)
        }
        return LaunchPlan(
            buffers=tuple(buffer for name, buffer in self._buffers.items() if name in used),
            launches=tuple(self._launches),
        )

    def _declare(self, name: str, dtype: str, shape: tuple[int, ...], role: Role) -> str:
        self._buffers[name] = Buffer(
            name=name, dtype=element_type(dtype, self._structs), shape=shape, role=role
        )
        return name

    def _argument(self, param: Param, arguments: Mapping[str, str | float]) -> str | float:
        if param.sampling is not None:
            msg = f"{param.name} is a texture; a lab with steps passes arrays and numbers"
            raise ValueError(msg)
        numbers = {**self._names, **self._values}
        given = arguments.get(
            param.name, param.name if param.is_array else numbers.get(param.name, param.name)
        )
        if param.is_array != isinstance(given, str) or (
            isinstance(given, str) and given not in self._buffers
        ):
            wanted = "a declared array" if param.is_array else "a number"
            msg = f"{param.name} needs {wanted}, not {given!r}"
            raise ValueError(msg)
        return given


def role_of(param: Param) -> Role:
    """The purpose of the buffer of an array parameter."""
    if param.scratch:
        return Role.SCRATCH
    if param.inout or param.zeroed:
        return Role.INOUT
    return Role.INPUT if param.const else Role.OUTPUT


def plan_of(
    lab: "Lab", kernel: KernelSpec, case: "Case", geometries: Mapping[str, Geometry], names: Mapping[str, int]
) -> LaunchPlan:
    """The launches of ``kernel`` on ``case``. Arguments as those of ``Steps``. Raises: what the lab's code raises."""
    if not lab.has_steps:
        return lab.plan_for(kernel, case, geometries[kernel.name], names)
    steps = Steps(lab, kernel, case, geometries, names)
    lab.steps(kernel, case, steps)
    return steps.plan()
