// Where the bytes of a copy of two or three dimensions lie.
#pragma once
#include "copy.h"
#include <cstdint>

namespace grader {
// `rows` are those from slice to slice; `element` is the size of an array's elements, 0 for other memory.
struct Place {
    char *start;
    size_t pitch, rows, element;
};
enum class Role : uint64_t { TARGET, SOURCE };

// The place of a box of elements; a height of 0 asks for `width` bytes in the order of the memory.
cudaError_t place(cudaArray_const_t array, Role role, bool in_bytes, cudaPos at, cudaExtent extent, Place *found);
// Copies `depth` slices of `height` rows of `width` bytes.
cudaError_t copy_slices(const Place &to, const Place &from, cudaExtent extent, cudaMemcpyKind kind, cudaStream_t stream, bool async);
}  // namespace grader
