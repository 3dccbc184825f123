"""Odd launches: sizes, arguments, pointers and buffers that no lab uses."""

import random
from dataclasses import replace

from grader.model.kernel import Param
from grader.model.module import DeviceModule, DeviceUnit
from grader.model.plan import Buffer, Dim3, Launch, LaunchPlan, LaunchShape, Role
from grader.model.run import LaunchJob, RunOptions
from tests.engines.emulator.fuzzing.corpus import WILD_POINTER, Specimen
from tools.emulator.compiling import CUDA_FILE

EXTENTS = (0, 1, 2, 3, 7, 16, 31, 33, 64, 100)
SHAPES = (
    *[Dim3(x=x) for x in (1, 2, 5, 16, 31, 32, 33, 64, 96, 100, 128, 256, 1024)],
    *[Dim3(x=16, y=16), Dim3(x=8, y=8), Dim3(x=32, y=32), Dim3(x=3, y=5, z=7), Dim3(x=1, y=33)],
)
GRIDS = (1, 1, 2, 3, 65536, 2**31 - 1)
ODD_EXTENTS = (0, 1, 65, 1025, 65535, 65536, 2**31)
SHARED = (0, 0, 0, 0, 4, 7, 128, 4096, 49152)
SCALARS = (0, 1, 2, 3, 7, 16, 31, 33, 64, 100, 77, -1, 2**31 - 1, -(2**31))
ADDRESSES = (0, 1, 4, 2**36, 2**35, 3 * 2**35, 2**35 + 2, 0x7A << 40, 0x7B << 40, 2**63, 2**64 - 4, 511 << 36)

LIMITS = RunOptions(max_steps=20_000, timeout=1.0)


def odd_work(specimen: Specimen, ptx: str, rng: random.Random) -> LaunchJob:
    """One or two launches of ``specimen``'s kernel in its mutated form ``ptx``."""
    params = tuple(_odd_parameter(param, rng) for param in specimen.kernel.params)
    kernel = replace(specimen.kernel, params=params, unit=0)
    buffers = tuple(
        Buffer(
            name=param.name,
            dtype=param.dtype,
            shape=tuple(rng.choice(EXTENTS) for _ in param.dims),
            role=rng.choice(list(Role)),
        )
        for param in params
        if param.is_array
    )
    arguments = tuple(_argument(param, rng) for param in params)
    if rng.random() < 0.02:
        arguments = arguments[:-1]
    shape = _odd_shape(rng)
    launch = Launch(kernel=kernel.name, shape=shape, args=arguments)
    return LaunchJob(
        module=DeviceModule(
            units=(DeviceUnit(name="unit", ptx=ptx, cubins={}),), kernels=(kernel,), user_files=(CUDA_FILE,)
        ),
        plan=LaunchPlan(buffers=buffers, launches=(launch,) * rng.choice((1, 1, 2))),
        inputs={
            buffer.name: rng.randbytes(buffer.nbytes)
            for buffer in buffers
            if buffer.role in {Role.INPUT, Role.INOUT}
        },
    )


def _odd_shape(rng: random.Random) -> LaunchShape:
    """A launch shape, in most cases one that a device accepts, so that most mutants run."""
    if rng.random() < 0.05:
        grid, block = (Dim3(**{axis: rng.choice(ODD_EXTENTS) for axis in "xyz"}) for _ in range(2))
        return LaunchShape(grid=grid, block=block, shared_bytes=rng.choice((-4, 65536, 2**40)))
    grid = Dim3(x=rng.choice(GRIDS) if rng.random() < 0.1 else rng.choice((1, 2, 3)), y=rng.choice((1, 1, 2)))
    return LaunchShape(grid=grid, block=rng.choice(SHAPES), shared_bytes=rng.choice(SHARED))


def odd_options(rng: random.Random) -> RunOptions:
    """Options with small limits, with or without diagnostics, in the natural or another order of warps."""
    return replace(
        LIMITS, diagnostics=rng.random() < 0.6, schedule_seed=rng.choice((0, 0, 5)), cores=rng.choice((1, 2))
    )


def _odd_parameter(param: Param, rng: random.Random) -> Param:
    return replace(WILD_POINTER, name=param.name) if param.is_array and rng.random() < 0.05 else param


def _argument(param: Param, rng: random.Random) -> str | int | float:
    if param.is_array:
        return param.name
    number = rng.choice(ADDRESSES if param.dtype == WILD_POINTER.dtype else SCALARS)
    return float(number) if str(param.dtype).startswith("float") else _fitted(number, param)


def _fitted(number: int, param: Param) -> int:
    """The number wrapped to the parameter's type, which every argument must have."""
    bits = 8 * param.dtype.numpy.itemsize
    wrapped = number & ((1 << bits) - 1)
    signed = str(param.dtype).startswith("int") and wrapped >> (bits - 1)
    return wrapped - (1 << bits) if signed else wrapped
