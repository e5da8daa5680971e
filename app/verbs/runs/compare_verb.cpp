#include "app/reports/alternatives_report.h"
#include "app/reports/report_table.h"
#include "app/verbs/base/database_argument.h"
#include "app/verbs/base/option_value.h"
#include "app/verbs/base/project_argument.h"
#include "app/verbs/base/verb.h"
#include "app/verbs/base/verb_input.h"
#include "core/base/file_limit.h"
#include "core/plan/prediction_interval.h"
#include "core/profile/analysis/compared/layer_times.h"
#include "core/profile/analysis/compared/range_division.h"
#include "core/profile/analysis/compared/step_pieces.h"
#include "core/profile/analysis/step_division.h"
#include "core/profile/exports/trace_comparison.h"
#include "core/profile/queries/comparison.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/records/project_difference.h"
#include "simulator/engine/clock/program_alternatives.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <numeric>

namespace app {

namespace {

core::Json numbers(const std::vector<std::optional<double>>& values) {
    core::Json list = core::Json::array();
    for (const auto& value : values)
        list.push_back(value ? finite(*value) : core::Json());
    return list;
}

core::Json intervalsJson(const core::ComparedMetric& metric) {
    core::Json list = core::Json::array();
    for (const auto& interval : metric.intervals)
        list.push_back(interval ? core::Json{finite(interval->low), finite(interval->high)} : core::Json());
    return list;
}

core::Json certainJson(const core::ComparedMetric& metric) {
    core::Json list = core::Json::array();
    for (const auto& interval : metric.intervals)
        list.push_back(interval ? core::Json(interval->isCertain()) : core::Json());
    return list;
}

/// "run 2: faster by 4.0 ± 8.0 % than run 1: not certain".
std::string verdict(const core::RunComparison& comparison, std::size_t run,
                    const core::ComparedMetric& metric, std::string_view more, std::string_view less) {
    const auto& interval = metric.intervals[run];
    if (!interval)
        return "";
    const std::string runs = fmt::format("run {}", comparison.runs[run].value());
    const std::string than = fmt::format("run {}", comparison.runs[comparison.baseline].value());
    if (interval->low == 0 && interval->high == 0)
        return fmt::format("{}: {} as {}\n", runs, more == "faster" ? "as fast" : "as much memory", than);
    const double relative = *metric.relative[run];
    // Towards where both are equal, which decides what is certain.
    const double margin = relative < 0 ? interval->high - relative : relative - interval->low;
    return fmt::format("{}: {} by {:.1f} ± {:.1f} % than {}: {}\n", runs, relative < 0 ? less : more,
                       100 * std::abs(relative), 100 * margin, than,
                       interval->isCertain() ? "certain for 4 of 5 programs" : "not certain");
}

std::string verdicts(const core::RunComparison& comparison) {
    std::string text;
    for (std::size_t run = 0; run < comparison.runs.size(); ++run)
        for (const core::ComparedMetric& metric : comparison.metrics) {
            if (metric.name == "samples_per_second")
                text += verdict(comparison, run, metric, "faster", "slower");
            if (metric.name == "peak_bytes")
                text += verdict(comparison, run, metric, "fuller", "emptier");
        }
    return text;
}

/// A value of a project file, which comes as JSON text.
core::Json valueOf(const std::optional<std::string>& text) {
    return text ? core::Json::parse(*text, nullptr, false) : core::Json();
}

/// Layers added, removed or changed, and layers on other stages, run by run against the baseline.
core::Json modelDiff(const core::RunComparison& comparison) {
    ReportTable table({{"run"}, {"layer"}, {"change"}, {"attribute"}, {"before"}, {"after"}});
    for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
        for (const core::LayerDifference& layer : comparison.differences[i].layers)
            table.add({comparison.runs[i].value(), layer.layer, core::toString(layer.change), layer.attribute,
                       layer.before, layer.after});
    }
    const auto stagesText = [](const std::vector<core::StageId>& stages) {
        std::vector<std::size_t> indices;
        for (const core::StageId stage : stages)
            indices.push_back(stage.index());
        return fmt::format("{}", fmt::join(indices, " "));
    };
    for (const core::ComparedLayer& layer : comparison.layers) {
        const std::string before = stagesText(layer.stages[comparison.baseline]);
        for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
            const std::string after = stagesText(layer.stages[i]);
            if (!before.empty() && !after.empty() && before != after)
                table.add({comparison.runs[i].value(), layer.layer, "moved", "stage", before, after});
        }
    }
    return table.takeJson();
}

