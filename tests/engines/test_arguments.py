"""Argument flattening matches hand-written layouts and the output of the pinned numba-cuda."""

import re

import numpy as np
import pytest

from grader.engines.arguments import Argument, flatten, pack
from grader.model.arguments import ArgumentMap, Passed
from grader.model.element_types import VECTORS, DType, struct_type
from grader.model.kernel import Param
from grader.model.module import Abi, BuiltKernel, KernelResources
from grader.model.plan import Buffer, Dim3, Launch, LaunchPlan, LaunchShape, Role
from grader.model.texture import Texture

ADDRESSES = {"a": 0x7000, "b": 0x9000}

PARAMS = tuple(
    Param.parse(text) for text in ("const float32 a[rows][cols]", "float64 b[n]", "int32 n", "float32 scale")
)


def address(name: str | Texture) -> int:
    return 0x1234 if isinstance(name, Texture) else ADDRESSES[name]


def kernel(
    abi: Abi, params: tuple[Param, ...] = PARAMS, passed: tuple[Passed, ...] | None = None
) -> BuiltKernel:
    resources = KernelResources(registers=16, spill_bytes=0, local_bytes=0, shared_bytes=0, max_threads=1024)
    arguments = None if passed is None else ArgumentMap(passed=passed)
    return BuiltKernel(
        name="k", symbol="k", unit=0, abi=abi, params=params, resources=resources, arguments=arguments
    )


def plan(*args: str | float | tuple[float, ...] | Texture, a_shape: tuple[int, ...] = (3, 5)) -> LaunchPlan:
    shape = LaunchShape(grid=Dim3(), block=Dim3(x=32))
    return LaunchPlan(
        buffers=(
            Buffer(name="a", dtype=DType.FLOAT32, shape=a_shape, role=Role.INPUT),
            Buffer(name="b", dtype=DType.FLOAT64, shape=(7,), role=Role.OUTPUT),
        ),
        launches=(Launch(kernel="k", shape=shape, args=args),),
    )


def flat(abi: Abi, given: LaunchPlan) -> list[Argument]:
    return flatten(kernel(abi), given.launches[0], given, address)


def test_in_c_an_array_is_its_address() -> None:
    assert flat(Abi.C, plan("a", "b", 7, 0.5)) == [
        Argument(DType.UINT64, 0x7000),
        Argument(DType.UINT64, 0x9000),
        Argument(DType.INT32, 7),
        Argument(DType.FLOAT32, 0.5),
    ]


def test_a_numba_array_has_its_shape_and_strides_in_bytes() -> None:
    values = [argument.value for argument in flat(Abi.NUMBA, plan("a", "b", 7, 0.5))]
    assert values == [
        *(0, 0, 15, 4, 0x7000, 3, 5, 20, 4),
        *(0, 0, 7, 8, 0x9000, 7, 8),
        *(7, 0.5),
    ]


def test_a_texture_is_passed_as_a_handle_where_expected() -> None:
    params = (Param.parse("texture float32 a[h][w]"),)
    image = Texture(buffer="a", dimensions=2)
    given = plan(image)
    assert flatten(kernel(Abi.C, params), given.launches[0], given, address) == [
        Argument(DType.UINT64, 0x1234)
    ]
    for wrong, wanted in ((params, plan("a")), (PARAMS[:1], given)):
        with pytest.raises(ValueError, match=r"parameter a of k needs"):
            flatten(kernel(Abi.C, wrong), wanted.launches[0], wanted, address)


def test_a_matrix_may_be_passed_flat_to_a_numba_kernel() -> None:
    params = (Param.parse("const float32 a[n]"),)
    given = plan("a")
    (*_, nitems, itemsize, _, extent, stride) = flatten(
        kernel(Abi.NUMBA, params), given.launches[0], given, address
    )
    assert (nitems.value, itemsize.value, extent.value, stride.value) == (15, 4, 15, 4)


def test_scalars_keep_their_type_for_the_launch() -> None:
    scalars = [argument.host for argument in flat(Abi.C, plan("a", "b", -7, 0.5))]
    assert [type(scalar) for scalar in scalars] == [np.uint64, np.uint64, np.int32, np.float32]
    assert scalars[2] == -7


LENS = struct_type("Lens", ["uint8 kind", "float32 weights[2]", "float64 gain"])
BY_VALUE = tuple(Param.parse(text, [LENS]) for text in ("int32 n", "Lens lens", "float4 ramp", "uchar3 tint"))
LENS_BYTES = "c8000000" + "0000803e" + "000040c0" + "00000000" + "000000000000e03f"


def by_value(abi: Abi, passed: tuple[Passed, ...] | None = None) -> list[Argument]:
    given = plan(5, (200, 0.25, -3, 0.5), (1, 2, 3, 4), (1, 20, 250))
    return flatten(kernel(abi, BY_VALUE, passed), given.launches[0], given, address)


