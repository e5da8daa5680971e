#include "views/flame/flame_painter.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/hatch.h"
#include "views/common/widgets/chip.h"
#include "views/profile/time/span_painter.h"

#include <algorithm>

namespace views {

namespace {

/// How a box is filled.
struct FlameFill {
    QColor fill;
    QColor text;
    HatchPattern pattern = HatchPattern::None;
    QColor hatch;
};

std::optional<Activity> flameActivity(const core::TimeNode& node) {
    if (node.part == core::StepPart::Exchange)
        return Activity::Exchange;
    if (node.part == core::StepPart::Sync)
        return Activity::Sync;
    return node.phase ? std::optional(activityOf(*node.phase)) : std::nullopt;
}

FlameFill fillOf(const FlameBox& box, const core::TimeNode& root, const Theme& theme) {
    const QColor text = theme.color(Role::Text);
    if (box.node == nullptr) {
        // Hatches are waiting; what is too small to be told apart is paler than what it is part of.
        const auto activity = flameActivity(*nodeAt(root, box.path));
        return {activity ? mix(theme.color(Role::Canvas), theme.activity(*activity), 0.35)
                         : theme.color(Role::Panel2),
                theme.color(Role::Text),
                HatchPattern::None,
                {}};
    }
    const core::TimeNode& node = *box.node;
    if (node.cause)
        return {theme.idleFill(*node.cause), text, Theme::idlePattern(*node.cause),
                theme.idleHatch(*node.cause)};
    if (node.level == core::TimeLevel::Idle || node.level == core::TimeLevel::Unrecorded)
        return {theme.idleFill(), text, HatchPattern::Slash, theme.color(Role::Hatch)};
    if (const auto activity = flameActivity(node)) {
        const QColor colour = theme.activity(*activity);
        // Paler by depth, as in the timeline.
        const bool isInside =
            node.level == core::TimeLevel::Layer || node.level == core::TimeLevel::Operation;
        const QColor fill = isInside ? mix(theme.color(Role::Canvas), colour, 0.72) : colour;
        return {fill, theme.color(isInside && theme.isDark() ? Role::Text : Role::OnFill),
                theme.activityHatch(*activity), hatchOn(fill, theme)};
    }
    if (node.stage.isValid())
        return {theme.stageTint(node.stage.index()), text, HatchPattern::None, {}};
    return {theme.color(Role::Raised), text, HatchPattern::None, {}};
}

class FlamePainting {
public:
    FlamePainting(QPainter& painter, const FlameScene& scene, const QRectF& rect, const Theme& theme)
        : m_painter(painter)
        , m_scene(scene)
        , m_theme(theme)
        , m_rect(rect) {}

    void paint() {
        m_painter.save();
        m_painter.setClipRect(m_rect);
        m_painter.fillRect(m_rect, m_theme.color(Role::Canvas));
        const std::vector<FlameBox> boxes = flameBoxes(m_scene, m_rect, m_theme.scale());
        for (const FlameBox& box : boxes)
            paintBox(box);
        for (const FlameBox& box : boxes)
            if (box.node != nullptr && m_scene.chosen == box.path)
                paintSpanRing(m_painter, box.rect.adjusted(2, 2, -2, -2), m_theme);
        paintPointed(boxes);
        m_painter.restore();
    }

private:
    /// The way down to what runs at the time that is pointed at; the root always does.
    void paintPointed(const std::vector<FlameBox>& boxes) {
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(m_theme.color(Role::Accent), 2, Qt::DotLine));
        for (const FlameBox& box : boxes)
            if (box.node != nullptr && !box.path.empty() && m_scene.pointed.contains(box.path))
                m_painter.drawRect(box.rect.adjusted(1, 1, -2, -1));
    }

    /// Without a filter all are lit; else what matches, what is in it and what leads to it.
    [[nodiscard]] bool isLit(const FlameBox& box) const {
        if (m_scene.filter.trimmed().isEmpty())
            return true;
        return std::ranges::any_of(m_scene.match.nodes, [&](const FlamePath& path) {
            const std::size_t common = std::min(path.size(), box.path.size());
            return std::equal(path.begin(), path.begin() + std::ptrdiff_t(common), box.path.begin());
        });
    }

