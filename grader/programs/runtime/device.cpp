// The imitated devices, which are equal, with the properties that the device process gave in GRADER_DEVICE.
#include "errors.h"
#include "devices.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace grader;

namespace {
// name|major|minor|multiprocessors|clock kHz|global memory|shared per block|shared per multiprocessor|registers per multiprocessor|
// threads per multiprocessor|blocks per multiprocessor|L2 bytes|bus bits|memory clock kHz|threads per block
struct Facts {
    char name[128] = "";
    unsigned long long values[14] = {};
    Facts() {
        const char *given = getenv("GRADER_DEVICE");
        if (!given) return;
        const char *end = strchr(given, '|');
        snprintf(name, sizeof name, "%.*s", static_cast<int>(end - given), given);
        for (auto &value : values) { value = strtoull(end + 1, const_cast<char **>(&end), 10); if (*end != '|') break; }
    }
};
const Facts &facts() { static Facts found; return found; }
enum { MAJOR, MINOR, SMS, CLOCK, MEMORY, SHARED_BLOCK, SHARED_SM, REGISTERS_SM, THREADS_SM, BLOCKS_SM, L2, BUS, MEMORY_CLOCK, THREADS_BLOCK };
int fact(int which) { return static_cast<int>(facts().values[which]); }
}  // namespace

int grader::device_count() {
    static const char *given = getenv("GRADER_DEVICES");
    return given ? atoi(given) : 1;
}
bool grader::is_device_number(int device) { return device >= 0 && device < device_count(); }

API cudaError_t cudaGetDeviceCount(int *count) { *count = device_count(); return cudaSuccess; }
API cudaError_t cudaGetDevice(int *device) { *device = current_device; return cudaSuccess; }
API cudaError_t cudaSetDevice(int device) {
    if (!is_device_number(device)) return failed(cudaErrorInvalidDevice);
    current_device = device;
    return cudaSuccess;
}
API cudaError_t cudaInitDevice(int device, unsigned, unsigned) { return is_device_number(device) ? cudaSuccess : failed(cudaErrorInvalidDevice); }
API cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
API cudaError_t cudaGetDeviceFlags(unsigned *flags) { *flags = cudaDeviceMapHost; return cudaSuccess; }
API cudaError_t cudaDeviceReset() { return result(ask(Call::DeviceWait, {})); }
API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
API cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) { *config = cudaFuncCachePreferNone; return cudaSuccess; }
API cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
API cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
    *value = limit == cudaLimitStackSize ? 1024 : limit == cudaLimitPrintfFifoSize ? 1 << 20 : 8 << 20;
    return cudaSuccess;
}
API cudaError_t cudaRuntimeGetVersion(int *version) { *version = CUDART_VERSION; return cudaSuccess; }
API cudaError_t cudaDriverGetVersion(int *version) { *version = CUDART_VERSION; return cudaSuccess; }
API cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) { *device = 0; return cudaSuccess; }

API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) { return {x, y, z, w, kind}; }

API cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
    if (!is_device_number(device)) return failed(cudaErrorInvalidDevice);
    memset(properties, 0, sizeof *properties);
    snprintf(properties->name, sizeof properties->name, "%s", facts().name);
    properties->major = fact(MAJOR), properties->minor = fact(MINOR), properties->multiProcessorCount = fact(SMS);
    properties->totalGlobalMem = facts().values[MEMORY], properties->sharedMemPerBlock = facts().values[SHARED_BLOCK];
    properties->sharedMemPerBlockOptin = properties->sharedMemPerMultiprocessor = facts().values[SHARED_SM];
    properties->regsPerBlock = properties->regsPerMultiprocessor = fact(REGISTERS_SM);
    properties->maxThreadsPerMultiProcessor = fact(THREADS_SM), properties->maxBlocksPerMultiProcessor = fact(BLOCKS_SM);
    properties->l2CacheSize = fact(L2), properties->memoryBusWidth = fact(BUS), properties->maxThreadsPerBlock = fact(THREADS_BLOCK);
    properties->warpSize = 32, properties->memPitch = 2147483647, properties->totalConstMem = 65536, properties->textureAlignment = 512;
    properties->maxThreadsDim[0] = properties->maxThreadsDim[1] = 1024, properties->maxThreadsDim[2] = 64;
    properties->maxGridSize[0] = 2147483647, properties->maxGridSize[1] = properties->maxGridSize[2] = 65535;
    properties->concurrentKernels = properties->unifiedAddressing = properties->canMapHostMemory = properties->managedMemory = 1;
    properties->asyncEngineCount = 2, properties->cooperativeLaunch = 1, properties->streamPrioritiesSupported = 1;
    return cudaSuccess;
}
API cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
    if (!is_device_number(device)) return failed(cudaErrorInvalidDevice);
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock: *value = fact(THREADS_BLOCK); break;
        case cudaDevAttrMaxBlockDimX: case cudaDevAttrMaxBlockDimY: *value = 1024; break;
        case cudaDevAttrMaxBlockDimZ: *value = 64; break;
        case cudaDevAttrMaxGridDimX: *value = 2147483647; break;
        case cudaDevAttrMaxGridDimY: case cudaDevAttrMaxGridDimZ: *value = 65535; break;
        case cudaDevAttrMaxSharedMemoryPerBlock: *value = fact(SHARED_BLOCK); break;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = fact(SHARED_SM); break;
        case cudaDevAttrMaxRegistersPerBlock: case cudaDevAttrMaxRegistersPerMultiprocessor: *value = fact(REGISTERS_SM); break;
        case cudaDevAttrTotalConstantMemory: *value = 65536; break;
        case cudaDevAttrWarpSize: *value = 32; break;
        case cudaDevAttrClockRate: *value = fact(CLOCK); break;
        case cudaDevAttrMemoryClockRate: *value = fact(MEMORY_CLOCK); break;
        case cudaDevAttrGlobalMemoryBusWidth: *value = fact(BUS); break;
        case cudaDevAttrL2CacheSize: *value = fact(L2); break;
        case cudaDevAttrMultiProcessorCount: *value = fact(SMS); break;
        case cudaDevAttrMaxThreadsPerMultiProcessor: *value = fact(THREADS_SM); break;
        case cudaDevAttrMaxBlocksPerMultiprocessor: *value = fact(BLOCKS_SM); break;
        case cudaDevAttrComputeCapabilityMajor: *value = fact(MAJOR); break;
        case cudaDevAttrComputeCapabilityMinor: *value = fact(MINOR); break;
        case cudaDevAttrAsyncEngineCount: *value = 2; break;
        case cudaDevAttrConcurrentKernels: case cudaDevAttrUnifiedAddressing: case cudaDevAttrCanMapHostMemory: case cudaDevAttrManagedMemory:
        case cudaDevAttrCooperativeLaunch: case cudaDevAttrConcurrentManagedAccess: case cudaDevAttrStreamPrioritiesSupported: *value = 1; break;
        default: *value = 0;
    }
    return cudaSuccess;
}

API cudaError_t cudaProfilerStart() { return cudaSuccess; }
API cudaError_t cudaProfilerStop() { return cudaSuccess; }
