#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace app {

/// Turns SIGINT, SIGTERM and SIGHUP into a stop request while it lives. The first asks; a second one, a third
/// of a second in which nothing is made that an end would leave unfinished (core/platform/work_scope.h), or
/// ten seconds without an end, ends the program at once with code 130. Make it before any other thread.
class Interruption {
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }
    [[nodiscard]] bool isRequested() const { return m_source.stop_requested(); }

private:
    void watch();

    std::stop_source m_source;
    std::atomic<bool> m_isOver = false;
    std::thread m_thread;
};

} // namespace app
