// What the stand-in for libcudart says to the device process: one request and one answer, of fixed layout.
#pragma once
#include <cstdint>
#include <cstddef>
#include <vector>

namespace grader {

// The order is that of `Call` in grader/programs/wire.py.
enum class Call : uint32_t {
    Malloc, Free, HostAlloc, HostFree, ManagedAlloc, Copy, Memset, Launch, Kernel, Symbol, StreamCreate, StreamDestroy, StreamWait,
    StreamQuery, EventCreate, EventDestroy, EventRecord, EventWait, EventQuery, EventElapsed, StreamWaitEvent, DeviceWait, HostFunction,
    HostFunctionDone, MemoryInfo, Touch, ErrorRead, Refused, Exit, Attributes, Occupancy,
    ArrayAlloc, ArrayFree, ArrayInfo, ArrayBox, ArrayMisfit, TextureCreate, SurfaceCreate, ObjectDestroy, FreeAsync, Pointer, Limit, ManagedVariable,
    Module, ModuleSymbol, AddressRange,
    Capture, Graph, Peer,
    Progress, HostError, Clock, Failed, Reset,
};

constexpr size_t ARGUMENTS = 12, FRAMES = 6, VALUES = 6;

struct Request {
    Call call;
    uint32_t extra;                // bytes that follow
    uint64_t arguments[ARGUMENTS];
    uint64_t frames[FRAMES];       // return addresses inside the program, innermost first
    uint64_t host_ns;              // time that the program computed since the last call
    uint32_t device, thread;       // that the calling thread selected; the number of the thread, from 1 on
};

struct Answer {
    int32_t error;                 // a cudaError_t, or CALL_HOST
    uint32_t extra;                // bytes that follow
    uint32_t printed, pending;     // of these, the bytes that kernels printed, and the ranges of pending copies
    uint64_t values[VALUES];
};

constexpr int32_t CALL_HOST = -1;  // run the host function values[0], then send HostFunctionDone

// Memory of the host that a copy has yet to write or to read.
struct Pending { uint64_t address, size, is_written; };

Answer ask(Call call, std::initializer_list<uint64_t> arguments, const void *extra = nullptr, size_t extra_bytes = 0,
           std::vector<char> *back = nullptr);

// Host memory that the device process shares with the program.
char *stage();
constexpr uint64_t STAGE_BYTES = 32u << 20;
bool map_shared(uint64_t address, uint64_t offset, uint64_t size);
void unmap_shared(uint64_t address);
// Puts shared memory in the place of the program's own; the device knows it at another address.
bool share_in_place(void *start, uint64_t size, uint64_t address, uint64_t offset);
bool same_share(const void *one, const void *other);  // whether both lie in one piece of shared memory
uint64_t unshare_in_place(void *start);       // the address on the device, 0 for memory that was not shared
uint64_t device_address(const void *pointer); // of shared memory; other pointers as they are
bool is_shared(const void *pointer);
bool is_device(const void *pointer);

// Keeps other threads from calling while several calls belong together.
struct Held { Held(); ~Held(); };

// Nanoseconds since the program's last call ended; 0 while one is under way.
uint64_t idle_time();
uint64_t add_host_function(void (*function)(void *), void *data);

// The interpreter that runs the program, where it is no machine code: it says where a call comes from, and prints.
struct Interpreter {
    int (*site)(uint64_t *frames, int most) = nullptr;
    void (*print)(const char *text, uint64_t size) = nullptr;
};
extern Interpreter interpreter;
void stop_host_time();  // what the calling thread computes from here on is not the program's
void resume_host_time();

// The device that the calling thread selected.
extern thread_local int current_device;

// The return address of a launch's configuration, where the launch itself is generated code.
extern thread_local void *launch_site;

}  // namespace grader
