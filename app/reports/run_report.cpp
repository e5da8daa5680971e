#include "app/reports/run_report.h"

#include "app/reports/diagnostic_json.h"
#include "app/reports/text_table.h"

#include <cmath>
#include <fmt/format.h>

namespace app {

namespace {

core::Json stageJson(const core::StageSummary& stage) {
    return {{"stage", stage.stage.index()},
            {"ipu", stage.ipu.index()},
            {"forward_cycles", stage.forward.value()},
            {"backward_cycles", stage.backward.value()},
            {"recompute_cycles", stage.recompute.value()},
            {"update_cycles", stage.update.value()},
            {"transfer_bytes", stage.transfer.value()},
            {"fifo_depth", stage.fifoDepth},
            {"stash_bytes", stage.stash.value()}};
}

core::Json memoryJson(const core::IpuMemorySummary& memory) {
    core::Json categories = core::Json::object();
    for (std::size_t i = 0; i < memory.byCategory.size(); ++i)
        categories[std::string(core::toString(static_cast<core::MemoryCategory>(i)))] =
            memory.byCategory[i].value();
    return {{"ipu", memory.ipu.index()},
            {"limit_bytes", memory.limit.value()},
            {"peak_bytes", memory.peak.value()},
            {"always_live_bytes", memory.alwaysLive.value()},
            {"not_always_live_peak_bytes", memory.notAlwaysLivePeak.value()},
            {"worst_tile", memory.worstTile},
            {"worst_tile_bytes", memory.worstTileBytes.value()},
            {"by_category", std::move(categories)}};
}

std::string stagesText(const core::RunSummary& summary) {
    constexpr auto right = TextTable::Align::Right;
    TextTable table({{"stage", right},
                     {"IPU", right},
                     {"forward cycles", right},
                     {"backward", right},
                     {"recompute", right},
                     {"update", right},
                     {"transfer bytes", right},
                     {"FIFO", right},
                     {"stash bytes", right}});
    for (const core::StageSummary& stage : summary.stages)
        table.add({std::to_string(stage.stage.index()), std::to_string(stage.ipu.index()),
                   std::to_string(stage.forward.value()), std::to_string(stage.backward.value()),
                   std::to_string(stage.recompute.value()), std::to_string(stage.update.value()),
                   std::to_string(stage.transfer.value()), std::to_string(stage.fifoDepth),
                   std::to_string(stage.stash.value())});
    return table.text();
}

std::string memoryText(const core::RunSummary& summary) {
    constexpr auto right = TextTable::Align::Right;
    TextTable table({{"IPU", right},
                     {"peak bytes", right},
                     {"of limit", right},
                     {"always live", right},
                     {"worst tile", right},
                     {"its bytes", right}});
    for (const core::IpuMemorySummary& memory : summary.memory)
        table.add({std::to_string(memory.ipu.index()), std::to_string(memory.peak.value()),
                   fmt::format("{:.1f} %", 100 * ratio(memory.peak, memory.limit)),
                   std::to_string(memory.alwaysLive.value()), std::to_string(memory.worstTile),
                   std::to_string(memory.worstTileBytes.value())});
    return table.text();
}

} // namespace

std::int64_t nanoseconds(core::Cycles cycles, double clockHz) {
    return clockHz > 0 ? std::llround(static_cast<double>(cycles.value()) / clockHz * 1e9) : 0;
}

core::Json runJson(std::string_view verb, core::RunId run, const core::RunSummary& summary) {
    const core::RunProvenance& from = summary.provenance;
    core::Json json = reportJson(verb);
    json["run"] = run.isValid() ? core::Json(run.value()) : core::Json();
    json["project"] = from.projectName;
    json["mode"] = core::toString(from.mode);
    json["fits"] = summary.fits;
    json["target"] = {{"name", from.targetName},
                      {"tiles", from.tiles},
                      {"memory_per_tile_bytes", from.memoryPerTile.value()},
                      {"clock_hz", finite(from.clockHz)}};
    json["ipus"] = from.ipus;
    json["replicas"] = from.replicas;
    json["effective_batch"] = summary.effectiveBatch;
    json["executions"] = summary.executions;
    json["step_cycles"] = summary.step.value();
    json["step_ns"] = nanoseconds(summary.step, from.clockHz);
    json["samples_per_second"] = finite(summary.samplesPerSecond);
    json["idle_fraction"] = finite(summary.idleFraction);
    json["host_stall_fraction"] = finite(summary.hostStallFraction);
    json["stages"] = core::Json::array();
    for (const core::StageSummary& stage : summary.stages)
        json["stages"].push_back(stageJson(stage));
    json["memory"] = core::Json::array();
    for (const core::IpuMemorySummary& memory : summary.memory)
        json["memory"].push_back(memoryJson(memory));
    json["metrics"] = core::Json::object();
    for (const core::MetricSeries& series : summary.metrics) {
        core::Json& values = json["metrics"][series.name] = core::Json::array();
        for (const double value : series.values)
            values.push_back(finite(value));
    }
    json["diagnostics"] = toJson(summary.diagnostics);
    return json;
}

std::string runText(core::RunId run, const core::RunSummary& summary) {
    const core::RunProvenance& from = summary.provenance;
    std::string text = run.isValid() ? fmt::format("run {}: ", run.value()) : "";
    text += fmt::format("{} ({}), {} on {} of {}, {}, effective batch {}\n", from.projectName,
                        core::toString(from.mode), from.schedule.empty() ? "not pipelined" : from.schedule,
                        counted(from.ipus, "IPU"), from.targetName, counted(from.replicas, "replica"),
                        summary.effectiveBatch);
    text += fmt::format(
        "step: {} cycles = {:.3f} ms; {:.1f} samples/s; idle {:.1f} %; host stalls {:.1f} %; {}\n",
        summary.step.value(), static_cast<double>(nanoseconds(summary.step, from.clockHz)) / 1e6,
        summary.samplesPerSecond, 100 * summary.idleFraction, 100 * summary.hostStallFraction,
        summary.fits ? "fits" : "does not fit");
    text += fmt::format("\n{}\n{}", stagesText(summary), memoryText(summary));
    for (const core::MetricSeries& series : summary.metrics) {
        if (!series.values.empty())
            text += fmt::format("\n{}: {:.6g} → {:.6g} over {} values", series.name, series.values.front(),
                                series.values.back(), series.values.size());
    }
    return text + (summary.metrics.empty() ? "" : "\n");
}

} // namespace app
