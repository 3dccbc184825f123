// Calls the student's function once for each request of the judge. The protocol is that of wire.py.
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

extern "C" __attribute__((weak)) void grader_count_host_time(int counted);  // the emulator's runtime has it

namespace {
struct Head { uint64_t nonce[2]; uint32_t count, zero; };
struct Place { uint64_t offset, size; };
struct Answer { uint64_t nonce[2]; int32_t status; uint32_t count; };

int judge = -1;

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

// A call of the runtime without an effect: it makes the context on a GPU, and on the emulator it marks a time.
void touch_runtime() {
    size_t unused;
    cudaMemGetInfo(&unused, &unused);
}

void count_host_time(bool counted) {
    if (grader_count_host_time) grader_count_host_time(counted);
}

void answer_one(const Head &head, int file) {
    std::vector<Place> places(head.count);
    receive_all(places.data(), places.size() * sizeof(Place));
    if (head.count != grader::PARAMETERS) lost();
    std::vector<char *> at;
    uint64_t whole = 1;
    for (auto &place : places) whole = std::max(whole, place.offset + place.size);
    void *start = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (start == MAP_FAILED) lost();
    close(file);
    for (auto &place : places) at.push_back(static_cast<char *>(start) + place.offset);
    count_host_time(true);
    touch_runtime();
    int status = grader::prepare(at.data());
    if (status == 0) status = grader::call(at.data());
    if (status == 0) status = grader::finish(at.data());
    touch_runtime();
    count_host_time(false);
    Answer answer{{head.nonce[0], head.nonce[1]}, status, grader::RETURNED_COUNT};
    send_all(&answer, sizeof answer);
    for (unsigned i = 0; i < grader::RETURNED_COUNT; i++) {
        auto &place = places[grader::RETURNED[i]];
        send_all(&place.size, sizeof place.size);
        send_all(at[grader::RETURNED[i]], place.size);
    }
    munmap(start, whole);
}
}  // namespace

int main() {
    const char *number = getenv("GRADER_JUDGE");
    if (!number) return 95;
    judge = atoi(number);
    if (!getenv("GRADER_CHANNEL")) touch_runtime();  // the emulator has no context to make, and its clock starts with a call
    send_all("GRD1", 4);
    Head head;
    int file;
    while (receive_head(head, file)) answer_one(head, file);
    return 0;
}
