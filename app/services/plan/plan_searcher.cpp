#include "app/services/plan/plan_searcher.h"

#include "core/project/project_edit.h"
#include "views/plan/planner_view.h"

#include <chrono>

namespace app {

namespace {

using Clock = std::chrono::steady_clock;
/// A person sees no more than so many pictures; each costs the search and the window.
constexpr std::chrono::milliseconds restBetweenTellings{100};

simulator::PlanFreedom freedomOf(const views::PlannerQuestion& question) {
    const auto mayChange = [&](views::PlanPart part) { return question.mayChange[std::size_t(part)]; };
    return {.split = mayChange(views::PlanPart::Split),
            .replicas = mayChange(views::PlanPart::Replicas),
            .schedule = mayChange(views::PlanPart::Schedule),
            .microBatch = mayChange(views::PlanPart::MicroBatch),
            .recompute = mayChange(views::PlanPart::Recompute),
            .offload = mayChange(views::PlanPart::Offload),
            .memoryProportion = mayChange(views::PlanPart::MemoryProportion)};
}

/// What a search tells while it works, gathered so that the window is told now and then.
class Telling {
public:
    Telling(views::PlannerView& view, std::function<bool()> isWanted)
        : m_view(view)
        , m_isWanted(std::move(isWanted)) {}

    void found(const simulator::SearchedPlan& plan) {
        m_plans.push_back(plannedProject(plan));
        tellNowAndThen();
    }
    void report(double fraction, std::string_view activity) {
        m_fraction = fraction;
        m_activity = views::toQString(activity);
        tellNowAndThen();
    }
    void tell() {
        m_last = Clock::now();
        QMetaObject::invokeMethod(
            &m_view,
            [&view = m_view, isWanted = m_isWanted, plans = std::exchange(m_plans, {}), fraction = m_fraction,
             activity = m_activity]() mutable {
                if (!isWanted())
                    return;
                if (!plans.empty())
                    view.addPlans(std::move(plans));
                if (!activity.isEmpty())
                    view.setProgress(fraction, activity);
            },
            Qt::QueuedConnection);
    }

private:
    void tellNowAndThen() {
        if (Clock::now() - m_last >= restBetweenTellings)
            tell();
    }

    views::PlannerView& m_view;
    std::function<bool()> m_isWanted;
    std::vector<views::PlannedProject> m_plans;
    double m_fraction = 0;
    QString m_activity;
    Clock::time_point m_last;
};

} // namespace

views::PlannedProject plannedProject(const simulator::SearchedPlan& plan) {
    views::PlannedProject planned{.project = std::make_shared<const core::Project>(plan.project),
                                  .samplesPerSecond = plan.samplesPerSecond,
                                  .step = plan.step,
                                  .peak = plan.peak,
                                  .ipus = plan.ipus,
                                  .replicas = plan.choice.replicas,
                                  .stages = plan.choice.stages,
                                  .batchSize = plan.choice.batchSize,
                                  .accumulation = plan.choice.accumulation,
                                  .schedule = plan.choice.schedule,
                                  .recompute = plan.choice.recompute,
                                  .offload = {},
                                  .memoryProportion = plan.choice.memoryProportion};
    if (!plan.choice.offload.isNothing())
        planned.offload = views::toQString(simulator::toString(plan.choice.offload)).replace(u'_', u' ');
    return planned;
}

PlanSearcher::PlanSearcher(views::Document& document, ProjectChecks& checks, views::PlannerView& view)
    : QObject(&view)
    , m_document(document)
    , m_checks(checks)
    , m_view(view) {
    connect(&view, &views::PlannerView::searchWanted, this, &PlanSearcher::search);
    connect(&view, &views::PlannerView::stopWanted, this, [this] {
        ++m_asked;
        m_runner.cancel();
    });
}

void PlanSearcher::search(const views::PlannerQuestion& question) {
    const std::uint64_t asked = ++m_asked;
    m_runner.request([this, question, asked, snapshot = m_document.snapshot(),
                      file = m_document.path().string(), folder = m_document.folder()](
                         const core::JobContext& job) -> views::LatestRunner::Deliver {
        // Asked and answered on the thread of the view.
        const auto telling = std::make_shared<Telling>(m_view, [this, asked] { return asked == m_asked; });
        const auto check = m_checks.check(snapshot, file, folder);
        simulator::CompilationCache cache;
        const simulator::PlanSearchRequest request{
            .project = *snapshot,
            .facts = check->facts,
            .file = file,
            .folder = folder,
            .ipus = question.ipus,
            .effectiveBatch = question.effectiveBatch,
            .memoryLimit = question.memoryLimit,
            .freedom = freedomOf(question),
            .locks = core::lockedStages(*snapshot),
            .found = [telling](const simulator::SearchedPlan& plan) { telling->found(plan); }};
        const core::JobContext told{job.stopToken, [telling](double fraction, std::string_view activity) {
                                        telling->report(fraction, activity);
                                    }};
        auto outcome =
            std::make_shared<core::Result<simulator::PlanSearchOutcome>>(searchPlans(request, cache, told));
        telling->tell();
        return [this, outcome] {
            if (!*outcome)
                return m_view.fail(outcome->error());
            const simulator::PlanSearchOutcome& end = **outcome;
            m_view.finish({end.effectiveBatch, end.isProven, end.gap, end.isCut, end.choices, end.simulated});
        };
    });
}

} // namespace app
