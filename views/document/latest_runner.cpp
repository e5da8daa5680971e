#include "views/document/latest_runner.h"

#include <QCoreApplication>

namespace views {

namespace {

/// The end of a job, on its way to the owner's thread.
class JobEnd final : public QEvent {
public:
    JobEnd(std::uint64_t ticket, LatestRunner::Deliver deliver)
        : QEvent(QEvent::User)
        , ticket(ticket)
        , deliver(std::move(deliver)) {}

    std::uint64_t ticket;
    LatestRunner::Deliver deliver;
};

} // namespace

LatestRunner::LatestRunner(QObject* parent)
    : QObject(parent) {
    m_pool.setMaxThreadCount(1);
    m_pool.setExpiryTimeout(-1);
}

LatestRunner::~LatestRunner() {
    m_stop.request_stop();
    m_pool.waitForDone();
}

void LatestRunner::request(Work work) {
    ++m_ticket;
    if (!m_isRunning) {
        start(std::move(work));
        return;
    }
    m_stop.request_stop();
    m_waiting = std::move(work);
}

void LatestRunner::cancel() {
    ++m_ticket;
    m_waiting = nullptr;
    m_stop.request_stop();
}

void LatestRunner::start(Work work) {
    m_isRunning = true;
    m_stop = std::stop_source();
    emit busyChanged(true);
    core::JobContext job{m_stop.get_token(), {}};
    m_pool.start([this, ticket = m_ticket, job = std::move(job), work = std::move(work)] {
        Deliver deliver = work(job);
        // Windows draw at a low priority: what was changed is seen before what is known about it.
        QCoreApplication::postEvent(this, new JobEnd(ticket, std::move(deliver)), Qt::LowEventPriority - 1);
    });
}

void LatestRunner::customEvent(QEvent* event) {
    const auto& end = static_cast<const JobEnd&>(*event);
    finished(end.ticket, end.deliver);
}

void LatestRunner::finished(std::uint64_t ticket, const Deliver& deliver) {
    m_isRunning = false;
    const bool isLatest = ticket == m_ticket;
    if (m_waiting)
        start(std::exchange(m_waiting, nullptr));
    else
        emit busyChanged(false);
    if (isLatest && deliver)
        deliver();
}

} // namespace views
