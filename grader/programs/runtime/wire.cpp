// The connection to the device process, memory shared with it, and what host code does to memory that is not its own.
#include "wire.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <execinfo.h>
#include <link.h>
#include <map>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <ucontext.h>
#include <unistd.h>

extern "C" __attribute__((weak)) void __asan_set_error_report_callback(void (*callback)(const char *));

namespace grader {
thread_local void *launch_site;
thread_local int current_device;
Interpreter interpreter;

namespace {
constexpr int32_t NOT_INITIALIZED = 3;  // cudaErrorInitializationError
constexpr uint64_t PAGE = 4096, LOWEST_DEVICE = 1ull << 36, DEVICE_END = 1ull << 46;
int channel = -1, arena = -1;
char *stage_memory;
uintptr_t program_start, program_end;
std::recursive_mutex lock;
std::atomic<bool> has_ended;
std::atomic<int> calls_under_way;
std::atomic<uint64_t> last_call_ended;

uint64_t wall_time() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ull + now.tv_nsec;
}
struct UnderWay {
    UnderWay() { calls_under_way++; }
    ~UnderWay() { last_call_ended = wall_time(), calls_under_way--; }
};

thread_local bool in_host_function;
thread_local Request forbidden;  // the first call of the runtime in a host function
thread_local uint64_t returned_at, spent_before;
thread_local bool is_stopped;
bool is_forked;  // a copy of the program's process has no device, as with CUDA

struct Shared { uint64_t size, on_device; };
std::map<uint64_t, Shared> &shared_memory() { static std::map<uint64_t, Shared> all; return all; }
// A range of protected pages. Of a range that host code uses, ever more pages are opened, so that a loop over it is no
// fault for each page.
struct Watched { Pending range; uint64_t step = PAGE; };
std::vector<Watched> &watched() { static std::vector<Watched> all; return all; }
struct HostFunction { void (*function)(void *); void *data; };
std::vector<HostFunction> &host_functions() { static std::vector<HostFunction> all; return all; }

[[noreturn]] void lost() { _exit(97); }

void send_all(const void *data, size_t size) {
    for (auto at = static_cast<const char *>(data); size;) {
        ssize_t sent = send(channel, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) lost();
        at += sent, size -= sent;
    }
}

void receive_all(void *data, size_t size) {
    for (auto at = static_cast<char *>(data); size;) {
        ssize_t got = recv(channel, at, size, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) lost();
        at += got, size -= got;
    }
}

uint64_t thread_time() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000ull + now.tv_nsec;
}

uint64_t inside_program(void *address) {
    auto at = reinterpret_cast<uintptr_t>(address);
    return at >= program_start && at < program_end ? at - program_start : 0;
}

// Where host code sees memory that the device knows at an address: registered memory has another one there.
uint64_t host_address(uint64_t address) {
    for (auto &[start, shared] : shared_memory())
        if (address >= shared.on_device && address < shared.on_device + shared.size) return start + (address - shared.on_device);
    return address;
}

// Pages that lie wholly in the range of a pending copy, or that hold nothing but it.
std::pair<uint64_t, uint64_t> pages(const Pending &range) {
    auto found = shared_memory().upper_bound(range.address);
    uint64_t first = (range.address + PAGE - 1) / PAGE * PAGE, end = (range.address + range.size) / PAGE * PAGE;
    if (found != shared_memory().begin()) {
        auto owner = std::prev(found);
        if (range.address == owner->first) first = range.address;
        if (range.address + range.size == owner->first + owner->second.size) end = (range.address + range.size + PAGE - 1) / PAGE * PAGE;
    }
    return {first, end};
}

void protect(const Pending &range, int rights) {
    auto [first, end] = pages(range);
    if (end > first) mprotect(reinterpret_cast<void *>(first), end - first, rights);
}

