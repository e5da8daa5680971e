#include "app/services/catalogue/export_document.h"

#include "app/reports/schedule_report.h"
#include "app/services/catalogue/html_report.h"
#include "app/services/catalogue/offscreen_painting.h"
#include "core/interchange/keras/keras_json.h"
#include "core/interchange/python/python_program.h"
#include "core/plan/schedule/schedule_cells.h"
#include "core/profile/exports/chrome_trace.h"
#include "core/profile/exports/csv.h"
#include "core/profile/exports/perfetto_trace.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace app {

namespace {

using core::Project;
using core::RunMode;
using Text = core::Result<std::string>;

/// Editions of the IPU extensions by the TensorFlow they go with.
constexpr std::pair<std::string_view, core::PythonApi> pythonApis[]{
    {"2.4", core::PythonApi::TensorFlow24},
    {"2.1", core::PythonApi::TensorFlow21},
};

std::vector<ExportVariant> pythonVariants() {
    std::vector<ExportVariant> variants;
    for (const auto& [name, api] : pythonApis)
        variants.push_back({std::string(name), "Python program, TensorFlow " + std::string(name)});
    return variants;
}

Text pythonText(const Project& project, RunMode, const std::string&, std::string_view variant) {
    const auto* const api =
        std::ranges::find(pythonApis, variant, &std::pair<std::string_view, core::PythonApi>::first);
    auto program = core::writePythonProgram(project, api->second);
    // Its texts say the same with such characters escaped, and it may go to a terminal.
    return program ? Text(core::withEscapedMarks(*std::move(program))) : core::failure(program.error());
}

Text kerasText(const Project& project, RunMode, const std::string&, std::string_view) {
    return core::toText(core::writeKerasModel(project.model));
}

/// How the slots of a schedule are written, by the variant's name.
constexpr std::pair<std::string_view, std::string (*)(const core::PipelineSchedule&)> scheduleLayouts[]{
    {"cells", core::scheduleCells},
    {"items", scheduleCsv},
};

std::vector<ExportVariant> scheduleVariants() {
    return {{"cells", "Schedule as a table to edit"}, {"items", "Schedule, work by work"}};
}

Text scheduleText(const Project& project, RunMode mode, const std::string& file, std::string_view variant) {
    const auto schedule = simulator::projectSchedule(project, mode, file);
    if (!schedule)
        return core::failure(schedule.error());
    return std::ranges::find(scheduleLayouts, variant, [](const auto& layout) { return layout.first; })
        ->second(*schedule);
}

Text traceText(const core::ProfileDatabase& database, core::RunId run, std::string_view) {
    const auto trace = core::loadTrace(database, run);
    if (!trace)
        return core::failure(trace.error());
    const auto memory = core::loadTraceMemory(database, *trace, run);
    if (!memory)
        return core::failure(memory.error());
    return core::chromeTrace(*trace, *memory);
}

/// What the slices of a Perfetto trace are, by the variant's name.
constexpr std::pair<std::string_view, core::PerfettoDetail> perfettoDetails[]{
    {"spans", core::PerfettoDetail::Spans},
    {"operations", core::PerfettoDetail::Operations},
};

std::vector<ExportVariant> perfettoVariants() {
    return {{"spans", "Spans of the lanes"}, {"operations", "Spans and the operations inside them"}};
}

Text perfettoText(const core::ProfileDatabase& database, core::RunId run, std::string_view variant) {
    const auto* const detail = std::ranges::find(perfettoDetails, variant,
                                                 &std::pair<std::string_view, core::PerfettoDetail>::first);
    const auto content = core::loadPerfettoTrace(database, run, detail->second);
    if (!content)
        return core::failure(content.error());
    return core::perfettoTrace(*content);
}

Text reportText(const core::ProfileDatabase& database, core::RunId run, std::string_view) {
    startPainting();
    return htmlReport(database, run);
}

/// "memory_categories" → "Memory categories".
std::vector<ExportVariant> tableVariants() {
    std::vector<ExportVariant> variants;
    for (const std::string& name : core::exportTableNames()) {
        std::string title = name;
        std::ranges::replace(title, '_', ' ');
        if (title.front() >= 'a' && title.front() <= 'z')
            title.front() = static_cast<char>(title.front() - 'a' + 'A');
        variants.push_back({name, std::move(title)});
    }
    return variants;
}

Text tableText(const core::ProfileDatabase& database, core::RunId run, std::string_view variant) {
    const auto table = core::exportTable(database, run, variant);
    if (!table)
        return core::failure(table.error());
    return core::toCsv(*table);
}

constexpr std::array formats{
    ExportFormat{"python", "Python program", "py", "Python program", pythonText, nullptr, "api",
                 "Edition of the IPU extensions for python", "2.4", pythonVariants},
    ExportFormat{"keras-json", "Keras model", "json", "JSON", kerasText},
    ExportFormat{"schedule-csv", "Schedule, slot by slot", "csv", "CSV", scheduleText, nullptr, "layout",
                 "Rows of a schedule-csv: cells (an IPU each, F0 B0 by slot) or items (a piece of work "
                 "each); both are read as tables",
                 "cells", scheduleVariants},
    ExportFormat{"chrome-trace", "Chrome trace of the run", "json", "JSON", nullptr, traceText},
    ExportFormat{"perfetto", "Perfetto trace of the run", "perfetto-trace", "Perfetto trace", nullptr,
                 perfettoText, "detail", "Slices of a perfetto trace: spans or operations", "spans",
                 perfettoVariants},
    ExportFormat{"html", "Report of the run", "html", "HTML", nullptr, reportText},
    ExportFormat{"csv", "Table of the run", "csv", "CSV", nullptr, tableText, "table",
                 "The table to export as csv", "spans", tableVariants},
    ExportFormat{"svg", "Picture", "svg", "SVG drawing", nullptr, nullptr, {}, {}, {}, nullptr, true},
};

} // namespace

std::span<const ExportFormat> exportFormats() {
    return formats;
}

const ExportFormat* findExportFormat(std::string_view name) {
    const auto found = std::ranges::find(formats, name, &ExportFormat::name);
    return found == formats.end() ? nullptr : &*found;
}

std::vector<ExportVariant> variantsOf(const ExportFormat& format) {
    if (format.variants == nullptr)
        return {{"", std::string(format.title)}};
    return format.variants();
}

} // namespace app
