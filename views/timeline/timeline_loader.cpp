#include "views/timeline/timeline_loader.h"

#include "core/profile/queries/run_queries.h"
#include "views/timeline/painting/timeline_picture.h"

namespace views {

namespace {

struct FrameAndPrograms {
    std::shared_ptr<const TimelineFrame> frame;
    std::shared_ptr<const StagePrograms> programs;
};

core::Result<FrameAndPrograms> loadFrameAndPrograms(const core::ProfileDatabase& database, core::RunId run) {
    core::Result<TimelineFrame> frame = loadTimelineFrame(database, run);
    if (!frame)
        return core::failure(frame.error());
    if (std::optional<core::Diagnostic> objection = timelineObjection(*frame))
        return core::failure(*std::move(objection));
    core::Result<StagePrograms> programs = loadStagePrograms(database, *frame);
    if (!programs)
        return core::failure(programs.error());
    return FrameAndPrograms{std::make_shared<const TimelineFrame>(*std::move(frame)),
                            std::make_shared<const StagePrograms>(*std::move(programs))};
}

struct WindowAndShares {
    std::shared_ptr<const core::TimelineWindow> window;
    std::shared_ptr<const LaneShares> shares;
};

core::Result<WindowAndShares> loadWindow(const core::ProfileDatabase& database,
                                         const core::TimelineRequest& request) {
    core::Result<core::TimelineWindow> window = core::loadTimeline(database, request);
    if (!window)
        return core::failure(window.error());
    auto shares = std::make_shared<const LaneShares>(laneShares(*window));
    return WindowAndShares{std::make_shared<const core::TimelineWindow>(*std::move(window)),
                           std::move(shares)};
}

/// The loaded part holds the wanted one at a resolution that is neither too coarse nor far too fine.
bool serves(const core::TimelineRequest& loaded, const core::TimelineRequest& wanted) {
    if (loaded.run != wanted.run || loaded.from > wanted.from || loaded.to < wanted.to)
        return false;
    const auto density = [](const core::TimelineRequest& r) {
        return static_cast<double>(r.binCount) / static_cast<double>((r.to - r.from).value());
    };
    const double quotient = density(loaded) / density(wanted);
    return quotient > 0.8 && quotient < 1.6;
}

} // namespace

TimelineLoader::TimelineLoader(ProfileSource& source, QObject* parent)
    : QObject(parent)
    , m_source(source) {
    connect(&source, &ProfileSource::changed, this, &TimelineLoader::reload);
}

void TimelineLoader::setRun(std::optional<core::RunId> run) {
    if (run == m_run)
        return;
    m_run = run;
    // What is shown stays until the other run is here.
    if (!run)
        clear();
    reload();
}

void TimelineLoader::clear() {
    m_frame.reset();
    m_slotQuery.cancel();
    m_slots.reset();
    m_programs.reset();
    m_window.reset();
    m_shares.reset();
    m_overview.reset();
    m_flows.reset();
    m_critical.reset();
    m_criticalTrouble.clear();
    m_fasterQuery.cancel();
    m_fasterParts.reset();
    m_fasterTrouble.clear();
    m_depths.reset();
    m_operations.reset();
    m_counters.reset();
    m_topQuery.cancel();
    m_counterTops.reset();
    m_askedCounters = {};
    m_trouble.clear();
    m_askedWindow.reset();
    m_askedOverview = 0;
    m_askedFlows.clear();
    for (ProfileQuery* query : m_queries)
        if (query != &m_frameQuery) // whose answer is what clears
            query->forgetLosses();
    emit frameChanged();
}

void TimelineLoader::reload() {
    if (!m_run || m_source.path().empty()) {
        m_frameQuery.cancel();
        m_frameQuery.forgetLosses();
        if (m_frame)
            clear();
        return;
    }
    const core::RunId run = *m_run;
    m_frameQuery.request<FrameAndPrograms>(
        m_source.path(),
        [run](const core::ProfileDatabase& database) { return loadFrameAndPrograms(database, run); },
        [this](core::Result<FrameAndPrograms> answer) {
            clear();
            if (answer) {
                m_frame = answer->frame;
                m_programs = answer->programs;
            } else {
                m_trouble = answer.error();
            }
            emit frameChanged();
        });
}

std::vector<std::string> TimelineLoader::losses() const {
    std::vector<std::string> all;
    for (const ProfileQuery* query : m_queries)
        for (const std::string& part : query->losses())
            if (std::ranges::find(all, part) == all.end())
                all.push_back(part);
    return all;
}

void TimelineLoader::requestSlots() {
    if (!m_frame)
        return;
    const core::RunId run = m_frame->run;
    m_slotQuery.request<TimelineSlots>(
        m_source.path(),
        [run](const core::ProfileDatabase& database) { return loadTimelineSlots(database, run); },
        [this](core::Result<TimelineSlots> answer) {
            if (!answer)
                return;
            m_slots = std::make_shared<const TimelineSlots>(*std::move(answer));
            emit dataChanged();
        });
}

void TimelineLoader::requestWindow(const TimelineViewport& view, double width) {
    if (!m_frame || width < 1)
        return;
    if (m_askedWindow && serves(*m_askedWindow, windowRequest(*m_frame, view, width)))
        return;
    constexpr double margin = 0.5;
    const core::TimelineRequest request = windowRequest(*m_frame, view, width, margin);
    m_askedWindow = request;
    m_windowQuery.request<WindowAndShares>(
        m_source.path(),
        [request](const core::ProfileDatabase& database) { return loadWindow(database, request); },
        [this](core::Result<WindowAndShares> answer) {
            if (!answer)
                return;
            m_window = answer->window;
            m_shares = answer->shares;
            emit dataChanged();
            if (m_askedOverview > 0 && !m_overview && !m_overviewQuery.isBusy())
                askOverview();
            if (!m_slots && !m_slotQuery.isBusy())
                requestSlots();
        });
}

void TimelineLoader::requestOverview(std::int64_t bins) {
    if (!m_frame || bins < 1 || bins == m_askedOverview)
        return;
    m_askedOverview = bins;
    // The lanes come first.
    if (m_window)
        askOverview();
}

void TimelineLoader::askOverview() {
    const core::TimelineRequest request{
        m_frame->run, core::Cycles(), m_frame->step, m_askedOverview, {core::LaneKind::Compute}};
    m_overviewQuery.request<core::TimelineWindow>(
        m_source.path(),
        [request](const core::ProfileDatabase& database) { return core::loadTimeline(database, request); },
        [this](core::Result<core::TimelineWindow> answer) {
            if (!answer)
                return;
            m_overview = std::make_shared<const core::TimelineWindow>(*std::move(answer));
            emit dataChanged();
        });
}

void TimelineLoader::requestCriticalPath() {
    if (!m_frame || m_critical || !m_criticalTrouble.empty() || m_criticalQuery.isBusy())
        return;
    const core::RunId run = m_frame->run;
    m_criticalQuery.request<CriticalSpans>(
        m_source.path(),
        [run](const core::ProfileDatabase& database) { return loadCriticalSpans(database, run); },
        [this, run](core::Result<CriticalSpans> answer) {
            if (!m_frame || m_frame->run != run)
                return;
            if (answer)
                m_critical = std::make_shared<const CriticalSpans>(*std::move(answer));
            else
                m_criticalTrouble = answer.error();
            emit dataChanged();
        });
}

void TimelineLoader::requestFasterParts(const std::filesystem::path& folder) {
    if (!m_critical || !m_fasterSource || m_fasterParts || !m_fasterTrouble.empty() || m_fasterQuery.isBusy())
        return;
    const core::RunId run = m_frame->run;
    m_fasterQuery.requestWork<core::FasterParts>(
        m_source.path(),
        [run, folder, critical = m_critical,
         simulate = m_fasterSource](const core::ProfileDatabase& database,
                                    const core::JobContext& job) -> core::Result<core::FasterParts> {
            const auto summary = core::loadRun(database, run);
            if (!summary)
                return core::failure(summary.error());
            return simulate(*summary, core::partsOf(critical->path), folder, job);
        },
        [this, run](core::Result<core::FasterParts> answer) {
            if (!m_frame || m_frame->run != run)
                return;
            if (answer)
                m_fasterParts = std::make_shared<const core::FasterParts>(*std::move(answer));
            else
                m_fasterTrouble = answer.error();
            emit dataChanged();
        });
}

void TimelineLoader::requestDepths() {
    if (!m_frame || m_depths || m_depthQuery.isBusy())
        return;
    const core::RunId run = m_frame->run;
    struct Inside {
        ProgramDepths depths;
        OperationsByName operations;
    };
    m_depthQuery.request<Inside>(
        m_source.path(),
        [run](const core::ProfileDatabase& database) -> core::Result<Inside> {
            auto depths = loadProgramDepths(database, run);
            if (!depths)
                return core::failure(depths.error());
            auto operations = loadOperationsByName(database, run);
            if (!operations)
                return core::failure(operations.error());
            return Inside{*std::move(depths), *std::move(operations)};
        },
        [this, run](core::Result<Inside> answer) {
            if (!answer || !m_frame || m_frame->run != run)
                return;
            m_depths = std::make_shared<const ProgramDepths>(std::move(answer->depths));
            m_operations = std::make_shared<const OperationsByName>(std::move(answer->operations));
            emit dataChanged();
        });
}

void TimelineLoader::requestCounters(const TimelineViewport& view, double width,
                                     const std::set<core::Counter>& counters) {
    if (!m_frame || width < 1 || counters.empty())
        return;
    requestCounterTops();
    const core::TimelineRequest window = windowRequest(*m_frame, view, width);
    core::CounterRequest request{window.run, window.from, window.to, window.binCount, {}};
    request.counters.assign(counters.begin(), counters.end());
    if (request == m_askedCounters)
        return;
    m_askedCounters = request;
    m_counterQuery.request<core::CounterWindow>(
        m_source.path(),
        [request](const core::ProfileDatabase& database) { return core::loadCounters(database, request); },
        [this](core::Result<core::CounterWindow> answer) {
            if (!answer)
                return;
            m_counters = std::make_shared<const core::CounterWindow>(*std::move(answer));
            emit dataChanged();
        });
}

void TimelineLoader::requestCounterTops() {
    if (m_counterTops || m_topQuery.isBusy())
        return;
    const core::RunId run = m_frame->run;
    m_topQuery.request<core::CounterRates>(
        m_source.path(),
        [run](const core::ProfileDatabase& database) { return core::highestRates(database, run); },
        [this](core::Result<core::CounterRates> answer) {
            if (!answer)
                return;
            m_counterTops = std::make_shared<const core::CounterRates>(*answer);
            emit dataChanged();
        });
}

void TimelineLoader::requestFlows(const std::vector<std::int64_t>& microBatches) {
    if (!m_frame || microBatches == m_askedFlows)
        return;
    m_askedFlows = microBatches;
    using Flows = std::vector<std::vector<core::SpanRecord>>;
    const core::RunId run = m_frame->run;
    m_flowQuery.request<Flows>(
        m_source.path(),
        [run, microBatches](const core::ProfileDatabase& database) -> core::Result<Flows> {
            Flows flows;
            for (const std::int64_t microBatch : microBatches) {
                auto spans = core::microBatchSpans(database, run, microBatch);
                if (!spans)
                    return core::failure(spans.error());
                flows.push_back(*std::move(spans));
            }
            return flows;
        },
        [this](core::Result<Flows> answer) {
            if (!answer)
                return;
            m_flows = std::make_shared<const Flows>(*std::move(answer));
            emit dataChanged();
        });
}

} // namespace views