def test_a_struct_by_value_is_laid_out_and_aligned_as_in_c() -> None:
    _, lens, ramp, _ = arguments = by_value(Abi.C)
    assert lens.data.hex() == LENS_BYTES
    assert pack(arguments).hex() == "05000000" + "00000000" + LENS_BYTES + ramp.data.hex() + "0114fa"
    assert lens.host.dtype.itemsize == LENS.itemsize
    assert lens.host.tobytes() == lens.data


def test_a_vector_by_value_is_aligned_as_the_kernel_declares_it() -> None:
    four = struct_type("Four", ["float32 x", "float32 y", "float32 z", "float32 w"])
    passed = (Passed(source=0, dtype=DType.INT32), Passed(source=2, dtype=four))
    assert ArgumentMap(passed=passed).suits(BY_VALUE)
    assert len(pack(by_value(Abi.C, passed))) == 4 + 16
    assert not ArgumentMap(passed=(Passed(source=2, dtype=VECTORS["float3"]),)).suits(BY_VALUE)


def test_a_struct_by_value_is_its_numbers_in_numba() -> None:
    assert by_value(Abi.NUMBA)[1:5] == [
        Argument(DType.UINT8, 200),
        Argument(DType.FLOAT32, 0.25),
        Argument(DType.FLOAT32, -3),
        Argument(DType.FLOAT64, 0.5),
    ]


def test_param_space_is_naturally_aligned() -> None:
    packed = pack([Argument(DType.INT32, -1), Argument(DType.UINT64, 0x0102), Argument(DType.FLOAT32, 1.0)])
    assert packed.hex() == "ffffffff" + "00000000" + "0201000000000000" + "0000803f"


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (("a", "b", 7), "4 parameters, the plan passes 3"),
        ((1, "b", 7, 0.5), "parameter a of k needs the name of a buffer"),
        (("a", "b", "b", 0.5), "parameter n of k needs a number"),
    ],
)
def test_a_plan_that_does_not_fit_the_kernel_is_refused(
    args: tuple[str | float, ...], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        flat(Abi.C, plan(*args))


def test_a_flat_buffer_is_no_matrix() -> None:
    with pytest.raises(ValueError, match="cannot be passed as an array of 2 dimensions"):
        flat(Abi.NUMBA, plan("a", "b", 7, 0.5, a_shape=(15,)))


def test_the_pinned_numba_compiles_exactly_these_parameters() -> None:
    numba = pytest.importorskip("numba")
    cuda = pytest.importorskip("numba.cuda")

    def body(a, b, n, scale):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - Numba compiles it; no test calls it
        b[0] = a[0, 0] * scale + n

    types = (numba.float32[:, ::1], numba.float64[::1], numba.int32, numba.float32)
    ptx, _ = cuda.compile_ptx(body, types, device=False, cc=(7, 5))
    entry = ptx[ptx.index(".entry") : ptx.index("{", ptx.index(".entry"))]
    widths = [int(width) for width in re.findall(r"\.param \.[a-z](\d+)", entry)]
    assert widths == [
        argument.dtype.numpy.itemsize * 8 for argument in flat(Abi.NUMBA, plan("a", "b", 7, 0.5))
    ]


def mapped(passed: tuple[Passed, ...], given: LaunchPlan, abi: Abi = Abi.C) -> list[Argument]:
    return flatten(kernel(abi, passed=passed), given.launches[0], given, address)


def test_arguments_follow_the_kernels_own_order() -> None:
    passed = (
        Passed(source=2, dtype=DType.INT32),
        Passed(source=1, dtype=DType.FLOAT64),
        Passed(source=0, dtype=DType.FLOAT32),
    )
    assert mapped(passed, plan("a", "b", 7, 0.5)) == [
        Argument(DType.INT32, 7),
        Argument(DType.UINT64, 0x9000),
        Argument(DType.UINT64, 0x7000),
    ]
    numba = mapped(passed, plan("a", "b", 7, 0.5), Abi.NUMBA)
    assert [numba[0], numba[5], numba[12]] == [
        Argument(DType.INT32, 7),
        Argument(DType.UINT64, 0x9000),
        Argument(DType.UINT64, 0x7000),
    ]


@pytest.mark.parametrize(
    ("dtype", "value", "expected"),
    [
        (DType.UINT32, 7, 7),
        (DType.UINT32, -1, 2**32 - 1),
        (DType.INT64, -1, -1),
        (DType.UINT64, -1, 2**64 - 1),
        (DType.UINT64, 2**31 - 1, 2**31 - 1),
    ],
)
def test_a_number_is_converted_as_c_converts_it(dtype: DType, value: int, expected: int) -> None:
    passed = (Passed(source=2, dtype=dtype), Passed(source=2, dtype=DType.INT32))
    assert mapped(passed, plan("a", "b", value, 0.5)) == [
        Argument(dtype, expected),
        Argument(DType.INT32, value),
    ]
    assert len(pack(mapped(passed[:1], plan("a", "b", value, 0.5)))) == dtype.itemsize


def test_a_float_may_be_passed_as_a_double() -> None:
    passed = (Passed(source=3, dtype=DType.FLOAT64),)
    assert mapped(passed, plan("a", "b", 7, 0.5)) == [Argument(DType.FLOAT64, 0.5)]
