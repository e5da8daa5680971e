#include "simulator/calibration/calibration_fit.h"

#include "simulator/target/target_catalogue.h"
#include "simulator/target/target_figures.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <set>

namespace simulator {

namespace {

using core::Json;

constexpr std::array figures{
    FittedFigure{"superstep_overhead_cycles", {500, 600, 700, 800, 900}},
    FittedFigure{"layout_imbalance", {1.0, 1.2, 1.4, 1.6, 1.8}},
    FittedFigure{"tile_copy_cycles_per_byte", {0.125, 0.1875, 0.25, 0.34, 0.44}},
    FittedFigure{"gateway_bytes_per_second", {6.25e9, 9e9, 12.5e9, 18e9, 25e9}},
};

/// The value nearest to the one the catalogue states.
FitPoint catalogued() {
    const IpuTarget& target = findTarget("ipu2")->target;
    FitPoint point;
    for (const FittedFigure& figure : figures) {
        const double stated = figureValue(target, *findFigure(figure.key));
        const auto nearest = std::ranges::min_element(figure.values, {},
                                                      [&](double value) { return std::abs(value - stated); });
        point.push_back(static_cast<std::size_t>(nearest - figure.values.begin()));
    }
    return point;
}

std::string familyLeftOut(const CalibrationCase& item) {
    return item.description.value("template", "");
}

class Fitter {
public:
    Fitter(std::span<const CalibrationCase> cases, const core::JobContext& job)
        : m_job(job) {
        std::ranges::copy_if(cases, std::back_inserter(m_cases), [](const CalibrationCase& item) {
            return item.kind == CalibrationKind::Application && !item.weak && item.excluded.empty();
        });
    }

    core::Result<CalibrationFit> fit() {
        CalibrationFit result;
        result.point = best({});
        result.meanError = error(result.point, {});
        std::set<std::string> families;
        for (const CalibrationCase& item : m_cases)
            families.insert(familyLeftOut(item));
        for (const std::string& family : families) {
            LeftOutFamily out{family, best(family), {}};
            const std::vector<CalibrationRow>& rows = rowsAt(out.point);
            std::ranges::copy_if(rows, std::back_inserter(out.rows), [&](const CalibrationRow& row) {
                return familyLeftOut(caseOf(row)) == family;
            });
            result.leftOut.push_back(std::move(out));
        }
        if (!m_failure.empty())
            return core::failure(m_failure);
        return result;
    }

private:
    [[nodiscard]] const CalibrationCase& caseOf(const CalibrationRow& row) const {
        return *std::ranges::find(m_cases, row.id, &CalibrationCase::id);
    }

    const std::vector<CalibrationRow>& rowsAt(const FitPoint& point) {
        const auto known = m_rows.find(point);
        if (known != m_rows.end() || !m_failure.empty())
            return known != m_rows.end() ? known->second : m_rows[point];
        std::vector<CalibrationCase> cases = m_cases;
        for (CalibrationCase& item : cases)
            item.description["figures"].update(figuresAt(point));
        auto report = calibrate(cases, m_job);
        if (!report)
            m_failure = report.error();
        std::vector<CalibrationRow>& rows = m_rows[point];
        if (report)
            std::ranges::copy_if(report->rows, std::back_inserter(rows),
                                 [](const CalibrationRow& row) { return row.className != "scaling"; });
        return rows;
    }

    double error(const FitPoint& point, const std::string& leftOut) {
        double sum = 0;
        std::size_t count = 0;
        for (const CalibrationRow& row : rowsAt(point)) {
            if (!leftOut.empty() && familyLeftOut(caseOf(row)) == leftOut)
                continue;
            sum += std::abs(std::log(row.predicted / row.measured));
            ++count;
        }
        return count == 0 ? 0 : sum / static_cast<double>(count);
    }

    FitPoint best(const std::string& leftOut) {
        FitPoint point = catalogued();
        double least = error(point, leftOut);
        for (bool improves = true; improves && m_failure.empty();) {
            improves = false;
            for (std::size_t figure = 0; figure < point.size(); ++figure)
                for (std::size_t value = 0; value < figures[figure].values.size(); ++value) {
                    FitPoint other = point;
                    other[figure] = value;
                    if (const double found = error(other, leftOut); found < least) {
                        least = found;
                        point = other;
                        improves = true;
                    }
                }
        }
        return point;
    }

    const core::JobContext& m_job;
    std::vector<CalibrationCase> m_cases;
    std::map<FitPoint, std::vector<CalibrationRow>> m_rows;
    core::Diagnostics m_failure;
};

} // namespace

std::span<const FittedFigure> fittedFigures() {
    return figures;
}

core::Json figuresAt(const FitPoint& point) {
    assert(point.size() == figures.size());
    Json values = Json::object();
    for (std::size_t i = 0; i < figures.size(); ++i)
        values[std::string(figures[i].key)] = figures[i].values[point[i]];
    return values;
}

core::Result<CalibrationFit> fitFigures(std::span<const CalibrationCase> cases, const core::JobContext& job) {
    return Fitter(cases, job).fit();
}

} // namespace simulator
