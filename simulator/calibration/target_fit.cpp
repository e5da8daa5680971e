#include "simulator/calibration/target_fit.h"

#include "simulator/target/target_figures.h"
#include "simulator/target/target_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>

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
            return core::failure(noPrediction("none of these rows is predicted, so nothing can be fitted"));
        TargetFit result;
        result.errorBefore = meanError(*before);
        m_error = result.errorBefore;
        const std::vector<double> stated = m_values;
        for (const double step : steps) {
            bool improves = true;
            while (improves) {
                improves = false;
                for (std::size_t i = 0; i < m_values.size(); ++i) {
                    const auto moved = move(i, step);
                    if (!moved)
                        return core::failure(moved.error());
                    improves = improves || *moved;
                }
            }
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
        return result;
    }

private:
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

    /// Tries a figure above and below its value; whether one of them was better.
    core::Result<bool> move(std::size_t figure, double step) {
        if (m_isIdle.contains(figure))
            return false;
        const TargetFigure& row = *findFigure(movable[figure]);
        bool isIdle = true;
        for (const double factor : {step, 1 / step}) {
            std::vector<double> values = m_values;
            values[figure] = wholeWhereItIs(row, std::clamp(values[figure] * factor, row.low, row.high));
            if (values[figure] == m_values[figure])
                continue;
            const auto report = reportAt(values);
            if (!report)
                return core::failure(report.error());
            const double error = report->rows.empty() ? m_error : meanError(*report);
            isIdle = isIdle && error == m_error;
            if (error < m_error - leastGain) {
                m_values = std::move(values);
                m_error = error;
                return true;
            }
        }
        if (isIdle) // no row depends on it
            m_isIdle[figure] = true;
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
    std::map<std::size_t, bool> m_isIdle;
};

} // namespace

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
