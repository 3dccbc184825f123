// Memory in the order of streams, and its pools. The sizes of pools are those that the program uses, in steps of 32 MiB.
#include "devices.h"
#include "errors.h"
#include "memory.h"
#include <algorithm>
#include <list>
#include <map>

namespace grader {
namespace {
constexpr uint64_t STEP = 32u << 20;

struct Pool {
    int device = 0;
    uint64_t threshold = 0, used = 0, most_used = 0, reserved = 0, most_reserved = 0;
    int reuses[3] = {1, 1, 1};  // follow events, opportunistic, internal dependencies
    std::map<int, cudaMemAccessFlags> access;

    void take(uint64_t size) {
        used += size, most_used = std::max(most_used, used);
        reserved = std::max(reserved, (used + STEP - 1) / STEP * STEP), most_reserved = std::max(most_reserved, reserved);
    }
    void give(uint64_t size) {
        used -= size;
        trim(threshold);
    }
    void trim(uint64_t kept) {
        if (kept < reserved) reserved = std::min(reserved, (std::max(used, kept) + STEP - 1) / STEP * STEP);
    }
};
struct Taken { Pool *pool; uint64_t size; };

std::map<int, Pool> &usual_pools() { static std::map<int, Pool> all; return all; }
Pool &usual(int device) {
    auto &pool = usual_pools()[device];
    pool.device = device;
    return pool;
}
Pool *&current(int device) {
    static std::map<int, Pool *> all;
    auto &pool = all[device];
    if (!pool) pool = &usual(device);
    return pool;
}
std::list<Pool> &created() { static std::list<Pool> all; return all; }
std::map<const void *, Taken> &taken() { static std::map<const void *, Taken> all; return all; }

Pool *pool_of(cudaMemPool_t handle) {
    auto wanted = reinterpret_cast<Pool *>(handle);
    for (auto &each : usual_pools()) if (&each.second == wanted) return wanted;
    for (auto &each : created()) if (&each == wanted) return wanted;
    return nullptr;
}
cudaMemPool_t handle_of(Pool *pool) { return reinterpret_cast<cudaMemPool_t>(pool); }

cudaError_t allocate(void **pointer, size_t size, Pool *pool, cudaStream_t stream) {
    if (!pointer || !pool) return failed(cudaErrorInvalidValue);
    *pointer = nullptr;
    if (!size) return cudaSuccess;
    int selected = current_device;
    current_device = pool->device;
    auto answer = ask(Call::Malloc, {size, size, 1, word(stream)});
    current_device = selected;
    if (answer.error) return result(answer);
    *pointer = reinterpret_cast<void *>(answer.values[0]);
    pool->take(size);
    taken()[*pointer] = {pool, size};
    return cudaSuccess;
}

uint64_t *size_attribute(Pool &pool, cudaMemPoolAttr which) {
    switch (which) {
        case cudaMemPoolAttrReleaseThreshold: return &pool.threshold;
        case cudaMemPoolAttrReservedMemCurrent: return &pool.reserved;
        case cudaMemPoolAttrReservedMemHigh: return &pool.most_reserved;
        case cudaMemPoolAttrUsedMemCurrent: return &pool.used;
        case cudaMemPoolAttrUsedMemHigh: return &pool.most_used;
        default: return nullptr;
    }
}
int *reuse_attribute(Pool &pool, cudaMemPoolAttr which) {
    switch (which) {
        case cudaMemPoolReuseFollowEventDependencies: return &pool.reuses[0];
        case cudaMemPoolReuseAllowOpportunistic: return &pool.reuses[1];
        case cudaMemPoolReuseAllowInternalDependencies: return &pool.reuses[2];
        default: return nullptr;
    }
}
}  // namespace

void note_released(const void *pointer) {
    auto found = taken().find(pointer);
    if (found == taken().end()) return;
    found->second.pool->give(found->second.size);
    taken().erase(found);
}
}  // namespace grader

