// A kernel of the program, and its launch.
#pragma once
#include <cstdint>
#include <cuda_runtime_api.h>
#include <string>
#include <vector>

namespace grader {
struct Kernel {
    std::string name;
    uint64_t unit = 0;  // the module that has it, 0 for whichever does
    uint64_t id = 0;
    std::vector<uint32_t> offsets, sizes;
    uint32_t bytes = 0;
    uint64_t allowed_shared = UINT64_MAX;  // dynamic shared memory that the program allowed; 0 before it does
};
Kernel *kernel_of(const void *function);
cudaError_t resolve(Kernel &kernel);
cudaError_t launch(Kernel &kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream, bool cooperative);
}  // namespace grader
