#include "views/sweep/sweep_data.h"

#include "core/base/json.h"
#include "views/common/text/elided_text.h"
#include "views/profile/time/plot_style.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <qcustomplot.h>

namespace views {

namespace {

constexpr std::string_view schedulePath = "pipeline.schedule";

core::Json valuesOf(const core::SweepPointRecord& point) {
    return core::Json::parse(point.values, nullptr, false);
}

/// A value as `--set` takes it; nothing where the point does not set the path.
QString valueText(const core::Json& values, std::size_t path) {
    if (!values.is_array() || path >= values.size() || values[path].is_null())
        return {};
    const core::Json& value = values[path];
    return toQString(value.is_string() ? value.get<std::string>() : core::toText(value, -1));
}

/// What the project file calls it there.
QString lastPartOf(const std::string& path) {
    return toQString(path.substr(path.rfind('.') + 1));
}

TableCell wholeCell(const std::optional<std::int64_t>& value) {
    TableCell cell;
    if (value) {
        cell.text = groupedText(*value);
        cell.sort = qlonglong(*value);
    }
    return cell;
}

} // namespace

std::optional<std::size_t> SweepData::indexOf(std::int64_t point) const {
    const auto found = std::ranges::lower_bound(points, point, {}, &core::SweepPointRecord::point);
    if (found == points.end() || found->point != point)
        return std::nullopt;
    return std::size_t(found - points.begin());
}

QString sweepCounts(const SweepData& data) {
    std::array<std::int64_t, core::sweepPointStateCount> counts{};
    for (const core::SweepPointRecord& point : data.points)
        ++counts[std::size_t(point.state)];
    QStringList parts;
    const core::SweepRow& sweep = data.sweep();
    const auto done = std::int64_t(data.points.size());
    parts
        << (done == sweep.record.points
                ? countedText(done, QStringLiteral("point"), QStringLiteral("points"))
                : QStringLiteral("%1 of %2 points").arg(groupedText(done), groupedText(sweep.record.points)));
    constexpr std::array<const char*, core::sweepPointStateCount> words{"fit", "do not fit", "refused",
                                                                        "failed"};
    for (std::size_t state = 0; state < counts.size(); ++state)
        if (counts[state] > 0)
            parts << groupedText(counts[state]) + QLatin1Char(' ') + QLatin1String(words[state]);
    parts << QStringLiteral("%1 on the front").arg(groupedText(std::int64_t(data.front.size())));
    return parts.join(QStringLiteral(", "));
}

QString pointText(const SweepData& data, std::size_t index, const Units& units) {
    const core::SweepPointRecord& point = data.points[index];
    const core::Json values = valuesOf(point);
    QStringList settings;
    for (std::size_t i = 0; i < data.paths.size(); ++i)
        if (const QString value = valueText(values, i); !value.isEmpty())
            settings << lastPartOf(data.paths[i]) + QStringLiteral(" ") + value;
    QStringList figures;
    if (point.samplesPerSecond)
        figures << fixedText(*point.samplesPerSecond, 1) + QStringLiteral(" samples/s");
    if (point.peak)
        figures << bytesText(*point.peak, units.bytes).joined();
    if (point.ipus)
        figures << countedText(*point.ipus, QStringLiteral("IPU"), QStringLiteral("IPUs"));
    if (point.idleFraction)
        figures << percentText(*point.idleFraction) + QStringLiteral(" idle");
    if (point.state == core::SweepPointState::DoesNotFit)
        figures << QStringLiteral("does not fit");
    if (!point.finding.empty())
        figures << toQString(point.finding);
    return QStringLiteral("Point %1: %2\n%3")
        .arg(groupedText(point.point), settings.join(QStringLiteral(", ")),
             figures.join(QStringLiteral(", ")));
}

TableContent frontTable(const SweepData& data, const Units& units) {
    TableContent table;
    core::Bytes most;
    for (const std::size_t i : data.front)
        most = std::max(most, data.points[i].peak.value_or(core::Bytes()));
    const UnitChoice unit = byteUnitFor(most, units.bytes);
    table.columns = {
        numberColumn(QStringLiteral("Point")),
        numberColumn(QStringLiteral("samples/s")),
        numberColumn(QStringLiteral("Peak"), QStringLiteral("Memory of the fullest IPU")),
        numberColumn(QStringLiteral("IPUs")),
        numberColumn(QStringLiteral("Batch"), QStringLiteral("Effective batch: samples of an update")),
        numberColumn(QStringLiteral("Idle"))};
    table.columns[2].unit = unit.name;
    for (const std::string& path : data.paths)
        table.columns.push_back({lastPartOf(path), ColumnKind::Text, {}, 0, toQString(path)});
    for (const std::size_t i : data.front) {
        const core::SweepPointRecord& point = data.points[i];
        std::vector<TableCell> row{wholeCell(point.point)};
        TableCell rate;
        rate.text = fixedText(point.samplesPerSecond.value_or(0), 1);
        rate.sort = point.samplesPerSecond.value_or(0);
        row.push_back(rate);
        TableCell peak;
        if (point.peak) {
            peak.text = inUnit(point.peak->value(), unit).value;
            peak.sort = qlonglong(point.peak->value());
        }
        row.push_back(peak);
        row.push_back(wholeCell(point.ipus));
        row.push_back(wholeCell(point.effectiveBatch));
        TableCell idle;
        if (point.idleFraction) {
            idle.text = percentText(*point.idleFraction);
            idle.sort = *point.idleFraction;
        }
        row.push_back(idle);
        const core::Json values = valuesOf(point);
        for (std::size_t path = 0; path < data.paths.size(); ++path) {
            TableCell cell;
            cell.text = valueText(values, path);
            if (values.is_array() && path < values.size() && values[path].is_number())
                cell.sort = values[path].get<double>();
            row.push_back(cell);
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

ParetoScene sweepScene(const SweepData& data) {
    ParetoScene scene;
    const auto path = std::ranges::find(data.paths, schedulePath);
    const std::size_t schedule = std::size_t(path - data.paths.begin());
    std::vector<std::size_t> place(data.points.size(), 0);
    bool isOne = true;
    for (std::size_t i = 0; i < data.points.size(); ++i) {
        const core::SweepPointRecord& point = data.points[i];
        if (!point.samplesPerSecond || !point.peak || !std::isfinite(*point.samplesPerSecond))
            continue;
        place[i] = scene.points.size();
        const std::string name =
            path == data.paths.end() ? std::string() : valueText(valuesOf(point), schedule).toStdString();
        scene.points.push_back({point.point, *point.samplesPerSecond, *point.peak, point.ipus.value_or(1),
                                name, point.state == core::SweepPointState::Fits});
        isOne = isOne && (!scene.limit || !point.limit || *point.limit == *scene.limit);
        if (point.limit)
            scene.limit = point.limit;
    }
    if (!isOne)
        scene.limit.reset();
    scene.front.emplace();
    for (const std::size_t i : data.front)
        scene.front->push_back(place[i]);
    return scene;
}

Picture sweepPicture(const SweepData& data, const Theme& theme, const QSizeF& size) {
    constexpr double width = 960;
    constexpr double height = 600;
    const QSizeF whole = sizeOr(size, QSizeF(width, height));
    const QString title = toQString(data.sweep().record.name);
    // Not the points, which may be a million.
    const QString heading = title + QStringLiteral(": ") + sweepCounts(data);
    return {title, whole, [scene = thinned(data.scene, whole), heading, theme, whole](QPainter& painter) {
                painter.fillRect(QRectF(QPointF(0, 0), whole), theme.color(Role::Panel));
                const double bar = theme.px(32);
                const QRectF line(theme.px(12), 0, whole.width() - theme.px(24), bar);
                painter.setPen(theme.color(Role::Text));
                paintElided(painter, line, Qt::AlignLeft | Qt::AlignVCenter, heading,
                            theme.font(13, QFont::DemiBold));
                QCustomPlot plot;
                fillParetoPlot(plot, scene, theme);
                paintPlot(painter, QRectF(0, bar, whole.width(), whole.height() - bar), plot);
            }};
}

} // namespace views
