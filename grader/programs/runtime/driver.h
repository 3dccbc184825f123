// The driver's API (libcuda) over the runtime's: the same handles, and error codes that differ in few cases.
#pragma once
#include "errors.h"
#include <cuda.h>

namespace grader {
inline CUresult driver_error(cudaError_t error) {
    switch (error) {
        case cudaErrorInvalidDeviceFunction: case cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
        case cudaErrorInvalidConfiguration: case cudaErrorInvalidPitchValue: case cudaErrorInvalidMemcpyDirection: return CUDA_ERROR_INVALID_VALUE;
        default: return static_cast<CUresult>(error);
    }
}
inline void *pointer(CUdeviceptr address) { return reinterpret_cast<void *>(address); }
}  // namespace grader
