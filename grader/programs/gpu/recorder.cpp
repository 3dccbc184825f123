// Records when copies, fills and kernels of a program ran, and which of its lines asked for them.
//
// The driver loads this library into the program (CUDA_INJECTION64_PATH). It writes one line a record to the descriptor
// GRADER_RECORDS: "default STREAM", "call N BEGIN NAME ADDRESS...", "done N END", "kernel BEGIN END STREAM N NAME", "copy
// BEGIN END STREAM N BYTES KIND SOURCE TARGET", "fill BEGIN END STREAM N BYTES". Times are nanoseconds, N is the
// call that asked, addresses count from where the program is loaded.
#include <cupti.h>
#include <cxxabi.h>
#include <execinfo.h>
#include <link.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace {

constexpr size_t BUFFER_BYTES = 1 << 20;
constexpr int MOST_FRAMES = 32;

FILE *records;
bool knows_default;
std::mutex writing;
uintptr_t program_begin, program_end;

using Number = unsigned long long;

void write_kernel(const CUpti_ActivityKernel9 &kernel) {
    int status = 0;
    char *name = abi::__cxa_demangle(kernel.name, nullptr, nullptr, &status);
    fprintf(records, "kernel %llu %llu %u %u %s\n", Number(kernel.start), Number(kernel.end), kernel.streamId,
            kernel.correlationId, status == 0 ? name : kernel.name);
    free(name);
}

void write_copy(const CUpti_ActivityMemcpy5 &copy) {
    fprintf(records, "copy %llu %llu %u %u %llu %d %d %d\n", Number(copy.start), Number(copy.end), copy.streamId,
            copy.correlationId, Number(copy.bytes), copy.copyKind, copy.srcKind, copy.dstKind);
}

void write_fill(const CUpti_ActivityMemset4 &fill) {
    fprintf(records, "fill %llu %llu %u %u %llu\n", Number(fill.start), Number(fill.end), fill.streamId,
            fill.correlationId, Number(fill.bytes));
}

void CUPTIAPI lend_buffer(uint8_t **buffer, size_t *size, size_t *most_records) {
    *size = BUFFER_BYTES;
    *buffer = static_cast<uint8_t *>(aligned_alloc(8, BUFFER_BYTES));
    *most_records = 0;
}

void CUPTIAPI take_buffer(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid) {
    std::lock_guard<std::mutex> held(writing);
    CUpti_Activity *record = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        switch (record->kind) {
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
            write_kernel(*reinterpret_cast<CUpti_ActivityKernel9 *>(record));
            break;
        case CUPTI_ACTIVITY_KIND_MEMCPY:
            write_copy(*reinterpret_cast<CUpti_ActivityMemcpy5 *>(record));
            break;
        case CUPTI_ACTIVITY_KIND_MEMSET:
            write_fill(*reinterpret_cast<CUpti_ActivityMemset4 *>(record));
            break;
        default:
            break;
        }
    }
    free(buffer);
}

void CUPTIAPI note_call(void *, CUpti_CallbackDomain, CUpti_CallbackId, const void *given) {
    const auto &call = *static_cast<const CUpti_CallbackData *>(given);
    uint64_t now = 0;
    cuptiGetTimestamp(&now);
    if (call.callbackSite == CUPTI_API_EXIT) {
        std::lock_guard<std::mutex> held(writing);
        uint32_t stream = 0;
        if (!knows_default && call.context && cuptiGetStreamIdEx(call.context, nullptr, 0, &stream) == CUPTI_SUCCESS) {
            knows_default = true;
            fprintf(records, "default %u\n", stream);
        }
        fprintf(records, "done %u %llu\n", call.correlationId, Number(now));
        return;
    }
    void *frames[MOST_FRAMES];
    int count = backtrace(frames, MOST_FRAMES);
    std::lock_guard<std::mutex> held(writing);
    fprintf(records, "call %u %llu %s", call.correlationId, Number(now), call.functionName);
    for (int index = 0; index < count; index++) {
        auto address = reinterpret_cast<uintptr_t>(frames[index]);
        if (address >= program_begin && address < program_end) {
            fprintf(records, " %lx", address - program_begin);
        }
    }
    fputc('\n', records);
}

int find_program(dl_phdr_info *loaded, size_t, void *) {
    program_begin = loaded->dlpi_addr;
    for (int index = 0; index < loaded->dlpi_phnum; index++) {
        const auto &segment = loaded->dlpi_phdr[index];
        if (segment.p_type == PT_LOAD) {
            program_end = program_begin + segment.p_vaddr + segment.p_memsz;
        }
    }
    return 1; // the program itself comes first
}

void finish() {
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    std::lock_guard<std::mutex> held(writing);
    fflush(records);
}

} // namespace

extern "C" int InitializeInjection() {
    const char *descriptor = getenv("GRADER_RECORDS");
    records = descriptor ? fdopen(atoi(descriptor), "w") : nullptr;
    if (!records) {
        return 0;
    }
    dl_iterate_phdr(find_program, nullptr);
    CUpti_SubscriberHandle subscriber;
    bool is_recording = cuptiActivityRegisterCallbacks(lend_buffer, take_buffer) == CUPTI_SUCCESS &&
                        cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_SUCCESS &&
                        cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY) == CUPTI_SUCCESS &&
                        cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET) == CUPTI_SUCCESS &&
                        cuptiSubscribe(&subscriber, note_call, nullptr) == CUPTI_SUCCESS &&
                        cuptiEnableDomain(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API) == CUPTI_SUCCESS;
    if (is_recording) {
        atexit(finish);
    }
    return is_recording;
}