core::Json optionDiff(const core::RunComparison& comparison) {
    ReportTable table({{"run"}, {"path"}, {"before"}, {"after"}});
    for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
        for (const core::OptionDifference& option : comparison.differences[i].options)
            table.add(
                {comparison.runs[i].value(), option.path, valueOf(option.before), valueOf(option.after)});
    }
    return table.takeJson();
}

constexpr auto alignRight = ReportTable::Align::Right;

/// Cycles of every run by name, and how many more they are than the baseline's.
class CycleTable {
public:
    CycleTable(const core::RunComparison& comparison, std::string title)
        : m_baseline(comparison.baseline)
        , m_table(columns(comparison, std::move(title))) {}

    void add(const std::string& name, const core::LayerTimes& runs) {
        std::vector<ReportTable::Cell> cells{name};
        core::Json cycles = core::Json::array();
        core::Json deltas = core::Json::array();
        const std::optional<core::Cycles>& base = runs[m_baseline];
        for (const std::optional<core::Cycles>& value : runs) {
            const bool isBoth = value && base;
            const std::int64_t delta = isBoth ? (*value - *base).value() : 0;
            cycles.push_back(value ? core::Json(value->value()) : core::Json());
            deltas.push_back(isBoth ? core::Json(delta) : core::Json());
            cells.emplace_back(std::nullopt, !value       ? std::string()
                                             : delta == 0 ? fmt::format("{}", value->value())
                                                          : fmt::format("{} ({:+})", value->value(), delta));
        }
        cells.emplace_back(std::move(cycles));
        cells.emplace_back(std::move(deltas));
        m_table.add(std::move(cells));
    }
    [[nodiscard]] const core::Json& json() const { return m_table.json(); }
    /// Empty without rows.
    [[nodiscard]] std::string text() const { return json().empty() ? "" : "\n" + m_table.text(); }
    [[nodiscard]] std::string csv() const { return m_table.csv(); }

private:
    static std::vector<ReportTable::Column> columns(const core::RunComparison& comparison,
                                                    std::string title) {
        std::vector<ReportTable::Column> columns{{"name", ReportTable::Align::Left, std::move(title)}};
        for (const core::RunId run : comparison.runs)
            columns.push_back(ReportTable::textColumn(fmt::format("run {}", run.value()), alignRight));
        columns.push_back(ReportTable::jsonColumn("cycles"));
        columns.push_back(ReportTable::jsonColumn("deltas"));
        return columns;
    }

    std::size_t m_baseline;
    ReportTable m_table;
};

/// Where the step of each run goes, or a range of it, in cycles of the baseline's clock; every column adds up
/// to it.
CycleTable partTable(const core::RunComparison& comparison, const std::vector<core::ComparedStepPart>& parts,
                     const std::string& title) {
    CycleTable table(comparison, title);
    for (const core::ComparedStepPart& part : parts)
        table.add(part.name, {part.cycles.begin(), part.cycles.end()});
    return table;
}

