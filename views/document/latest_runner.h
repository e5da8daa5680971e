#pragma once

#include "core/base/job_context.h"

#include <QEvent>
#include <QObject>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

namespace views {

/// Runs one job at a time on a thread of its own, of which only the latest matters: a new request asks the
/// running one to stop, waits behind it, and replaces any other that waits. Results arrive on the thread of
/// the owner, behind a frame that is due, and only those of the latest request do. Destroying the runner
/// stops the job and waits for it.
///
/// Snapshot in, immutable result out: `Input` must not refer to anything that others change.
class LatestRunner final : public QObject {
    Q_OBJECT

public:
    /// The work, off the owner's thread; answers what is to be done with the result, on the owner's thread.
    using Deliver = std::function<void()>;
    using Work = std::function<Deliver(const core::JobContext&)>;

    explicit LatestRunner(QObject* parent = nullptr);
    ~LatestRunner() override;

    void request(Work work);
    /// Forgets what waits, stops what runs.
    void cancel();
    [[nodiscard]] bool isBusy() const { return m_isRunning || m_waiting != nullptr; }

signals:
    void busyChanged(bool busy);

protected:
    void customEvent(QEvent* event) override;

private:
    void start(Work work);
    void finished(std::uint64_t ticket, const Deliver& deliver);

    QThreadPool m_pool;
    Work m_waiting;
    bool m_isRunning = false;
    std::uint64_t m_ticket = 0;
    std::stop_source m_stop;
};

} // namespace views
