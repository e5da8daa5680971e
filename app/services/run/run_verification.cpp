#include "app/services/run/run_verification.h"

#include "app/reports/run_report.h"
#include "app/services/run/prepare_run.h"
#include "core/profile/records/memory_profile.h"

#include <algorithm>

namespace app {

namespace {

/// Names of a target file that are no figures.
bool isFigure(std::string_view key) {
    return key != "format" && key != "version" && key != "name" && key != "based_on" && key != "intervals";
}

/// What says which run it is, or follows from other figures, is not what came out.
bool isCompared(std::string_view key) {
    return key != "schema" && key != "version" && key != "run" && key != "diagnostics" && key != "intervals";
}

/// Every value of either that the other has not, by its place.
void compare(const std::string& place, const core::Json& stored, const core::Json& now,
             std::vector<FigureDifference>& differences) {
    if (stored.is_object() && now.is_object()) {
        for (const auto& [key, value] : stored.items())
            compare(place + "/" + key, value, now.contains(key) ? now[key] : core::Json(), differences);
        for (const auto& [key, value] : now.items()) {
            if (!stored.contains(key))
                differences.push_back({(place + "/" + key).substr(1), {}, value});
        }
    } else if (stored.is_array() && now.is_array() && stored.size() == now.size()) {
        for (std::size_t i = 0; i < stored.size(); ++i)
            compare(place + "/" + std::to_string(i), stored[i], now[i], differences);
    } else if (stored != now) {
        differences.push_back({place.substr(1), stored, now});
    }
}

std::int64_t fullestPeak(const core::RunSummary& summary) {
    std::int64_t peak = 0;
    for (const core::IpuMemorySummary& memory : summary.memory)
        peak = std::max(peak, memory.peak.value());
    return peak;
}

/// The stored project, simulated again and again with one thing or another changed.
class Repetition {
public:
    Repetition(const core::RunSummary& stored, const std::filesystem::path& folder,
               const core::JobContext& job)
        : m_stored(stored)
        , m_folder(folder)
        , m_job(job) {}

    [[nodiscard]] core::Result<PreparedRun> prepare(bool numerics, const core::Json& figures = {}) {
        return prepareStoredRun(m_stored, m_folder, numerics, m_datasets, figures);
    }

    [[nodiscard]] core::Result<core::RunSummary> simulate(const PreparedRun& prepared) {
        core::MemoryProfile sink;
        return simulator::run(prepared.request, sink, m_job, &m_cache);
    }

private:
    const core::RunSummary& m_stored;
    std::filesystem::path m_folder;
    core::JobContext m_job;
    DatasetFactsCache m_datasets;
    simulator::CompilationCache m_cache;
};

void compareVersions(const core::RunProvenance& stored, const core::RunProvenance& now,
                     std::vector<FigureDifference>& versions) {
    const auto add = [&](const char* name, const std::string& before, const std::string& after) {
        if (before != after && !before.empty())
            versions.push_back({name, before, after});
    };
    add("program", stored.programVersion, now.programVersion);
    add("engine", stored.engineVersion, now.engineVersion);
    add("cost_model", stored.costModelVersion, now.costModelVersion);
}

/// Each constant that changed, and what its change alone does.
void compareConstants(const core::RunSummary& stored, const core::RunSummary& now, Repetition& repetition,
                      RunVerification& verification) {
    const core::Json before = core::Json::parse(stored.provenance.targetFigures, nullptr, false);
    const core::Json after = core::Json::parse(now.provenance.targetFigures, nullptr, false);
    verification.knowsConstants = before.is_object();
    if (!verification.knowsConstants)
        return;
    for (const auto& [key, value] : after.items()) {
        if (!isFigure(key) || (before.contains(key) && before[key] == value))
            continue;
        ConstantDifference difference{key, before.contains(key) ? before[key] : core::Json(), value, {}, {}};
        if (before.contains(key)) {
            const auto prepared = repetition.prepare(false, {{key, before[key]}});
            const auto summary = prepared ? repetition.simulate(*prepared)
                                          : core::Result<core::RunSummary>(core::failure(prepared.error()));
            if (summary) {
                difference.stepCyclesMoved = now.step.value() - summary->step.value();
                difference.peakBytesMoved = fullestPeak(now) - fullestPeak(*summary);
            }
        }
        verification.constants.push_back(std::move(difference));
    }
}

} // namespace

core::Result<RunVerification> verifyRun(const core::RunSummary& stored, const std::filesystem::path& folder,
                                        bool numerics, const core::JobContext& job) {
    const bool trains = numerics && !stored.metrics.empty();
    Repetition repetition(stored, folder, job);
    auto prepared = repetition.prepare(trains);
    if (!prepared)
        return core::failure(std::move(prepared.error()));
    auto now = repetition.simulate(*prepared);
    if (!now)
        return core::failure(std::move(now.error()));
    if (prepared->hasStoredTarget)
        now->provenance.targetName = stored.provenance.targetName;
    RunVerification verification;
    verification.warnings = std::move(prepared->warnings);
    const core::Json before = runJson("verify", {}, stored);
    const core::Json after = runJson("verify", {}, *now);
    for (const auto& [key, value] : before.items()) {
        if (isCompared(key) && (trains || key != "metrics"))
            compare("/" + key, value, after.value(key, core::Json()), verification.differences);
    }
    compareVersions(stored.provenance, now->provenance, verification.versions);
    compareConstants(stored, *now, repetition, verification);
    return verification;
}

} // namespace app
