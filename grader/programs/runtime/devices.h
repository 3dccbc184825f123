// How many devices there are.
#pragma once

namespace grader {
int device_count();
bool is_device_number(int device);
}  // namespace grader
