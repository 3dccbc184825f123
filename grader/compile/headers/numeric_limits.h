#pragma once
namespace std {
template <class T> struct numeric_limits {
  static constexpr bool is_specialized = false;
};
#define GRADER_INTEGER_LIMITS(type, low, high)                                   \
  template <> struct numeric_limits<type> {                                      \
    static constexpr bool is_specialized = true;                                 \
    static constexpr bool is_integer = true;                                     \
    __host__ __device__ static constexpr type min() { return low; }              \
    __host__ __device__ static constexpr type lowest() { return low; }           \
    __host__ __device__ static constexpr type max() { return high; }             \
  };
GRADER_INTEGER_LIMITS(int, -2147483647 - 1, 2147483647)
GRADER_INTEGER_LIMITS(unsigned int, 0U, 4294967295U)
GRADER_INTEGER_LIMITS(long, -9223372036854775807L - 1, 9223372036854775807L)
GRADER_INTEGER_LIMITS(unsigned long, 0UL, 18446744073709551615UL)
GRADER_INTEGER_LIMITS(long long, -9223372036854775807LL - 1, 9223372036854775807LL)
GRADER_INTEGER_LIMITS(unsigned long long, 0ULL, 18446744073709551615ULL)
#undef GRADER_INTEGER_LIMITS
template <> struct numeric_limits<float> {
  static constexpr bool is_specialized = true;
  static constexpr bool is_integer = false;
  __host__ __device__ static constexpr float min() { return 1.17549435e-38F; }
  __host__ __device__ static constexpr float lowest() { return -3.40282347e+38F; }
  __host__ __device__ static constexpr float max() { return 3.40282347e+38F; }
  __host__ __device__ static constexpr float epsilon() { return 1.1920928955078125e-07F; }
  __device__ static float infinity() { return __int_as_float(0x7f800000); }
};
template <> struct numeric_limits<double> {
  static constexpr bool is_specialized = true;
  static constexpr bool is_integer = false;
  __host__ __device__ static constexpr double min() { return 2.2250738585072014e-308; }
  __host__ __device__ static constexpr double lowest() { return -1.7976931348623157e+308; }
  __host__ __device__ static constexpr double max() { return 1.7976931348623157e+308; }
  __host__ __device__ static constexpr double epsilon() { return 2.220446049250313e-16; }
  __device__ static double infinity() { return __longlong_as_double(0x7ff0000000000000LL); }
};
}
