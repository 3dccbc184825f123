// Memory and copies, through the driver's functions.
#include "driver.h"
#include <cstring>

using namespace grader;

API CUresult cuMemAlloc(CUdeviceptr *address, size_t size) { return driver_error(cudaMalloc(reinterpret_cast<void **>(address), size)); }
API CUresult cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream) {
    return driver_error(cudaMallocAsync(reinterpret_cast<void **>(address), size, stream));
}
API CUresult cuMemFree(CUdeviceptr address) { return driver_error(cudaFree(pointer(address))); }
API CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) { return driver_error(cudaFreeAsync(pointer(address), stream)); }
API CUresult cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned flags) {
    return driver_error(cudaMallocManaged(reinterpret_cast<void **>(address), size, flags));
}
API CUresult cuMemHostAlloc(void **host, size_t size, unsigned flags) { return driver_error(cudaHostAlloc(host, size, flags)); }
API CUresult cuMemAllocHost(void **host, size_t size) { return driver_error(cudaMallocHost(host, size)); }
API CUresult cuMemFreeHost(void *host) { return driver_error(cudaFreeHost(host)); }
API CUresult cuMemHostRegister(void *host, size_t size, unsigned flags) { return driver_error(cudaHostRegister(host, size, flags)); }
API CUresult cuMemHostUnregister(void *host) { return driver_error(cudaHostUnregister(host)); }
API CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *host, unsigned flags) {
    return driver_error(cudaHostGetDevicePointer(reinterpret_cast<void **>(address), host, flags));
}
API CUresult cuMemGetInfo(size_t *free_bytes, size_t *total) { return driver_error(cudaMemGetInfo(free_bytes, total)); }
API CUresult cuMemGetAddressRange(CUdeviceptr *start, size_t *size, CUdeviceptr address) {
    auto answer = ask(Call::AddressRange, {address});
    if (start) *start = answer.values[0];
    if (size) *size = answer.values[1];
    return driver_error(static_cast<cudaError_t>(answer.error));
}

namespace {
CUresult copied(CUdeviceptr target, CUdeviceptr source, size_t size, cudaMemcpyKind kind) {
    return driver_error(cudaMemcpy(pointer(target), pointer(source), size, kind));
}
CUresult copied(CUdeviceptr target, CUdeviceptr source, size_t size, cudaMemcpyKind kind, CUstream stream) {
    return driver_error(cudaMemcpyAsync(pointer(target), pointer(source), size, kind, stream));
}
}  // namespace
API CUresult cuMemcpy(CUdeviceptr target, CUdeviceptr source, size_t size) { return copied(target, source, size, cudaMemcpyDefault); }
API CUresult cuMemcpyAsync(CUdeviceptr target, CUdeviceptr source, size_t size, CUstream stream) {
    return copied(target, source, size, cudaMemcpyDefault, stream);
}
API CUresult cuMemcpyHtoD(CUdeviceptr target, const void *source, size_t size) { return copied(target, word(source), size, cudaMemcpyDefault); }
API CUresult cuMemcpyDtoH(void *target, CUdeviceptr source, size_t size) { return copied(word(target), source, size, cudaMemcpyDefault); }
API CUresult cuMemcpyDtoD(CUdeviceptr target, CUdeviceptr source, size_t size) { return copied(target, source, size, cudaMemcpyDefault); }
API CUresult cuMemcpyHtoDAsync(CUdeviceptr target, const void *source, size_t size, CUstream stream) {
    return copied(target, word(source), size, cudaMemcpyDefault, stream);
}
API CUresult cuMemcpyDtoHAsync(void *target, CUdeviceptr source, size_t size, CUstream stream) {
    return copied(word(target), source, size, cudaMemcpyDefault, stream);
}
API CUresult cuMemcpyDtoDAsync(CUdeviceptr target, CUdeviceptr source, size_t size, CUstream stream) {
    return copied(target, source, size, cudaMemcpyDefault, stream);
}
API CUresult cuMemsetD8(CUdeviceptr target, unsigned char value, size_t size) { return driver_error(cudaMemset(pointer(target), value, size)); }
API CUresult cuMemsetD8Async(CUdeviceptr target, unsigned char value, size_t size, CUstream stream) {
    return driver_error(cudaMemsetAsync(pointer(target), value, size, stream));
}
API CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr address) {
    cudaPointerAttributes found;
    cudaPointerGetAttributes(&found, pointer(address));
    if (found.type == cudaMemoryTypeUnregistered) return CUDA_ERROR_INVALID_VALUE;
    auto put = [data](auto value) { memcpy(data, &value, sizeof value); return CUDA_SUCCESS; };
    switch (attribute) {
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: return put(found.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return put(device_address(pointer(address)));
        case CU_POINTER_ATTRIBUTE_HOST_POINTER: return put(word(found.hostPointer));
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return put(found.device);
        case CU_POINTER_ATTRIBUTE_CONTEXT: return cuDevicePrimaryCtxRetain(static_cast<CUcontext *>(data), found.device);
        case CU_POINTER_ATTRIBUTE_IS_MANAGED: return put(0u);
        default: return CUDA_ERROR_NOT_SUPPORTED;
    }
}
API CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **data, CUdeviceptr address) {
    for (unsigned i = 0; i < count; i++) cuPointerGetAttribute(data[i], attributes[i], address);
    return CUDA_SUCCESS;
}
