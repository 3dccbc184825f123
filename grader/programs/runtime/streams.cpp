// Streams, events, waits and host functions.
#include "errors.h"
#include "stream_attributes.h"
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

using namespace grader;

API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
    if (!stream) return failed(cudaErrorInvalidValue);
    auto answer = ask(Call::StreamCreate, {flags});
    *stream = reinterpret_cast<cudaStream_t>(answer.values[0]);
    if (!answer.error) note_created(*stream, flags, priority);
    return result(answer);
}
API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) { return cudaStreamCreateWithPriority(stream, flags, 0); }
API cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    auto answer = ask(Call::StreamDestroy, {word(stream)});
    if (!answer.error) note_destroyed(stream);
    return result(answer);
}
API cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return result(ask(Call::StreamWait, {word(stream)})); }
API cudaError_t cudaStreamQuery(cudaStream_t stream) { return result(ask(Call::StreamQuery, {word(stream)})); }
API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    return result(ask(Call::StreamWaitEvent, {word(stream), word(event)}));
}

API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    auto answer = ask(Call::EventCreate, {flags});
    *event = reinterpret_cast<cudaEvent_t>(answer.values[0]);
    return result(answer);
}
API cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
API cudaError_t cudaEventDestroy(cudaEvent_t event) { return result(ask(Call::EventDestroy, {word(event)})); }
API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) { return result(ask(Call::EventRecord, {word(event), word(stream)})); }
API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) { return cudaEventRecord(event, stream); }
API cudaError_t cudaEventSynchronize(cudaEvent_t event) { return result(ask(Call::EventWait, {word(event)})); }
API cudaError_t cudaEventQuery(cudaEvent_t event) { return result(ask(Call::EventQuery, {word(event)})); }
API cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end) {
    auto answer = ask(Call::EventElapsed, {word(start), word(end)});
    double found;
    memcpy(&found, &answer.values[0], sizeof found);
    if (!answer.error) *milliseconds = static_cast<float>(found);
    return result(answer);
}
API cudaError_t cudaDeviceSynchronize() { return result(ask(Call::DeviceWait, {})); }

namespace {
struct Callback { cudaStreamCallback_t function; cudaStream_t stream; void *data; };
void call_back(void *data) {
    auto called = static_cast<Callback *>(data);
    called->function(called->stream, cudaSuccess, called->data);
    delete called;
}
}  // namespace

namespace {
constexpr uint64_t IDLE_NS = 50'000'000;
std::atomic<bool> is_going;

// The program may wait for a host function without a call of the runtime. While it makes none, work goes on.
void go_on() {
    for (bool more = true; more;) {
        std::this_thread::sleep_for(std::chrono::nanoseconds(IDLE_NS));
        if (idle_time() > IDLE_NS) more = ask(Call::Progress, {}).values[0];
    }
    is_going = false;
}
cudaError_t add(cudaStream_t stream, void (*function)(void *), void *data) {
    auto answer = ask(Call::HostFunction, {word(stream), add_host_function(function, data)});
    if (!answer.error && !is_going.exchange(true)) std::thread(go_on).detach();
    return result(answer);
}
}  // namespace
API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) { return add(stream, function, data); }
API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void *data, unsigned) {
    return add(stream, call_back, new Callback{function, stream, data});
}
