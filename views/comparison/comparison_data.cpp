#include "views/comparison/comparison_data.h"

#include <algorithm>
#include <cmath>

namespace views {

double ComparisonData::seconds(std::size_t run) const {
    const core::RunSummary& s = summary(run);
    return s.provenance.clockHz > 0 ? static_cast<double>(s.step.value()) / s.provenance.clockHz : 0;
}

core::Result<ComparisonData> loadComparison(const core::ProfileDatabase& database,
                                            const std::vector<core::RunId>& runs, core::RunId baseline,
                                            std::int64_t bins) {
    std::vector<core::RunId> ordered{baseline};
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(ordered),
                 [&](core::RunId run) { return run != baseline; });
    auto comparison = core::compareRuns(database, ordered, baseline);
    if (!comparison)
        return core::failure(comparison.error());
    ComparisonData result;
    result.comparison = *std::move(comparison);
    for (const core::RunId run : ordered) {
        auto timeline = loadMiniTimeline(database, run, bins);
        if (!timeline)
            return core::failure(timeline.error());
        result.timelines.push_back(*std::move(timeline));
    }
    auto rows = core::listRuns(database);
    if (!rows)
        return core::failure(rows.error());
    std::erase_if(*rows, [](const core::RunRow& row) { return row.state != core::RunState::Complete; });
    result.runs = *std::move(rows);
    return result;
}

QString runLetter(std::size_t index) {
    return QString(QChar(static_cast<char16_t>(u'A' + index % 26)));
}

QString runName(const ComparisonData& data, std::size_t run) {
    const auto differs = [&](const auto& valueOf) {
        for (std::size_t i = 1; i < data.count(); ++i) {
            if (valueOf(i) != valueOf(0))
                return true;
        }
        return false;
    };
    const auto schedule = [&](std::size_t i) { return data.summary(i).provenance.schedule; };
    const auto project = [&](std::size_t i) { return data.summary(i).provenance.projectName; };
    const QString number = QStringLiteral("Run #%1").arg(data.comparison.runs[run].value());
    if (differs(project))
        return toQString(project(run));
    if (differs(schedule) && !schedule(run).empty())
        return toQString(schedule(run));
    return number;
}

QString deltaText(const core::ComparedMetric& metric, std::size_t run) {
    if (!metric.deltas[run])
        return QStringLiteral("–");
    if (*metric.deltas[run] == 0)
        return QStringLiteral("0");
    if (metric.isShare)
        return signedText(100 * *metric.deltas[run], 1) + QStringLiteral(" pp");
    if (metric.relative[run])
        return signedText(100 * *metric.relative[run], 1) + QStringLiteral(" %");
    return signedText(*metric.deltas[run], 1);
}

std::optional<bool> isBetter(const core::ComparedMetric& metric, std::size_t run) {
    if (metric.better == core::Better::Neither || !metric.deltas[run] || *metric.deltas[run] == 0 ||
        std::isnan(*metric.deltas[run]))
        return std::nullopt;
    return (*metric.deltas[run] > 0) == (metric.better == core::Better::Higher);
}

} // namespace views