/// What each layer takes of the step. People read of the layers that differ most, at most `most`.
CycleTable layerTable(const core::RunComparison& comparison, const std::vector<core::LayerTimes>& times,
                      std::optional<std::size_t> most = {}) {
    CycleTable table(comparison, "layer, cycles of a step on all IPUs");
    const auto largest = [&](std::size_t layer) {
        std::int64_t difference = 0;
        const std::optional<core::Cycles>& base = times[layer][comparison.baseline];
        for (const std::optional<core::Cycles>& value : times[layer])
            if (value && base)
                difference = std::max(difference, std::abs((*value - *base).value()));
        return difference;
    };
    std::vector<std::size_t> order(times.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (most) {
        std::erase_if(order, [&](std::size_t layer) { return largest(layer) == 0; });
        std::ranges::stable_sort(order, std::greater(), largest);
        order.resize(std::min(order.size(), *most));
    }
    for (const std::size_t layer : order)
        table.add(comparison.layers[layer].layer, times[layer]);
    return table;
}

/// How long each slot, or micro-batch, of a step is; every column adds up to its step. People read of those
/// that differ most, at most `most`.
CycleTable pieceTable(const core::RunComparison& comparison, const core::ComparedPieces& compared,
                      std::optional<std::size_t> most = {}) {
    CycleTable table(comparison, "slot or micro-batch of the step");
    std::vector<const core::ComparedPiece*> pieces;
    for (const core::ComparedPiece& piece : compared.pieces)
        pieces.push_back(&piece);
    const auto largest = [&](const core::ComparedPiece* piece) {
        std::int64_t difference = 0;
        for (std::size_t run = 0; run < comparison.runs.size(); ++run)
            difference = std::max(difference, std::abs(piece->difference(run, comparison.baseline).value()));
        return difference;
    };
    if (most) {
        std::erase_if(pieces, [&](const auto* piece) { return largest(piece) == 0; });
        std::ranges::stable_sort(pieces, std::greater(), largest);
        pieces.resize(std::min(pieces.size(), *most));
    }
    for (const core::ComparedPiece* piece : pieces) {
        core::LayerTimes lengths;
        for (std::size_t run = 0; run < comparison.runs.size(); ++run)
            lengths.push_back(piece->places[run] ? std::optional(piece->lengths[run]) : std::nullopt);
        table.add(compared.name(*piece), lengths);
    }
    return table;
}

/// Null, and empty for people, where there is no slice.
ReportTable::Cell meanCell(const core::EventFigures& figures) {
    if (figures.count == 0)
        return {core::Json(), ""};
    return {finite(figures.mean()), fmt::format("{:.1f}", figures.mean())};
}

/// A run beside a trace of another recorder: a row per lane and name, with how many slices each of the two
/// has, how long they last together and one of them on average, and by how much the trace's is longer.
Report traceReport(core::RunId run, const std::string& file,
                   const std::vector<core::ComparedEvents>& events) {
    ReportTable table({{"lane"},
                       {"name"},
                       {"run_count", alignRight, "run count"},
                       {"run_total_ns", alignRight, "run total ns"},
                       {"run_mean_ns", alignRight, "run mean ns"},
                       {"trace_count", alignRight, "trace count"},
                       {"trace_total_ns", alignRight, "trace total ns"},
                       {"trace_mean_ns", alignRight, "trace mean ns"},
                       {"difference_ns", alignRight, "difference ns"},
                       {"relative", alignRight}});
    for (const core::ComparedEvents& row : events) {
        ReportTable::Cell difference{core::Json(), ""};
        ReportTable::Cell relative{core::Json(), ""};
        if (row.run.count > 0 && row.trace.count > 0) {
            const double longer = row.trace.mean() - row.run.mean();
            difference = {finite(longer), fmt::format("{:+.1f}", longer)};
            if (row.run.mean() > 0)
                relative = {finite(longer / row.run.mean()),
                            fmt::format("{:+.1f} %", 100 * longer / row.run.mean())};
        }
        table.add({row.lane, row.name, row.run.count, row.run.total, meanCell(row.run), row.trace.count,
                   row.trace.total, meanCell(row.trace), difference, relative});
    }
    Report report;
    report.json = reportJson("compare");
    report.json["baseline"] = run.value();
    report.json["trace"] = file;
    table.writeTo(report, "events");
    return report;
}

/// A place in the update: cycles of the baseline's clock, or a share of each run's own.
class UpdatePlace {
public:
    void addOption(CLI::App& command, const std::string& name, const std::string& what) {
        command
            .add_option_function<std::string>(
                name, [this, name](const std::string& text) { read(name, text); },
                what + "cycles from its start, of the baseline's clock, or a share of it like 25%")
            ->type_name("CYCLES|PERCENT%");
    }
    [[nodiscard]] bool isGiven() const { return m_cycles || m_percent; }
    [[nodiscard]] core::Cycles placeIn(const core::RunSummary& own, const core::RunSummary& base,
                                       core::Cycles otherwise) const {
        if (m_percent)
            return core::Cycles(std::llround(static_cast<double>(own.step.value()) * *m_percent / whole));
        return m_cycles ? core::inOtherClock(*m_cycles, base.provenance.clockHz, own.provenance.clockHz)
                        : otherwise;
    }

private:
    static constexpr double whole = 100;

    void read(const std::string& name, const std::string& text) {
        constexpr std::int64_t mostCycles = std::int64_t{1} << 53;
        if (text.ends_with('%'))
            m_percent = readNumber(name, text.substr(0, text.size() - 1), 0, whole, false);
        else
            m_cycles = core::Cycles(readWholeNumber(name, text, 0, mostCycles));
    }

    std::optional<core::Cycles> m_cycles;
    std::optional<double> m_percent;
};

class CompareVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command.add_option("RUN", m_runs, "Two or more runs, by number or last; one with --trace");
        command.add_option("--baseline", m_baseline, "The run to compare with; the first otherwise")
            ->type_name("RUN");
        command
            .add_option("--trace", m_trace,
                        "Beside one run: a Chrome or Perfetto trace of the same work, of hardware or another "
                        "program; - reads the standard input")
            ->type_name("FILE");
        command
            .add_option("--lane", m_lanes,
                        "A lane of the trace and the one of the run that it stands beside; can be repeated")
            ->type_name("\"TRACE LANE=IPU 0/compute\"");
        addChoice(command, "--by", m_grouping,
                  {{"name", core::EventGrouping::Name}, {"category", core::EventGrouping::Category}},
                  "What the slices of a trace are grouped by: name or category");
        m_from.addOption(command, "--from", "Where a range of the update begins that is compared, too: ");
        m_to.addOption(command, "--to", "Where it ends: ");
        m_project.addOptions(command, "--schedulers,--execution",
                             "Instead of runs: every scheduling algorithm on this project, and graph against "
                             "eager execution");
        m_database.addOption(command);
    }

    core::Result<Report> run(const VerbContext& context) override {
        if ((m_project.isGiven() || !m_trace.empty()) && (m_from.isGiven() || m_to.isGiven()))
            return core::failure(usageError("usage/range", m_from.isGiven() ? "--from" : "--to",
                                            "a range is of the updates of stored runs",
                                            "for example: compare 1 2 --from 25% --to 50%"));
        if (m_project.isGiven())
            return alternatives(context.job);
        if (m_runs.empty())
            return core::failure(usageError("usage/arguments", "RUN",
                                            "two runs, or --schedulers PROJECT, are needed",
                                            "for example: compare 1 2"));
        const auto database = m_database.open(core::DatabaseAccess::ReadOnly);
        if (!database)
            return core::failure(database.error());
        if (!m_trace.empty())
            return besideTrace(*database);
        if (!m_lanes.empty())
            return core::failure(usageError("usage/arguments", "--lane",
                                            "no trace is given whose lanes it names",
                                            "add --trace FILE, or leave --lane out"));
        auto runs = core::findRuns(*database, m_runs);
        if (!runs)
            return core::failure(runs.error());
        core::RunId baseline = runs->front();
        if (!m_baseline.empty()) {
            const auto run = core::findRun(*database, m_baseline);
            if (!run)
                return core::failure(run.error());
            baseline = *run;
            if (std::ranges::find(*runs, baseline) == runs->end())
                runs->insert(runs->begin(), baseline);
        }
        if (runs->size() < 2)
            return core::failure(
                usageError("usage/arguments", "RUN", "comparing needs two runs", "name another run"));
        const auto comparison = core::compareRuns(*database, *runs, baseline);
        if (!comparison)
            return core::failure(comparison.error());
        const auto parts = core::compareSteps(*database, *comparison);
        if (!parts)
            return core::failure(parts.error());
        const auto layers = core::compareLayers(*database, *comparison);
        if (!layers)
            return core::failure(layers.error());
        const auto pieces = core::comparePieces(*database, *comparison);
        if (!pieces)
            return core::failure(pieces.error());
        const auto range = comparedRange(*database, *comparison);
        if (!range)
            return core::failure(range.error());
        Report compared = report(*comparison, *parts, *layers, *pieces, *range);
        compared.diagnostics = m_database.warnings();
        return compared;
    }

