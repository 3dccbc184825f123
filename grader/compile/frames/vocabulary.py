"""Words of CUDA C++ that every file uses, so that a frame does not own them."""

_WORDS = """
alignas auto bool break case char class const constexpr continue default delete do double else enum explicit extern
false float for friend goto if inline int int8_t int16_t int32_t int64_t long mutable namespace new noexcept nullptr
private protected public register restrict return short signed size_t sizeof static static_assert static_cast
std struct switch template this true typedef typename uint8_t uint16_t uint32_t uint64_t union unsigned using virtual
void volatile while half __half __half2 __nv_bfloat16
__constant__ __device__ __forceinline__ __host__ __inline__ __managed__ __noinline__ __restrict __restrict__
__shared__ __align__ __launch_bounds__ __grid_constant__
char1 char2 char3 char4 uchar1 uchar2 uchar3 uchar4 short2 short4 ushort2 ushort4 int1 int2 int3 int4 uint1 uint2
uint3 uint4 float1 float2 float3 float4 double1 double2 longlong2 dim3
"""

VOCABULARY = frozenset(_WORDS.split())
"""Keywords, memory spaces and type names."""
