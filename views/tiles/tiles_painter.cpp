#include "views/tiles/tiles_painter.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/common/widgets/gauge.h"
#include "views/profile/legend_bar.h"
#include "views/profile/time/time_axis.h"

#include <algorithm>
#include <cmath>

namespace views {

namespace {

using core::Bytes;

constexpr double margin = 12;
constexpr double histogramHeight = 76;
constexpr double figuresHeight = 64;
constexpr double titleHeight = 30;
constexpr double stepStripHeight = 58;

void paintText(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text,
               const QFont& font, const QColor& colour) {
    painter.setPen(colour);
    paintElided(painter, rect, alignment | Qt::AlignVCenter, text, font);
}

/// Colour of a tile: heat of its share of the limit; of one category, of the fullest tile.
QColor colourOf(const TilesScene& scene, Bytes bytes, Bytes most, const Theme& theme) {
    if (!scene.state.category)
        return theme.tileHeat(ratio(bytes, scene.data->memoryPerTile));
    return mix(theme.color(Role::Hover), theme.category(*scene.state.category), ratio(bytes, most));
}

void paintMap(QPainter& painter, const TilesScene& scene, const TileGrid& grid,
              const TileStatistics& statistics, const Theme& theme) {
    for (std::size_t tile = 0; tile < grid.tiles; ++tile)
        painter.fillRect(grid.cell(tile), colourOf(scene, scene.data->bytes(tile, scene.state.category),
                                                   statistics.most, theme));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const auto ring = [&](std::size_t tile, Role role) {
        if (tile >= grid.tiles)
            return;
        const QRectF cell = grid.cell(tile).adjusted(-2, -2, 2, 2);
        painter.setPen(QPen(theme.color(Role::Canvas), 3.5));
        painter.drawRoundedRect(cell, 2, 2);
        painter.setPen(QPen(theme.color(role), 2));
        painter.drawRoundedRect(cell, 2, 2);
    };
    ring(statistics.worst, Role::Text);
    for (const std::size_t tile : scene.state.chosen)
        ring(tile, Role::Accent);
    painter.restore();
}

void paintHistogram(QPainter& painter, const TilesScene& scene, const QRectF& rect,
                    const TileStatistics& statistics, const Theme& theme) {
    const TileHistogram histogram = histogramOf(*scene.data, scene.state.category, 44);
    const std::size_t most = *std::max_element(histogram.counts.begin(), histogram.counts.end());
    const QRectF bars = rect.adjusted(0, theme.px(6), 0, -theme.px(16));
    const double pitch = bars.width() / static_cast<double>(histogram.counts.size());
    const auto x = [&](Bytes bytes) {
        return bars.left() + ratio(bytes - histogram.from, histogram.to - histogram.from) * bars.width();
    };
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
        if (histogram.counts[bin] == 0)
            continue;
        const double height =
            std::max(1.5, bars.height() * static_cast<double>(histogram.counts[bin]) / double(most));
        const Bytes middle((histogram.edge(bin) + histogram.edge(bin + 1)).value() / 2);
        painter.fillRect(QRectF(bars.left() + pitch * double(bin), bars.bottom() - height, pitch - 1, height),
                         colourOf(scene, middle, statistics.most, theme));
    }
    painter.setPen(QPen(theme.color(Role::BorderStrong), 1));
    painter.drawLine(QPointF(bars.left(), std::round(bars.bottom()) + 0.5),
                     QPointF(bars.right(), std::round(bars.bottom()) + 0.5));
    const UnitChoice unit = byteUnitFor(histogram.to, scene.state.units.bytes);
    const double limitX = scene.state.category ? 1e9 : x(scene.data->memoryPerTile);
    const QRectF labels(bars.left(), bars.bottom() + 2, bars.width(), theme.px(14));
    const QString limit = fixedText(double(scene.data->memoryPerTile.value()) * unit.factor, 0) +
                          QStringLiteral(" ") + unit.name;
    const QFont limitFont = theme.mono(10, QFont::DemiBold);
    const double limitWidth = textWidth(limit, limitFont) + 4;
    QRectF limitLabel(std::min(limitX - limitWidth / 2, labels.right() - limitWidth), labels.top(),
                      limitWidth, labels.height());
    const std::vector<double> ticks = valueTicks(double(histogram.from.value()) * unit.factor,
                                                 double(histogram.to.value()) * unit.factor, 4);
    // Ticks closer than one unit would all say the same.
    const double apart = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
    const int decimals =
        apart > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(apart) - 1e-9)), 0, 3) : 0;
    for (const double value : ticks) {
        const double at = x(Bytes(std::llround(value / unit.factor)));
        if (at + theme.px(14) > limitLabel.left() && at - theme.px(14) < limitLabel.right())
            continue;
        paintText(painter, QRectF(at - theme.px(30), labels.top(), theme.px(60), labels.height()),
                  Qt::AlignHCenter, fixedText(value, decimals), theme.mono(10), theme.color(Role::Text3));
    }
    if (limitX > bars.right() + 2)
        return;
    painter.setPen(QPen(theme.color(Role::Limit), 1.5));
    painter.drawLine(QPointF(limitX, rect.top()), QPointF(limitX, bars.bottom()));
    paintText(painter, limitLabel, Qt::AlignHCenter, limit, limitFont, theme.color(Role::Limit));
}

