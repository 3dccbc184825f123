"""The header that declares a name, for names that students use without an ``#include``."""

from grader.model.reason import Reason, reason

_NAMES = {
    "cooperative_groups.h": "cooperative_groups",
    "cooperative_groups/reduce.h": "cooperative_groups::reduce",
    "cooperative_groups/scan.h": "cooperative_groups::inclusive_scan cooperative_groups::exclusive_scan",
    "cooperative_groups/memcpy_async.h": "cooperative_groups::memcpy_async cooperative_groups::wait",
    "cub/cub.cuh": "cub",
    "cuda_fp16.h": (
        "half half2 __half __half2 __float2half __half2float __float22half2_rn __half22float2 "
        "__hadd __hmul __hfma"
    ),
    "cuda_bf16.h": (
        "nv_bfloat16 nv_bfloat162 __nv_bfloat16 __nv_bfloat162 __float2bfloat16 __bfloat162float"
    ),
    "cuda_pipeline.h": "__pipeline_memcpy_async __pipeline_commit __pipeline_wait_prior",
    "curand_kernel.h": (
        "curandState curandState_t curandStateXORWOW_t curandStatePhilox4_32_10_t "
        "curandStateMRG32k3a_t curand_init curand curand_uniform curand_normal"
    ),
    "cfloat": "FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON",
    "cuComplex.h": (
        "cuComplex cuFloatComplex cuDoubleComplex make_cuComplex make_cuFloatComplex cuCaddf cuCmulf cuCabsf"
    ),
    "limits": "std::numeric_limits",
    "algorithm": "std::min std::max",
    "math_constants.h": "CUDART_PI CUDART_PI_F CUDART_INF CUDART_INF_F CUDART_NAN_F",
    "mma.h": "nvcuda wmma",
    "thrust/complex.h": "thrust::complex",
    "thrust/functional.h": "thrust::plus thrust::minus thrust::multiplies thrust::maximum thrust::minimum",
    "thrust/pair.h": "thrust::pair thrust::make_pair",
    "thrust/tuple.h": "thrust::tuple thrust::make_tuple thrust::get",
}
_HEADERS = {name: header for header, names in _NAMES.items() for name in names.split()}


def not_included(name: str) -> Reason | None:
    """The header to include for an undefined ``name``; ``None`` if it is in none that is known."""
    header = _HEADERS.get(name)
    return None if header is None else reason("header-not-included", name=name, header=header)
