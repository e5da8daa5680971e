#include "simulator/calibration/target_fit.h"

#include "simulator/target/target_figures.h"
#include "simulator/target/target_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace simulator {

namespace {

constexpr std::array<std::string_view, 19> movable{"exchange_bytes_per_cycle",
                                                   "exchange_fragment_cycles",
                                                   "tile_copy_cycles_per_byte",
                                                   "internal_sync_cycles",
                                                   "global_sync_cycles",
                                                   "sync_seconds_per_hop",
                                                   "superstep_overhead_cycles",
                                                   "layout_imbalance",
                                                   "link_efficiency",
                                                   "further_hop_share",
                                                   "gateway_bytes_per_second",
                                                   "collective_latency_seconds",
                                                   "host_bytes_per_second",
                                                   "host_machine_bytes_per_second",
                                                   "host_latency_seconds",
                                                   "host_data_set_up_seconds",
                                                   "host_synchronous_bytes_per_second",
                                                   "streaming_memory_bytes_per_second",
                                                   "control_code_bytes_per_tile"};
/// Factors of a figure, coarse ones first.
constexpr std::array<double, 4> steps{1.5, 1.2, 1.07, 1.02};
/// What a new value has to gain, as mean |log|.
constexpr double leastGain = 1e-3;

class TargetFitter {
public:
    TargetFitter(std::span<const CalibrationCase> cases, IpuTarget target, const core::JobContext& job)
        : m_cases(cases.begin(), cases.end())
        , m_stated(std::move(target))
        , m_job(job) {
        m_values.resize(movable.size());
        for (std::size_t i = 0; i < movable.size(); ++i)
            m_values[i] = figureValue(m_stated, *findFigure(movable[i]));
    }

    core::Result<TargetFit> fit() {
        auto before = reportAt(m_values);
        if (!before)
            return core::failure(before.error());
        if (before->rows.empty())
            return core::failure(nothingPredicted(*before));
        TargetFit result;
        // Ratios of two rows are none of their own.
        result.rows = std::min(before->rows.size(), m_cases.size());
        result.mostFigures = result.rows / rowsPerFigure;
        result.errorBefore = meanError(*before);
        m_error = result.errorBefore;
        const std::vector<double> stated = m_values;
        if (result.mostFigures > 0)
            if (auto found = findShownFigures(*before); !found)
                return core::failure(std::move(found.error()));
        while (m_moved.size() < result.mostFigures) {
            const auto next = bestToMove();
            if (!next)
                return core::failure(next.error());
            if (!*next)
                break;
            m_moved.push_back(**next);
            if (auto descended = descend(); !descended)
                return core::failure(std::move(descended.error()));
        }
        auto after = reportAt(m_values);
        if (!after)
            return core::failure(after.error());
        result.report = std::move(*after);
        result.errorAfter = m_error;
        result.target = m_stated;
        for (std::size_t i = 0; i < m_values.size(); ++i) {
            if (m_values[i] == stated[i])
                continue;
            setFigure(result.target, *findFigure(movable[i]), m_values[i]);
            result.figures.push_back({movable[i], stated[i], m_values[i]});
        }
        result.target.intervals = intervalsOfRows(result.report.rows, result.figures.size());
        return result;
    }

private:
    /// Why nothing is known of the first rows, as many as anybody reads.
    static core::Diagnostics nothingPredicted(const CalibrationReport& report) {
        constexpr std::size_t shown = 5;
        core::Diagnostics findings;
        for (std::size_t i = 0; i < std::min(shown, report.excluded.size()); ++i)
            findings.push_back(core::makeError(
                core::Trouble::Input, "calibration/no-prediction", {"", report.excluded[i].id},
                fmt::format("nothing is predicted of the row: {}", report.excluded[i].reason),
                {"a fit takes one row at least that is predicted; without --fit the rows are listed, each "
                 "with what it lacks"}));
        if (findings.empty())
            findings.push_back(noPrediction("none of these rows is predicted, so nothing can be fitted"));
        return findings;
    }

    core::Result<CalibrationReport> reportAt(const std::vector<double>& values) {
        std::vector<CalibrationCase> cases = m_cases;
        for (CalibrationCase& item : cases) {
            core::Json& figures = item.description["figures"];
            for (std::size_t i = 0; i < values.size(); ++i)
                figures[std::string(movable[i])] = values[i];
        }
        return calibrate(cases, m_job);
    }

    static double meanError(const CalibrationReport& report) {
        double sum = 0;
        for (const CalibrationRow& row : report.rows)
            sum += std::abs(std::log(row.predicted / row.measured));
        return sum / static_cast<double>(report.rows.size());
    }

    [[nodiscard]] std::vector<double> moved(std::size_t figure, double factor) const {
        const TargetFigure& row = *findFigure(movable[figure]);
        std::vector<double> values = m_values;
        values[figure] = wholeWhereItIs(row, std::clamp(values[figure] * factor, row.low, row.high));
        return values;
    }

    /// A figure that one row alone shows would follow that row.
    core::Result<void> findShownFigures(const CalibrationReport& stated) {
        for (std::size_t i = 0; i < m_values.size(); ++i) {
            std::vector<bool> shows(stated.rows.size());
            for (const double factor : {steps.front(), 1 / steps.front()}) {
                const auto report = reportAt(moved(i, factor));
                if (!report)
                    return core::failure(report.error());
                for (std::size_t row = 0; row < std::min(shows.size(), report->rows.size()); ++row)
                    if (report->rows[row].predicted != stated.rows[row].predicted)
                        shows[row] = true;
            }
            if (std::ranges::count(shows, true) >= static_cast<std::ptrdiff_t>(fewestRowsOfFigure))
                m_shown.push_back(i);
        }
        return {};
    }

