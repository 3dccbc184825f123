// Calls the student's functions, one for each request of the judge. The protocol is that of wire.py.
#include "call.h"
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

extern "C" __attribute__((weak)) void grader_clock(int state);  // the emulator's runtime has it

namespace {
enum Clock { PREPARED, RUNS, STOPPED };  // as in grader/programs/harness/wire.py
enum Kind : uint32_t { PREPARE, CALL };
struct Head { uint64_t nonce[2]; uint32_t count; Kind kind; };
struct Place { uint64_t offset, size; };
struct Answer { uint64_t nonce[2]; int32_t status; uint32_t count; };

int judge = -1;
char *at[grader::PARAMETERS];  // the memory of all calls
uint64_t sizes[grader::PARAMETERS];

[[noreturn]] void lost() { _exit(95); }

void send_all(const void *data, size_t size) {
    for (auto at = static_cast<const char *>(data); size;) {
        ssize_t sent = send(judge, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) lost();
        at += sent, size -= sent;
    }
}

void receive_all(void *data, size_t size) {
    for (auto at = static_cast<char *>(data); size;) {
        ssize_t got = recv(judge, at, size, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) lost();
        at += got, size -= got;
    }
}

// The head of a request, with the file that holds its data; false where the judge has no more.
bool receive_head(Head &head, int &file) {
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof file)];
    iovec part{&head, sizeof head};
    msghdr message{};
    message.msg_iov = &part, message.msg_iovlen = 1;
    message.msg_control = control, message.msg_controllen = sizeof control;
    ssize_t got;
    do got = recvmsg(judge, &message, MSG_CMSG_CLOEXEC); while (got < 0 && errno == EINTR);
    if (got == 0) return false;
    auto attached = CMSG_FIRSTHDR(&message);
    if (got != sizeof head || !attached || attached->cmsg_type != SCM_RIGHTS) lost();
    memcpy(&file, CMSG_DATA(attached), sizeof file);
    return true;
}

// Says where the program's time runs. No work of the preparation may see the inputs.
void clock(Clock state) {
    if (grader_clock) grader_clock(state);
    else if (state == PREPARED) cudaDeviceSynchronize();
}

std::vector<Place> receive_places(const Head &head) {
    std::vector<Place> places(head.count);
    receive_all(places.data(), places.size() * sizeof(Place));
    if (head.count != grader::PARAMETERS) lost();
    return places;
}

void send_answer(const Head &head, int status, unsigned count) {
    Answer answer{{head.nonce[0], head.nonce[1]}, status, count};
    send_all(&answer, sizeof answer);
}

void answer_prepare(const Head &head, int file) {
    auto places = receive_places(head);
    uint64_t whole = 1;
    for (auto &place : places) whole = std::max(whole, place.offset + place.size);
    void *start = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (start == MAP_FAILED) lost();
    for (unsigned i = 0; i < grader::PARAMETERS; i++) at[i] = static_cast<char *>(start) + places[i].offset, sizes[i] = places[i].size;
    int status = grader::prepare(at);
    clock(PREPARED);
    send_answer(head, status, 0);
}

void read_inputs(const std::vector<Place> &places, int file) {
    for (unsigned i = 0; i < grader::PARAMETERS; i++) {
        if (places[i].size != sizes[i]) lost();
        for (uint64_t done = 0; done < sizes[i];) {
            ssize_t got = pread(file, at[i] + done, sizes[i] - done, places[i].offset + done);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) lost();
            done += got;
        }
    }
}

void answer_call(const Head &head, int file) {
    read_inputs(receive_places(head), file);
    clock(RUNS);
    int status = grader::call(at);
    clock(STOPPED);
    send_answer(head, status, grader::RETURNED_COUNT);
    for (unsigned i = 0; i < grader::RETURNED_COUNT; i++) {
        unsigned index = grader::RETURNED[i];
        send_all(&sizes[index], sizeof sizes[index]);
        std::vector<char> seen(at[index], at[index] + sizes[index]);  // send() alone cannot read memory of a pending copy
        send_all(seen.data(), seen.size());
    }
}
}  // namespace

int main() {
    const char *number = getenv("GRADER_JUDGE");
    if (!number) return 95;
    judge = atoi(number);
    if (!grader_clock) cudaFree(nullptr);  // makes the context; the emulator has none
    send_all("GRD2", 4);
    Head head;
    int file;
    while (receive_head(head, file)) {
        head.kind == PREPARE ? answer_prepare(head, file) : answer_call(head, file);
        close(file);
    }
    return at[0] && grader::finish(at) ? 96 : 0;
}