/// "mean 548.9  worst 611.0  worst / mean 1.11", then the tile in question by category.
void paintFigures(QPainter& painter, const TilesScene& scene, const QRectF& rect,
                  const TileStatistics& statistics, const Theme& theme) {
    const UnitChoice unit =
        byteUnitFor(std::max(statistics.most, scene.data->memoryPerTile), scene.state.units.bytes);
    const auto number = [&](Bytes bytes) { return fixedText(double(bytes.value()) * unit.factor, 1); };
    const auto sized = [&](Bytes bytes) { return number(bytes) + thinSpace + unit.name; };
    const double line = theme.px(18);
    double x = rect.left();
    const auto figure = [&](const QString& name, const QString& value, Role role) {
        const QFont label = theme.font(11);
        const QFont mono = theme.mono(11, QFont::DemiBold);
        const double nameWidth = textWidth(name, label) + theme.px(5);
        const double valueWidth = textWidth(value, mono) + theme.px(12);
        if (x + nameWidth + valueWidth > rect.right() + theme.px(12))
            return;
        paintText(painter, QRectF(x, rect.top(), nameWidth, line), Qt::AlignLeft, name, label,
                  theme.color(Role::Text2));
        paintText(painter, QRectF(x + nameWidth, rect.top(), valueWidth, line), Qt::AlignLeft, value, mono,
                  theme.color(role));
        x += nameWidth + valueWidth;
    };
    const bool isNear = gaugeLevel(double(statistics.most.value()),
                                   double(scene.data->memoryPerTile.value())) != GaugeLevel::Fits;
    figure(QStringLiteral("mean"), sized(statistics.mean), Role::Text);
    figure(QStringLiteral("worst"), sized(statistics.most),
           scene.state.category || !isNear ? Role::Text
           : statistics.over > 0           ? Role::Error
                                           : Role::Warning);
    figure(QStringLiteral("worst / mean"), fixedText(statistics.imbalance(), 2), Role::Text);
    if (statistics.over > 0)
        figure(QStringLiteral("over"), groupedText(std::int64_t(statistics.over)), Role::Error);

    const std::size_t tile = scene.state.shown(statistics);
    if (tile >= scene.data->tiles())
        return;
    const Bytes used = scene.data->bytes(tile, {});
    const QRectF second(rect.left(), rect.top() + line + theme.px(4), rect.width(), line);
    const Bytes free = scene.data->memoryPerTile - used;
    QString name = tileName(tile, statistics);
    QString figures =
        free.value() >= 0
            ? QStringLiteral("%1 used, %2 free").arg(sized(used), sized(free))
            : QStringLiteral("%1 used, %2 too many").arg(sized(used), sized(Bytes(-free.value())));
    const auto fits = [&] {
        return textWidth(name, theme.font(11)) + textWidth(figures, theme.mono(11)) + theme.px(10) <=
               second.width();
    };
    // In a narrow panel the worst tile is named by its number, and then what is free is left to the bar.
    if (!fits())
        name = QStringLiteral("Tile %1").arg(tile);
    if (!fits())
        figures = QStringLiteral("%1 used").arg(sized(used));
    paintText(painter, second, Qt::AlignLeft, name, theme.font(11), theme.color(Role::Text));
    paintText(painter, second, Qt::AlignRight, figures, theme.mono(11),
              theme.color(free.value() >= 0 ? Role::Text2 : Role::Error));
    Gauge gauge;
    const Bytes whole = std::max(used, scene.data->memoryPerTile);
    for (std::size_t i = 0; i < core::memoryCategoryCount; ++i) {
        const auto category = static_cast<core::MemoryCategory>(i);
        gauge.segments.push_back({ratio(scene.data->bytes(tile, category), whole),
                                  theme.category(category),
                                  HatchPattern::None,
                                  {}});
    }
    if (used > scene.data->memoryPerTile)
        gauge.limit = ratio(scene.data->memoryPerTile, whole);
    paintGauge(painter, QRectF(rect.left(), second.bottom() + theme.px(4), rect.width(), theme.px(10)), gauge,
               theme);
}

