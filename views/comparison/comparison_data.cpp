#include "views/comparison/comparison_data.h"

#include <algorithm>
#include <cmath>
#include <set>

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
    auto stepParts = core::compareSteps(database, result.comparison);
    if (!stepParts)
        return core::failure(stepParts.error());
    result.stepParts = *std::move(stepParts);
    auto pieces = core::comparePieces(database, result.comparison);
    if (!pieces)
        return core::failure(pieces.error());
    result.pieces = *std::move(pieces);
    auto layerTimes = core::compareLayers(database, result.comparison);
    if (!layerTimes)
        return core::failure(layerTimes.error());
    result.layerTimes = *std::move(layerTimes);
    for (const core::RunId run : ordered) {
        auto timeline = loadMiniTimeline(database, run, bins);
        if (!timeline)
            return core::failure(timeline.error());
        result.timelines.push_back(*std::move(timeline));
        auto anchors = core::loadRunAnchors(database, run);
        if (!anchors)
            return core::failure(anchors.error());
        result.anchors.push_back(*std::move(anchors));
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
    const auto tellsApart = [&](const auto& valueOf) {
        std::set<std::string> values;
        for (std::size_t i = 0; i < data.count(); ++i)
            values.insert(valueOf(i));
        return values.size() == data.count() && !values.contains(std::string());
    };
    const auto schedule = [&](std::size_t i) { return data.summary(i).provenance.schedule; };
    const auto project = [&](std::size_t i) { return data.summary(i).provenance.projectName; };
    if (data.count() > 1 && tellsApart(project))
        return toQString(project(run));
    if (data.count() > 1 && tellsApart(schedule))
        return toQString(schedule(run));
    return runNumber(data, run);
}

QString runNumber(const ComparisonData& data, std::size_t run) {
    return QStringLiteral("Run #%1").arg(data.comparison.runs[run].value());
}

QString runSubtitle(const ComparisonData& data, std::size_t run) {
    const core::RunProvenance& provenance = data.summary(run).provenance;
    const QString number = runNumber(data, run);
    QStringList parts;
    for (const QString& part : {number, toQString(provenance.schedule), toQString(provenance.projectName)}) {
        if (!part.isEmpty() && part != runName(data, run))
            parts.append(part);
    }
    return parts.join(QStringLiteral(" · "));
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
