// Memory that comes from a pool.
#pragma once

namespace grader {
// Takes memory that was released out of its pool, if it has one.
void note_released(const void *pointer);
}  // namespace grader
