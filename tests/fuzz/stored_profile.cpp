#include "tests/fuzz/stored_profile.h"

#include "core/profile/analysis/compared/layer_times.h"
#include "core/profile/analysis/counter_queries.h"
#include "core/profile/analysis/path/critical_path.h"
#include "core/profile/analysis/quantity_words.h"
#include "core/profile/analysis/roofline.h"
#include "core/profile/analysis/run_search.h"
#include "core/profile/analysis/run_verdict.h"
#include "core/profile/analysis/step_division.h"
#include "core/profile/analysis/time_tree.h"
#include "core/profile/exports/chrome_trace.h"
#include "core/profile/exports/csv.h"
#include "core/profile/exports/perfetto_trace.h"
#include "core/profile/notes/store/note_store.h"
#include "core/profile/queries/comparison.h"
#include "core/profile/queries/damage_report.h"
#include "core/profile/queries/memory_queries.h"
#include "core/profile/queries/metric_explanation.h"
#include "core/profile/queries/program_queries.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/schedule_bands.h"
#include "core/profile/queries/sweep_queries.h"
#include "core/profile/queries/timeline_queries.h"
#include "core/profile/queries/training_queries.h"
#include "core/profile/schema/profile_database.h"

#include <algorithm>
#include <vector>

namespace {

void readRun(const core::ProfileDatabase& database, core::RunId run) {
    if (const auto summary = core::loadRun(database, run))
        for (const std::string& metric : core::explainedMetrics(*summary))
            static_cast<void>(core::explain(*summary, metric));
    if (const auto provenance = core::loadProvenance(database, run))
        static_cast<void>(core::provenanceJson(*provenance));
    static_cast<void>(core::loadDiagnostics(database, run));
    static_cast<void>(core::loadLanes(database, run));
    static_cast<void>(core::loadExecutions(database, run));
    static_cast<void>(core::loadSpans(database, run));
    static_cast<void>(core::loadOutlineSpans(database, run));
    static_cast<void>(core::areaStatistics(database, run, core::Cycles(0), core::Cycles(1'000'000)));
    static_cast<void>(core::microBatchSpans(database, run, 1));
    static_cast<void>(core::idleGaps(database, run));
    static_cast<void>(core::findSpans(database, run, core::parseSpanFilter("stage:0 dense")));
    static_cast<void>(core::loadSlots(database, run));
    static_cast<void>(core::loadBands(database, run));
    static_cast<void>(core::loadOperations(database, run));
    static_cast<void>(core::loadProgram(database, run));
    static_cast<void>(core::loadStagePrograms(database, run));
    static_cast<void>(core::loadLayers(database, run));
    for (const std::size_t ipu : {0, 1}) {
        static_cast<void>(core::livenessCurve(database, run, core::IpuId(ipu), 100));
        static_cast<void>(core::liveRanges(database, run, core::IpuId(ipu)));
        static_cast<void>(core::loadLivenessSteps(database, run, core::IpuId(ipu)));
        static_cast<void>(core::programLiveness(database, run, core::IpuId(ipu)));
        static_cast<void>(core::loadTileMemory(database, run, core::IpuId(ipu)));
    }
    static_cast<void>(core::loadMetrics(database, run));
    static_cast<void>(core::loadCallbacks(database, run));
    static_cast<void>(core::loadTensorStatistics(database, run));
    static_cast<void>(core::loadConfusion(database, run));
    static_cast<void>(core::loadSamplePredictions(database, run));
    static_cast<void>(core::loadSampleImages(database, run));
    static_cast<void>(core::loadModelOutputs(database, run));
    static_cast<void>(core::loadOutputValues(database, run));
    core::TimelineRequest window;
    window.run = run;
    window.to = core::Cycles(1'000'000);
    for (const std::int64_t bins : {3, 1000}) {
        window.binCount = bins;
        static_cast<void>(core::loadTimeline(database, window));
        static_cast<void>(
            core::loadCounters(database, {run,
                                          window.from,
                                          window.to,
                                          bins,
                                          {core::Counter::BusyTiles, core::Counter::LinkBytes,
                                           core::Counter::HostBytes, core::Counter::RemoteBytes}}));
    }
    if (const auto pieces = core::loadTimePieces(database, run))
        for (std::size_t i = 0; i < core::timeGroupingCount; ++i)
            static_cast<void>(core::timeTree(*pieces, static_cast<core::TimeGrouping>(i)));
    constexpr double clockHz = 1.33e9;
    static_cast<void>(core::loadRunVerdict(database, run, core::plainWords(clockHz)));
    static_cast<void>(core::loadCriticalPath(database, run));
    static_cast<void>(core::loadRoofline(database, run));
    static_cast<void>(core::loadStepDivision(database, run));
    static_cast<void>(core::searchRun(database, run, "dense"));
    static_cast<void>(core::loadNotes(database, run));
    for (const std::string& table : core::exportTableNames())
        if (const auto rows = core::exportTable(database, run, table))
            static_cast<void>(core::toCsv(*rows));
    if (const auto content = core::loadPerfettoTrace(database, run, core::PerfettoDetail::Operations)) {
        static_cast<void>(core::chromeTrace(content->trace, content->memory));
        static_cast<void>(core::perfettoTrace(*content));
    }
}

} // namespace

void readStoredProfile(const std::filesystem::path& path) {
    core::DatabaseOptions options;
    options.access = core::DatabaseAccess::ReadOnly;
    const auto database = core::ProfileDatabase::open(path, options);
    if (!database)
        return;
    static_cast<void>(core::damageOf(*database));
    static_cast<void>(core::loadQueries(*database));
    if (const auto sweeps = core::listSweeps(*database); sweeps && !sweeps->empty()) {
        if (const auto points = core::loadPoints(*database, sweeps->front().id))
            static_cast<void>(core::paretoFront(*points));
        static_cast<void>(core::donePoints(*database, sweeps->front().id));
        static_cast<void>(core::loadSweepResults(*database, sweeps->front().id));
        static_cast<void>(core::forEachFittingPoint(*database, sweeps->front().id,
                                                    [](const core::SweepPointRecord&) { return true; }));
    }
    const auto runs = core::listRuns(*database);
    if (!runs)
        return;
    constexpr std::size_t most = 2;
    std::vector<core::RunId> first;
    for (std::size_t i = 0; i < std::min(runs->size(), most); ++i)
        first.push_back((*runs)[i].run);
    for (const core::RunId run : first)
        readRun(*database, run);
    if (first.size() == most)
        if (const auto comparison = core::compareRuns(*database, first, first.front())) {
            static_cast<void>(core::compareSteps(*database, *comparison));
            static_cast<void>(core::compareLayers(*database, *comparison));
        }
}
