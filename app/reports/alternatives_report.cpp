#include "app/reports/alternatives_report.h"

#include "app/reports/report_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {

namespace {

constexpr auto right = ReportTable::Align::Right;

/// Text and CSV: a row per algorithm and IPU. JSON has the IPUs of an algorithm inside it.
struct SchedulerTables {
    ReportTable algorithms{{{"algorithm"}, {"chosen"}, {"peak_bytes"}, {"ipus"}}};
    ReportTable ipus{{ReportTable::textColumn("algorithm"),
                      ReportTable::textColumn("chosen"),
                      {"ipu", right},
                      {"peak_bytes", right},
                      ReportTable::textColumn("not_always_live_peak_bytes", right),
                      {"worst_tile_bytes", right},
                      {"fits"},
                      ReportTable::jsonColumn("not_always_live_bytes")}};
};

SchedulerTables schedulerTables(const std::vector<core::SchedulerAlternative>& schedulers) {
    SchedulerTables tables;
    for (const core::SchedulerAlternative& scheduler : schedulers) {
        for (const core::AlternativeIpu& ipu : scheduler.ipus) {
            const auto most = std::ranges::max_element(ipu.live);
            tables.ipus.add({scheduler.algorithm,
                             scheduler.isChosen ? "yes" : "",
                             ipu.ipu.index(),
                             ipu.peak.value(),
                             most == ipu.live.end() ? 0 : *most,
                             ipu.worstTile.value(),
                             {ipu.fits, ipu.fits ? "yes" : "no"},
                             ipu.live});
        }
        tables.algorithms.add(
            {scheduler.algorithm, scheduler.isChosen, scheduler.peak().value(), tables.ipus.takeJson()});
    }
    return tables;
}

ReportTable executionTable(const std::vector<core::ExecutionAlternative>& executions) {
    ReportTable table({{"mode", ReportTable::Align::Left, "execution"},
                       {"launches_per_update", right, "launches per update"},
                       {"launch_cycles", right},
                       {"device_cycles", right},
                       {"step_cycles", right},
                       {"samples_per_second", right}});
    const auto number = [](double value) {
        return ReportTable::Cell(finite(value), fmt::format("{:.6g}", value));
    };
    for (const core::ExecutionAlternative& execution : executions)
        table.add({execution.mode, number(execution.launches), execution.launch.value(),
                   execution.device.value(), execution.total().value(), number(execution.samplesPerSecond)});
    return table;
}

} // namespace

Report alternativesReport(const core::ProgramAlternatives& alternatives) {
    Report report;
    report.json = reportJson("compare");
    const SchedulerTables schedulers = schedulerTables(alternatives.schedulers);
    const ReportTable executions = executionTable(alternatives.executions);
    report.json["schedulers"] = schedulers.algorithms.json();
    report.json["executions"] = executions.json();
    report.csv = schedulers.ipus.csv();
    report.text = schedulers.ipus.text() + "\n" + executions.text();
    return report;
}

} // namespace app
