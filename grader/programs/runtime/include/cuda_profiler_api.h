// The profiler's switches, which do nothing here. NVIDIA's header is in a package of its own.
#pragma once
#include <driver_types.h>
extern "C" {
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
}
