// Errors: their names and texts, and the last one of each thread.
#include "errors.h"
#include <cstring>

namespace grader {
thread_local cudaError_t last = cudaSuccess;

cudaError_t failed(cudaError_t error) {
    if (error == cudaSuccess || error == cudaErrorNotReady) return error;
    last = error;
    auto name = cudaGetErrorName(error);
    ask(Call::Failed, {static_cast<uint64_t>(error)}, name, strlen(name));
    return error;
}
}  // namespace grader

using namespace grader;

API cudaError_t cudaGetLastError() {
    auto answer = ask(Call::ErrorRead, {});
    auto error = answer.error ? static_cast<cudaError_t>(answer.error) : last;
    last = cudaSuccess;
    return error;
}

API cudaError_t cudaPeekAtLastError() {
    auto answer = ask(Call::ErrorRead, {});
    return answer.error ? static_cast<cudaError_t>(answer.error) : last;
}

namespace {
struct Text { cudaError_t error; const char *name, *text; };
const Text TEXTS[] = {
#define TEXT(name, text) {name, #name, text}
    TEXT(cudaSuccess, "no error"),
    TEXT(cudaErrorInvalidValue, "invalid argument"),
    TEXT(cudaErrorMemoryAllocation, "out of memory"),
    TEXT(cudaErrorInitializationError, "initialization error"),
    TEXT(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    TEXT(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
    TEXT(cudaErrorNotPermitted, "operation not permitted"),
    TEXT(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    TEXT(cudaErrorInvalidSymbol, "invalid device symbol"),
    TEXT(cudaErrorInvalidHostPointer, "invalid host pointer"),
    TEXT(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    TEXT(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    TEXT(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    TEXT(cudaErrorInvalidTexture, "invalid texture reference"),
    TEXT(cudaErrorInvalidFilterSetting, "linear filtering not supported for non-float type"),
    TEXT(cudaErrorInvalidNormSetting, "read as normalized float not supported for 32-bit non float type"),
    TEXT(cudaErrorInvalidDeviceFunction, "invalid device function"),
    TEXT(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    TEXT(cudaErrorInvalidDevice, "invalid device ordinal"),
    TEXT(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    TEXT(cudaErrorNotReady, "device not ready"),
    TEXT(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    TEXT(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    TEXT(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    TEXT(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    TEXT(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    TEXT(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    TEXT(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    TEXT(cudaErrorAssert, "device-side assert triggered"),
    TEXT(cudaErrorMisalignedAddress, "misaligned address"),
    TEXT(cudaErrorLaunchFailure, "unspecified launch failure"),
    TEXT(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    TEXT(cudaErrorNotSupported, "operation not supported"),
    TEXT(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    TEXT(cudaErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing"),
    TEXT(cudaErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture"),
    TEXT(cudaErrorStreamCaptureMerge, "operation would result in a merge of separate capture sequences"),
    TEXT(cudaErrorStreamCaptureUnmatched, "capture was not ended in the same stream as it began"),
    TEXT(cudaErrorStreamCaptureUnjoined, "capturing stream has unjoined work"),
    TEXT(cudaErrorStreamCaptureIsolation, "dependency created on uncaptured work in another stream"),
    TEXT(cudaErrorStreamCaptureImplicit, "operation would make the legacy stream depend on a capturing blocking stream"),
    TEXT(cudaErrorCapturedEvent, "operation not permitted on an event last recorded in a capturing stream"),
    TEXT(cudaErrorGraphExecUpdateFailure, "the graph update was not performed because it included changes which violated constraints specific to instantiated graph update"),
    TEXT(cudaErrorUnknown, "unknown error"),
#undef TEXT
};

const Text *known(cudaError_t error) {
    for (auto &each : TEXTS) if (each.error == error) return &each;
    return nullptr;
}
}  // namespace

API const char *cudaGetErrorName(cudaError_t error) {
    auto found = known(error);
    return found ? found->name : "unrecognized error code";
}

API const char *cudaGetErrorString(cudaError_t error) {
    auto found = known(error);
    return found ? found->text : "unrecognized error code";
}
