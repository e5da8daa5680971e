#include "app/verbs/base/interruption.h"

#include "app/reports/exit_code.h"
#include "core/base/file_limit.h"

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
    // A program that nohup started does not hear the end of its terminal.
    struct sigaction current {};
    if (sigaction(SIGHUP, nullptr, &current) == 0 && current.sa_handler != SIG_IGN)
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
    constexpr int patience = 500;        // polls: ten seconds
    constexpr int patienceToReader = 15; // polls in a row: a third of a second
    int readingPolls = 0;
    for (int i = 0; i < patience && readingPolls < patienceToReader && !m_isOver; ++i) {
        if (waitForSignal(0, pollNanoseconds))
            break;
        readingPolls = core::ReadingScope::isActive() ? readingPolls + 1 : 0;
    }
    if (!m_isOver)
        _exit(static_cast<int>(ExitCode::Interrupted));
}

} // namespace app
