// Several devices: access to each other's memory, and copies between them.
#include "copy.h"
#include "errors.h"
#include "devices.h"

using namespace grader;

namespace {
// The order is that of `Operation` in grader/programs/calls/device.py.
enum PeerOperation : uint64_t { ENABLE, DISABLE };
bool are_peers(int device, int peer) { return is_device_number(device) && is_device_number(peer) && device != peer; }
}  // namespace

API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    if (!is_device_number(device) || !is_device_number(peer)) return failed(cudaErrorInvalidDevice);
    *can = device != peer;
    return cudaSuccess;
}
API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    if (!are_peers(current_device, peer)) return failed(cudaErrorInvalidDevice);
    return flags ? failed(cudaErrorInvalidValue) : result(ask(Call::Peer, {ENABLE, static_cast<uint64_t>(peer)}));
}
API cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    if (!are_peers(current_device, peer)) return failed(cudaErrorInvalidDevice);
    return result(ask(Call::Peer, {DISABLE, static_cast<uint64_t>(peer)}));
}
API cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute, int device, int peer) {
    if (!are_peers(device, peer)) return failed(cudaErrorInvalidDevice);
    *value = attribute != cudaDevP2PAttrPerformanceRank;
    return cudaSuccess;
}
API cudaError_t cudaMemcpyPeerAsync(void *target, int target_device, const void *source, int source_device, size_t size, cudaStream_t stream) {
    if (!is_device_number(target_device) || !is_device_number(source_device)) return failed(cudaErrorInvalidDevice);
    return cudaMemcpyAsync(target, source, size, cudaMemcpyDeviceToDevice, stream);
}
API cudaError_t cudaMemcpyPeer(void *target, int target_device, const void *source, int source_device, size_t size) {
    if (!is_device_number(target_device) || !is_device_number(source_device)) return failed(cudaErrorInvalidDevice);
    return cudaMemcpy(target, source, size, cudaMemcpyDeviceToDevice);
}

API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
    if (!attributes || !pointer) return failed(cudaErrorInvalidValue);
    *attributes = {};
    auto known = about_pointer(pointer);
    auto type = attributes->type = static_cast<cudaMemoryType>(known.values[0]);
    attributes->device = type == cudaMemoryTypeUnregistered ? -2 : static_cast<int>(known.values[1]);
    if (type != cudaMemoryTypeUnregistered) attributes->devicePointer = reinterpret_cast<void *>(device_address(pointer));
    if (type != cudaMemoryTypeDevice) attributes->hostPointer = const_cast<void *>(pointer);
    return cudaSuccess;
}