/// The fullest tile over the program, its limit, and the step that is shown.
void paintSteps(QPainter& painter, const TilesScene& scene, const TilesLayout& layout, const Theme& theme) {
    const TileHistory& history = *scene.data->history;
    const std::size_t tiles = scene.data->tiles();
    const QRectF strip = layout.steps(tiles);
    const QRectF name(strip.left(), strip.top(), strip.width(), theme.px(16));
    const QRectF plot = strip.adjusted(0, theme.px(18), 0, 0);
    const bool isPeak = scene.data->step == history.peakStep();
    const QString count = QStringLiteral("of %1").arg(groupedText(std::int64_t(history.fullest.size())));
    const double countWidth = textWidth(count, theme.font(11));
    paintText(painter, name.adjusted(0, 0, -countWidth - theme.px(8), 0), Qt::AlignLeft,
              history.nameOf(scene.data->step) +
                  (isPeak ? QStringLiteral(", the peak of a tile") : QString()),
              theme.font(11, QFont::DemiBold), theme.color(Role::Text));
    paintText(painter, name, Qt::AlignRight, count, theme.font(11), theme.color(Role::Text3));
    // Far below its limit the curve has a scale of its own, else it were a flat line.
    const Bytes highest = history.fullest[static_cast<std::size_t>(history.peakStep())].bytes;
    const bool showsLimit = 2 * highest.value() >= scene.data->memoryPerTile.value();
    const Bytes top = showsLimit ? std::max(scene.data->memoryPerTile, highest)
                                 : Bytes(std::max<std::int64_t>(1, highest.value() + highest.value() / 8));
    const auto y = [&](Bytes bytes) { return plot.bottom() - ratio(bytes, top) * plot.height(); };
    painter.fillRect(plot, theme.color(Role::Canvas));
    // The most of every pixel, so that no peak is lost.
    const int columns = std::max(1, static_cast<int>(plot.width()));
    const auto steps = static_cast<std::int64_t>(history.fullest.size());
    for (int column = 0; column < columns; ++column) {
        const std::int64_t from = steps * column / columns;
        const std::int64_t to = std::max(from + 1, steps * (column + 1) / columns);
        Bytes most;
        for (std::int64_t step = from; step < std::min(to, steps); ++step)
            most = std::max(most, history.fullest[static_cast<std::size_t>(step)].bytes);
        painter.fillRect(QRectF(plot.left() + column, y(most), 1, plot.bottom() - y(most)),
                         most > scene.data->memoryPerTile ? theme.color(Role::Error)
                                                          : theme.color(Role::BorderStrong));
    }
    if (showsLimit) {
        painter.setPen(QPen(theme.color(Role::Limit), 1, Qt::DashLine));
        const double limit = std::round(y(scene.data->memoryPerTile)) + 0.5;
        painter.drawLine(QPointF(plot.left(), limit), QPointF(plot.right(), limit));
    }
    const double x = std::round(layout.stepX(tiles, history, scene.data->step)) + 0.5;
    painter.setPen(QPen(theme.color(Role::Canvas), 4));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    painter.setPen(QPen(theme.color(Role::Accent), 2));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
}

} // namespace

QString tileName(std::size_t tile, const TileStatistics& statistics) {
    return QStringLiteral("Tile %1%2")
        .arg(tile)
        .arg(tile == statistics.worst ? QStringLiteral(", the worst") : QString());
}

QRectF TilesLayout::steps(std::size_t tiles) const {
    return {px(margin), figures(tiles).bottom() + px(4), title().width(), px(stepStripHeight)};
}