using namespace grader;

API cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream) { return allocate(pointer, size, current(current_device), stream); }
API cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return allocate(pointer, size, pool_of(pool), stream);
}
API cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) {
    if (!pointer) return cudaSuccess;
    auto answer = ask(Call::FreeAsync, {word(pointer), word(stream)});
    if (!answer.error) note_released(pointer);
    return result(answer);
}

API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    if (!is_device_number(device)) return failed(cudaErrorInvalidDevice);
    *pool = handle_of(&usual(device));
    return cudaSuccess;
}
API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    if (!is_device_number(device)) return failed(cudaErrorInvalidDevice);
    *pool = handle_of(current(device));
    return cudaSuccess;
}
API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    if (!is_device_number(device)) return failed(cudaErrorInvalidDevice);
    if (!pool_of(pool)) return failed(cudaErrorInvalidValue);
    current(device) = pool_of(pool);
    return cudaSuccess;
}
API cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *wanted) {
    if (!pool || !wanted || wanted->allocType != cudaMemAllocationTypePinned || wanted->location.type != cudaMemLocationTypeDevice ||
        !is_device_number(wanted->location.id))
        return failed(cudaErrorInvalidValue);
    if (wanted->handleTypes != cudaMemHandleTypeNone) return failed(cudaErrorNotSupported);
    created().emplace_back();
    created().back().device = wanted->location.id;
    *pool = handle_of(&created().back());
    return cudaSuccess;
}
API cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
    auto pool = pool_of(handle);
    if (!pool || pool == &usual(pool->device)) return failed(cudaErrorInvalidValue);
    auto &rest = usual(pool->device);
    if (current(pool->device) == pool) current(pool->device) = &rest;
    for (auto &each : taken()) if (each.second.pool == pool) each.second.pool = &rest;  // lives until it is released
    created().remove_if([&](Pool &each) { return &each == pool; });
    return cudaSuccess;
}
API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t kept) {
    auto pool = pool_of(handle);
    if (!pool) return failed(cudaErrorInvalidValue);
    pool->trim(kept);
    return cudaSuccess;
}
API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr which, void *value) {
    auto pool = pool_of(handle);
    if (!pool || !value) return failed(cudaErrorInvalidValue);
    if (auto size = size_attribute(*pool, which)) return *static_cast<uint64_t *>(value) = *size, cudaSuccess;
    if (auto reuse = reuse_attribute(*pool, which)) return *static_cast<int *>(value) = *reuse, cudaSuccess;
    return failed(cudaErrorInvalidValue);
}
API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr which, void *value) {
    auto pool = pool_of(handle);
    if (!pool || !value) return failed(cudaErrorInvalidValue);
    auto number = static_cast<const uint64_t *>(value);
    if (auto reuse = reuse_attribute(*pool, which)) return *reuse = *static_cast<int *>(value), cudaSuccess;
    if (which == cudaMemPoolAttrReleaseThreshold) return pool->threshold = *number, cudaSuccess;
    if (which == cudaMemPoolAttrReservedMemHigh && !*number) return pool->most_reserved = pool->reserved, cudaSuccess;
    if (which == cudaMemPoolAttrUsedMemHigh && !*number) return pool->most_used = pool->used, cudaSuccess;
    return failed(cudaErrorInvalidValue);
}
API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const cudaMemAccessDesc *wanted, size_t count) {
    auto pool = pool_of(handle);
    if (!pool || !wanted) return failed(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++) pool->access[wanted[i].location.id] = wanted[i].flags;
    return cudaSuccess;
}
API cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t handle, cudaMemLocation *location) {
    auto pool = pool_of(handle);
    if (!pool || !flags || !location) return failed(cudaErrorInvalidValue);
    auto found = pool->access.find(location->id);
    *flags = found != pool->access.end() ? found->second : location->id == pool->device ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
}
