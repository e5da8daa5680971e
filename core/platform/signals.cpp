#include "core/platform/signals.h"

#include <csignal>
#include <ctime>
#include <pthread.h>
#include <unistd.h>

namespace core {

namespace {

sigset_t endingSignals() {
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGINT);
    sigaddset(&watched, SIGTERM);
    // A program that nohup started does not hear the end of its terminal.
    struct sigaction current {};
    if (sigaction(SIGHUP, nullptr, &current) == 0 && current.sa_handler != SIG_IGN)
        sigaddset(&watched, SIGHUP);
    return watched;
}

} // namespace

void holdEndingSignals() {
    // Threads made later inherit the mask, so that only who waits takes them.
    const sigset_t watched = endingSignals();
    pthread_sigmask(SIG_BLOCK, &watched, nullptr);
}

bool awaitEndingSignal(std::int64_t milliseconds) {
    const sigset_t watched = endingSignals();
    const timespec timeout{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
    return sigtimedwait(&watched, nullptr, &timeout) > 0;
}

void refuseOversizedFiles() {
    std::signal(SIGXFSZ, SIG_IGN);
}

void endAtOnce(int code, std::string_view lastWords) {
    if (!lastWords.empty() && ::write(STDERR_FILENO, lastWords.data(), lastWords.size()) < 0)
        _exit(code); // nobody reads them
    _exit(code);
}

} // namespace core
