// The error state of the calling thread, as the runtime keeps it.
#pragma once
#include "wire.h"
#include <cuda_runtime_api.h>

namespace grader {
cudaError_t failed(cudaError_t error);
inline cudaError_t result(const Answer &answer) { return failed(static_cast<cudaError_t>(answer.error)); }
template <class T> uint64_t word(T *pointer) { return reinterpret_cast<uint64_t>(pointer); }
}  // namespace grader
#define API extern "C" __attribute__((visibility("default")))
