#include "app/reports/report_table.h"
#include "app/services/run/record_run.h"
#include "app/verbs/base/verb.h"
#include "app/verbs/base/verb_input.h"
#include "core/base/file.h"
#include "core/base/file_limit.h"
#include "simulator/calibration/calibration_bars.h"
#include "simulator/calibration/target_fit.h"
#include "simulator/target/target_file.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

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
            "(id, kind, metric, value, …); - reads the standard input; the published ones otherwise");
        command
            .add_option("--fit", m_target,
                        "Fit the target of FILE's rows to them, and write it to this target file")
            ->type_name("TARGET.json");
    }

    core::Result<Report> run(const VerbContext& context) override {
        std::vector<simulator::CalibrationCase> own;
        if (!m_file.empty()) {
            const auto text = readInput(m_file, core::FileLimit::table);
            m_file = inputName(m_file);
            if (!text)
                return core::failure(text.error());
            auto cases = text->starts_with('{') ? simulator::readCalibrationCases(*text, m_file)
                                                : simulator::readMeasurements(*text, m_file);
            if (!cases)
                return core::failure(std::move(cases.error()));
            own = std::move(*cases);
        }
        if (!m_target.empty())
            return fit(own, context);
        const auto calibration = simulator::calibrate(
            m_file.empty() ? simulator::publishedCases() : std::span<const simulator::CalibrationCase>(own),
            context.job);
        return calibration ? core::Result<Report>(report(*calibration)) : core::failure(calibration.error());
    }