    /// Of the figures that do not move yet the one whose change gains most; nothing where none gains.
    core::Result<std::optional<std::size_t>> bestToMove() {
        std::optional<std::size_t> best;
        double least = m_error - leastGain;
        for (const std::size_t i : m_shown) {
            if (std::ranges::find(m_moved, i) != m_moved.end())
                continue;
            for (const double step : {steps[0], steps[2]}) {
                for (const double factor : {step, 1 / step}) {
                    const auto error = errorAt(moved(i, factor));
                    if (!error)
                        return core::failure(error.error());
                    if (*error < least) {
                        least = *error;
                        best = i;
                    }
                }
            }
        }
        return best;
    }

    /// Moves the figures that may until no step gains.
    core::Result<void> descend() {
        for (const double step : steps) {
            bool improves = true;
            while (improves) {
                improves = false;
                for (const std::size_t figure : m_moved) {
                    const auto isBetter = move(figure, step);
                    if (!isBetter)
                        return core::failure(isBetter.error());
                    improves = improves || *isBetter;
                }
            }
        }
        return {};
    }

    core::Result<double> errorAt(const std::vector<double>& values) {
        const auto report = reportAt(values);
        if (!report)
            return core::failure(report.error());
        return report->rows.empty() ? m_error : meanError(*report);
    }

    /// Tries a figure above and below its value; whether one of them was better.
    core::Result<bool> move(std::size_t figure, double step) {
        for (const double factor : {step, 1 / step}) {
            std::vector<double> values = moved(figure, factor);
            if (values == m_values)
                continue;
            const auto error = errorAt(values);
            if (!error)
                return core::failure(error.error());
            if (*error < m_error - leastGain) {
                m_values = std::move(values);
                m_error = *error;
                return true;
            }
        }
        return false;
    }

    static double wholeWhereItIs(const TargetFigure& figure, double value) {
        return std::holds_alternative<double IpuTarget::*>(figure.member) ? value : std::round(value);
    }

    std::vector<CalibrationCase> m_cases;
    IpuTarget m_stated;
    const core::JobContext& m_job;
    std::vector<double> m_values;
    double m_error = 0;
    /// Places in `movable`: figures that enough rows show, and those that may move.
    std::vector<std::size_t> m_shown;
    std::vector<std::size_t> m_moved;
};

/// Of the times of programs and operations.
constexpr std::array timeClasses{core::FigureClass::TransformerRate, core::FigureClass::ConvolutionalRate,
                                 core::FigureClass::OtherRate,       core::FigureClass::Product,
                                 core::FigureClass::Program,         core::FigureClass::Operation};

std::vector<double> logRatiosOf(std::span<const CalibrationRow> rows,
                                std::span<const core::FigureClass> classes) {
    std::vector<double> ratios;
    for (const CalibrationRow& row : rows)
        if (row.figure && row.ratio > 0 && std::ranges::find(classes, *row.figure) != classes.end())
            ratios.push_back(std::log(row.ratio));
    return ratios;
}

/// `wider`: what a fit that saw the rows makes their residuals smaller by.
core::PredictionInterval intervalOf(const std::vector<double>& logRatios, double wider) {
    const auto rows = static_cast<std::int64_t>(logRatios.size());
    if (const auto bounds = ratioBounds(logRatios))
        return {std::exp(bounds->centre - wider * bounds->width),
                std::exp(bounds->centre + wider * bounds->width), rows, rows};
    const auto [low, high] = std::ranges::minmax(logRatios);
    return {std::exp(low), std::exp(high), rows, rows};
}

} // namespace

core::PredictionIntervals intervalsOfRows(std::span<const CalibrationRow> rows, std::size_t fitted) {
    const auto count = static_cast<double>(rows.size());
    const double wider = count / std::max(1.0, count - static_cast<double>(fitted));
    core::PredictionIntervals intervals = core::publishedIntervals();
    for (std::size_t i = 0; i < core::figureClassCount; ++i) {
        const auto figure = static_cast<core::FigureClass>(i);
        const bool isTime = std::ranges::find(timeClasses, figure) != timeClasses.end();
        const std::vector<double> own = logRatiosOf(rows, std::span(&figure, 1));
        const std::vector<double> times =
            own.empty() && isTime ? logRatiosOf(rows, timeClasses) : std::vector<double>();
        const core::PredictionInterval published = intervals.of(figure);
        if (ratioBounds(own))
            intervals.setOwn(figure, intervalOf(own, wider));
        else if (!own.empty() || !times.empty())
            intervals.setOwn(figure, core::hullOf(intervalOf(own.empty() ? times : own, wider), published));
    }
    return intervals;
}

std::span<const std::string_view> refittedFigures() {
    return movable;
}

core::Result<TargetFit> fitTarget(std::span<const CalibrationCase> cases, const core::JobContext& job) {
    if (cases.empty())
        return core::failure(noPrediction("there are no rows to fit to"));
    for (const CalibrationCase& item : cases)
        if (item.target != cases.front().target)
            return core::failure(core::makeError(
                core::Trouble::Input, "calibration/targets", {"", item.id},
                fmt::format("rows are of the targets \"{}\" and \"{}\", and a fit makes one target",
                            cases.front().target, item.target),
                {"fit the rows of each target by themselves"}));
    auto target = resolveTarget(cases.front().target);
    if (!target)
        return core::failure(target.error());
    return TargetFitter(cases, std::move(*target), job).fit();
}

} // namespace simulator
