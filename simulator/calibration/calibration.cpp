#include "simulator/calibration/calibration.h"

#include "simulator/calibration/calibration_memory.h"
#include "simulator/calibration/calibration_project.h"
#include "simulator/calibration/calibration_throughput.h"
#include "simulator/cost/query/cost_query.h"
#include "simulator/target/target_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace simulator {

namespace {

using core::Json;

/// Vertices are measured by a program that reads the cycle counter around them.
constexpr double timerCycles = 7;

constexpr const char* temporaryBytes = "temporary_bytes_per_tile";

constexpr std::array answerFigures{"cycles",      "compute_cycles", "exchange_cycles",
                                   "sync_cycles", "time",           "flops_per_second",
                                   "tile_cycles", "total_cycles",   temporaryBytes};

std::vector<std::string> figuresOfAnswer(const CostAnswer& answer) {
    std::vector<std::string> names(answerFigures.begin(), answerFigures.end());
    for (const auto& [name, value] : answer.details)
        names.push_back(name);
    return names;
}

/// How many of a unit are one second, or one operation per second.
double perUnit(const std::string& unit) {
    static const std::map<std::string, double> units{
        {"ms", 1e3},       {"us", 1e6},           {"ns", 1e9},          {"GFLOP/s", 1e-9},
        {"GFLOPS", 1e-9},  {"TFLOP/s", 1e-12},    {"TFLOPS", 1e-12},    {"gflops", 1e-9},
        {"tflops", 1e-12}, {"microseconds", 1e6}, {"milliseconds", 1e3}};
    const auto found = units.find(unit);
    return found == units.end() ? 1 : found->second;
}

/// Whether a figure of an operation is the higher the fewer cycles it takes.
bool isRate(const std::string& figure) {
    return figure == "throughput" || figure == "flops_per_second" || figure == "flops";
}

/// Cycles by their names, times and rates in the case's unit.
std::optional<double> figureOfAnswer(const CostAnswer& answer, const std::string& figure,
                                     const std::string& unit) {
    if (const auto known = answer.metric(figure))
        return known;
    if (figure == "time" || figure == "total_time" || figure == "runtime")
        return answer.timeNs * 1e-9 * perUnit(unit);
    if (isRate(figure))
        return answer.flopsPerSecond * perUnit(unit);
    if (figure == temporaryBytes)
        return static_cast<double>(answer.temporaryPerTile.value());
    return std::nullopt;
}

core::Result<double> predictMicro(const CalibrationCase& item, const std::string& figure) {
    CostQuery query;
    query.operation = textOf(item.description, "operation");
    if (item.description.contains("args"))
        query.arguments = item.description.at("args");
    const auto target = resolveTarget(item.target);
    if (!target)
        return core::failure(target.error());
    const auto overridden = overrideFigures(*target, figuresOf(item), "", "/figures");
    if (!overridden)
        return core::failure(overridden.error());
    query.target = *overridden;
    const auto answer = queryCost(query);
    if (!answer)
        return core::failure(answer.error());
    const auto value = figureOfAnswer(*answer, figure, item.unit);
    if (!value)
        return core::failure(
            noPrediction(fmt::format("{} has no figure \"{}\"; figures are: {}", query.operation, figure,
                                     fmt::join(figuresOfAnswer(*answer), ", "))));
    return *value + (query.operation == "amp_conv1x1" && item.metric == "tile_cycles" ? timerCycles : 0);
}

/// The |error| below which a share of the sorted errors lies (nearest rank).
double quantile(const std::vector<double>& sorted, double share) {
    if (sorted.empty())
        return 0;
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    if (values.empty())
        return 0;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// The median of sorted values without one of them.
double medianWithout(const std::vector<double>& sorted, std::size_t left) {
    const auto at = [&](std::size_t i) { return sorted[i < left ? i : i + 1]; };
    const std::size_t rows = sorted.size() - 1;
    const std::size_t middle = rows / 2;
    return rows % 2 == 1 ? at(middle) : (at(middle - 1) + at(middle)) / 2;
}

void addBounds(CalibrationClass& summary, std::vector<double> logRatios) {
    if (const std::optional<RatioBounds> bounds = ratioBounds(logRatios)) {
        summary.lowFactor = std::exp(bounds->centre - bounds->width);
        summary.highFactor = std::exp(bounds->centre + bounds->width);
    }
    for (std::size_t i = 0; i < logRatios.size(); ++i) {
        std::vector<double> others = logRatios;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        const std::optional<RatioBounds> bounds = ratioBounds(std::move(others));
        if (!bounds)
            return;
        ++summary.leftOut;
        summary.leftOutInside += bounds->hold(logRatios[i]) ? 1 : 0;
    }
}

/// Classes in the order of their first row.
std::vector<CalibrationClass> summarizeAll(const std::vector<CalibrationRow>& rows) {
    std::vector<std::string> names;
    std::map<std::string, std::vector<CalibrationRow>> byClass;
    for (const CalibrationRow& row : rows) {
        const std::string name = className(row);
        if (byClass[name].empty())
            names.push_back(name);
        byClass[name].push_back(row);
    }
    std::vector<CalibrationClass> classes;
    for (const std::string& name : names)
        classes.push_back(summarize(name, byClass[name]));
    return classes;
}

bool isMemoryTotal(const std::string& metric) {
    constexpr std::array<std::string_view, 4> starts{"total", "peak", "max", "temporar"};
    return metric == "variables" ||
           std::ranges::any_of(starts, [&](std::string_view start) { return metric.starts_with(start); });
}

core::FigureClass applicationClass(const std::string& name) {
    constexpr std::array<std::string_view, 2> convolutional{"resnet", "efficientnet"};
    if (name == "bert")
        return core::FigureClass::TransformerRate;
    return std::ranges::find(convolutional, name) != convolutional.end()
               ? core::FigureClass::ConvolutionalRate
               : core::FigureClass::OtherRate;
}

/// A row's system as a number: rows that differ in nothing else scale into one another.
std::int64_t ipusOf(const CalibrationCase& item) {
    const auto found = item.description.find("ipus");
    return found != item.description.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

std::string familyOf(const CalibrationCase& item) {
    std::string family = item.target;
    for (const char* key : {"template", "template_args", "micro_batch", "ipus_per_replica"})
        if (const auto found = item.description.find(key); found != item.description.end())
            family += found->dump();
    return family;
}

CalibrationRow rowOf(std::string id, std::string what, double predicted, double measured) {
    CalibrationRow row;
    row.id = std::move(id);
    row.what = std::move(what);
    row.predicted = predicted;
    row.measured = measured;
    row.error = predicted / measured - 1;
    row.ratio = measured / predicted;
    return row;
}

/// What class a row is of, and what it says about the figures of that class.
void classify(CalibrationRow& row, const CalibrationCase& item) {
    row.className = calibrationClass(item);
    row.figure = figureClass(item);
    row.weak = item.weak;
    if (item.kind == CalibrationKind::Micro && isRate(item.metric))
        row.ratio = 1 / row.ratio;
}

/// Ratios of throughput to the row of the fewest IPUs of the same model and target.
void addScalingRows(std::span<const CalibrationCase> cases, CalibrationReport& report) {
    struct Member {
        const CalibrationCase* item;
        CalibrationRow row;
    };
    std::map<std::string, std::vector<Member>> families;
    for (const CalibrationCase& item : cases) {
        const auto row = std::ranges::find(report.rows, item.id, &CalibrationRow::id);
        if (item.kind == CalibrationKind::Application && !item.weak && row != report.rows.end())
            families[familyOf(item)].push_back({&item, *row});
    }
    for (const auto& [family, members] : families) {
        const Member& base =
            *std::ranges::min_element(members, {}, [](const Member& member) { return ipusOf(*member.item); });
        for (const Member& member : members) {
            if (ipusOf(*member.item) <= ipusOf(*base.item))
                continue;
            CalibrationRow row =
                rowOf(fmt::format("{}/{}", member.row.id, base.row.id),
                      fmt::format("{} IPUs against {}", ipusOf(*member.item), ipusOf(*base.item)),
                      member.row.predicted / base.row.predicted, member.row.measured / base.row.measured);
            row.className = core::toString(core::FigureClass::Scaling);
            row.figure = core::FigureClass::Scaling;
            if (std::ranges::find(member.item->inconsistentWith, base.item->id) !=
                member.item->inconsistentWith.end()) {
                row.weak = true;
                row.inconsistency = member.item->inconsistency;
            }
            report.rows.push_back(std::move(row));
        }
    }
}

/// A row that is known as a ratio to another of `cases` only.
core::Result<CalibrationRow> ratioRow(const CalibrationCase& item, std::span<const CalibrationCase> cases,
                                      CompilationCache& cache, const core::JobContext& job) {
    const auto base = std::ranges::find(cases, item.ratioTo, &CalibrationCase::id);
    if (base == cases.end() || !(base->measured > 0))
        return core::failure(
            noPrediction(fmt::format("{}, which it is a ratio to, is not there", item.ratioTo)));
    CalibrationCase reference = *base;
    reference.excluded.clear();
    const auto value = predict(item, cache, job);
    const auto referenceValue = predict(reference, cache, job);
    if (!value || !referenceValue)
        return core::failure(value ? referenceValue.error() : value.error());
    CalibrationRow row =
        rowOf(fmt::format("{}/{}", item.id, base->id),
              fmt::format("{} against {}{}", item.what, base->what,
                          item.assumed.empty() ? "" : fmt::format(" (assumed: {})", item.assumed)),
              *value / *referenceValue, item.measured / base->measured);
    classify(row, item);
    return row;
}

std::string inconsistencyOf(const CalibrationCase& item) {
    return item.inconsistentWith.empty()
               ? std::string()
               : fmt::format("{}: {}", fmt::join(item.inconsistentWith, ", "), item.inconsistency);
}

} // namespace

std::string className(const CalibrationRow& row) {
    return row.className + (row.weak ? " (weak rows)" : "");
}

std::optional<RatioBounds> ratioBounds(std::vector<double> logRatios) {
    if (logRatios.size() < core::PredictionInterval::fewestRows)
        return std::nullopt;
    std::ranges::sort(logRatios);
    // The bias-free ratio widened by a quantile of the residuals of rows whose factor was taken from the
    // others.
    std::vector<double> residuals;
    for (std::size_t i = 0; i < logRatios.size(); ++i)
        residuals.push_back(std::abs(logRatios[i] - medianWithout(logRatios, i)));
    std::ranges::sort(residuals);
    // One rank further out: the row to come counts among the rows.
    const auto rows = static_cast<double>(residuals.size());
    return RatioBounds{median(logRatios),
                       quantile(residuals, std::min(core::intervalCoverage * (rows + 1) / rows, 1.0))};
}

CalibrationClass summarize(std::string name, std::span<const CalibrationRow> rows) {
    CalibrationClass summary;
    summary.name = std::move(name);
    summary.rows = rows.size();
    std::vector<double> errors;
    std::vector<double> logRatios;
    for (const CalibrationRow& row : rows) {
        errors.push_back(std::abs(row.error));
        if (row.predicted > 0)
            logRatios.push_back(std::log(row.measured / row.predicted));
    }
    std::ranges::sort(errors);
    summary.medianError = median(errors);
    summary.p90Error = quantile(errors, 0.9);
    summary.worstError = errors.empty() ? 0 : errors.back();
    summary.factor = std::exp(median(logRatios));
    addBounds(summary, logRatios);
    return summary;
}

std::string calibrationClass(const CalibrationCase& item) {
    if (const std::string own = textOf(item.description, "class"); !own.empty())
        return own;
    if (const auto figure = figureClass(item))
        return std::string(core::toString(*figure));
    if (item.kind == CalibrationKind::Micro)
        return std::string(core::toString(figureClass(textOf(item.description, "operation"))));
    return item.kind == CalibrationKind::Memory ? "memory: code and state" : "stencil program";
}

std::optional<core::FigureClass> figureClass(const CalibrationCase& item) {
    switch (item.kind) {
    case CalibrationKind::Micro:
        return item.metric == temporaryBytes
                   ? std::nullopt
                   : std::optional(figureClass(textOf(item.description, "operation")));
    case CalibrationKind::Application:
        return applicationClass(textOf(item.description, "template"));
    case CalibrationKind::Memory:
        return isMemoryTotal(item.metric) ? std::optional(core::FigureClass::Peak) : std::nullopt;
    case CalibrationKind::Scaling:
        return textOf(item.description, "operation") == "stencil" ? std::nullopt
                                                                  : std::optional(core::FigureClass::Scaling);
    }
    return std::nullopt;
}

core::Result<double> predict(const CalibrationCase& item, CompilationCache& cache,
                             const core::JobContext& job) {
    if (!item.excluded.empty())
        return core::failure(noPrediction(item.excluded));
    switch (item.kind) {
    case CalibrationKind::Micro:
        return predictMicro(item, item.metric);
    case CalibrationKind::Application:
        return predictThroughput(item, cache, job);
    case CalibrationKind::Memory:
        return predictMemory(item, cache, job);
    case CalibrationKind::Scaling:
        return predictMicro(item, textOf(item.description, "figure"));
    }
    return core::failure(noPrediction("a kind of row that is not known"));
}

core::Result<CalibrationReport> calibrate(std::span<const CalibrationCase> cases,
                                          const core::JobContext& job) {
    CalibrationReport report;
    CompilationCache cache;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const CalibrationCase& item = cases[i];
        if (!item.unknownKeys.empty())
            report.unread.push_back({item.id, item.unknownKeys});
        if (job.isCancelled())
            return core::failure(core::makeError(core::Trouble::Interrupted, "calibration/interrupted", {},
                                                 "stopped on request",
                                                 {"start it again to have the whole answer"}));
        job.report(static_cast<double>(i) / static_cast<double>(cases.size()), item.id);
        if (!item.ratioTo.empty() && item.excluded.empty()) {
            if (auto row = ratioRow(item, cases, cache, job))
                report.rows.push_back(std::move(*row));
            else
                report.excluded.push_back({item.id, item.what, reasonOf(row.error())});
            continue;
        }
        const auto predicted = predict(item, cache, job);
        if (!predicted || !(item.measured > 0)) {
            report.excluded.push_back(
                {item.id, item.what,
                 predicted ? "the measurement is not above 0" : reasonOf(predicted.error())});
            continue;
        }
        CalibrationRow row = rowOf(item.id, item.what, *predicted, item.measured);
        classify(row, item);
        row.inconsistency = inconsistencyOf(item);
        report.rows.push_back(std::move(row));
    }
    addScalingRows(cases, report);
    report.classes = summarizeAll(report.rows);
    return report;
}

} // namespace simulator
