// What is remembered of each stream.
#pragma once
#include <cuda_runtime_api.h>

namespace grader {
void note_created(cudaStream_t stream, unsigned flags, int priority);
void note_destroyed(cudaStream_t stream);
}  // namespace grader
