// The imitated devices, which are equal, and their settings.
#include "errors.h"
#include "devices.h"
#include <algorithm>
#include <cstdlib>

using namespace grader;

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
API cudaError_t cudaDeviceReset() { return result(ask(Call::Reset, {})); }
API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
API cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) { *config = cudaFuncCachePreferNone; return cudaSuccess; }
namespace {
struct Limit { cudaLimit which; size_t value; };
Limit limits[] = {
    {cudaLimitStackSize, 1024},
    {cudaLimitPrintfFifoSize, 1 << 20},
    {cudaLimitMallocHeapSize, 8 << 20},
    {cudaLimitMaxL2FetchGranularity, 64},
    {cudaLimitPersistingL2CacheSize, 0},
};
Limit *limit_of(cudaLimit which) {
    auto found = std::find_if(std::begin(limits), std::end(limits), [&](const Limit &each) { return each.which == which; });
    return found == std::end(limits) ? nullptr : found;
}
}  // namespace
API cudaError_t cudaDeviceSetLimit(cudaLimit which, size_t value) {
    auto limit = limit_of(which);
    if (!limit) return failed(cudaErrorUnsupportedLimit);
    auto answer = ask(Call::Limit, {static_cast<uint64_t>(which), value});
    if (!answer.error) limit->value = value;
    return result(answer);
}
API cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit which) {
    auto limit = limit_of(which);
    if (!limit) return failed(cudaErrorUnsupportedLimit);
    *value = limit->value;
    return cudaSuccess;
}
API cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
API cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) { *config = cudaSharedMemBankSizeFourByte; return cudaSuccess; }
API cudaError_t cudaRuntimeGetVersion(int *version) { *version = CUDART_VERSION; return cudaSuccess; }
API cudaError_t cudaDriverGetVersion(int *version) { *version = CUDART_VERSION; return cudaSuccess; }
API cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) { *device = 0; return cudaSuccess; }

API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) { return {x, y, z, w, kind}; }

API cudaError_t cudaProfilerStart() { return cudaSuccess; }
API cudaError_t cudaProfilerStop() { return cudaSuccess; }
