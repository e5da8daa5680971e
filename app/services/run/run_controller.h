#pragma once

#include "app/services/run/prepare_run.h"
#include "core/base/ids.h"
#include "views/document/document.h"

#include <QElapsedTimer>
#include <QObject>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>

namespace views {
class TrainingFeed;
}

namespace app {

/// One run to be made.
struct RunOrder {
    views::ProjectSnapshot project;
    /// Names the project in diagnostics; its relative paths start at `folder`.
    std::string file;
    std::filesystem::path folder;
    std::filesystem::path database;
    SimulationOptions options;
};

/// How a run ended.
struct RunOutcome {
    views::ProjectSnapshot project;
    /// The complete run; nothing when it failed or was cancelled.
    std::optional<core::RunId> run;
    bool isCancelled = false;
    bool fits = true;
    core::Diagnostics findings;
    double seconds = 0;
};

/// Makes one run at a time on a thread of its own: snapshot in, complete run in the database out. A cancelled
/// run leaves no rows of results. Destroying the controller cancels and waits.
class RunController final : public QObject {
    Q_OBJECT

public:
    /// `datasets`: what is known of datasets already.
    explicit RunController(DatasetFactsCache& datasets, QObject* parent = nullptr);
    ~RunController() override;

    /// Does nothing while a run is under way.
    void start(RunOrder order);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_feed != nullptr; }
    /// Listens to the run under way; null when there is none.
    [[nodiscard]] views::TrainingFeed* feed() const { return m_feed.get(); }
    [[nodiscard]] double seconds() const { return double(m_clock.elapsed()) / 1000.0; }

signals:
    void started();
    /// At most some times per second; 0 … 1.
    void progressed(double fraction, const QString& activity);
    /// The feed is still there while this is emitted.
    void finished(const app::RunOutcome& outcome);

private:
    void work(const RunOrder& order, const std::stop_token& stop);
    void end(RunOutcome outcome);

    DatasetFactsCache& m_datasets;
    std::unique_ptr<views::TrainingFeed> m_feed;
    QElapsedTimer m_clock;
    std::jthread m_thread;
};

} // namespace app
