#include "app/services/run/run_controller.h"

#include "app/services/run/record_run.h"
#include "views/training/training_feed.h"

#include <QMetaObject>
#include <chrono>

namespace app {

namespace {

using Clock = std::chrono::steady_clock;

void tellPlan(const core::ValidatedProject& project, views::TrainingFeed& feed) {
    const std::int64_t epochs =
        project.mode() == core::RunMode::Train ? project.project().training.epochs : 1;
    feed.setPlan(project.executionsPerEpoch() * epochs, epochs);
}

/// Compiles, simulates, trains, stores.
RunOutcome makeRun(const RunOrder& order, PreparedRun& prepared, views::TrainingFeed& feed,
                   const core::JobContext& job) {
    RunOutcome outcome;
    outcome.project = order.project;
    outcome.findings = prepared.warnings;
    auto database = core::ProfileDatabase::open(order.database, {});
    if (!database) {
        outcome.findings = std::move(database.error());
        return outcome;
    }
    tellPlan(prepared.request.project, feed);
    prepared.request.kept.push_back(order.database);
    auto recorded = recordRun(prepared.request, *database, job, {.listener = &feed});
    if (!recorded) {
        outcome.isCancelled = job.isCancelled();
        outcome.findings = withFile(std::move(recorded.error()), order.file);
        return outcome;
    }
    outcome.run = recorded->id;
    outcome.fits = recorded->summary.fits;
    const core::Diagnostics found = withFile(std::move(recorded->summary.diagnostics), order.file);
    outcome.findings.insert(outcome.findings.end(), found.begin(), found.end());
    return outcome;
}

} // namespace

RunController::RunController(DatasetFactsCache& datasets, QObject* parent)
    : QObject(parent)
    , m_datasets(datasets) {}

RunController::~RunController() {
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
}

void RunController::start(RunOrder order) {
    if (isRunning())
        return;
    m_feed = std::make_unique<views::TrainingFeed>();
    m_clock.start();
    m_thread =
        std::jthread([this, order = std::move(order)](const std::stop_token& stop) { work(order, stop); });
    emit started();
}

void RunController::cancel() {
    m_thread.request_stop();
}

void RunController::work(const RunOrder& order, const std::stop_token& stop) {
    static constexpr auto interval = std::chrono::milliseconds(60);
    core::JobContext job;
    job.stopToken = stop;
    auto lastReport = std::make_shared<Clock::time_point>(Clock::now() - interval);
    job.progress = [this, lastReport](double fraction, std::string_view activity) {
        if (const auto now = Clock::now(); now - *lastReport >= interval) {
            *lastReport = now;
            QMetaObject::invokeMethod(
                this,
                [this, fraction, text = views::toQString(activity)] {
                    if (isRunning())
                        emit progressed(fraction, text);
                },
                Qt::QueuedConnection);
        }
    };
    RunOutcome outcome;
    auto prepared = prepareRun(*order.project, order.file, order.folder, order.options, m_datasets);
    if (prepared)
        outcome = makeRun(order, *prepared, *m_feed, job);
    else
        outcome.findings = std::move(prepared.error());
    outcome.project = order.project;
    QMetaObject::invokeMethod(
        this, [this, outcome = std::move(outcome)]() mutable { end(std::move(outcome)); },
        Qt::QueuedConnection);
}

void RunController::end(RunOutcome outcome) {
    outcome.seconds = seconds();
    m_thread.join();
    const std::unique_ptr<views::TrainingFeed> feed = std::move(m_feed);
    emit finished(outcome);
}

} // namespace app
