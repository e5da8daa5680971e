#include "views/roofline/roofline_painter.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace views {

namespace {

/// A power of ten as axes write it: "0.01", "100", "10 k".
QString tickText(double value) {
    return value < 1000 ? QString::number(value, 'g', 3) : countText(value).joined();
}

class RooflinePainting {
public:
    RooflinePainting(QPainter& painter, const RooflineScene& scene, const QRectF& rect, const Theme& theme)
        : m_painter(painter)
        , m_scene(scene)
        , m_theme(theme)
        , m_plane(planeOf(scene, rect, theme.scale()))
        , m_rect(rect) {}

    void paint() {
        m_painter.save();
        m_painter.fillRect(m_rect, m_theme.color(Role::Canvas));
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        paintGrid();
        m_painter.setRenderHint(QPainter::Antialiasing);
        paintStrip();
        paintRoofs();
        paintPoints();
        paintNames();
        paintFrame();
        m_painter.restore();
    }

private:
    void text(const QRectF& rect, Qt::Alignment alignment, const QString& words, const QFont& font,
              Role role) {
        m_painter.setPen(m_theme.color(role));
        paintElided(m_painter, rect, alignment, words, font);
    }

    void paintGrid() {
        const QRectF& area = m_plane.area;
        const QFont font = m_theme.mono(10);
        m_painter.setPen(QPen(m_theme.color(Role::Border), 1));
        const auto each = [](const LogRange& range, double least, const auto& draw) {
            const int every = std::max(1, int(std::ceil((range.high - range.low) / least)));
            for (int power = int(std::ceil(range.low)); power <= int(std::floor(range.high)); ++power)
                if (power % every == 0)
                    draw(std::pow(10, power));
        };
        each(m_plane.window.intensity, area.width() / m_theme.px(60), [&](double value) {
            const double x = std::round(m_plane.x(value)) + 0.5;
            m_painter.setPen(QPen(m_theme.color(Role::Border), 1));
            m_painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
            text({x - m_theme.px(30), area.bottom() + m_theme.px(3), m_theme.px(60), m_theme.px(14)},
                 Qt::AlignCenter, tickText(value), font, Role::Text3);
        });
        each(m_plane.window.rate, area.height() / m_theme.px(28), [&](double value) {
            const double y = std::round(m_plane.y(value)) + 0.5;
            m_painter.setPen(QPen(m_theme.color(Role::Border), 1));
            m_painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
            text({m_rect.left(), y - m_theme.px(8), area.left() - m_rect.left() - m_theme.px(6),
                  m_theme.px(16)},
                 Qt::AlignRight | Qt::AlignVCenter, flopRateText(value).joined(), font, Role::Text3);
        });
        text({area.left(), area.bottom() + m_theme.px(17), area.width(), m_theme.px(16)},
             Qt::AlignRight | Qt::AlignVCenter,
             QStringLiteral("FLOP per exchanged byte (at full bandwidth) · larger marks take longer"),
             m_theme.font(10), Role::Text3);
    }

    void paintStrip() {
        if (m_plane.strip.isEmpty())
            return;
        m_painter.fillRect(m_plane.strip, m_theme.color(Role::Panel2));
        text({m_plane.strip.left(), m_plane.strip.bottom() + m_theme.px(3), m_plane.strip.width(),
              m_theme.px(14)},
             Qt::AlignCenter, QStringLiteral("no exchange"), m_theme.font(10), Role::Text3);
    }

    /// A label on its own ground, so that grid and lines do not cross it.
    void pill(const QPointF& at, const QString& words, Role role) {
        const QFont font = m_theme.mono(10, QFont::DemiBold);
        const double width = textWidth(words, font) + m_theme.px(8);
        const QRectF rect(std::clamp(at.x(), m_plane.area.left(), m_plane.area.right() - width), at.y(),
                          width, m_theme.px(14));
        m_painter.fillRect(rect, m_theme.color(Role::Canvas));
        m_taken.push_back(rect);
        text(rect, Qt::AlignCenter, words, font, role);
    }

