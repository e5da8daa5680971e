#include "app/verbs/base/interruption.h"

#include "app/reports/exit_code.h"

#include <csignal>
#include <ctime>
#include <pthread.h>
#include <unistd.h>

namespace app {

namespace {

sigset_t watchedSignals() {
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGINT);
    sigaddset(&watched, SIGTERM);
    sigaddset(&watched, SIGHUP);
    return watched;
}

/// Waits for a signal; false after `seconds` without one.
bool waitForSignal(long seconds, long nanoseconds) {
    const sigset_t watched = watchedSignals();
    const timespec timeout{seconds, nanoseconds};
    return sigtimedwait(&watched, nullptr, &timeout) > 0;
}

} // namespace

Interruption::Interruption() {
    // Threads made later inherit the mask, so that only the watcher takes them.
    const sigset_t watched = watchedSignals();
    pthread_sigmask(SIG_BLOCK, &watched, nullptr);
    m_thread = std::thread([this] { watch(); });
}

Interruption::~Interruption() {
    m_isOver = true;
    m_thread.join();
}

void Interruption::watch() {
    constexpr long pollNanoseconds = 20'000'000;
    while (!m_isOver && !waitForSignal(0, pollNanoseconds)) {
    }
    if (m_isOver)
        return;
    m_source.request_stop();
    constexpr int patience = 25; // polls: half a second
    for (int i = 0; i < patience && !m_isOver; ++i) {
        if (waitForSignal(0, pollNanoseconds))
            break;
    }
    if (!m_isOver)
        _exit(static_cast<int>(ExitCode::Interrupted));
}

} // namespace app
