// One copy of bytes, of one row or of several.
#pragma once
#include "wire.h"
#include <cuda_runtime_api.h>

namespace grader {
struct Copy {
    void *target;
    const void *source;
    size_t width, rows, target_pitch, source_pitch;  // bytes, rows, and bytes from row to row
    cudaMemcpyKind kind;
    cudaStream_t stream;
    bool async;
    bool array_target = false, array_source = false;  // a function for arrays names them
};
cudaError_t copy(const Copy &wanted);
// The type of the memory that a pointer points to (`cudaMemoryType`), and the device that has it.
Answer about_pointer(const void *pointer);
cudaError_t symbol_address(void **address, const void *symbol);
}  // namespace grader
