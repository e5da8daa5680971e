#pragma once

#include "core/profile/analysis/path/path_part.h"
#include "views/profile/profile_query.h"
#include "views/profile/profile_source.h"
#include "views/timeline/painting/timeline_scene.h"

#include <QObject>
#include <array>
#include <filesystem>
#include <functional>
#include <optional>

namespace views {

/// Simulates the step of a stored run with each part of it faster. `folder`: what relative paths of its
/// project start from. Called on a worker.
using FasterPartsSource = std::function<core::Result<core::FasterParts>(
    const core::RunSummary& run, const std::vector<core::PathPart>& parts,
    const std::filesystem::path& folder, const core::JobContext& job)>;

/// Fetches what a timeline shows, off the window's thread; what is on its way leaves the last answer in
/// place.
class TimelineLoader final : public QObject {
    Q_OBJECT

public:
    explicit TimelineLoader(ProfileSource& source, QObject* parent = nullptr);

    void setRun(std::optional<core::RunId> run);
    [[nodiscard]] std::optional<core::RunId> run() const { return m_run; }

    /// Null until loaded.
    [[nodiscard]] std::shared_ptr<const TimelineFrame> frame() const { return m_frame; }
    /// Null until loaded, which is after the frame.
    [[nodiscard]] std::shared_ptr<const TimelineSlots> updateSlots() const { return m_slots; }
    [[nodiscard]] std::shared_ptr<const StagePrograms> programs() const { return m_programs; }
    [[nodiscard]] std::shared_ptr<const core::TimelineWindow> window() const { return m_window; }
    [[nodiscard]] std::shared_ptr<const LaneShares> shares() const { return m_shares; }
    [[nodiscard]] std::shared_ptr<const core::TimelineWindow> overview() const { return m_overview; }
    [[nodiscard]] std::shared_ptr<const std::vector<std::vector<core::SpanRecord>>> flows() const {
        return m_flows;
    }
    /// Null until asked for and loaded.
    [[nodiscard]] std::shared_ptr<const CriticalSpans> critical() const { return m_critical; }
    /// Why there is none; empty while it is on its way.
    [[nodiscard]] const core::Diagnostics& criticalTrouble() const { return m_criticalTrouble; }
    /// What the step takes with a part of the critical path faster; null until asked for and simulated.
    [[nodiscard]] std::shared_ptr<const core::FasterParts> fasterParts() const { return m_fasterParts; }
    /// Why there is none.
    [[nodiscard]] const core::Diagnostics& fasterTrouble() const { return m_fasterTrouble; }
    /// Null until asked for and loaded.
    [[nodiscard]] std::shared_ptr<const ProgramDepths> depths() const { return m_depths; }
    [[nodiscard]] std::shared_ptr<const OperationsByName> operations() const { return m_operations; }
    /// Null until asked for and loaded.
    [[nodiscard]] std::shared_ptr<const core::CounterWindow> counters() const { return m_counters; }
    [[nodiscard]] std::shared_ptr<const core::CounterRates> counterTops() const { return m_counterTops; }
    /// Why there is no frame.
    [[nodiscard]] const core::Diagnostics& trouble() const { return m_trouble; }
    [[nodiscard]] bool isLoading() const { return m_frameQuery.isBusy(); }

    /// Nothing is asked that is already here.
    void requestWindow(const TimelineViewport& view, double width);
    void requestOverview(std::int64_t bins);
    void requestFlows(const std::vector<std::int64_t>& microBatches);

    void requestCriticalPath();
    /// Once the critical path is here; nothing without a source.
    void requestFasterParts(const std::filesystem::path& folder);
    [[nodiscard]] bool simulatesFasterParts() const { return m_fasterSource != nullptr; }
    void setFasterPartsSource(FasterPartsSource source) { m_fasterSource = std::move(source); }
    void requestDepths();
    void requestCounters(const TimelineViewport& view, double width, const std::set<core::Counter>& counters);

    /// What of all that was asked for is on damaged pages.
    [[nodiscard]] std::vector<std::string> losses() const;

    /// Any other question about the run; a new one of the same `query` replaces the old.
    template <class Answer>
    void ask(ProfileQuery& query, std::function<core::Result<Answer>(const core::ProfileDatabase&)> question,
             std::function<void(core::Result<Answer>)> deliver) {
        query.request<Answer>(m_source.path(), std::move(question), std::move(deliver));
    }

signals:
    void frameChanged();
    /// Slots, window, overview, flows, the critical path, faster parts or what runs inside stage programs
    /// have come.
    void dataChanged();

private:
    void reload();
    void clear();
    void requestSlots();
    void requestCounterTops();
    void askOverview();

    ProfileSource& m_source;
    std::optional<core::RunId> m_run;
    std::shared_ptr<const TimelineFrame> m_frame;
    std::shared_ptr<const TimelineSlots> m_slots;
    std::shared_ptr<const StagePrograms> m_programs;
    std::shared_ptr<const core::TimelineWindow> m_window;
    std::shared_ptr<const LaneShares> m_shares;
    std::shared_ptr<const core::TimelineWindow> m_overview;
    std::shared_ptr<const std::vector<std::vector<core::SpanRecord>>> m_flows;
    std::shared_ptr<const CriticalSpans> m_critical;
    core::Diagnostics m_criticalTrouble;
    FasterPartsSource m_fasterSource;
    std::shared_ptr<const core::FasterParts> m_fasterParts;
    core::Diagnostics m_fasterTrouble;
    std::shared_ptr<const ProgramDepths> m_depths;
    std::shared_ptr<const OperationsByName> m_operations;
    std::shared_ptr<const core::CounterWindow> m_counters;
    std::shared_ptr<const core::CounterRates> m_counterTops;
    core::CounterRequest m_askedCounters;
    core::Diagnostics m_trouble;
    std::optional<core::TimelineRequest> m_askedWindow;
    std::int64_t m_askedOverview = 0;
    std::vector<std::int64_t> m_askedFlows;
    ProfileQuery m_frameQuery;
    ProfileQuery m_slotQuery;
    ProfileQuery m_windowQuery;
    ProfileQuery m_overviewQuery;
    ProfileQuery m_flowQuery;
    ProfileQuery m_criticalQuery;
    ProfileQuery m_fasterQuery;
    ProfileQuery m_depthQuery;
    ProfileQuery m_counterQuery;
    ProfileQuery m_topQuery;
    /// Of the run that is shown, as they are named above.
    std::array<ProfileQuery*, 9> m_queries{&m_frameQuery,    &m_slotQuery,    &m_windowQuery,
                                           &m_overviewQuery, &m_flowQuery,    &m_criticalQuery,
                                           &m_depthQuery,    &m_counterQuery, &m_topQuery};
};

} // namespace views
