#include "app/reports/alternatives_report.h"

#include "app/reports/report_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {

namespace {

constexpr auto right = ReportTable::Align::Right;

/// Text and CSV: a row per algorithm and IPU. JSON has the IPUs of an algorithm inside it.
struct SchedulerTables {
    ReportTable algorithms{
        {{"algorithm"}, {"chosen"}, {"peak_bytes"}, {"ipus"}, {"peak_bytes_low"}, {"peak_bytes_high"}}};
    ReportTable ipus{{ReportTable::textColumn("algorithm"),
                      ReportTable::textColumn("chosen"),
                      {"ipu", right},
                      {"peak_bytes", right},
                      ReportTable::textColumn("not_always_live_peak_bytes", right),
                      {"worst_tile_bytes", right},
                      {"fits"},
                      ReportTable::jsonColumn("not_always_live_bytes"),
                      {"peak_bytes_low", right},
                      {"peak_bytes_high", right}}};
};

SchedulerTables schedulerTables(const core::ProgramAlternatives& alternatives) {
    const auto rangesOf = [&](core::Bytes peak) {
        return core::predictedRanges(alternatives.intervals, 0, core::Cycles(), peak);
    };
    SchedulerTables tables;
    for (const core::SchedulerAlternative& scheduler : alternatives.schedulers) {
        for (const core::AlternativeIpu& ipu : scheduler.ipus) {
            const auto most = std::ranges::max_element(ipu.live);
            const core::PredictedRanges ranges = rangesOf(ipu.peak);
            tables.ipus.add({scheduler.algorithm,
                             scheduler.isChosen ? "yes" : "",
                             ipu.ipu.index(),
                             ipu.peak.value(),
                             most == ipu.live.end() ? 0 : *most,
                             ipu.worstTile.value(),
                             {ipu.fits, ipu.fits ? "yes" : "no"},
                             ipu.live,
                             ranges.leastPeak.value(),
                             ranges.mostPeak.value()});
        }
        const core::PredictedRanges ranges = rangesOf(scheduler.peak());
        tables.algorithms.add({scheduler.algorithm, scheduler.isChosen, scheduler.peak().value(),
                               tables.ipus.takeJson(), ranges.leastPeak.value(), ranges.mostPeak.value()});
    }
    return tables;
}

ReportTable executionTable(const core::ProgramAlternatives& alternatives) {
    ReportTable table({{"mode", ReportTable::Align::Left, "execution"},
                       {"launches_per_update", right, "launches per update"},
                       {"launch_cycles", right},
                       {"device_cycles", right},
                       {"step_cycles", right},
                       {"samples_per_second", right},
                       {"step_cycles_low", right},
                       {"step_cycles_high", right},
                       {"samples_per_second_low", right},
                       {"samples_per_second_high", right}});
    const auto number = [](double value) {
        return ReportTable::Cell(finite(value), fmt::format("{:.6g}", value));
    };
    for (const core::ExecutionAlternative& execution : alternatives.executions) {
        const core::PredictedRanges ranges = core::predictedRanges(
            alternatives.intervals, execution.samplesPerSecond, execution.total(), core::Bytes());
        table.add({execution.mode, number(execution.launches), execution.launch.value(),
                   execution.device.value(), execution.total().value(), number(execution.samplesPerSecond),
                   ranges.leastStep.value(), ranges.mostStep.value(), number(ranges.leastSamplesPerSecond),
                   number(ranges.mostSamplesPerSecond)});
    }
    return table;
}

} // namespace

Report alternativesReport(const core::ProgramAlternatives& alternatives) {
    Report report;
    report.json = reportJson("compare");
    const SchedulerTables schedulers = schedulerTables(alternatives);
    const ReportTable executions = executionTable(alternatives);
    report.json["schedulers"] = schedulers.algorithms.json();
    report.json["executions"] = executions.json();
    report.csv = schedulers.ipus.csv();
    report.text = schedulers.ipus.text() + "\n" + executions.text();
    return report;
}

} // namespace app
