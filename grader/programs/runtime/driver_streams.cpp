// Streams and events, through the driver's functions; the handles are those of the runtime.
#include "driver.h"
#include <cstring>

using namespace grader;

API CUresult cuStreamCreate(CUstream *stream, unsigned flags) { return driver_error(cudaStreamCreateWithFlags(stream, flags)); }
API CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
    return driver_error(cudaStreamCreateWithPriority(stream, flags, priority));
}
API CUresult cuStreamDestroy(CUstream stream) { return driver_error(cudaStreamDestroy(stream)); }
API CUresult cuStreamSynchronize(CUstream stream) { return driver_error(cudaStreamSynchronize(stream)); }
API CUresult cuStreamQuery(CUstream stream) { return driver_error(cudaStreamQuery(stream)); }
API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) { return driver_error(cudaStreamWaitEvent(stream, event, flags)); }
API CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback function, void *data, unsigned flags) {
    return driver_error(cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(function), data, flags));
}
API CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) { return driver_error(cudaLaunchHostFunc(stream, function, data)); }
API CUresult cuStreamGetCtx(CUstream, CUcontext *context) { return cuCtxGetCurrent(context); }
API CUresult cuStreamGetDevice(CUstream, CUdevice *device) { return driver_error(cudaGetDevice(device)); }
API CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus *status) {
    *status = CU_STREAM_CAPTURE_STATUS_NONE;
    return CUDA_SUCCESS;
}

API CUresult cuEventCreate(CUevent *event, unsigned flags) { return driver_error(cudaEventCreateWithFlags(event, flags)); }
API CUresult cuEventDestroy(CUevent event) { return driver_error(cudaEventDestroy(event)); }
API CUresult cuEventRecord(CUevent event, CUstream stream) { return driver_error(cudaEventRecord(event, stream)); }
API CUresult cuEventSynchronize(CUevent event) { return driver_error(cudaEventSynchronize(event)); }
API CUresult cuEventQuery(CUevent event) { return driver_error(cudaEventQuery(event)); }
API CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
    return driver_error(cudaEventElapsedTime(milliseconds, start, end));
}
