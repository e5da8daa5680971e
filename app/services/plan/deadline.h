#pragma once

#include "core/base/job_context.h"

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace app {

/// Work that ends when it is told to, or after some time.
class Deadline {
public:
    /// `seconds` from now; work of `job` is stopped then too.
    Deadline(const core::JobContext& job, double seconds);

    /// What the work is given.
    [[nodiscard]] core::JobContext job() const { return {m_source.get_token(), m_progress}; }

private:
    struct Stop {
        std::stop_source source;
        void operator()() const { std::stop_source(source).request_stop(); }
    };

    std::stop_source m_source;
    core::Progress m_progress;
    std::stop_callback<Stop> m_asked;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    /// Last: joined before what it uses goes.
    std::jthread m_clock;
};

} // namespace app
