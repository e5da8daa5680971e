#include "core/interchange/archive/bounded_child.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <new>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace core {

namespace {

constexpr int tookTooMuch = 3;
constexpr int couldNotTell = 4;

std::int64_t nowMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

/// Of the address space of this process.
std::uint64_t addressBytes() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void bound(const ChildLimits& limits) {
    const auto set = [](__rlimit_resource resource, std::uint64_t value) {
        const rlimit limit{value, value};
        setrlimit(resource, &limit);
    };
    // A sanitizer's shadow is larger than any machine; nothing can be bounded beside it.
    constexpr std::uint64_t shadow = std::uint64_t{1} << 42U;
    if (const std::uint64_t used = addressBytes(); used > 0 && used < shadow)
        set(RLIMIT_AS, used + limits.memoryBytes);
    set(RLIMIT_CPU, limits.seconds + 1);
    set(RLIMIT_CORE, 0);
}

[[noreturn]] void workInChild(const std::function<void(const ChildWriter& write)>& work,
                              const ChildLimits& limits, int out) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU})
        std::signal(signal, SIG_DFL);
    bound(limits);
    const ChildWriter write = [out](std::string_view piece) {
        while (!piece.empty()) {
            const ssize_t count = ::write(out, piece.data(), piece.size());
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0)
                _exit(couldNotTell);
            piece.remove_prefix(static_cast<std::size_t>(count));
        }
    };
    try {
        work(write);
    } catch (const std::bad_alloc&) {
        _exit(tookTooMuch);
    } catch (...) {
        _exit(couldNotTell);
    }
    _exit(0);
}

/// Until the child closes its end; false when it took too long or told too much.
ChildEnd readAll(int in, const ChildLimits& limits, std::string& text) {
    const std::int64_t deadline = nowMilliseconds() + static_cast<std::int64_t>(limits.seconds) * 1000;
    std::array<char, 1 << 16> block{};
    while (true) {
        pollfd ready{in, POLLIN, 0};
        const std::int64_t left = deadline - nowMilliseconds();
        if (left <= 0)
            return ChildEnd::TookTooLong;
        const int polled = ::poll(&ready, 1, static_cast<int>(left));
        if (polled < 0 && errno != EINTR)
            return ChildEnd::Crashed;
        if (polled <= 0)
            continue;
        const ssize_t count = ::read(in, block.data(), block.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count == 0 ? ChildEnd::Answered : ChildEnd::Crashed;
        text.append(block.data(), static_cast<std::size_t>(count));
        if (text.size() > limits.answerBytes)
            return ChildEnd::TookTooMuch;
    }
}

} // namespace

ChildAnswer askChild(const std::function<void(const ChildWriter& write)>& work, const ChildLimits& limits) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return {ChildEnd::NotStarted, {}};
    const pid_t child = ::fork();
    if (child == 0)
        workInChild(work, limits, ends[1]);
    ::close(ends[1]);
    ChildAnswer answer;
    answer.end = child < 0 ? ChildEnd::NotStarted : readAll(ends[0], limits, answer.text);
    ::close(ends[0]);
    if (child < 0)
        return answer;
    if (answer.end != ChildEnd::Answered)
        ::kill(child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (answer.end != ChildEnd::Answered || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
        return answer;
    const bool isLong = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
    const bool isMuch = WIFEXITED(status) && WEXITSTATUS(status) == tookTooMuch;
    answer.end = isLong ? ChildEnd::TookTooLong : isMuch ? ChildEnd::TookTooMuch : ChildEnd::Crashed;
    return answer;
}

} // namespace core
