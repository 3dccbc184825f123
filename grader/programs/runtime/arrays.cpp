// CUDA arrays, and all copies to and from them. Their shapes are known to the device process only.
#include "boxes.h"
#include "errors.h"

namespace grader {
cudaError_t place(cudaArray_const_t array, Role role, bool in_bytes, cudaPos at, cudaExtent extent, Place *found) {
    auto answer = ask(Call::ArrayBox, {word(array), at.x, at.y, at.z, extent.width, extent.height, extent.depth, in_bytes, static_cast<uint64_t>(role)});
    *found = {reinterpret_cast<char *>(answer.values[0]), answer.values[1], answer.values[2], answer.values[3]};
    return result(answer);
}

cudaError_t copy_slices(const Place &to, const Place &from, cudaExtent extent, cudaMemcpyKind kind, cudaStream_t stream, bool async) {
    if (!extent.width || !extent.height || !extent.depth) return cudaSuccess;
    size_t slices = extent.depth, rows = extent.height;
    if (to.rows == rows && from.rows == rows) rows *= slices, slices = 1;  // rows go on from slice to slice
    for (size_t slice = 0; slice < slices; slice++) {
        Copy wanted{to.start + slice * to.rows * to.pitch, from.start + slice * from.rows * from.pitch, extent.width, rows, to.pitch, from.pitch, kind, stream, async};
        wanted.array_target = to.element, wanted.array_source = from.element;
        if (auto error = copy(wanted)) return error;
    }
    return cudaSuccess;
}

namespace {
cudaError_t create(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent, unsigned flags) {
    if (!array || !format) return failed(cudaErrorInvalidValue);
    auto bits = [](int count) { return static_cast<uint64_t>(static_cast<unsigned>(count)); };
    auto answer = ask(Call::ArrayAlloc, {bits(format->x), bits(format->y), bits(format->z), bits(format->w), static_cast<uint64_t>(format->f), extent.width,
                                         extent.height, extent.depth, flags});
    *array = answer.error ? nullptr : reinterpret_cast<cudaArray_t>(answer.values[0]);
    return result(answer);
}

// Rows of a copy of two dimensions; x, width and pitches are in bytes.
cudaError_t to_array(cudaArray_t target, cudaPos at, const void *source, size_t pitch, size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                     bool async) {
    if (pitch < width) return failed(cudaErrorInvalidPitchValue);
    Place to, from{static_cast<char *>(const_cast<void *>(source)), pitch, height, 0};
    if (auto error = place(target, Role::TARGET, true, at, {width, height, 1}, &to)) return error;
    return copy_slices(to, from, {width, height, 1}, kind, stream, async);
}
cudaError_t from_array(void *target, size_t pitch, cudaArray_const_t source, cudaPos at, size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                       bool async) {
    if (pitch < width) return failed(cudaErrorInvalidPitchValue);
    Place from, to{static_cast<char *>(target), pitch, height, 0};
    if (auto error = place(source, Role::SOURCE, true, at, {width, height, 1}, &from)) return error;
    return copy_slices(to, from, {width, height, 1}, kind, stream, async);
}

// Bytes in the order of the memory, over the ends of rows.
cudaError_t to_array_in_order(cudaArray_t target, cudaPos at, const void *source, size_t count, cudaMemcpyKind kind, cudaStream_t stream, bool async) {
    Place to, from{static_cast<char *>(const_cast<void *>(source)), count, 1, 0};
    if (auto error = place(target, Role::TARGET, true, at, {count, 0, 1}, &to)) return error;
    return copy_slices({to.start, count, 1, to.element}, from, {count, 1, 1}, kind, stream, async);
}
cudaError_t from_array_in_order(void *target, cudaArray_const_t source, cudaPos at, size_t count, cudaMemcpyKind kind, cudaStream_t stream, bool async) {
    Place from, to{static_cast<char *>(target), count, 1, 0};
    if (auto error = place(source, Role::SOURCE, true, at, {count, 0, 1}, &from)) return error;
    return copy_slices(to, {from.start, count, 1, from.element}, {count, 1, 1}, kind, stream, async);
}
cudaError_t between(const Place &to, const Place &from, cudaExtent extent, cudaMemcpyKind kind) {
    if (to.element != from.element) return result(ask(Call::ArrayMisfit, {to.element, from.element}));
    return copy_slices(to, from, extent, kind, nullptr, false);
}

cudaError_t pointed(const cudaPitchedPtr &memory, cudaPos at, Place *found) {
    if (!memory.ptr) return failed(cudaErrorInvalidValue);
    *found = {static_cast<char *>(memory.ptr) + (at.z * memory.ysize + at.y) * memory.pitch + at.x, memory.pitch, memory.ysize, 0};
    return cudaSuccess;
}

// Positions and extents count elements of the arrays that take part, and bytes in other memory.
cudaError_t copy_3d(const cudaMemcpy3DParms *wanted, cudaStream_t stream, bool async) {
    if (!wanted || !wanted->srcArray == !wanted->srcPtr.ptr || !wanted->dstArray == !wanted->dstPtr.ptr) return failed(cudaErrorInvalidValue);
    Place from, to;
    auto extent = wanted->extent;
    auto error = wanted->srcArray ? place(wanted->srcArray, Role::SOURCE, false, wanted->srcPos, extent, &from) : pointed(wanted->srcPtr, wanted->srcPos, &from);
    if (!error) error = wanted->dstArray ? place(wanted->dstArray, Role::TARGET, false, wanted->dstPos, extent, &to) : pointed(wanted->dstPtr, wanted->dstPos, &to);
    if (error) return error;
    if (to.element && from.element && to.element != from.element) return result(ask(Call::ArrayMisfit, {to.element, from.element}));
    if (size_t element = to.element ? to.element : from.element) extent.width *= element;
    if (to.pitch < extent.width || from.pitch < extent.width) return failed(cudaErrorInvalidPitchValue);
    return copy_slices(to, from, extent, wanted->kind, stream, async);
}
}  // namespace
}  // namespace grader