    void paintRoofs() {
        const core::Roofline& roofline = *m_scene.data;
        if (roofline.roofs.empty())
            return;
        const QRectF& area = m_plane.area;
        const QColor line = m_theme.color(Role::Limit);
        m_painter.save();
        m_painter.setClipRect(area.united(m_plane.strip));
        const double exchange = roofline.bytesPerCycle * roofline.clockHz;
        double labelY = 0;
        for (std::size_t i = 0; i < roofline.roofs.size(); ++i) {
            const core::ComputeRoof& roof = roofline.roofs[i];
            const double y = m_plane.y(core::real(roof.perCycle.value()) * roofline.clockHz);
            const double from = m_plane.x(roofline.ridge(roof));
            m_painter.setPen(QPen(line, 1.5, i == 0 ? Qt::SolidLine : Qt::DashLine));
            const double right = m_plane.strip.isEmpty() ? area.right() : m_plane.strip.right();
            m_painter.drawLine(QPointF(from, y), QPointF(right, y));
            if (i == 0) {
                const double left = m_plane.intensityAt(area.left());
                m_painter.drawLine(QPointF(area.left(), m_plane.y(left * exchange)), QPointF(from, y));
            }
        }
        m_painter.restore();
        for (const core::ComputeRoof& roof : roofline.roofs) {
            const double rate = core::real(roof.perCycle.value()) * roofline.clockHz;
            const double y = m_plane.y(rate);
            if (y < area.top() || y > area.bottom())
                continue;
            const QString words =
                toQString(roof.precision) + QStringLiteral(" ") + flopRateText(rate).joined();
            const double width = textWidth(words, m_theme.mono(10, QFont::DemiBold)) + m_theme.px(14);
            labelY = y + m_theme.px(3);
            pill({area.right() - width, labelY}, words, Role::Limit);
        }
        paintSlopeLabel(exchange);
    }

    /// Beside the slope, where it is half way between the left edge and its ridge.
    void paintSlopeLabel(double exchange) {
        const core::Roofline& roofline = *m_scene.data;
        const QRectF& area = m_plane.area;
        const double ridge = std::min(m_plane.x(roofline.ridge(roofline.roofs.front())), area.right());
        const double x = area.left() + (ridge - area.left()) * 0.4;
        const double y = m_plane.y(m_plane.intensityAt(x) * exchange);
        if (ridge <= area.left() || y < area.top() || y > area.bottom() - m_theme.px(14))
            return;
        const QString words = QStringLiteral("exchange %1 TB/s").arg(fixedText(exchange / 1e12, 2));
        const double width = textWidth(words, m_theme.mono(10, QFont::DemiBold)) + m_theme.px(20);
        pill({x - width, y - m_theme.px(7)}, words, Role::Limit);
    }

    [[nodiscard]] QPointF placeOf(std::size_t point) const {
        return m_plane.place(m_scene.points()[point], m_scene.data->clockHz);
    }
    [[nodiscard]] bool isVisible(const QPointF& at) const {
        return m_plane.area.contains(at) || m_plane.strip.contains(at);
    }
    [[nodiscard]] bool isPale(std::size_t point) const {
        const bool isOutside =
            m_scene.frame && !holds(*m_scene.frame, m_scene.points()[point], m_scene.data->clockHz);
        return isOutside || (!m_scene.lit.empty() && !m_scene.lit.contains(point));
    }

    void paintPoints() {
        m_painter.save();
        m_painter.setClipRect(m_plane.area.united(m_plane.strip));
        std::vector<std::size_t> order = m_scene.drawOrder();
        // What stands out lies above what does not.
        std::ranges::stable_partition(order, [&](std::size_t i) { return isPale(i); });
        for (const std::size_t i : order) {
            const QPointF at = placeOf(i);
            if (isVisible(at))
                paintPoint(i, at);
        }
        m_painter.restore();
    }