double TilesLayout::stepX(std::size_t tiles, const TileHistory& history, std::int64_t step) const {
    const QRectF strip = steps(tiles);
    return strip.left() + strip.width() * (static_cast<double>(step) + 0.5) /
                              static_cast<double>(std::max<std::size_t>(1, history.fullest.size()));
}

std::int64_t TilesLayout::stepAt(std::size_t tiles, const TileHistory& history, double x) const {
    const QRectF strip = steps(tiles);
    const auto count = static_cast<std::int64_t>(history.fullest.size());
    const double share = (x - strip.left()) / std::max(1.0, strip.width());
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(share * static_cast<double>(count))),
                                    0, std::max<std::int64_t>(0, count - 1));
}

QRectF TilesLayout::title() const {
    return {px(margin), px(4), std::max(0.0, width - 2 * px(margin)), px(titleHeight)};
}

TileGrid TilesLayout::grid(std::size_t tiles) const {
    const double top = title().bottom();
    const double below = px(histogramHeight + figuresHeight + 20 + (hasSteps ? stepStripHeight + 8 : 0));
    return gridFor(tiles, QRectF(px(margin), top, title().width(), std::max(px(40), height - top - below)));
}

QRectF TilesLayout::histogram(std::size_t tiles) const {
    const TileGrid map = grid(tiles);
    return {px(margin), map.area.top() + map.pitch * double(map.rows()) + px(8), title().width(),
            px(histogramHeight)};
}

QRectF TilesLayout::figures(std::size_t tiles) const {
    return {px(margin), histogram(tiles).bottom() + px(6), title().width(), px(figuresHeight)};
}

void paintTiles(QPainter& painter, const TilesScene& scene, const TilesLayout& layout, const Theme& theme) {
    const std::size_t tiles = scene.data->tiles();
    const TileGrid grid = layout.grid(tiles);
    const TileStatistics statistics = statisticsOf(*scene.data, scene.state.category);
    painter.fillRect(QRectF(0, 0, layout.width, layout.height), theme.color(Role::Panel));
    const QString what =
        scene.state.category ? categoryName(*scene.state.category) + QStringLiteral(" on ") : QString();
    const QString order = QStringLiteral("%1 × %2, software order").arg(grid.columns).arg(grid.rows());
    const double orderWidth = textWidth(order, theme.font(11));
    paintText(painter, layout.title().adjusted(0, 0, -orderWidth - theme.px(8), 0), Qt::AlignLeft,
              QStringLiteral("%1%2 tiles of IPU %3")
                  .arg(what, groupedText(std::int64_t(tiles)))
                  .arg(scene.data->ipu.value()),
              theme.font(12, QFont::DemiBold), theme.color(Role::Text));
    paintText(painter, layout.title(), Qt::AlignRight, order, theme.font(11), theme.color(Role::Text3));
    paintMap(painter, scene, grid, statistics, theme);
    paintHistogram(painter, scene, layout.histogram(tiles), statistics, theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    paintFigures(painter, scene, layout.figures(tiles), statistics, theme);
    painter.restore();
    if (layout.hasSteps)
        paintSteps(painter, scene, layout, theme);
}

core::Result<Picture> tilesPicture(const core::ProfileDatabase& database, core::RunId run, const Theme& theme,
                                   const QSizeF& size, std::optional<core::IpuId> ipu,
                                   std::optional<std::int64_t> step, const Units& units) {
    core::Result<TileData> data = loadTiles(database, run, ipu);
    if (!data)
        return core::failure(data.error());
    TilesScene scene;
    scene.data = std::make_shared<const TileData>(*std::move(data));
    if (step && !scene.data->history)
        return core::failure(noTileSteps(run));
    if (step)
        scene.data = atStep(scene.data, *step);
    scene.state.units = units;
    const QSizeF wanted = sizeOr(size, QSizeF(480, 620));
    const TilesLayout layout{wanted.width(), wanted.height(), theme.scale(), scene.data->history != nullptr};
    return Picture{QStringLiteral("Tiles of IPU %1, run %2").arg(scene.data->ipu.value()).arg(run.value()),
                   wanted,
                   [scene, layout, theme](QPainter& painter) { paintTiles(painter, scene, layout, theme); }};
}

} // namespace views
