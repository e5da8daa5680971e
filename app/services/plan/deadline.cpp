#include "app/services/plan/deadline.h"

#include <chrono>

namespace app {

Deadline::Deadline(const core::JobContext& job, double seconds)
    : m_progress(job.progress)
    , m_asked(job.stopToken, Stop{m_source})
    , m_clock([this, seconds](const std::stop_token& isOver) {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, isOver, std::chrono::duration<double>(seconds),
                           [&] { return isOver.stop_requested(); });
        if (!isOver.stop_requested())
            m_source.request_stop();
    }) {}

} // namespace app
