#include "app/reports/text_table.h"
#include "app/verbs/base/verb.h"
#include "core/base/file.h"
#include "simulator/calibration/calibration_bars.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace app {

namespace {

/// Compares what the cost model predicts with what was measured.
class CalibrateVerb final : public Verb {
public:
    void addOptions(CLI::App& command) override {
        command.add_option(
            "FILE", m_file,
            "Measurements as CSV (operation, arguments, measured, …), or described as JSON, "
            "one object per line "
            "(id, kind, metric, value, …), - for standard input; the published ones otherwise");
    }

    core::Result<Report> run(const VerbContext& context) override {
        std::vector<simulator::CalibrationCase> own;
        if (!m_file.empty()) {
            const auto text = core::readFileOrInput(m_file);
            if (!text)
                return core::failure(text.error());
            auto cases = text->starts_with('{') ? simulator::readCalibrationCases(*text, m_file)
                                                : simulator::readMeasurements(*text, m_file);
            if (!cases)
                return core::failure(std::move(cases.error()));
            own = std::move(*cases);
        }
        const auto calibration = simulator::calibrate(
            m_file.empty() ? simulator::publishedCases() : std::span<const simulator::CalibrationCase>(own),
            context.job);
        return calibration ? core::Result<Report>(report(*calibration)) : core::failure(calibration.error());
    }

private:
    static Report report(const simulator::CalibrationReport& calibration) {
        constexpr auto right = TextTable::Align::Right;
        const auto percent = [](double share) { return fmt::format("{:+.1f} %", 100 * share); };
        TextTable rows({{"id"}, {"class"}, {"predicted", right}, {"measured", right}, {"error", right}});
        for (const simulator::CalibrationRow& row : calibration.rows)
            rows.add({row.id, row.className, fmt::format("{:.6g}", row.predicted),
                      fmt::format("{:.6g}", row.measured), percent(row.error)});
        TextTable classes({{"class"},
                           {"rows", right},
                           {"median error", right},
                           {"90th percentile", right},
                           {"worst", right}});
        for (const simulator::CalibrationClass& row : calibration.classes)
            classes.add({row.name, std::to_string(row.rows), percent(row.medianError), percent(row.p90Error),
                         percent(row.worstError)});
        Report report;
        report.json = reportJson("calibrate");
        report.json.update(simulator::toJson(calibration));
        report.json["bars"] = simulator::toJson(simulator::calibrationBars(calibration));
        report.csv = rows.csv();
        report.text = rows.text() + "\n" + classes.text();
        report.text += barsText(calibration) + inconsistentText(calibration) + excludedText(calibration);
        return report;
    }

    static std::string barsText(const simulator::CalibrationReport& calibration) {
        constexpr auto right = TextTable::Align::Right;
        TextTable bars({{"bar"}, {"limit", right}, {"value", right}, {""}});
        const auto found = simulator::calibrationBars(calibration);
        for (const simulator::CalibrationBar& bar : found)
            bars.add({bar.name, fmt::format("{:.1f} %", 100 * bar.limit),
                      fmt::format("{:.1f} %", 100 * bar.value), bar.isKept() ? "kept" : "broken"});
        return found.empty() ? std::string() : "\n" + bars.text();
    }

    /// Rows that no model agrees with all of.
    static std::string inconsistentText(const simulator::CalibrationReport& calibration) {
        TextTable rows({{"inconsistent"}, {"with"}});
        bool any = false;
        for (const simulator::CalibrationRow& row : calibration.rows)
            if (!row.inconsistency.empty()) {
                rows.add({row.id, row.inconsistency});
                any = true;
            }
        return any ? "\n" + rows.text() : std::string();
    }

    static std::string excludedText(const simulator::CalibrationReport& calibration) {
        if (calibration.excluded.empty())
            return {};
        TextTable rows({{"not predicted"}, {"reason"}, {"what"}});
        for (const simulator::ExcludedRow& row : calibration.excluded)
            rows.add({row.id, row.reason, row.what});
        return "\n" + rows.text() + fmt::format("\n{} rows are not predicted\n", calibration.excluded.size());
    }

    std::string m_file;
};

} // namespace

VerbDefinition calibrateVerb() {
    return {.name = "calibrate",
            .summary = "Predicted against measured, row by row, with the errors of each class",
            .examples = {"calibrate", "calibrate measurements.csv --json", "calibrate --csv -o errors.csv"},
            .make = makeVerb<CalibrateVerb>,
            .hasCsv = true};
}

} // namespace app