    void paintBox(const FlameBox& box) {
        QRectF rect = box.rect;
        rect.setWidth(std::max(minimumSpanWidth, rect.width() - (rect.width() > 4 ? 1 : 0)));
        FlameFill fill = fillOf(box, m_scene.data->root, m_theme);
        const bool isPale = !isLit(box);
        if (isPale)
            fill.fill = mix(m_theme.color(Role::Canvas), fill.fill, 0.35);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_painter.fillRect(rect, fill.fill);
        if (fill.pattern != HatchPattern::None && rect.width() >= 2)
            fillHatch(m_painter, rect, fill.pattern, fill.hatch);
        const bool isHovered = box.node != nullptr && m_scene.hovered == box.path;
        if (rect.width() >= m_theme.px(6) || isHovered) {
            m_painter.setPen(
                QPen(m_theme.color(isHovered ? Role::Accent : Role::BorderStrong), m_theme.frameWidth()));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        paintName(box, rect, fill, isPale);
    }

    void paintName(const FlameBox& box, const QRectF& rect, const FlameFill& fill, bool isPale) {
        m_painter.setRenderHint(QPainter::Antialiasing);
        QRectF inside = rect.adjusted(m_theme.px(5), 0, -m_theme.px(4), 0);
        const bool isStage =
            box.node != nullptr && box.node->level == core::TimeLevel::Stage && box.node->stage.isValid();
        if (isStage && inside.width() > m_theme.px(20)) {
            const double side = stageChipSide(m_theme);
            paintStageChip(m_painter, QRectF(inside.left(), rect.center().y() - side / 2, side, side),
                           box.node->stage.index(), m_theme);
            inside.setLeft(inside.left() + side + m_theme.px(5));
        }
        const QFont font =
            m_theme.font(11, box.node != nullptr && box.path.size() <= 1 ? QFont::DemiBold : QFont::Normal);
        QString name =
            box.node != nullptr ? toQString(box.node->name) : QStringLiteral("%1 more").arg(box.hidden);
        // A number is whole or not there.
        if (box.node == nullptr && textWidth(name, font) > inside.width())
            name = QStringLiteral("+%1").arg(box.hidden);
        const QString share = percentText(ratio(box.cycles, m_scene.data->root.cycles), 1);
        const QFont mono = m_theme.mono(10);
        const double shareWidth = textWidth(share, mono) + m_theme.px(8);
        const QString shown = elidedMiddle(name, font, inside.width());
        if (shown.isEmpty() || (shown != name && (box.node == nullptr || inside.width() < m_theme.px(34))))
            return;
        const double width = textWidth(shown, font);
        const bool hasShare = inside.width() >= width + shareWidth;
        if (fill.pattern != HatchPattern::None) {
            const double behind = width + (hasShare ? shareWidth : 0) + m_theme.px(6);
            m_painter.fillRect(QRectF(inside.left() - m_theme.px(3), rect.top() + m_theme.px(3),
                                      std::min(behind, inside.width() + m_theme.px(6)),
                                      rect.height() - m_theme.px(6)),
                               fill.fill);
        }
        m_painter.setPen(isPale ? m_theme.color(Role::Text2) : fill.text);
        paintLabel(m_painter, inside, shown, font, Qt::AlignLeft | Qt::AlignVCenter);
        if (hasShare)
            paintLabel(m_painter, inside.adjusted(width + m_theme.px(8), 0, 0, 0), share, mono,
                       Qt::AlignLeft | Qt::AlignVCenter);
    }

    QPainter& m_painter;
    const FlameScene& m_scene;
    const Theme& m_theme;
    QRectF m_rect;
};

} // namespace

void paintFlame(QPainter& painter, const FlameScene& scene, const QRectF& rect, const Theme& theme) {
    if (scene.data)
        FlamePainting(painter, scene, rect, theme).paint();
}

Picture flamePicture(const FlameScene& scene, const Theme& theme, const QSizeF& size) {
    constexpr double width = 1100;
    const double bar = theme.px(32);
    const QSizeF whole = sizeOr(size, QSizeF(width, bar + flameHeight(scene, theme.scale()) + theme.px(8)));
    return {scene.title, whole, [scene, theme, whole, bar](QPainter& painter) {
                painter.fillRect(QRectF(QPointF(0, 0), whole), theme.color(Role::Panel));
                painter.setPen(theme.color(Role::Text));
                paintElided(painter, QRectF(theme.px(12), 0, whole.width() - theme.px(24), bar),
                            Qt::AlignLeft | Qt::AlignVCenter,
                            scene.title + QStringLiteral(": ") + flameFigures(*scene.data, scene.units),
                            theme.font(13, QFont::DemiBold));
                paintFlame(painter, scene, QRectF(0, bar, whole.width(), whole.height() - bar), theme);
            }};
}

core::Result<Picture> flamePicture(const core::ProfileDatabase& database, core::RunId run,
                                   core::TimeGrouping grouping, const Theme& theme, const QSizeF& size) {
    auto pieces = core::loadTimePieces(database, run);
    if (!pieces)
        return core::failure(pieces.error());
    FlameScene scene;
    scene.data = std::make_shared<const FlameData>(
        flameData(std::make_shared<const core::TimePieces>(*std::move(pieces)), grouping, true));
    scene.title = QStringLiteral("Time of run %1").arg(run.value());
    return flamePicture(scene, theme, size);
}

} // namespace views