// Ranges by their places in host memory. Those that meet are one: small pieces of a buffer may fill pages together.
std::vector<Pending> joined(std::vector<Pending> ranges) {
    for (auto &range : ranges) range.address = host_address(range.address);
    auto key = [](const Pending &range) { return std::make_pair(range.is_written, range.address); };
    std::sort(ranges.begin(), ranges.end(), [&](auto &one, auto &other) { return key(one) < key(other); });
    std::vector<Pending> all;
    for (auto &range : ranges) {
        bool meets = !all.empty() && all.back().is_written == range.is_written && range.address <= all.back().address + all.back().size;
        if (meets) all.back().size = std::max(all.back().size, range.address + range.size - all.back().address);
        else all.push_back(range);
    }
    return all;
}

// While a copy is pending, host code must not read what it writes, nor write what it reads.
void watch(const std::vector<Pending> &now) {
    for (auto &each : watched()) protect(each.range, PROT_READ | PROT_WRITE);
    watched().clear();
    for (auto &range : joined(now)) watched().push_back({range});
    for (auto &each : watched()) if (!each.range.is_written) protect(each.range, PROT_READ);
    for (auto &each : watched()) if (each.range.is_written) protect(each.range, PROT_NONE);
}

uint32_t thread_number() {
    static std::atomic<uint32_t> threads;
    thread_local uint32_t own = ++threads;
    return own;
}

Request request(Call call, std::initializer_list<uint64_t> arguments, size_t extra) {
    Request made{};
    made.call = call;
    made.extra = static_cast<uint32_t>(extra);
    std::copy(arguments.begin(), arguments.end(), made.arguments);
    made.device = current_device, made.thread = thread_number();
    return made;
}

// Where the program is: its own return addresses, or what its interpreter says. A fault at ``at`` comes first.
void note_site(Request &asked, void *at) {
    if (interpreter.site) { interpreter.site(asked.frames, FRAMES); return; }
    int kept = 0;
    if (uint64_t first = inside_program(at)) asked.frames[kept++] = first;
    void *stack[32];
    int depth = backtrace(stack, 32);
    for (int i = 0; i < depth && kept < int(FRAMES); i++) if (uint64_t found = inside_program(stack[i])) asked.frames[kept++] = found;
}

void print(const std::vector<char> &text) {
    if (text.empty()) return;
    if (interpreter.print) interpreter.print(text.data(), text.size());
    else fwrite(text.data(), 1, text.size(), stdout);
}

void on_fault(int signal_number, siginfo_t *info, void *context) {
    auto address = reinterpret_cast<uint64_t>(info->si_addr);
    auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
    bool is_write = registers[REG_ERR] & 2;
    auto covers = [&](const Watched &each) {
        auto [first, end] = pages(each.range);
        return address >= first && address < end;
    };
    bool is_pending = std::any_of(watched().begin(), watched().end(), covers);
    auto asked = request(Call::Touch, {device_address(info->si_addr), is_pending, is_write}, 0);
    auto at = inside_program(reinterpret_cast<void *>(registers[REG_RIP]));
    if (at && !interpreter.site) asked.frames[0] = at + 1;
    else note_site(asked, nullptr);  // a library touches it for the program
    send_all(&asked, sizeof asked);
    Answer answer;
    receive_all(&answer, sizeof answer);
    if (is_pending) {
        for (auto &each : watched()) {
            if (!covers(each)) continue;
            auto [first, end] = pages(each.range);  // a library may read from both ends, so the step goes both ways
            uint64_t page = address / PAGE * PAGE, from = page - std::min(page - first, each.step), to = page + std::min(end - page, each.step);
            mprotect(reinterpret_cast<void *>(from), to - from, PROT_READ | PROT_WRITE);
            each.step *= 2;
        }
        return;
    }
    signal(signal_number, SIG_DFL);
}

int note_program(dl_phdr_info *info, size_t, void *) {
    program_start = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        auto &part = info->dlpi_phdr[i];
        if (part.p_type == PT_LOAD) program_end = std::max<uintptr_t>(program_end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
    }
    return 1;  // the first object is the program itself
}

// What AddressSanitizer reports of a program that is built with it.
void on_host_error(const char *report) { ask(Call::HostError, {}, report, std::min<size_t>(strlen(report), 1 << 16)); }

void at_exit() {
    has_ended = true;
    ask(Call::Exit, {});
}

