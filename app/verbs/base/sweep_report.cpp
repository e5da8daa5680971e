#include "app/verbs/base/sweep_report.h"

#include "app/reports/report_table.h"
#include "app/reports/run_report.h"
#include "app/services/sweep/sweep_runner.h"
#include "app/verbs/base/verb_input.h"
#include "core/base/file_limit.h"
#include "core/profile/queries/sweep_queries.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <numeric>
#include <span>

namespace app {

namespace {

/// Rows of the front that are printed for people; JSON and CSV have all.
constexpr std::size_t shownFront = 20;
/// Reasons why points are not simulated.
constexpr std::size_t shownFindings = 5;

/// Figures of the columns; a path of the same name needs no column of its own.
constexpr std::array<std::string_view, 4> wholeFigures{"ipus", "replicas", "effective_batch", "step_cycles"};

bool isFigure(const std::string& path) {
    return std::ranges::find(wholeFigures, path) != wholeFigures.end();
}

/// The points of a stored sweep by what became of them, and the best that meet its conditions.
struct SweepOutcome {
    std::array<std::int64_t, core::sweepPointStateCount> counts{};
    std::vector<core::SweepFinding> findings;
    /// Points, the fastest first.
    std::vector<std::int64_t> front;

    [[nodiscard]] std::int64_t points() const {
        return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    }
};

/// Points are many: none is held whole.
core::Result<SweepOutcome> outcomeOf(const SweepSubject& subject, const core::ProfileDatabase& database,
                                     std::int64_t sweep) {
    auto results = core::loadSweepResults(database, sweep);
    if (!results)
        return core::failure(results.error());
    core::Diagnostics findings;
    std::function<bool(const core::FrontCandidate&)> isWanted;
    if (!subject.sweep.conditions.empty())
        isWanted = [&](const core::FrontCandidate& candidate) {
            const auto records = core::loadPoints(database, sweep, std::span(&candidate.point, 1));
            if (!records)
                findings = records.error();
            return records && !records->empty() && isEligible(subject, records->front());
        };
    SweepOutcome outcome{results->counts, std::move(results->findings), {}};
    for (const std::size_t i : core::paretoFront(results->candidates, isWanted))
        outcome.front.push_back(results->candidates[i].point);
    if (!findings.empty())
        return core::failure(std::move(findings));
    return outcome;
}

/// For people without the database that it came from, which `sweep --status` counts.
ReportTable emptyTable(const std::vector<std::string>& paths, Digits digits) {
    constexpr auto right = TextTable::Align::Right;
    std::vector<ReportTable::Column> columns{{"point", right}, {"state"}};
    for (const std::string& path : paths) {
        if (!isFigure(path))
            columns.push_back({path, right});
    }
    for (const std::string_view figure : wholeFigures)
        columns.push_back({std::string(figure), right});
    columns.push_back({"samples_per_second", right});
    columns.push_back({"idle_fraction", right});
    columns.push_back({"peak_bytes", right});
    columns.push_back({"run", right});
    columns.push_back({"finding"});
    std::ranges::move(intervalColumns(), std::back_inserter(columns));
    if (digits == Digits::All)
        columns.push_back({"merged_from"});
    return ReportTable(std::move(columns));
}

std::vector<ReportTable::Cell> cellsOf(const std::vector<std::string>& paths,
                                       const core::SweepPointRecord& record, Digits digits,
                                       std::string_view recorder = {}) {
    const auto whole = [](const auto& value) {
        if (!value)
            return ReportTable::Cell(core::Json());
        if constexpr (requires { value->value(); })
            return ReportTable::Cell(core::Json(value->value()));
        else
            return ReportTable::Cell(core::Json(*value));
    };
    const auto share = [&](const std::optional<double>& value, const char* form) {
        if (value && digits == Digits::All)
            return ReportTable::Cell(finite(*value));
        return value ? ReportTable::Cell(finite(*value), fmt::format(fmt::runtime(form), *value))
                     : ReportTable::Cell(core::Json());
    };
    std::vector<ReportTable::Cell> cells{core::Json(record.point), core::Json(core::toString(record.state))};
    const core::Json values = core::Json::parse(record.values, nullptr, false);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (!isFigure(paths[i]))
            cells.emplace_back(i < values.size() ? values[i] : core::Json());
    }
    // A point that was not simulated has no figures, but what it was to be.
    const auto asked = std::ranges::find(paths, "replicas");
    const auto place = static_cast<std::size_t>(asked - paths.begin());
    cells.push_back(whole(record.ipus));
    cells.push_back(record.replicas || place >= values.size() ? whole(record.replicas)
                                                              : ReportTable::Cell(values[place]));
    cells.push_back(whole(record.effectiveBatch));
    cells.push_back(whole(record.step));
    cells.push_back(share(record.samplesPerSecond, "{:.1f}"));
    cells.push_back(share(record.idleFraction, "{:.3f}"));
    cells.push_back(whole(record.peak));
    cells.push_back(whole(record.run));
    cells.push_back(record.finding.empty() ? ReportTable::Cell(core::Json())
                                           : ReportTable::Cell(core::Json(record.finding)));
    const auto& known = record.intervals;
    std::optional<core::PredictedRanges> ranges;
    if (known && record.samplesPerSecond && record.step && record.peak)
        ranges = core::predictedRanges(*known, *record.samplesPerSecond, *record.step, *record.peak);
    std::ranges::move(intervalCells(ranges, digits), std::back_inserter(cells));
    if (digits == Digits::All) {
        const std::string_view origin = core::mergedFrom(record.origin, recorder);
        cells.push_back(origin.empty() ? ReportTable::Cell(core::Json())
                                       : ReportTable::Cell(core::Json(origin), std::string(origin)));
    }
    return cells;
}

/// The rows of a million points are gigabytes: they are read while they are written.
RowStream rowsOf(const std::vector<std::string>& paths, std::shared_ptr<const core::ProfileDatabase> database,
                 std::int64_t sweep, std::string recorder) {
    const ReportTable table = emptyTable(paths, Digits::All);
    const auto visit = [table, paths, database = std::move(database), sweep,
                        recorder = std::move(recorder)](RowForm form, const core::WritePiece& write) {
        return core::forEachPoint(*database, sweep, [&](const core::SweepPointRecord& record) {
            return write(table.row(cellsOf(paths, record, Digits::All, recorder), form));
        });
    };
    return {"rows", table.csvTitles(), visit};
}

} // namespace