    void paintPoint(std::size_t i, const QPointF& at) {
        const core::RooflinePoint& point = m_scene.points()[i];
        const double radius = m_scene.radius(point) * m_theme.scale();
        const QColor canvas = m_theme.color(Role::Canvas);
        const std::size_t stage = point.stage.isValid() ? point.stage.index() : 0;
        QColor fill = point.stage.isValid() ? m_theme.stage(stage) : m_theme.color(Role::Text3);
        QColor outline = mix(fill, m_theme.isDark() ? QColor(Qt::white) : QColor(Qt::black), 0.35);
        if (isPale(i)) {
            fill = mix(canvas, fill, 0.3);
            outline = mix(canvas, outline, 0.4);
        }
        const QPainterPath shape = rooflineShape(point.phase, at, radius);
        m_painter.setPen(QPen(outline, m_theme.frameWidth()));
        m_painter.setBrush(fill);
        m_painter.drawPath(shape);
        constexpr double roomForNumber = 8;
        if (point.stage.isValid() && radius >= roomForNumber * m_theme.scale() && !isPale(i)) {
            m_painter.setPen(m_theme.onStage(stage));
            paintLabel(m_painter, QRectF(at.x() - radius, at.y() - radius, 2 * radius, 2 * radius),
                       QString::number(stage), m_theme.font(10, QFont::DemiBold));
        }
        m_painter.setBrush(Qt::NoBrush);
        if (m_scene.pointed.contains(i)) {
            m_painter.setPen(QPen(m_theme.color(Role::Accent), 2, Qt::DotLine));
            m_painter.drawPath(rooflineShape(point.phase, at, radius + m_theme.px(6)));
        }
        if (m_scene.chosen != i && m_scene.hovered != i)
            return;
        m_painter.setPen(QPen(m_theme.color(m_scene.chosen == i ? Role::Accent : Role::Text2), 2));
        m_painter.drawPath(rooflineShape(point.phase, at, radius + m_theme.px(3)));
    }

    /// Names of the largest, where they cover neither each other nor a larger point.
    void paintNames() {
        constexpr std::size_t most = 24;
        // More cannot be told apart, and each is held against every name.
        constexpr std::size_t mostTried = 200;
        constexpr std::size_t mostSpared = 4000;
        const QFont font = m_theme.font(10);
        std::vector<std::size_t> order = m_scene.drawOrder();
        for (std::size_t n = 0; n < std::min(mostSpared, order.size()); ++n) {
            const QPointF at = placeOf(order[n]);
            const double r = m_scene.radius(m_scene.points()[order[n]]) * m_theme.scale();
            if (m_plane.area.contains(at))
                m_taken.emplace_back(at.x() - r, at.y() - r, 2 * r, 2 * r);
        }
        order.resize(std::min(order.size(), mostTried));
        if (m_scene.chosen)
            order.insert(order.begin(), *m_scene.chosen);
        std::size_t written = 0;
        for (const std::size_t i : order) {
            if (written >= most)
                break;
            const QPointF at = placeOf(i);
            if (!isVisible(at) || isPale(i) || !m_plane.area.contains(at))
                continue;
            const core::RooflinePoint& point = m_scene.points()[i];
            const QString name = elidedMiddle(toQString(point.name), font, m_theme.px(190));
            const double width = textWidth(name, font) + m_theme.px(2);
            const double r = m_scene.radius(point) * m_theme.scale() + m_theme.px(4);
            for (const double x : {at.x() + r, at.x() - r - width}) {
                const QRectF rect(x, at.y() - m_theme.px(7), width, m_theme.px(14));
                if (!m_plane.area.contains(rect) ||
                    std::ranges::any_of(m_taken, [&](const QRectF& other) { return other.intersects(rect); }))
                    continue;
                m_painter.setPen(m_theme.color(Role::Text2));
                paintLabel(m_painter, rect, name, font, Qt::AlignLeft | Qt::AlignVCenter);
                m_taken.push_back(rect);
                ++written;
                break;
            }
        }
    }

    void paintFrame() {
        if (!m_scene.frame)
            return;
        const QRectF rect = pixelsOf(m_plane, *m_scene.frame);
        if (rect.width() <= 0 || rect.height() <= 0)
            return;
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_painter.fillRect(rect, withAlpha(m_theme.color(Role::Accent), 0.08));
        m_painter.setPen(QPen(m_theme.color(Role::Accent), 1.2));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRect(rect);
    }

    QPainter& m_painter;
    const RooflineScene& m_scene;
    const Theme& m_theme;
    RooflinePlane m_plane;
    QRectF m_rect;
    /// Where nothing else is written.
    std::vector<QRectF> m_taken;
};

} // namespace

