// Devices and contexts. A context is that of a whole device; making it current selects the device.
#include "driver.h"
#include <cstdio>
#include <cstring>
#include <vector>

using namespace grader;

namespace {
constexpr int MOST_DEVICES = 16;
char primary[MOST_DEVICES];  // the address of an element is the handle of a device's context
thread_local std::vector<CUcontext> stack;

CUcontext context_of(int device) { return reinterpret_cast<CUcontext>(&primary[device]); }
int device_of(CUcontext context) { return static_cast<int>(reinterpret_cast<char *>(context) - primary); }
bool is_context(CUcontext context) { return device_of(context) >= 0 && device_of(context) < MOST_DEVICES; }
bool is_device_number(int device) {
    int count = 0;
    cudaGetDeviceCount(&count);
    return device >= 0 && device < count && device < MOST_DEVICES;
}
CUresult select_top() { return stack.empty() ? CUDA_SUCCESS : driver_error(cudaSetDevice(device_of(stack.back()))); }

cudaDeviceProp properties(int device) {
    cudaDeviceProp found;
    cudaGetDeviceProperties(&found, device);
    return found;
}
}  // namespace

API CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
API CUresult cuDriverGetVersion(int *version) { return driver_error(cudaDriverGetVersion(version)); }
API CUresult cuDeviceGetCount(int *count) { return driver_error(cudaGetDeviceCount(count)); }
API CUresult cuDeviceGet(CUdevice *device, int number) {
    if (!is_device_number(number)) return CUDA_ERROR_INVALID_DEVICE;
    *device = number;
    return CUDA_SUCCESS;
}
API CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
    snprintf(name, size, "%s", properties(device).name);
    return CUDA_SUCCESS;
}
API CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
    memset(uuid, 0, sizeof *uuid);
    uuid->bytes[15] = static_cast<char>(device + 1);
    return CUDA_SUCCESS;
}
API CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
    *bytes = properties(device).totalGlobalMem;
    return CUDA_SUCCESS;
}
API CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    auto found = properties(device);
    *major = found.major, *minor = found.minor;
    return CUDA_SUCCESS;
}
API CUresult cuDeviceGetPCIBusId(char *text, int size, CUdevice device) {
    snprintf(text, size, "0000:%02x:00.0", device + 1);
    return CUDA_SUCCESS;
}
API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    if (attribute == CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) return *value = 0, CUDA_SUCCESS;  // only the runtime has pools
    if (attribute == CU_DEVICE_ATTRIBUTE_PCI_BUS_ID) return *value = device + 1, CUDA_SUCCESS;
    return driver_error(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}
API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) { return driver_error(cudaDeviceCanAccessPeer(can, device, peer)); }

API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    if (!is_device_number(device)) return CUDA_ERROR_INVALID_DEVICE;
    *context = context_of(device);
    return CUDA_SUCCESS;
}
API CUresult cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
API CUresult cuDevicePrimaryCtxReset(CUdevice) { return driver_error(cudaDeviceReset()); }
API CUresult cuDevicePrimaryCtxGetState(CUdevice, unsigned *flags, int *active) {
    *flags = 0, *active = 1;
    return CUDA_SUCCESS;
}
API CUresult cuCtxGetCurrent(CUcontext *context) {
    *context = stack.empty() ? nullptr : stack.back();
    return CUDA_SUCCESS;
}
API CUresult cuCtxSetCurrent(CUcontext context) {
    if (context && !is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (!stack.empty()) stack.pop_back();
    if (context) stack.push_back(context);
    return select_top();
}
API CUresult cuCtxPushCurrent(CUcontext context) {
    if (!is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
    stack.push_back(context);
    return select_top();
}
API CUresult cuCtxPopCurrent(CUcontext *context) {
    if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (context) *context = stack.back();
    stack.pop_back();
    return select_top();
}
API CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext context) {
    if (!context && !stack.empty()) context = stack.back();
    if (!is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
    *device = device_of(context);
    return CUDA_SUCCESS;
}
API CUresult cuCtxGetDevice(CUdevice *device) { return cuCtxGetDevice_v2(device, nullptr); }
API CUresult cuCtxSynchronize() { return driver_error(cudaDeviceSynchronize()); }
API CUresult cuCtxSynchronize_v2(CUcontext) { return cuCtxSynchronize(); }
API CUresult cuCtxGetFlags(unsigned *flags) {
    *flags = 0;
    return CUDA_SUCCESS;
}
API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) { return driver_error(cudaDeviceGetStreamPriorityRange(least, greatest)); }
API CUresult cuProfilerStart() { return CUDA_SUCCESS; }
API CUresult cuProfilerStop() { return CUDA_SUCCESS; }