bool isEligible(const SweepSubject& subject, const core::SweepPointRecord& record) {
    return record.state == core::SweepPointState::Fits &&
           (subject.sweep.conditions.empty() || subject.isWanted(subject.sweep.point(record.point), record));
}

core::Result<Report> sweepReport(const SweepSubject& subject, core::ProfileDatabase database,
                                 std::int64_t sweep) {
    const auto outcome = outcomeOf(subject, database, sweep);
    if (!outcome)
        return core::failure(outcome.error());
    const std::size_t shown = std::min(shownFront, outcome->front.size());
    const auto records = core::loadPoints(database, sweep, std::span(outcome->front).first(shown));
    if (!records)
        return core::failure(records.error());
    auto recorder = core::recorderOf(database, sweep);
    if (!recorder)
        return core::failure(recorder.error());
    const std::vector<std::string> paths = subject.sweep.paths();
    ReportTable front = emptyTable(paths, Digits::ForPeople);
    for (const core::SweepPointRecord& record : *records)
        front.add(cellsOf(paths, record, Digits::ForPeople));
    Report report;
    report.json = reportJson("sweep");
    report.json["sweep"] = sweep;
    report.json["points"] = outcome->points();
    report.json["rows"] = core::Json::array();
    report.json["front"] = outcome->front;
    report.json["findings"] = core::Json::array();
    for (const core::SweepFinding& finding : outcome->findings)
        report.json["findings"].push_back(
            {{"code", finding.code}, {"points", finding.points}, {"message", finding.message}});
    report.json["best"] = outcome->front.empty() ? core::Json() : core::Json(outcome->front.front());
    report.rows = rowsOf(paths, std::make_shared<core::ProfileDatabase>(std::move(database)), sweep,
                         *std::move(recorder));
    const auto& counts = outcome->counts;
    report.text = fmt::format("{} points: {} fit, {} do not fit, {} refused, {} failed\n", outcome->points(),
                              counts[0], counts[1], counts[2], counts[3]);
    for (const core::SweepFinding& finding :
         std::span(outcome->findings).first(std::min(shownFindings, outcome->findings.size())))
        report.text += fmt::format("{:>8} {}, such as: {}\n", finding.points, finding.code, finding.message);
    if (outcome->findings.size() > shownFindings)
        report.text += fmt::format("         and {} more reasons: see the column \"finding\" of --csv\n",
                                   outcome->findings.size() - shownFindings);
    report.text +=
        outcome->front.empty()
            ? "None fits and meets every condition.\n"
            : fmt::format("\nThe front (throughput, peak, IPUs), {} of {} points, fastest first:\n{}", shown,
                          outcome->front.size(), front.text());
    report.isNegative = outcome->front.empty();
    return report;
}

core::Result<StoredSweepOfFile> storedSweepOf(const std::filesystem::path& file,
                                              const DatabaseArgument& database) {
    const auto text = readInput(file, core::FileLimit::project);
    if (!text)
        return core::failure(text.error());
    auto subject = sweepSubject(*text, inputName(file));
    if (!subject)
        return core::failure(subject.error());
    auto opened = database.open(core::DatabaseAccess::ReadOnly, subject->file);
    if (!opened)
        return core::failure(opened.error());
    const auto sweep = core::findSweep(*opened, hashOf(*subject));
    if (!sweep)
        return core::failure(sweep.error());
    if (!*sweep)
        return core::failure(
            core::makeError(core::Trouble::Input, "sweep/unknown", {inputName(file), ""},
                            fmt::format("{} holds no point of this sweep", opened->path().string()),
                            {fmt::format("simulate it: ipu-workbench sweep {}", inputName(file)),
                             "name the database that holds it with --database"}));
    return StoredSweepOfFile{*std::move(subject), *std::move(opened), **sweep};
}

} // namespace app