void connect() {
    const char *socket = getenv("GRADER_CHANNEL"), *memory = getenv("GRADER_ARENA");
    if (!socket || !memory) {
        fputs("This program was built for Grader's emulator; start it with `grader run`.\n", stderr);
        _exit(96);
    }
    channel = atoi(socket), arena = atoi(memory);
    stage_memory = static_cast<char *>(mmap(nullptr, STAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, arena, 0));
    if (stage_memory == MAP_FAILED) lost();
    dl_iterate_phdr(note_program, nullptr);
    static char signal_stack[1 << 19];  // an interpreter runs on it
    stack_t other{signal_stack, 0, sizeof signal_stack};
    sigaltstack(&other, nullptr);
    struct sigaction action{};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &action, nullptr);
    sigaction(SIGBUS, &action, nullptr);
    atexit(at_exit);
    pthread_atfork(nullptr, nullptr, [] { is_forked = true; });
    if (__asan_set_error_report_callback) __asan_set_error_report_callback(on_host_error);
}

// A fault before the first call is found too.
__attribute__((constructor)) void connect_early() { if (channel < 0 && getenv("GRADER_CHANNEL")) connect(); }
}  // namespace

char *stage() { return stage_memory; }

void stop_host_time() {
    spent_before = returned_at ? thread_time() - returned_at : 0;
    is_stopped = true;
}
void resume_host_time() {
    returned_at = thread_time() - spent_before;
    is_stopped = false;
}

bool is_device(const void *pointer) {
    auto at = reinterpret_cast<uint64_t>(pointer);
    return at >= LOWEST_DEVICE && at < DEVICE_END;
}

bool is_shared(const void *pointer) {
    auto at = reinterpret_cast<uint64_t>(pointer);
    auto next = shared_memory().upper_bound(at);
    if (next == shared_memory().begin()) return false;
    auto owner = std::prev(next);
    return at < owner->first + std::max<uint64_t>(owner->second.size, 1);
}

bool map_shared(uint64_t address, uint64_t offset, uint64_t size) {
    void *wanted = reinterpret_cast<void *>(address);
    void *got = mmap(wanted, std::max<uint64_t>(size, 1), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, arena, offset);
    if (got != wanted) return false;
    shared_memory()[address] = {size, address};
    return true;
}

// Moves `pages` to `place`, with what stood there. At no time are other bytes there. The place may be on the stack of
// the calling thread, so it happens on another stack.
namespace {
struct Move { void *pages, *place; uint64_t size; };
thread_local Move move_now;
thread_local ucontext_t before_move, during_move;
void move_pages() {
    memcpy(move_now.pages, move_now.place, move_now.size);
    if (mremap(move_now.pages, move_now.size, move_now.size, MREMAP_MAYMOVE | MREMAP_FIXED, move_now.place) != move_now.place) abort();
}
void put_in_place(void *pages, void *place, uint64_t size) {
    static thread_local char other_stack[1 << 16];
    move_now = {pages, place, size};
    getcontext(&during_move);
    during_move.uc_stack.ss_sp = other_stack, during_move.uc_stack.ss_size = sizeof other_stack;
    during_move.uc_link = &before_move;
    makecontext(&during_move, move_pages, 0);
    swapcontext(&before_move, &during_move);
}
}  // namespace

bool same_share(const void *one, const void *other) {
    auto owner = [](const void *at) { return shared_memory().upper_bound(reinterpret_cast<uint64_t>(at)); };
    return is_shared(one) && is_shared(other) && owner(one) == owner(other);
}

bool share_in_place(void *start, uint64_t size, uint64_t address, uint64_t offset) {
    auto first = reinterpret_cast<uint64_t>(start) / PAGE * PAGE, end = (reinterpret_cast<uint64_t>(start) + size + PAGE - 1) / PAGE * PAGE;
    void *shared = mmap(nullptr, end - first, PROT_READ | PROT_WRITE, MAP_SHARED, arena, offset);
    if (shared == MAP_FAILED) return false;
    put_in_place(shared, reinterpret_cast<void *>(first), end - first);
    shared_memory()[first] = {end - first, address};
    return true;
}