using namespace grader;

API cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width, size_t height, unsigned flags) {
    if (flags & (cudaArrayLayered | cudaArrayCubemap)) return failed(cudaErrorInvalidValue);
    return create(array, format, {width, height, 0}, flags);
}
API cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format, cudaExtent extent, unsigned flags) {
    return create(array, format, extent, flags);
}
API cudaError_t cudaFreeArray(cudaArray_t array) { return array ? result(ask(Call::ArrayFree, {word(array)})) : cudaSuccess; }
API cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags, cudaArray_t array) {
    auto answer = ask(Call::ArrayInfo, {word(array)});
    if (answer.error) return result(answer);
    int bits = answer.values[4] & 0xFF, channels = static_cast<int>(answer.values[4] >> 8);
    auto of = [&](int channel) { return channel < channels ? bits : 0; };
    if (format) *format = {of(0), of(1), of(2), of(3), static_cast<cudaChannelFormatKind>(answer.values[5])};
    if (extent) *extent = {answer.values[0], answer.values[1], answer.values[2]};
    if (flags) *flags = static_cast<unsigned>(answer.values[3]);
    return cudaSuccess;
}
API cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array) {
    return cudaArrayGetInfo(format, nullptr, nullptr, const_cast<cudaArray_t>(array));
}

API cudaError_t cudaMemcpy2DToArray(cudaArray_t target, size_t x, size_t y, const void *source, size_t pitch, size_t width, size_t height, cudaMemcpyKind kind) {
    return to_array(target, {x, y, 0}, source, pitch, width, height, kind, nullptr, false);
}
API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t target, size_t x, size_t y, const void *source, size_t pitch, size_t width, size_t height,
                                         cudaMemcpyKind kind, cudaStream_t stream) {
    return to_array(target, {x, y, 0}, source, pitch, width, height, kind, stream, true);
}
API cudaError_t cudaMemcpy2DFromArray(void *target, size_t pitch, cudaArray_const_t source, size_t x, size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
    return from_array(target, pitch, source, {x, y, 0}, width, height, kind, nullptr, false);
}
API cudaError_t cudaMemcpy2DFromArrayAsync(void *target, size_t pitch, cudaArray_const_t source, size_t x, size_t y, size_t width, size_t height,
                                           cudaMemcpyKind kind, cudaStream_t stream) {
    return from_array(target, pitch, source, {x, y, 0}, width, height, kind, stream, true);
}
API cudaError_t cudaMemcpyToArray(cudaArray_t target, size_t x, size_t y, const void *source, size_t count, cudaMemcpyKind kind) {
    return to_array_in_order(target, {x, y, 0}, source, count, kind, nullptr, false);
}
API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t target, size_t x, size_t y, const void *source, size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
    return to_array_in_order(target, {x, y, 0}, source, count, kind, stream, true);
}
API cudaError_t cudaMemcpyFromArray(void *target, cudaArray_const_t source, size_t x, size_t y, size_t count, cudaMemcpyKind kind) {
    return from_array_in_order(target, source, {x, y, 0}, count, kind, nullptr, false);
}
API cudaError_t cudaMemcpyFromArrayAsync(void *target, cudaArray_const_t source, size_t x, size_t y, size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
    return from_array_in_order(target, source, {x, y, 0}, count, kind, stream, true);
}
API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t target, size_t tx, size_t ty, cudaArray_const_t source, size_t sx, size_t sy, size_t width, size_t height,
                                         cudaMemcpyKind kind) {
    Place to, from;
    cudaExtent extent{width, height, 1};
    if (auto error = place(target, Role::TARGET, true, {tx, ty, 0}, extent, &to)) return error;
    if (auto error = place(source, Role::SOURCE, true, {sx, sy, 0}, extent, &from)) return error;
    return between(to, from, extent, kind);
}
API cudaError_t cudaMemcpyArrayToArray(cudaArray_t target, size_t tx, size_t ty, cudaArray_const_t source, size_t sx, size_t sy, size_t count, cudaMemcpyKind kind) {
    Place to, from;
    if (auto error = place(target, Role::TARGET, true, {tx, ty, 0}, {count, 0, 1}, &to)) return error;
    if (auto error = place(source, Role::SOURCE, true, {sx, sy, 0}, {count, 0, 1}, &from)) return error;
    return between({to.start, count, 1, to.element}, {from.start, count, 1, from.element}, {count, 1, 1}, kind);
}

API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *wanted) { return copy_3d(wanted, nullptr, false); }
API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *wanted, cudaStream_t stream) { return copy_3d(wanted, stream, true); }