QPainterPath rooflineShape(std::optional<core::ProgramPhase> phase, const QPointF& centre, double radius) {
    QPainterPath path;
    const auto polygon = [&](std::initializer_list<QPointF> corners) {
        QPolygonF outline;
        for (const QPointF& corner : corners)
            outline << centre + corner * radius;
        path.addPolygon(outline);
        path.closeSubpath();
    };
    switch (phase.value_or(core::ProgramPhase::Forward)) {
    case core::ProgramPhase::Forward:
        path.addEllipse(centre, radius, radius);
        break;
    case core::ProgramPhase::Backward:
        path.addRect(QRectF(centre - QPointF(radius, radius) * 0.88, QSizeF(radius, radius) * 1.76));
        break;
    case core::ProgramPhase::Recompute:
        polygon({{0, -1.1}, {1.05, 0.8}, {-1.05, 0.8}});
        break;
    case core::ProgramPhase::WeightUpdate:
        polygon({{0, -1.2}, {1.2, 0}, {0, 1.2}, {-1.2, 0}});
        break;
    case core::ProgramPhase::WeightGradient:
        polygon({{0, 1.1}, {1.05, -0.8}, {-1.05, -0.8}});
        break;
    }
    return path;
}

void paintRoofline(QPainter& painter, const RooflineScene& scene, const QRectF& rect, const Theme& theme) {
    if (scene.data)
        RooflinePainting(painter, scene, rect, theme).paint();
}

double paintRooflineKey(QPainter& painter, const QRectF& rect, const RooflineScene& scene,
                        const Theme& theme) {
    if (!scene.data)
        return 0;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    double x = rect.left();
    for (std::size_t i = 0; i < core::programPhaseCount; ++i) {
        const auto phase = core::ProgramPhase(i);
        if (std::ranges::none_of(scene.points(), [&](const core::RooflinePoint& point) {
                return RooflineScene::isDrawn(point) && point.phase == phase;
            }))
            continue;
        const QString name = activityName(activityOf(phase));
        const double width = textWidth(name, theme.font(11)) + theme.px(30);
        if (x + width > rect.right())
            break;
        painter.setPen(QPen(theme.color(Role::Text2), 1));
        painter.setBrush(theme.color(Role::BorderStrong));
        painter.drawPath(rooflineShape(phase, {x + theme.px(7), rect.center().y()}, theme.px(5)));
        painter.setPen(theme.color(Role::Text2));
        paintLabel(painter, QRectF(x + theme.px(17), rect.top(), width, rect.height()), name, theme.font(11),
                   Qt::AlignLeft | Qt::AlignVCenter);
        x += width;
    }
    painter.restore();
    return x - rect.left();
}

Picture rooflinePicture(const RooflineScene& scene, const Theme& theme, const QSizeF& size) {
    constexpr double width = 1100;
    constexpr double height = 680;
    const QSizeF whole = sizeOr(size, QSizeF(width, height));
    return {scene.title, whole, [scene, theme, whole](QPainter& painter) {
                painter.fillRect(QRectF(QPointF(0, 0), whole), theme.color(Role::Panel));
                const double bar = theme.px(32);
                const double key = paintRooflineKey(
                    painter, QRectF(whole.width() * 0.55, 0, whole.width() * 0.45 - theme.px(12), bar), scene,
                    theme);
                const double right = key > 0 ? whole.width() * 0.55 : whole.width();
                painter.setPen(theme.color(Role::Text));
                paintElided(painter, QRectF(theme.px(12), 0, right - theme.px(24), bar),
                            Qt::AlignLeft | Qt::AlignVCenter,
                            scene.title + QStringLiteral(": ") + rooflineFigures(*scene.data, scene.grouping),
                            theme.font(13, QFont::DemiBold));
                paintRoofline(painter, scene, QRectF(0, bar, whole.width(), whole.height() - bar), theme);
            }};
}

core::Result<Picture> rooflinePicture(const core::ProfileDatabase& database, core::RunId run,
                                      RooflineGrouping grouping, const Theme& theme, const QSizeF& size) {
    auto roofline = core::loadRoofline(database, run);
    if (!roofline)
        return core::failure(roofline.error());
    RooflineScene scene =
        rooflineScene(std::make_shared<const core::Roofline>(*std::move(roofline)), grouping);
    scene.title = QStringLiteral("Roofline of run %1").arg(run.value());
    return rooflinePicture(scene, theme, size);
}

} // namespace views