uint64_t unshare_in_place(void *start) {
    auto found = shared_memory().find(reinterpret_cast<uint64_t>(start) / PAGE * PAGE);
    if (found == shared_memory().end() || found->first == found->second.on_device) return 0;
    uint64_t size = found->second.size;
    void *own = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    put_in_place(own, reinterpret_cast<void *>(found->first), size);
    uint64_t address = found->second.on_device;
    shared_memory().erase(found);
    return address;
}

uint64_t device_address(const void *pointer) {
    auto at = reinterpret_cast<uint64_t>(pointer);
    if (!is_shared(pointer)) return at;
    auto owner = std::prev(shared_memory().upper_bound(at));
    return owner->second.on_device + (at - owner->first);
}

void unmap_shared(uint64_t address) {
    auto found = shared_memory().find(address);
    if (found == shared_memory().end()) return;
    munmap(reinterpret_cast<void *>(address), std::max<uint64_t>(found->second.size, 1));
    shared_memory().erase(found);
}

Held::Held() { lock.lock(); }
Held::~Held() { lock.unlock(); }

uint64_t add_host_function(void (*function)(void *), void *data) {
    std::lock_guard<std::recursive_mutex> guard(lock);
    host_functions().push_back({function, data});
    return host_functions().size() - 1;
}

uint64_t idle_time() { return calls_under_way ? 0 : wall_time() - last_call_ended; }

Answer ask(Call call, std::initializer_list<uint64_t> arguments, const void *extra, size_t extra_bytes, std::vector<char> *back) {
    if (is_forked) {
        Answer none{};
        none.error = NOT_INITIALIZED;
        return none;
    }
    auto asked = request(call, arguments, extra_bytes);
    uint64_t now = thread_time();
    asked.host_ns = returned_at && !is_stopped ? now - returned_at : 0;
    note_site(asked, launch_site);  // before the lock: an interpreter has a lock of its own
    if (in_host_function) {
        if (!forbidden.frames[0]) forbidden = asked;
        Answer refused{};
        refused.error = 800;  // cudaErrorNotPermitted
        return refused;
    }
    if (call == Call::Progress && has_ended) return {};
    UnderWay mark;
    std::lock_guard<std::recursive_mutex> guard(lock);
    if (channel < 0) connect();
    std::vector<char> message(sizeof asked + extra_bytes);
    memcpy(message.data(), &asked, sizeof asked);
    if (extra_bytes) memcpy(message.data() + sizeof asked, extra, extra_bytes);
    send_all(message.data(), message.size());
    Answer answer;
    std::vector<char> rest;
    for (;;) {
        receive_all(&answer, sizeof answer);
        rest.resize(answer.extra);
        if (answer.extra) receive_all(rest.data(), answer.extra);
        if (answer.printed) {
            print(std::vector<char>(rest.begin(), rest.begin() + answer.printed));
            rest.erase(rest.begin(), rest.begin() + answer.printed);
        }
        std::vector<Pending> ranges(answer.pending);
        if (answer.pending) {
            memcpy(ranges.data(), rest.data(), answer.pending * sizeof(Pending));
            rest.erase(rest.begin(), rest.begin() + answer.pending * sizeof(Pending));
        }
        watch(ranges);
        if (answer.error != CALL_HOST) break;
        auto called = host_functions()[answer.values[0]];
        in_host_function = true;
        called.function(called.data);
        in_host_function = false;
        auto done = request(Call::HostFunctionDone, {}, 0);
        memcpy(done.frames, forbidden.frames, sizeof done.frames);
        forbidden = {};
        send_all(&done, sizeof done);
    }
    if (back) back->swap(rest);
    returned_at = thread_time();
    return answer;
}
}  // namespace grader

// For a main of the judge's around a program. `state` is a `Clock` of grader/programs/harness/wire.py.
extern "C" __attribute__((visibility("default"))) void grader_clock(int state) {
    grader::ask(grader::Call::Clock, {static_cast<uint64_t>(state)});  // has the time that was spent before it
    state == 1 ? grader::resume_host_time() : grader::stop_host_time();
}
