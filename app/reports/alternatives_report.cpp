#include "app/reports/alternatives_report.h"

#include "app/reports/text_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace app {

namespace {

constexpr auto right = TextTable::Align::Right;

core::Json schedulersJson(const std::vector<core::SchedulerAlternative>& schedulers) {
    core::Json list = core::Json::array();
    for (const core::SchedulerAlternative& scheduler : schedulers) {
        core::Json ipus = core::Json::array();
        for (const core::AlternativeIpu& ipu : scheduler.ipus)
            ipus.push_back({{"ipu", ipu.ipu.index()},
                            {"peak_bytes", ipu.peak.value()},
                            {"worst_tile_bytes", ipu.worstTile.value()},
                            {"fits", ipu.fits},
                            {"not_always_live_bytes", ipu.live}});
        list.push_back({{"algorithm", scheduler.algorithm},
                        {"chosen", scheduler.isChosen},
                        {"peak_bytes", scheduler.peak().value()},
                        {"ipus", std::move(ipus)}});
    }
    return list;
}

core::Json executionsJson(const std::vector<core::ExecutionAlternative>& executions) {
    core::Json list = core::Json::array();
    for (const core::ExecutionAlternative& execution : executions)
        list.push_back({{"mode", execution.mode},
                        {"launches_per_update", finite(execution.launches)},
                        {"launch_cycles", execution.launch.value()},
                        {"device_cycles", execution.device.value()},
                        {"step_cycles", execution.total().value()},
                        {"samples_per_second", finite(execution.samplesPerSecond)}});
    return list;
}

TextTable schedulerTable(const std::vector<core::SchedulerAlternative>& schedulers) {
    TextTable table({{"algorithm"},
                     {"chosen"},
                     {"ipu", right},
                     {"peak_bytes", right},
                     {"not_always_live_peak_bytes", right},
                     {"worst_tile_bytes", right},
                     {"fits"}});
    for (const core::SchedulerAlternative& scheduler : schedulers)
        for (const core::AlternativeIpu& ipu : scheduler.ipus) {
            const auto most = std::ranges::max_element(ipu.live);
            table.add({scheduler.algorithm, scheduler.isChosen ? "yes" : "", std::to_string(ipu.ipu.index()),
                       std::to_string(ipu.peak.value()), std::to_string(most == ipu.live.end() ? 0 : *most),
                       std::to_string(ipu.worstTile.value()), ipu.fits ? "yes" : "no"});
        }
    return table;
}

TextTable executionTable(const std::vector<core::ExecutionAlternative>& executions) {
    TextTable table({{"execution"},
                     {"launches per update", right},
                     {"launch_cycles", right},
                     {"device_cycles", right},
                     {"step_cycles", right},
                     {"samples_per_second", right}});
    for (const core::ExecutionAlternative& execution : executions)
        table.add({execution.mode, fmt::format("{:.6g}", execution.launches),
                   std::to_string(execution.launch.value()), std::to_string(execution.device.value()),
                   std::to_string(execution.total().value()),
                   fmt::format("{:.6g}", execution.samplesPerSecond)});
    return table;
}

} // namespace

Report alternativesReport(const core::ProgramAlternatives& alternatives) {
    Report report;
    report.json = reportJson("compare");
    report.json["schedulers"] = schedulersJson(alternatives.schedulers);
    report.json["executions"] = executionsJson(alternatives.executions);
    const TextTable schedulers = schedulerTable(alternatives.schedulers);
    report.csv = schedulers.csv();
    report.text = schedulers.text() + "\n" + executionTable(alternatives.executions).text();
    return report;
}

} // namespace app
