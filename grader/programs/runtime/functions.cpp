// What a program asks and says about its kernels: attributes, occupancy, and launches with attributes.
#include "errors.h"
#include "launch.h"
#include "refused.h"

namespace grader {
namespace {
cudaError_t known(const void *function, Kernel **found) {
    *found = kernel_of(function);
    return *found ? resolve(**found) : failed(cudaErrorInvalidDeviceFunction);
}

int attribute(cudaDeviceAttr which) {
    int value = 0, device = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&value, which, device);
    return value;
}

int resident_blocks(const Kernel &kernel, int threads, size_t shared, cudaError_t *error) {
    auto answer = ask(Call::Occupancy, {kernel.id, static_cast<uint64_t>(threads), shared});
    *error = result(answer);
    return static_cast<int>(answer.values[0]);
}

// Whether a launch must wait for all blocks at a barrier. What this runtime cannot do is refused, hints are not.
bool is_cooperative(const cudaLaunchConfig_t &config) {
    bool found = false;
    for (unsigned i = 0; i < config.numAttrs; i++) {
        auto &each = config.attrs[i];
        switch (each.id) {
            case cudaLaunchAttributeCooperative: found = each.val.cooperative; break;
            case cudaLaunchAttributeClusterDimension:
                if (each.val.clusterDim.x * each.val.clusterDim.y * each.val.clusterDim.z > 1) refuse("cudaLaunchKernelEx with a cluster");
                break;
            case cudaLaunchAttributeProgrammaticStreamSerialization:
                if (each.val.programmaticStreamSerializationAllowed) refuse("cudaLaunchKernelEx with programmatic stream serialization");
                break;
            case cudaLaunchAttributeIgnore: case cudaLaunchAttributeAccessPolicyWindow: case cudaLaunchAttributePriority:
            case cudaLaunchAttributeSynchronizationPolicy: case cudaLaunchAttributeMemSyncDomain: case cudaLaunchAttributeMemSyncDomainMap:
            case cudaLaunchAttributePreferredSharedMemoryCarveout: break;
            default: refuse("cudaLaunchKernelEx with an attribute that changes the launch");
        }
    }
    return found;
}
}  // namespace
}  // namespace grader

using namespace grader;

API cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream) {
    auto found = kernel_of(function);
    return found ? launch(*found, grid, block, arguments, shared, stream, true) : failed(cudaErrorInvalidDeviceFunction);
}
API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments) {
    auto found = kernel_of(function);
    if (!found) return failed(cudaErrorInvalidDeviceFunction);
    if (!config) return failed(cudaErrorInvalidValue);
    return launch(*found, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream, is_cooperative(*config));
}

API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function) {
    Kernel *kernel;
    if (auto error = known(function, &kernel)) return error;
    auto answer = ask(Call::Attributes, {kernel->id});
    *attributes = {};
    attributes->sharedSizeBytes = answer.values[0];
    attributes->maxThreadsPerBlock = static_cast<int>(answer.values[1]);
    attributes->numRegs = static_cast<int>(answer.values[2]);
    attributes->ptxVersion = attributes->binaryVersion = static_cast<int>(answer.values[3]);
    attributes->localSizeBytes = answer.values[4];
    int usual = attribute(cudaDevAttrMaxSharedMemoryPerBlock) - static_cast<int>(answer.values[0]);
    attributes->maxDynamicSharedSizeBytes = kernel->allowed_shared ? static_cast<int>(kernel->allowed_shared) : usual;
    attributes->preferredShmemCarveout = -1;
    return result(answer);
}
API cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute which, int value) {
    Kernel *kernel;
    if (auto error = known(function, &kernel)) return error;
    if (which == cudaFuncAttributePreferredSharedMemoryCarveout) return value >= -1 && value <= 100 ? cudaSuccess : failed(cudaErrorInvalidValue);
    if (which != cudaFuncAttributeMaxDynamicSharedMemorySize) refuse("cudaFuncSetAttribute of clusters");
    auto answer = ask(Call::Attributes, {kernel->id});
    if (answer.error) return result(answer);
    if (value < 0 || value + static_cast<int>(answer.values[0]) > attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) return failed(cudaErrorInvalidValue);
    kernel->allowed_shared = static_cast<uint64_t>(value);
    return cudaSuccess;
}
API cudaError_t cudaFuncSetCacheConfig(const void *function, cudaFuncCache) {
    return kernel_of(function) ? cudaSuccess : failed(cudaErrorInvalidDeviceFunction);
}
API cudaError_t cudaFuncSetSharedMemConfig(const void *function, cudaSharedMemConfig) {
    return kernel_of(function) ? cudaSuccess : failed(cudaErrorInvalidDeviceFunction);
}
API cudaError_t cudaFuncGetName(const char **name, const void *function) {
    auto found = kernel_of(function);
    if (!found) return failed(cudaErrorInvalidDeviceFunction);
    *name = found->name.c_str();
    return cudaSuccess;
}
API cudaError_t cudaFuncGetParamInfo(const void *function, size_t number, size_t *offset, size_t *size) {
    Kernel *kernel;
    if (auto error = known(function, &kernel)) return error;
    if (number >= kernel->offsets.size()) return failed(cudaErrorInvalidValue);
    *offset = kernel->offsets[number];
    if (size) *size = kernel->sizes[number];
    return cudaSuccess;
}

API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads, size_t shared, unsigned) {
    Kernel *kernel;
    cudaError_t error;
    if ((error = known(function, &kernel))) return error;
    *blocks = resident_blocks(*kernel, threads, shared, &error);
    return error;
}
API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads, size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}
API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, const void *function, int blocks, int threads) {
    Kernel *kernel;
    cudaError_t error;
    if ((error = known(function, &kernel))) return error;
    if (!shared || blocks < 1) return failed(cudaErrorInvalidValue);
    size_t fits = 0, beyond = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) + 1;
    if (resident_blocks(*kernel, threads, 0, &error) < blocks || error) return error ? error : failed(cudaErrorInvalidValue);
    while (beyond - fits > 1) {
        size_t middle = (fits + beyond) / 2;
        (resident_blocks(*kernel, threads, middle, &error) >= blocks ? fits : beyond) = middle;
        if (error) return error;
    }
    *shared = fits;
    return cudaSuccess;
}
