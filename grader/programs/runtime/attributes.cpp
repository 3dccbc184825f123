// The properties of the imitated device, which the device process gave in GRADER_DEVICE: name|bytes of memory|attribute=value|...
#include "devices.h"
#include "errors.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

using namespace grader;

namespace {
struct Facts {
    std::string name;
    unsigned long long memory = 0;
    std::map<int, int> values;
    Facts() {
        const char *given = getenv("GRADER_DEVICE");
        if (!given) return;
        const char *end = strchr(given, '|');
        name.assign(given, end);
        memory = strtoull(end + 1, const_cast<char **>(&end), 10);
        while (*end == '|') {
            int attribute = strtol(end + 1, const_cast<char **>(&end), 10);
            values[attribute] = strtol(end + 1, const_cast<char **>(&end), 10);
        }
    }
    int operator[](int attribute) const {
        auto found = values.find(attribute);
        return found == values.end() ? 0 : found->second;
    }
};
const Facts &facts() { static Facts found; return found; }

// The attribute that each property has the value of.
struct Number { int cudaDeviceProp::*property; cudaDeviceAttr attribute; };
const Number NUMBERS[] = {
    {&cudaDeviceProp::regsPerBlock, cudaDevAttrMaxRegistersPerBlock},
    {&cudaDeviceProp::warpSize, cudaDevAttrWarpSize},
    {&cudaDeviceProp::maxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock},
    {&cudaDeviceProp::major, cudaDevAttrComputeCapabilityMajor},
    {&cudaDeviceProp::minor, cudaDevAttrComputeCapabilityMinor},
    {&cudaDeviceProp::multiProcessorCount, cudaDevAttrMultiProcessorCount},
    {&cudaDeviceProp::canMapHostMemory, cudaDevAttrCanMapHostMemory},
    {&cudaDeviceProp::maxTexture1D, cudaDevAttrMaxTexture1DWidth},
    {&cudaDeviceProp::maxTexture1DMipmap, cudaDevAttrMaxTexture1DMipmappedWidth},
    {&cudaDeviceProp::maxTextureCubemap, cudaDevAttrMaxTextureCubemapWidth},
    {&cudaDeviceProp::maxSurface1D, cudaDevAttrMaxSurface1DWidth},
    {&cudaDeviceProp::maxSurfaceCubemap, cudaDevAttrMaxSurfaceCubemapWidth},
    {&cudaDeviceProp::concurrentKernels, cudaDevAttrConcurrentKernels},
    {&cudaDeviceProp::asyncEngineCount, cudaDevAttrAsyncEngineCount},
    {&cudaDeviceProp::unifiedAddressing, cudaDevAttrUnifiedAddressing},
    {&cudaDeviceProp::memoryBusWidth, cudaDevAttrGlobalMemoryBusWidth},
    {&cudaDeviceProp::l2CacheSize, cudaDevAttrL2CacheSize},
    {&cudaDeviceProp::persistingL2CacheMaxSize, cudaDevAttrMaxPersistingL2CacheSize},
    {&cudaDeviceProp::maxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor},
    {&cudaDeviceProp::streamPrioritiesSupported, cudaDevAttrStreamPrioritiesSupported},
    {&cudaDeviceProp::globalL1CacheSupported, cudaDevAttrGlobalL1CacheSupported},
    {&cudaDeviceProp::localL1CacheSupported, cudaDevAttrLocalL1CacheSupported},
    {&cudaDeviceProp::regsPerMultiprocessor, cudaDevAttrMaxRegistersPerMultiprocessor},
    {&cudaDeviceProp::managedMemory, cudaDevAttrManagedMemory},
    {&cudaDeviceProp::concurrentManagedAccess, cudaDevAttrConcurrentManagedAccess},
    {&cudaDeviceProp::computePreemptionSupported, cudaDevAttrComputePreemptionSupported},
    {&cudaDeviceProp::canUseHostPointerForRegisteredMem, cudaDevAttrCanUseHostPointerForRegisteredMem},
    {&cudaDeviceProp::cooperativeLaunch, cudaDevAttrCooperativeLaunch},
    {&cudaDeviceProp::maxBlocksPerMultiProcessor, cudaDevAttrMaxBlocksPerMultiprocessor},
    {&cudaDeviceProp::accessPolicyMaxWindowSize, cudaDevAttrMaxAccessPolicyWindowSize},
    {&cudaDeviceProp::hostRegisterSupported, cudaDevAttrHostRegisterSupported},
    {&cudaDeviceProp::memoryPoolsSupported, cudaDevAttrMemoryPoolsSupported},
};
struct Size { size_t cudaDeviceProp::*property; cudaDeviceAttr attribute; };
const Size SIZES[] = {
    {&cudaDeviceProp::sharedMemPerBlock, cudaDevAttrMaxSharedMemoryPerBlock},
    {&cudaDeviceProp::memPitch, cudaDevAttrMaxPitch},
    {&cudaDeviceProp::totalConstMem, cudaDevAttrTotalConstantMemory},
    {&cudaDeviceProp::textureAlignment, cudaDevAttrTextureAlignment},
    {&cudaDeviceProp::texturePitchAlignment, cudaDevAttrTexturePitchAlignment},
    {&cudaDeviceProp::surfaceAlignment, cudaDevAttrSurfaceAlignment},
    {&cudaDeviceProp::sharedMemPerMultiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor},
    {&cudaDeviceProp::sharedMemPerBlockOptin, cudaDevAttrMaxSharedMemoryPerBlockOptin},
    {&cudaDeviceProp::reservedSharedMemPerBlock, cudaDevAttrReservedSharedMemoryPerBlock},
};

template <size_t N> void fill(int (&extents)[N], const cudaDeviceAttr (&attributes)[N]) {
    std::transform(attributes, attributes + N, extents, [](cudaDeviceAttr each) { return facts()[each]; });
}
}  // namespace

API cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
    if (!is_device_number(device)) return failed(cudaErrorInvalidDevice);
    if (!value || attribute <= 0 || attribute >= cudaDevAttrMax) return failed(cudaErrorInvalidValue);
    *value = attribute == cudaDevAttrPciBusId ? device + 1 : facts()[attribute];
    return cudaSuccess;
}
API cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
    if (!is_device_number(device)) return failed(cudaErrorInvalidDevice);
    *properties = {};
    snprintf(properties->name, sizeof properties->name, "%s", facts().name.c_str());
    properties->uuid.bytes[15] = static_cast<char>(device + 1);
    properties->totalGlobalMem = facts().memory;
    properties->pciBusID = device + 1;
    properties->hostNumaId = -1;
    for (auto &each : NUMBERS) properties->*each.property = facts()[each.attribute];
    for (auto &each : SIZES) properties->*each.property = facts()[each.attribute];
    fill(properties->maxThreadsDim, {cudaDevAttrMaxBlockDimX, cudaDevAttrMaxBlockDimY, cudaDevAttrMaxBlockDimZ});
    fill(properties->maxGridSize, {cudaDevAttrMaxGridDimX, cudaDevAttrMaxGridDimY, cudaDevAttrMaxGridDimZ});
    fill(properties->maxTexture2D, {cudaDevAttrMaxTexture2DWidth, cudaDevAttrMaxTexture2DHeight});
    fill(properties->maxTexture2DMipmap, {cudaDevAttrMaxTexture2DMipmappedWidth, cudaDevAttrMaxTexture2DMipmappedHeight});
    fill(properties->maxTexture2DLinear, {cudaDevAttrMaxTexture2DLinearWidth, cudaDevAttrMaxTexture2DLinearHeight, cudaDevAttrMaxTexture2DLinearPitch});
    fill(properties->maxTexture2DGather, {cudaDevAttrMaxTexture2DGatherWidth, cudaDevAttrMaxTexture2DGatherHeight});
    fill(properties->maxTexture3D, {cudaDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DHeight, cudaDevAttrMaxTexture3DDepth});
    fill(properties->maxTexture3DAlt, {cudaDevAttrMaxTexture3DWidthAlt, cudaDevAttrMaxTexture3DHeightAlt, cudaDevAttrMaxTexture3DDepthAlt});
    fill(properties->maxTexture1DLayered, {cudaDevAttrMaxTexture1DLayeredWidth, cudaDevAttrMaxTexture1DLayeredLayers});
    fill(properties->maxTexture2DLayered,
         {cudaDevAttrMaxTexture2DLayeredWidth, cudaDevAttrMaxTexture2DLayeredHeight, cudaDevAttrMaxTexture2DLayeredLayers});
    fill(properties->maxTextureCubemapLayered, {cudaDevAttrMaxTextureCubemapLayeredWidth, cudaDevAttrMaxTextureCubemapLayeredLayers});
    fill(properties->maxSurface2D, {cudaDevAttrMaxSurface2DWidth, cudaDevAttrMaxSurface2DHeight});
    fill(properties->maxSurface3D, {cudaDevAttrMaxSurface3DWidth, cudaDevAttrMaxSurface3DHeight, cudaDevAttrMaxSurface3DDepth});
    fill(properties->maxSurface1DLayered, {cudaDevAttrMaxSurface1DLayeredWidth, cudaDevAttrMaxSurface1DLayeredLayers});
    fill(properties->maxSurface2DLayered,
         {cudaDevAttrMaxSurface2DLayeredWidth, cudaDevAttrMaxSurface2DLayeredHeight, cudaDevAttrMaxSurface2DLayeredLayers});
    fill(properties->maxSurfaceCubemapLayered, {cudaDevAttrMaxSurfaceCubemapLayeredWidth, cudaDevAttrMaxSurfaceCubemapLayeredLayers});
    return cudaSuccess;
}
API cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device) {
    if (!is_device_number(device)) return failed(cudaErrorInvalidDevice);
    if (!text || size < 13) return failed(cudaErrorInvalidValue);
    snprintf(text, size, "0000:%02x:00.0", device + 1);
    return cudaSuccess;
}
API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
    unsigned domain, bus, slot;
    if (!device || !text || sscanf(text, "%x:%x:%x", &domain, &bus, &slot) != 3 || domain || !is_device_number(static_cast<int>(bus) - 1))
        return failed(cudaErrorInvalidDevice);
    *device = static_cast<int>(bus) - 1;
    return cudaSuccess;
}
API cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const cudaChannelFormatDesc *format, int device) {
    if (!is_device_number(device)) return failed(cudaErrorInvalidDevice);
    if (!width || !format) return failed(cudaErrorInvalidValue);
    *width = facts()[cudaDevAttrMaxTexture1DLinearWidth];
    return cudaSuccess;
}
