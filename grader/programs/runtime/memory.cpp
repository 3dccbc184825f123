// Memory of the device and of the host, and copies between them.
#include "copy.h"
#include "errors.h"
#include "memory.h"
#include "graphs.h"
#include "refused.h"
#include <algorithm>
#include <cstring>
#include <map>

namespace grader {
namespace {
constexpr uint64_t CHECK_ONLY = 1u << 25, LATER = 1u << 28;
enum Side : uint64_t { PAGEABLE, SHARED, DEVICE };
Side side(const void *pointer) { return is_shared(pointer) ? SHARED : is_device(pointer) ? DEVICE : PAGEABLE; }

// The copies below stand for those of the device, so their time is not the program's.
struct Uncounted {
    Uncounted() { stop_host_time(); }
    ~Uncounted() { resume_host_time(); }
};

// Moves bytes between rows of the program's memory and the stage, where they lie without gaps.
void gather(const Copy &wanted, size_t at, size_t count) {
    Uncounted time;
    auto from = static_cast<const char *>(wanted.source);
    if (wanted.rows == 1) { memcpy(stage(), from + at, count); return; }
    for (size_t row = at / wanted.width, end = (at + count) / wanted.width, to = 0; row < end; row++, to += wanted.width)
        memcpy(stage() + to, from + row * wanted.source_pitch, wanted.width);
}
void scatter(const Copy &wanted, size_t at, size_t count) {
    Uncounted time;
    auto to = static_cast<char *>(wanted.target);
    if (wanted.rows == 1) { memcpy(to + at, stage(), count); return; }
    for (size_t row = at / wanted.width, end = (at + count) / wanted.width, from = 0; row < end; row++, from += wanted.width)
        memcpy(to + row * wanted.target_pitch, stage() + from, wanted.width);
}

// A piece of a copy that a graph makes each time it is launched.
struct Piece { Copy wanted; size_t at, count; bool is_out; };
void move_piece(void *data) {
    auto &piece = *static_cast<Piece *>(data);
    piece.is_out ? scatter(piece.wanted, piece.at, piece.count) : gather(piece.wanted, piece.at, piece.count);
}
// Whether a graph takes a copy of pageable memory.
Answer recorded(const Copy &wanted, uint64_t flags, size_t total, size_t step, bool is_out) {
    Held held;
    uint64_t first = 0;
    for (size_t at = 0; at < total; at += step) {
        uint64_t number = add_host_function(move_piece, new Piece{wanted, at, std::min(step, total - at), is_out});
        if (at == 0) first = number;
    }
    return ask(Call::Copy, {device_address(wanted.target), device_address(wanted.source), wanted.width, wanted.rows, wanted.target_pitch,
                            wanted.source_pitch, flags | LATER, word(wanted.stream), 0, step, first});
}
}  // namespace

cudaError_t copy(const Copy &wanted) {
    Side to = side(wanted.target), from = side(wanted.source);
    size_t total = wanted.width * wanted.rows;
    if (wanted.rows > 1 && (wanted.target_pitch < wanted.width || wanted.source_pitch < wanted.width)) return failed(cudaErrorInvalidPitchValue);
    uint64_t flags = wanted.kind | to << 8 | from << 16 | static_cast<uint64_t>(wanted.async) << 24 |
                     static_cast<uint64_t>(wanted.array_target) << 26 | static_cast<uint64_t>(wanted.array_source) << 27;
    size_t whole_rows = wanted.rows > 1 ? std::max<size_t>(1, STAGE_BYTES / std::max<size_t>(wanted.width, 1)) * wanted.width : STAGE_BYTES;
    bool staged = (to == PAGEABLE) != (from == PAGEABLE);
    size_t step = staged ? whole_rows : std::max<size_t>(total, 1);
    if (step > STAGE_BYTES && staged) return failed(cudaErrorNotSupported);
    if (staged && total && may_record()) {
        auto answer = recorded(wanted, flags, total, step, to == PAGEABLE);
        if (answer.error || answer.values[0]) return result(answer);
    }
    if (staged && from == PAGEABLE) {  // before it reads memory of the host that may end too early
        auto answer = ask(Call::Copy, {device_address(wanted.target), device_address(wanted.source), wanted.width, wanted.rows, wanted.target_pitch, wanted.source_pitch,
                                       flags | CHECK_ONLY, word(wanted.stream), 0, 0});
        if (answer.error) return result(answer);
    }
    for (size_t at = 0; at < total || at == 0; at += step) {
        size_t count = std::min(step, total - at);
        if (staged && from == PAGEABLE) gather(wanted, at, count);
        auto answer = ask(Call::Copy, {device_address(wanted.target), device_address(wanted.source), wanted.width, wanted.rows, wanted.target_pitch, wanted.source_pitch,
                                       flags, word(wanted.stream), at, count});
        if (answer.error) return result(answer);
        if (staged && to == PAGEABLE) scatter(wanted, at, count);
        if (!total) break;
    }
    if (to == PAGEABLE && from == PAGEABLE)
        for (size_t row = 0; row < wanted.rows; row++)
            memmove(static_cast<char *>(wanted.target) + row * wanted.target_pitch, static_cast<const char *>(wanted.source) + row * wanted.source_pitch, wanted.width);
    return cudaSuccess;
}

namespace {
cudaError_t shared_allocation(Call call, void **pointer, size_t size, unsigned flags) {
    if (!pointer) return failed(cudaErrorInvalidValue);
    *pointer = nullptr;
    if (!size && call == Call::HostAlloc) return cudaSuccess;
    auto answer = ask(call, {size, flags});
    if (answer.error) return result(answer);
    if (!map_shared(answer.values[0], answer.values[1], size)) return failed(cudaErrorMemoryAllocation);
    *pointer = reinterpret_cast<void *>(answer.values[0]);
    return cudaSuccess;
}
cudaError_t released(Call call, void *pointer) {
    if (!pointer) return cudaSuccess;
    auto answer = ask(call, {word(pointer), is_shared(pointer), is_device(pointer)});
    if (!answer.error) unmap_shared(word(pointer)), note_released(pointer);
    return result(answer);
}
}  // namespace
}  // namespace grader

