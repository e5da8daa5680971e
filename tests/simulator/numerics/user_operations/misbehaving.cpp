// User operations that do what they must not.
#include "simulator/numerics/user_operation.h"

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace {
std::int64_t elements(const ipu_user_tensor& tensor) {
    std::int64_t count = 1;
    for (std::int32_t axis = 0; axis < tensor.rank; ++axis)
        count *= tensor.extents[axis];
    return count;
}
void copy(const ipu_user_call* call) {
    for (std::int64_t i = 0; i < elements(call->inputs[0]); ++i)
        call->outputs[0].data[i] = call->inputs[0].data[i];
}
/// Behaves in the trial and once more; answers whether it is to go on so.
bool behaves(const ipu_user_call* call) {
    static int calls = 0;
    copy(call);
    return ++calls < 3;
}
/// Keeps which process loaded this library, where somebody wants to know.
__attribute__((constructor)) void tellWho() {
    const int file = open("who-loaded.txt", O_WRONLY | O_APPEND);
    if (file < 0)
        return;
    char words[256] = {};
    if (FILE* const told = std::fopen("/proc/self/cmdline", "r")) {
        static_cast<void>(std::fread(words, 1, sizeof words - 1, told));
        std::fclose(told);
    }
    // The first argument.
    const std::string line = std::to_string(getpid()) + " " + (words + std::strlen(words) + 1) + "\n";
    if (write(file, line.data(), line.size()) < 0)
        _exit(9);
    close(file);
}
} // namespace

extern "C" {

std::uint32_t ipu_workbench_user_abi(void) {
    return IPU_WORKBENCH_USER_ABI;
}
int crashes(const ipu_user_call*) {
    std::raise(SIGSEGV);
    return 0;
}
int exits(const ipu_user_call*) {
    std::_Exit(3);
}
int fails(const ipu_user_call* call) {
    std::snprintf(call->message, call->message_size, "the moon is in the wrong phase");
    return 7;
}
int loops(const ipu_user_call*) {
    while (true)
        usleep(1000);
}
int writes_outside(const ipu_user_call* call) {
    copy(call);
    call->outputs[0].data[elements(call->outputs[0])] = 1;
    return 0;
}
int changes_input(const ipu_user_call* call) {
    copy(call);
    call->inputs[0].data[0] = 1;
    return 0;
}
int leaves_out(const ipu_user_call* call) {
    call->outputs[0].data[0] = 1;
    return 0;
}
/// Shares what it prints with nobody's answer.
int prints(const ipu_user_call* call) {
    std::puts("copied");
    std::fflush(stdout);
    copy(call);
    return 0;
}
int prints_grad(const ipu_user_call* call) {
    for (std::int64_t i = 0; i < elements(call->outputs[0]); ++i)
        call->outputs[0].data[i] = call->inputs[2].data[i];
    return 0;
}

int crashes_later(const ipu_user_call* call) {
    return behaves(call) ? 0 : crashes(call);
}
int aborts_later(const ipu_user_call* call) {
    if (!behaves(call))
        std::abort();
    return 0;
}
int exits_later(const ipu_user_call* call) {
    return behaves(call) ? 0 : exits(call);
}
int fails_later(const ipu_user_call* call) {
    return behaves(call) ? 0 : fails(call);
}
int loops_later(const ipu_user_call* call) {
    return behaves(call) ? 0 : loops(call);
}
int writes_outside_later(const ipu_user_call* call) {
    return behaves(call) ? 0 : writes_outside(call);
}
int leaves_a_process(const ipu_user_call* call) {
    copy(call);
    static bool isLeft = false;
    if (std::exchange(isLeft, true) || fork() != 0)
        return 0;
    const int file = open("left-process.txt", O_WRONLY | O_APPEND | O_CREAT, 0600);
    const std::string line = std::to_string(getpid()) + "\n";
    if (write(file, line.data(), line.size()) < 0)
        _exit(9);
    while (true)
        sleep(1);
}
int closes_later(const ipu_user_call* call) {
    if (behaves(call))
        return 0;
    for (int descriptor = 3; descriptor < 16; ++descriptor)
        close(descriptor);
    return loops(call);
}
}