private:
    /// The published rows are what the targets of the catalogue come from already.
    core::Result<Report> fit(std::span<const simulator::CalibrationCase> own,
                             const VerbContext& context) const {
        if (m_file.empty())
            return core::failure(usageError("usage/arguments", "--fit",
                                            "--fit takes measurements of one's own",
                                            "name a file of them: calibrate mine.csv --fit mine.json"));
        auto fitted = simulator::fitTarget(own, context.job);
        if (!fitted)
            return core::failure(withFile(std::move(fitted.error()), m_file));
        fitted->target.name = m_target.stem().string();
        const auto written = core::writeFileAtomically(
            m_target, core::toText(simulator::toJson(fitted->target)) + "\n",
            context.output.force ? core::Overwrite::Replace : core::Overwrite::Refuse);
        if (!written)
            return core::failure(written.error());
        context.console.note(fmt::format("wrote {}", m_target.string()));
        Report result = report(fitted->report);
        ReportTable figures({{"figure"}, {"before", right}, {"after", right}});
        for (const simulator::RefittedFigure& moved : fitted->figures)
            figures.add({std::string(moved.key), figure(moved.before), figure(moved.after)});
        ReportTable intervals({{"class"},
                               {"low", right, "80 % from"},
                               {"high", right, "to"},
                               {"rows", right},
                               ReportTable::jsonColumn("own_rows"),
                               ReportTable::textColumn("by")});
        const core::PredictionIntervals& known = fitted->target.intervals;
        for (std::size_t i = 0; i < core::figureClassCount; ++i) {
            const core::PredictionInterval& interval = known.ofClass[i];
            if (known.isOwn[i])
                intervals.add({std::string(core::toString(static_cast<core::FigureClass>(i))),
                               {interval.low, percent(interval.low - 1)},
                               {interval.high, percent(interval.high - 1)},
                               interval.rows,
                               interval.ownRows,
                               {std::nullopt, core::rowsText(interval)}});
        }
        result.json["fit"] = {{"target", m_target.string()},
                              {"figures", figures.json()},
                              {"rows", fitted->rows},
                              {"most_figures", fitted->mostFigures},
                              {"intervals", intervals.json()},
                              {"mean_error_before", finite(std::expm1(fitted->errorBefore))},
                              {"mean_error_after", finite(std::expm1(fitted->errorAfter))}};
        result.text += "\n" + movedText(*fitted) + (fitted->figures.empty() ? "" : "\n" + figures.text());
        result.text +=
            fmt::format("mean error {:.1f} % before the fit, {:.1f} % after it\n",
                        100 * std::expm1(fitted->errorBefore), 100 * std::expm1(fitted->errorAfter));
        result.text +=
            fmt::format("\nmeasured over predicted, on this target, for 4 of 5:\n{}", intervals.text());
        return result;
    }

    static std::string movedText(const simulator::TargetFit& fitted) {
        const std::string rows = counted(std::int64_t(fitted.rows), "row");
        if (fitted.mostFigures == 0)
            return fmt::format("No figure is fitted: {} would be followed, not fitted; a figure takes {} "
                               "rows. The target's figures stay, and its intervals hold the {}.\n",
                               rows, simulator::rowsPerFigure, rows);
        if (fitted.figures.empty())
            return fmt::format("No figure that {} rows show makes the rows fit better.\n",
                               simulator::fewestRowsOfFigure);
        return fmt::format("Fitted: {} of at most {}, one for every {} of {}:\n",
                           counted(std::int64_t(fitted.figures.size()), "figure"), fitted.mostFigures,
                           simulator::rowsPerFigure, rows);
    }

    static constexpr auto left = ReportTable::Align::Left;
    static constexpr auto right = ReportTable::Align::Right;

    static std::string percent(double share) { return fmt::format("{:+.1f} %", 100 * share); }
    static ReportTable::Cell figure(double value) { return {value, fmt::format("{:.6g}", value)}; }
    static ReportTable::Cell error(double share) { return {share, percent(share)}; }

    static Report report(const simulator::CalibrationReport& calibration) {
        const ReportTable rows = rowTable(calibration);
        const ReportTable classes = classTable(calibration);
        const ReportTable bars = barTable(calibration);
        const ReportTable excluded = excludedTable(calibration);
        const ReportTable unread = unreadTable(calibration);
        Report report;
        report.json = reportJson("calibrate");
        report.json["rows"] = rows.json();
        report.json["classes"] = classes.json();
        report.json["excluded"] = excluded.json();
        report.json["unread_keys"] = unread.json();
        report.json["bars"] = bars.json();
        const LeftOut leftOut = leftOutRows(calibration);
        report.json["left_out"] = {{"rows", leftOut.rows}, {"inside", leftOut.inside}};
        report.csv = rows.csv();
        report.text = rows.text() + "\n" + classes.text();
        if (leftOut.rows > 0)
            report.text +=
                fmt::format("\n{} of {} rows ({:.0f} %) lie in the 80 % interval that the other rows "
                            "of their class make\n",
                            leftOut.inside, leftOut.rows,
                            100.0 * static_cast<double>(leftOut.inside) / static_cast<double>(leftOut.rows));
        if (!bars.json().empty())
            report.text += "\n" + bars.text();
        report.text += inconsistentText(calibration);
        if (!calibration.unread.empty())
            report.text +=
                fmt::format("\n{}\nkeys are: {}\n", unread.text(), fmt::join(simulator::caseKeys(), ", "));
        if (!calibration.excluded.empty())
            report.text += fmt::format("\n{}\n{} rows are not predicted\n", excluded.text(),
                                       calibration.excluded.size());
        return report;
    }

    /// Rows held against the interval of the others, and those inside.
    struct LeftOut {
        std::size_t rows = 0;
        std::size_t inside = 0;
    };
    static LeftOut leftOutRows(const simulator::CalibrationReport& calibration) {
        LeftOut all;
        for (const simulator::CalibrationClass& one : calibration.classes) {
            all.rows += one.leftOut;
            all.inside += one.leftOutInside;
        }
        return all;
    }

    /// Where the measured figure lies for 80 % of the rows of the class; empty where the class is too small.
    static ReportTable::Cell bound(const simulator::CalibrationReport& calibration,
                                   const simulator::CalibrationRow& row,
                                   std::optional<double> simulator::CalibrationClass::*factor) {
        const auto known = std::ranges::find(calibration.classes, simulator::className(row),
                                             &simulator::CalibrationClass::name);
        if (known == calibration.classes.end() || !((*known).*factor))
            return {core::Json(), ""};
        return figure(row.predicted * *((*known).*factor));
    }

    static ReportTable rowTable(const simulator::CalibrationReport& calibration) {
        ReportTable table({{"id"},
                           {"class"},
                           {"predicted", right},
                           {"low", right, "80 % from"},
                           {"high", right, "to"},
                           {"measured", right},
                           {"error", right},
                           ReportTable::jsonColumn("weak"),
                           ReportTable::jsonColumn("what"),
                           ReportTable::jsonColumn("inconsistent_with")});
        const ReportTable::Cell none(std::nullopt);
        for (const simulator::CalibrationRow& row : calibration.rows)
            table.add({row.id, row.className, figure(row.predicted),
                       bound(calibration, row, &simulator::CalibrationClass::lowFactor),
                       bound(calibration, row, &simulator::CalibrationClass::highFactor),
                       figure(row.measured), error(row.error), row.weak, row.what,
                       row.inconsistency.empty() ? none : row.inconsistency});
        return table;
    }

    static ReportTable classTable(const simulator::CalibrationReport& calibration) {
        ReportTable table({{"class"},
                           {"rows", right},
                           {"median_error", right, "median error"},
                           {"p90_error", right, "90th percentile"},
                           {"worst_error", right, "worst"},
                           {"left_out_inside", right, "in 80 % of others"},
                           ReportTable::jsonColumn("left_out"),
                           ReportTable::jsonColumn("factor"),
                           ReportTable::jsonColumn("low_factor"),
                           ReportTable::jsonColumn("high_factor")});
        const auto bound = [](const std::optional<double>& factor) {
            return factor ? ReportTable::Cell(*factor) : ReportTable::Cell(std::nullopt);
        };
        for (const simulator::CalibrationClass& row : calibration.classes)
            table.add({row.name, row.rows, error(row.medianError), error(row.p90Error), error(row.worstError),
                       leftOut(row), row.leftOut, row.factor, bound(row.lowFactor), bound(row.highFactor)});
        return table;
    }

    /// "14 of 16": rows of a class in the interval that the others make.
    static ReportTable::Cell leftOut(const simulator::CalibrationClass& row) {
        return {row.leftOutInside,
                row.leftOut == 0 ? std::string() : fmt::format("{} of {}", row.leftOutInside, row.leftOut)};
    }

    static ReportTable barTable(const simulator::CalibrationReport& calibration) {
        ReportTable table({{"name", left, "bar"}, {"limit", right}, {"value", right}, {"kept", left, " "}});
        const auto share = [](double value) {
            return ReportTable::Cell(value, fmt::format("{:.1f} %", 100 * value));
        };
        for (const simulator::CalibrationBar& bar : simulator::calibrationBars(calibration))
            table.add({bar.name,
                       share(bar.limit),
                       share(bar.value),
                       {bar.isKept(), bar.isKept() ? "kept" : "broken"}});
        return table;
    }

    /// Rows that no model agrees with all of.
    static std::string inconsistentText(const simulator::CalibrationReport& calibration) {
        ReportTable table({{"id", left, "inconsistent"}, {"with"}});
        for (const simulator::CalibrationRow& row : calibration.rows)
            if (!row.inconsistency.empty())
                table.add({row.id, row.inconsistency});
        return table.json().empty() ? std::string() : "\n" + table.text();
    }

    /// Keys that nothing reads.
    static ReportTable unreadTable(const simulator::CalibrationReport& calibration) {
        ReportTable table({{"id", left, "not read"}, {"keys"}});
        for (const simulator::UnreadKeys& row : calibration.unread)
            table.add({row.id, fmt::format("{}", fmt::join(row.keys, ", "))});
        return table;
    }

    static ReportTable excludedTable(const simulator::CalibrationReport& calibration) {
        ReportTable table({{"id", left, "not predicted"}, {"reason"}, {"what"}});
        for (const simulator::ExcludedRow& row : calibration.excluded)
            table.add({row.id, row.reason, row.what});
        return table;
    }

    std::string m_file;
    std::filesystem::path m_target;
};

} // namespace

VerbDefinition calibrateVerb() {
    return {.name = "calibrate",
            .summary = "Predicted against measured, row by row, with the errors of each class",
            .examples = {"calibrate", "calibrate measurements.csv --json", "calibrate --csv -o errors.csv",
                         "calibrate measurements.csv --fit mine.json"},
            .make = makeVerb<CalibrateVerb>,
            .hasCsv = true};
}

} // namespace app
