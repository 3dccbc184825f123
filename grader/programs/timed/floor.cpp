// Moves the inputs to the device and the outputs from it, as fast as the bus allows, and computes nothing.
#include "timed.h"
#include <cuda_runtime.h>

namespace {
void *device[grader::PARAMETERS];
cudaStream_t inwards, outwards;

bool is_returned(unsigned index) {
    for (unsigned i = 0; i < grader::RETURNED_COUNT; i++) {
        if (grader::RETURNED[i] == index) return true;
    }
    return false;
}
}  // namespace

int grader::prepare(char *const *at) {
    for (unsigned i = 0; i < PARAMETERS; i++) {
        cudaHostRegister(at[i], sizes[i], cudaHostRegisterDefault);
        cudaMalloc(&device[i], sizes[i]);
    }
    cudaStreamCreate(&inwards);
    cudaStreamCreate(&outwards);
    return cudaGetLastError();
}

int grader::call(char *const *at) {
    for (unsigned i = 0; i < PARAMETERS; i++) {
        if (is_returned(i)) {
            cudaMemcpyAsync(at[i], device[i], sizes[i], cudaMemcpyDeviceToHost, outwards);
        } else {
            cudaMemcpyAsync(device[i], at[i], sizes[i], cudaMemcpyHostToDevice, inwards);
        }
    }
    return cudaDeviceSynchronize();
}

int grader::finish(char *const *) { return 0; }  // the memory ends with the process
