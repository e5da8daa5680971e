#include "app/reports/run_report.h"

#include "app/reports/diagnostic_json.h"
#include "app/reports/report_table.h"
#include "core/profile/queries/metric_explanation.h"
#include "core/profile/records/time_records.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace app {

namespace {

constexpr auto toTheRight = ReportTable::Align::Right;

ReportTable stageTable(const core::RunSummary& summary) {
    ReportTable table({{"stage", toTheRight},
                       {"ipu", toTheRight, "IPU"},
                       {"forward_cycles", toTheRight, "forward cycles"},
                       {"backward_cycles", toTheRight, "backward"},
                       {"recompute_cycles", toTheRight, "recompute"},
                       {"update_cycles", toTheRight, "update"},
                       {"transfer_bytes", toTheRight, "transfer bytes"},
                       {"fifo_depth", toTheRight, "FIFO"},
                       {"stash_bytes", toTheRight, "stash bytes"}});
    for (const core::StageSummary& stage : summary.stages)
        table.add({stage.stage.index(), stage.ipu.index(), stage.forward.value(), stage.backward.value(),
                   stage.recompute.value(), stage.update.value(), stage.transfer.value(), stage.fifoDepth,
                   stage.stash.value()});
    return table;
}

core::Json categoriesJson(const core::IpuMemorySummary& memory) {
    core::Json categories = core::Json::object();
    for (std::size_t i = 0; i < memory.byCategory.size(); ++i)
        categories[std::string(core::toString(static_cast<core::MemoryCategory>(i)))] =
            memory.byCategory[i].value();
    return categories;
}

ReportTable memoryTable(const core::RunSummary& summary) {
    ReportTable table({{"ipu", toTheRight, "IPU"},
                       ReportTable::jsonColumn("limit_bytes"),
                       {"peak_bytes", toTheRight, "peak bytes"},
                       ReportTable::textColumn("of limit", toTheRight),
                       {"always_live_bytes", toTheRight, "always live"},
                       ReportTable::jsonColumn("not_always_live_peak_bytes"),
                       {"worst_tile", toTheRight, "worst tile"},
                       {"worst_tile_bytes", toTheRight, "its bytes"},
                       ReportTable::jsonColumn("by_category")});
    for (const core::IpuMemorySummary& memory : summary.memory)
        table.add({memory.ipu.index(), memory.limit.value(), memory.peak.value(),
                   fmt::format("{:.1f} %", 100 * ratio(memory.peak, memory.limit)), memory.alwaysLive.value(),
                   memory.notAlwaysLivePeak.value(), memory.worstTile, memory.worstTileBytes.value(),
                   categoriesJson(memory)});
    return table;
}

} // namespace

core::Json intervalsJson(const core::PredictedRanges& ranges) {
    return {
        {"coverage", core::intervalCoverage},
        {"samples_per_second", {finite(ranges.leastSamplesPerSecond), finite(ranges.mostSamplesPerSecond)}},
        {"step_cycles", {ranges.leastStep.value(), ranges.mostStep.value()}},
        {"peak_bytes", {ranges.leastPeak.value(), ranges.mostPeak.value()}},
        {"rows", {{"samples_per_second", ranges.throughput.rows}, {"peak_bytes", ranges.peak.rows}}},
        {"own_rows",
         {{"samples_per_second", ranges.throughput.ownRows}, {"peak_bytes", ranges.peak.ownRows}}}};
}

std::string intervalsText(const core::PredictedRanges& ranges) {
    const auto mebibytes = [](core::Bytes bytes) { return static_cast<double>(bytes.value()) / (1 << 20); };
    return fmt::format(
        "measured, 4 of 5 programs lie within {:.1f} to {:.1f} samples/s and {:.1f} to {:.1f} MiB "
        "in the fullest IPU (by {}; memory: {})\n",
        ranges.leastSamplesPerSecond, ranges.mostSamplesPerSecond, mebibytes(ranges.leastPeak),
        mebibytes(ranges.mostPeak), core::rowsText(ranges.throughput), core::rowsText(ranges.peak));
}

std::vector<ReportTable::Column> intervalColumns() {
    return {{"samples_per_second_low", toTheRight},
            {"samples_per_second_high", toTheRight},
            {"peak_bytes_low", toTheRight},
            {"peak_bytes_high", toTheRight}};
}

std::vector<ReportTable::Cell> intervalCells(const std::optional<core::PredictedRanges>& ranges,
                                             Digits digits) {
    if (!ranges)
        return std::vector<ReportTable::Cell>(4, core::Json());
    const auto rate = [digits](double value) {
        return digits == Digits::All ? ReportTable::Cell(finite(value))
                                     : ReportTable::Cell(finite(value), fmt::format("{:.1f}", value));
    };
    return {rate(ranges->leastSamplesPerSecond), rate(ranges->mostSamplesPerSecond),
            ranges->leastPeak.value(), ranges->mostPeak.value()};
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
    json["step_ns"] = core::nanoseconds(summary.step, from.clockHz);
    json["samples_per_second"] = finite(summary.samplesPerSecond);
    json["idle_fraction"] = finite(summary.idleFraction);
    json["host_stall_fraction"] = finite(summary.hostStallFraction);
    json["intervals"] = intervalsJson(core::rangesOf(summary));
    json["stages"] = stageTable(summary).takeJson();
    json["memory"] = memoryTable(summary).takeJson();
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
        summary.step.value(), static_cast<double>(core::nanoseconds(summary.step, from.clockHz)) / 1e6,
        summary.samplesPerSecond, 100 * summary.idleFraction, 100 * summary.hostStallFraction,
        summary.fits ? "fits" : "does not fit");
    text += intervalsText(core::rangesOf(summary));
    text += fmt::format("\n{}\n{}", stageTable(summary).text(), memoryTable(summary).text());
    for (const core::MetricSeries& series : summary.metrics) {
        if (!series.values.empty())
            text += fmt::format("\n{}: {:.6g} → {:.6g} over {} values", series.name, series.values.front(),
                                series.values.back(), series.values.size());
    }
    return text + (summary.metrics.empty() ? "" : "\n");
}

void addOutputs(std::span<const core::ModelOutputRecord> outputs, Report& report) {
    if (outputs.empty())
        return;
    ReportTable table({{"name", ReportTable::Align::Left, "output"},
                       {"shape"},
                       {"type"},
                       {"stored_samples", ReportTable::Align::Right, "samples stored"}});
    for (const core::ModelOutputRecord& output : outputs)
        table.add({output.output,
                   {core::Json(output.shape), fmt::format("{}", fmt::join(output.shape, " × "))},
                   output.type,
                   output.storedSamples});
    report.json["outputs"] = table.json();
    report.text += "\n" + table.text();
}

} // namespace app