using namespace grader;

API cudaError_t cudaMalloc(void **pointer, size_t size) {
    if (!pointer) return failed(cudaErrorInvalidValue);
    *pointer = nullptr;
    if (!size) return cudaSuccess;  // no memory, and no error
    auto answer = ask(Call::Malloc, {size, size, 1, 0});
    *pointer = answer.error ? nullptr : reinterpret_cast<void *>(answer.values[0]);
    return result(answer);
}
API cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    if (!pointer || !pitch) return failed(cudaErrorInvalidValue);
    *pitch = (width + 511) / 512 * 512;
    return cudaMalloc(pointer, *pitch * height);
}
API cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent) {
    size_t pitch;
    void *memory;
    auto error = cudaMallocPitch(&memory, &pitch, extent.width, extent.height * extent.depth);
    if (!error) *pointer = cudaPitchedPtr{memory, pitch, extent.width, extent.height};
    return error;
}
API cudaError_t cudaFree(void *pointer) { return released(Call::Free, pointer); }
API cudaError_t cudaMallocHost(void **pointer, size_t size) { return shared_allocation(Call::HostAlloc, pointer, size, 0); }
API cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned flags) { return shared_allocation(Call::HostAlloc, pointer, size, flags); }
API cudaError_t cudaFreeHost(void *pointer) { return released(Call::HostFree, pointer); }
namespace {
// What the program has registered: sizes by addresses. Several small ranges may lie on one page.
std::map<uint64_t, size_t> &registered() { static std::map<uint64_t, size_t> all; return all; }
bool overlaps_registered(uint64_t start, size_t size) {
    auto next = registered().upper_bound(start);
    if (next != registered().end() && next->first < start + size) return true;
    return next != registered().begin() && std::prev(next)->first + std::prev(next)->second > start;
}
}  // namespace
API cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned flags) {
    if (!pointer || !size) return failed(cudaErrorInvalidValue);
    if (overlaps_registered(word(pointer), size)) return failed(cudaErrorHostMemoryAlreadyRegistered);
    auto last = static_cast<char *>(pointer) + size - 1;
    if (is_shared(pointer) || is_shared(last)) {
        // Its pages are those of a smaller neighbour, which was registered before.
        if (!is_shared(pointer) || !is_shared(last) || !same_share(pointer, last))
            refuse("cudaHostRegister of memory that begins or ends on a page of other registered memory");
        registered()[word(pointer)] = size;
        return cudaSuccess;
    }
    size_t before = word(pointer) % 4096, whole = (before + size + 4095) / 4096 * 4096;
    auto answer = ask(Call::HostAlloc, {whole, flags});
    if (answer.error) return result(answer);
    if (!share_in_place(pointer, size, answer.values[0], answer.values[1])) return failed(cudaErrorMemoryAllocation);
    registered()[word(pointer)] = size;
    return cudaSuccess;
}
API cudaError_t cudaHostUnregister(void *pointer) {
    auto found = registered().find(word(pointer));
    if (found == registered().end()) return failed(cudaErrorHostMemoryNotRegistered);
    auto waited = ask(Call::DeviceWait, {});  // so that no copy uses it any more
    if (waited.error) return result(waited);
    registered().erase(found);
    for (auto &[start, size] : registered())  // a neighbour on the same pages
        if (same_share(reinterpret_cast<void *>(start), pointer)) return cudaSuccess;
    uint64_t address = unshare_in_place(pointer);
    return address ? result(ask(Call::HostFree, {address})) : failed(cudaErrorHostMemoryNotRegistered);
}
API cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned) {
    if (!is_shared(host)) return failed(cudaErrorInvalidValue);
    *device = reinterpret_cast<void *>(device_address(host));
    return cudaSuccess;
}
API cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
    if (!is_shared(host)) return failed(cudaErrorInvalidValue);
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
}
API cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned flags) { return shared_allocation(Call::ManagedAlloc, pointer, size, flags); }
Answer grader::about_pointer(const void *pointer) { return ask(Call::Pointer, {device_address(pointer)}); }
namespace {
cudaError_t advised(const void *pointer) { return about_pointer(pointer).values[0] == cudaMemoryTypeManaged ? cudaSuccess : failed(cudaErrorInvalidValue); }
}  // namespace
API cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t, cudaMemLocation, unsigned, cudaStream_t) { return advised(pointer); }
API cudaError_t cudaMemAdvise(const void *pointer, size_t, cudaMemoryAdvise, cudaMemLocation) { return advised(pointer); }
API cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *pointer, size_t, unsigned) { return advised(pointer); }
API cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total) {
    auto answer = ask(Call::MemoryInfo, {});
    if (free_bytes) *free_bytes = answer.values[0];
    if (total) *total = answer.values[1];
    return result(answer);
}
API cudaError_t cudaMemcpy(void *target, const void *source, size_t size, cudaMemcpyKind kind) {
    return copy({target, source, size, 1, size, size, kind, nullptr, false});
}
API cudaError_t cudaMemcpyAsync(void *target, const void *source, size_t size, cudaMemcpyKind kind, cudaStream_t stream) {
    return copy({target, source, size, 1, size, size, kind, stream, true});
}
API cudaError_t cudaMemcpy2D(void *target, size_t tpitch, const void *source, size_t spitch, size_t width, size_t height, cudaMemcpyKind kind) {
    return copy({target, source, width, height, tpitch, spitch, kind, nullptr, false});
}
API cudaError_t cudaMemcpy2DAsync(void *target, size_t tpitch, const void *source, size_t spitch, size_t width, size_t height, cudaMemcpyKind kind,
                                  cudaStream_t stream) {
    return copy({target, source, width, height, tpitch, spitch, kind, stream, true});
}
namespace {
cudaError_t set(void *target, int value, size_t pitch, size_t width, size_t rows, cudaStream_t stream, bool async) {
    return result(ask(Call::Memset, {device_address(target), static_cast<uint64_t>(value & 255), width, rows, pitch, word(stream), async}));
}
}  // namespace
API cudaError_t cudaMemset(void *target, int value, size_t size) { return set(target, value, size, size, 1, nullptr, false); }
API cudaError_t cudaMemsetAsync(void *target, int value, size_t size, cudaStream_t stream) { return set(target, value, size, size, 1, stream, true); }
API cudaError_t cudaMemset2D(void *target, size_t pitch, int value, size_t width, size_t height) { return set(target, value, pitch, width, height, nullptr, false); }
API cudaError_t cudaMemset2DAsync(void *target, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
    return set(target, value, pitch, width, height, stream, true);
}
namespace {
cudaError_t set_3d(cudaPitchedPtr target, int value, cudaExtent extent, cudaStream_t stream, bool async) {
    if (target.ysize == extent.height) extent.height *= extent.depth, extent.depth = 1;  // rows go on from slice to slice
    for (size_t slice = 0; slice < extent.depth; slice++) {
        auto start = static_cast<char *>(target.ptr) + slice * target.ysize * target.pitch;
        if (auto error = set(start, value, target.pitch, extent.width, extent.height, stream, async)) return error;
    }
    return cudaSuccess;
}
}  // namespace
API cudaError_t cudaMemset3D(cudaPitchedPtr target, int value, cudaExtent extent) { return set_3d(target, value, extent, nullptr, false); }
API cudaError_t cudaMemset3DAsync(cudaPitchedPtr target, int value, cudaExtent extent, cudaStream_t stream) { return set_3d(target, value, extent, stream, true); }
