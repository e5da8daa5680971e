#include "core/platform/trial_process.h"

#include "core/platform/file_descriptor.h"

#include <array>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

namespace core {

TrialEnding tryInCopy(const std::function<void()>& trial, std::span<std::byte> answer, unsigned seconds) {
    using Kind = TrialEnding::Kind;
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0)
        return {Kind::NoPipe};
    FileDescriptor reading(ends[0]);
    FileDescriptor writing(ends[1]);
    const pid_t child = ::fork();
    if (child == 0) {
        for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM})
            std::signal(signal, SIG_DFL);
        ::alarm(seconds);
        trial();
        const bool isTold = writeAll(writing, {reinterpret_cast<const char*>(answer.data()), answer.size()});
        _exit(isTold ? 0 : 1);
    }
    writing.close();
    if (child < 0)
        return {Kind::NotStarted};
    bool isRead = true;
    for (std::span<std::byte> left = answer; isRead && !left.empty();) {
        const auto count = readSome(reading, left);
        isRead = count.value_or(0) > 0;
        left = left.subspan(count.value_or(0));
    }
    int status = 0;
    if (::waitpid(child, &status, 0) < 0)
        return {Kind::NotStarted};
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGALRM ? TrialEnding{Kind::TooSlow}
                                           : TrialEnding{Kind::Crashed, strsignal(WTERMSIG(status))};
    return {isRead && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? Kind::Answered : Kind::Exited};
}

} // namespace core