private:
    /// What runs in a piece of the update of each run; nothing where none is asked for.
    struct ComparedRange {
        std::vector<core::CycleRange> ranges;
        std::vector<core::ComparedStepPart> parts;

        [[nodiscard]] bool holds(const core::ComparedPiece& piece) const {
            for (std::size_t run = 0; run < ranges.size(); ++run)
                if (piece.places[run] && piece.places[run]->start < ranges[run].to &&
                    ranges[run].from < piece.places[run]->end)
                    return true;
            return false;
        }
    };
    core::Result<std::optional<ComparedRange>> comparedRange(const core::ProfileDatabase& database,
                                                             const core::RunComparison& comparison) const {
        if (!m_from.isGiven() && !m_to.isGiven())
            return std::nullopt;
        const auto& base = comparison.summaries[comparison.baseline];
        ComparedRange range;
        for (const core::RunSummary& own : comparison.summaries)
            range.ranges.push_back(
                {m_from.placeIn(own, base, core::Cycles()), m_to.placeIn(own, base, own.step)});
        const core::CycleRange& ofBase = range.ranges[comparison.baseline];
        if (ofBase.from >= ofBase.to || ofBase.from >= base.step)
            return core::failure(usageError(
                "usage/range", m_to.isGiven() ? "--to" : "--from",
                fmt::format("the range from cycle {} to {} holds nothing of the update of run {}",
                            ofBase.from.value(), ofBase.to.value(),
                            comparison.runs[comparison.baseline].value()),
                fmt::format("its update takes {} cycles; name two places in it, the earlier one with --from",
                            base.step.value())));
        auto parts = core::compareRanges(database, comparison, range.ranges);
        if (!parts)
            return core::failure(parts.error());
        if (parts->empty())
            return core::failure(core::makeError(
                core::Trouble::Input, "run/no-timeline", {database.path().string(), {}},
                "one of the runs was recorded without a timeline: there is no range to compare",
                {"run its project again with --profile ipu", "leave --from and --to out"}));
        range.parts = *std::move(parts);
        return range;
    }

    core::Result<Report> alternatives(const core::JobContext& job) {
        if (!m_runs.empty() || !m_baseline.empty())
            return core::failure(usageError("usage/arguments", "RUN",
                                            "a project is compared with itself alone",
                                            "leave the runs out, or --schedulers"));
        auto prepared = m_project.prepareRun({});
        if (!prepared)
            return core::failure(std::move(prepared.error()));
        simulator::CompilationCache cache;
        const auto found = simulator::programAlternatives(prepared->request.project, cache, job,
                                                          prepared->request.baseFolder);
        if (!found)
            return core::failure(m_project.withSettingPlaces(found.error()));
        Report report = alternativesReport(*found);
        report.diagnostics = std::move(prepared->warnings);
        return report;
    }

    core::Result<Report> besideTrace(const core::ProfileDatabase& database) {
        if (m_runs.size() != 1 || !m_baseline.empty())
            return core::failure(usageError("usage/arguments", "--trace", "a trace stands beside one run",
                                            "for example: compare last --trace trace.json"));
        std::vector<core::LanePair> lanes;
        for (const std::string& pair : m_lanes) {
            // Names of lanes may have one too; those of runs have none.
            const std::size_t equals = pair.rfind('=');
            if (equals == std::string::npos || equals == 0 || equals + 1 == pair.size())
                return core::failure(usageError("usage/lane", "--lane",
                                                fmt::format("\"{}\" names no two lanes", pair.substr(0, 80)),
                                                "write \"LANE OF THE TRACE=IPU 0/compute\""));
            lanes.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
        }
        const auto run = core::findRun(database, m_runs.front());
        if (!run)
            return core::failure(run.error());
        const auto content = core::loadTrace(database, *run);
        if (!content)
            return core::failure(content.error());
        const auto bytes = readInput(m_trace, core::FileLimit::table);
        if (!bytes)
            return core::failure(bytes.error());
        auto trace = core::readEventTrace(*bytes, inputName(m_trace));
        if (!trace)
            return core::failure(trace.error());
        const auto events = core::compareEvents(core::eventsOf(*content), *trace, m_grouping, lanes);
        if (!events)
            return core::failure(events.error());
        Report report = traceReport(*run, inputName(m_trace), *events);
        report.diagnostics = m_database.warnings();
        report.diagnostics.insert(report.diagnostics.end(), trace->warnings.begin(), trace->warnings.end());
        return report;
    }

    static Report report(const core::RunComparison& comparison,
                         const std::vector<core::ComparedStepPart>& parts,
                         const std::vector<core::LayerTimes>& layers, core::ComparedPieces pieces,
                         const std::optional<ComparedRange>& range) {
        Report report;
        report.json = reportJson("compare");
        report.json["baseline"] = comparison.runs[comparison.baseline].value();
        report.json["runs"] = core::Json::array();
        std::vector<ReportTable::Column> columns{{"name", ReportTable::Align::Left, "metric"}, {"unit"}};
        for (const core::RunId run : comparison.runs) {
            report.json["runs"].push_back(run.value());
            columns.push_back(
                ReportTable::textColumn(fmt::format("run {}", run.value()), ReportTable::Align::Right));
        }
        columns.push_back(ReportTable::jsonColumn("values"));
        columns.push_back(ReportTable::jsonColumn("deltas"));
        columns.push_back(ReportTable::jsonColumn("relative_intervals"));
        columns.push_back(ReportTable::jsonColumn("certain"));
        ReportTable table(std::move(columns));
        for (const core::ComparedMetric& metric : comparison.metrics) {
            std::vector<ReportTable::Cell> cells{metric.name, metric.unit};
            for (std::size_t i = 0; i < metric.values.size(); ++i)
                cells.emplace_back(std::nullopt, cellText(metric, i));
            cells.emplace_back(numbers(metric.values));
            cells.emplace_back(numbers(metric.deltas));
            cells.emplace_back(intervalsJson(metric));
            cells.emplace_back(certainJson(metric));
            table.add(std::move(cells));
        }
        table.writeTo(report, "metrics");
        constexpr std::size_t mostRows = 10;
        if (range) {
            std::erase_if(pieces.pieces,
                          [&](const core::ComparedPiece& piece) { return !range->holds(piece); });
            const CycleTable inRange = partTable(comparison, range->parts, "part of the range");
            report.text += inRange.text();
            report.csv = inRange.csv();
            report.json["range_parts"] = inRange.json();
            report.json["ranges"] = core::Json::array();
            for (const core::CycleRange& own : range->ranges)
                report.json["ranges"].push_back(
                    {{"from_cycles", own.from.value()}, {"to_cycles", own.to.value()}});
        }
        const CycleTable steps = partTable(comparison, parts, "part of the step");
        report.text += steps.text() + pieceTable(comparison, pieces, mostRows).text() +
                       layerTable(comparison, layers, mostRows).text();
        report.text += "\n" + verdicts(comparison) + "\n";
        report.json["model_diff"] = modelDiff(comparison);
        report.json["option_diff"] = optionDiff(comparison);
        report.json["interval_coverage"] = core::intervalCoverage;
        report.json["step_parts"] = steps.json();
        report.json["pieces"] = pieceTable(comparison, pieces).json();
        report.json["layers"] = layerTable(comparison, layers).json();
        for (const core::Json& option : report.json["option_diff"])
            report.text += fmt::format("run {}: {}: {} → {}\n", option["run"].get<int>(),
                                       option["path"].get<std::string>(), core::toText(option["before"], -1),
                                       core::toText(option["after"], -1));
        for (const core::Json& layer : report.json["model_diff"])
            report.text += fmt::format("run {}: layer {} {} {} {} → {}\n", layer["run"].get<int>(),
                                       layer["layer"].get<std::string>(), layer["change"].get<std::string>(),
                                       layer["attribute"].get<std::string>(),
                                       layer["before"].get<std::string>(), layer["after"].get<std::string>());
        return report;
    }

    static std::string cellText(const core::ComparedMetric& metric, std::size_t run) {
        if (!metric.values[run])
            return "";
        const auto& relative = metric.relative[run];
        const bool isChanged = relative && *relative != 0;
        return fmt::format("{:.6g}{}", *metric.values[run],
                           isChanged ? fmt::format(" ({:+.1f} %)", 100 * *relative) : "");
    }

    ProjectArgument m_project;
    DatabaseArgument m_database;
    std::vector<std::string> m_runs;
    std::string m_baseline;
    std::string m_trace;
    std::vector<std::string> m_lanes;
    core::EventGrouping m_grouping = core::EventGrouping::Name;
    UpdatePlace m_from;
    UpdatePlace m_to;
};

} // namespace

VerbDefinition compareVerb() {
    return {.name = "compare",
            .summary = "Runs side by side: metrics, and what differs in model, stages and options",
            .examples =
                {"compare 1 2", "compare 1 2 3 --baseline 2 --json", "compare 1 2 --from 25% --to 50%",
                 "compare last --trace hardware.json --lane \"IPU 0/Program=IPU 0/compute\" --by category",
                 "compare --schedulers encoder.ipuproj",
                 "compare --execution encoder.ipuproj --set training.steps_per_execution=64"},
            .make = makeVerb<CompareVerb>,
            .hasCsv = true};
}

} // namespace app
