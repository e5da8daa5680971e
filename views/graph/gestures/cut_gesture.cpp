#include "views/graph/gestures/canvas_gesture.h"

#include "views/common/text/elided_text.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/control_painters.h"
#include "views/common/widgets/chip.h"
#include "views/graph/model/cut_costs.h"
#include "views/graph/scene/canvas_handles.h"
#include "views/graph/scene/canvas_scene.h"

#include <QLineF>
#include <QPainter>
#include <QWidget>
#include <algorithm>

namespace views {

namespace {

class CutGesture final : public CanvasGesture {
public:
    CutGesture(CanvasScene& scene, const QPointF& from, std::size_t cut)
        : m_scene(scene)
        , m_from(scene.viewport().toCanvas(from))
        , m_cut(cut)
        , m_points(cutPoints(scene.model(), scene.geometry(), cut)) {
        if (scene.document().estimate() && scene.document().areFiguresCurrent())
            m_costs = cutCosts(scene.model(), *scene.document().estimate(), m_points, cut);
    }

    void hold(Qt::KeyboardModifiers keys) override { m_takesLayers = keys.testFlag(Qt::AltModifier); }

    void move(const QPointF& at) override {
        const std::optional<CutPoint> point = cutPointAt(
            m_points, m_scene.geometry(), m_cut, m_scene.viewport().toCanvas(at), m_from, m_takesLayers);
        if (point == m_point)
            return;
        m_point = point;
        m_moved = point ? movedNodes(m_scene.model(), m_cut, point->entry) : std::vector<int>{};
        std::vector<bool>& leaving = m_scene.state().leaving;
        leaving.assign(m_scene.model().nodes.size(), false);
        for (const int node : m_moved)
            leaving[std::size_t(node)] = true;
        m_scene.document().setPreview(m_moved.empty() ? nullptr
                                                      : m_scene.commands().withCutMoved(m_cut, point->entry));
        emit m_scene.messageChanged(m_moved.empty() ? QString() : message());
    }

    void finish(const QPointF& at) override {
        move(at);
        const std::optional<CutPoint> point = m_point;
        const bool changes = !m_moved.empty();
        m_scene.document().setPreview(nullptr);
        if (point && changes)
            m_scene.commands().moveCut(m_cut, point->entry);
    }

    void cancel() override {
        m_scene.document().setPreview(nullptr);
        emit m_scene.messageChanged({});
    }

    void paint(QPainter& painter, const Theme& theme) const override {
        paintTicks(painter, theme);
        if (m_point && !m_moved.empty())
            paintGhosts(painter, theme);
    }

    [[nodiscard]] std::optional<Qt::CursorShape> cursor() const override {
        return cutCursor(m_scene.geometry());
    }

private:
    /// How many layers go where, the first one behind the cut, and how to be more exact.
    [[nodiscard]] QString message() const {
        QString text = CanvasScene::tr("%1 to stage %2")
                           .arg(countedText(std::int64_t(m_moved.size()), CanvasScene::tr("layer"),
                                            CanvasScene::tr("layers")))
                           .arg(receivingStage());
        for (const CanvasNode& node : m_scene.model().nodes) {
            if (node.assignable == m_point->entry)
                text += CanvasScene::tr(", cut before %1").arg(toQString(node.key.path));
        }
        const bool skipsSome =
            std::ranges::any_of(m_points, [](const CutPoint& each) { return !each.isBorder; });
        return skipsSome && !m_takesLayers ? text + CanvasScene::tr(" · Alt goes layer by layer") : text;
    }
    [[nodiscard]] std::size_t receivingStage() const { return m_point->column == m_cut ? m_cut + 1 : m_cut; }

    [[nodiscard]] bool isFree() const { return m_scene.geometry().columns.empty(); }
    [[nodiscard]] bool isToRight() const { return m_scene.geometry().flow == FlowDirection::Right; }

    /// Where the tick of a place begins, and the way on from there: at the side of its column, or below the
    /// grip where columns are read from left to right. In the free layout behind the end of its line.
    [[nodiscard]] std::pair<QPointF, QPointF> tickOf(const CutPoint& point) const {
        const CanvasViewport& viewport = m_scene.viewport();
        if (isFree()) {
            const QPointF way = point.across.dx() == 0 ? QPointF(0, 1) : QPointF(1, 0);
            return {viewport.toView(point.across.p2()) + way * 4, way};
        }
        if (isToRight()) {
            const double middle = m_scene.surface().height() / 2.0;
            return {QPointF(viewport.toView(QPointF(point.at - 8, 0)).x(), middle), QPointF(0, 1)};
        }
        const double gutter = m_scene.geometry().columns[m_cut + 1].left;
        return {
            QPointF(viewport.toView(QPointF(gutter, 0)).x(), viewport.toView(QPointF(0, point.at - 8)).y()),
            QPointF(point.column == m_cut ? -1 : 1, 0)};
    }

    /// Across the column at a place.
    [[nodiscard]] QLineF acrossAt(const CutPoint& point) const {
        if (isFree())
            return {m_scene.viewport().toView(point.across.p1()),
                    m_scene.viewport().toView(point.across.p2())};
        const QPointF at = tickOf(point).first;
        if (isToRight())
            return {at.x(), 4, at.x(), m_scene.surface().height() - 4.0};
        const ColumnShape& column = m_scene.geometry().columns[point.column];
        return {m_scene.viewport().toView(QPointF(column.left + 4, 0)).x(), at.y(),
                m_scene.viewport().toView(QPointF(column.right() - 4, 0)).x(), at.y()};
    }

    /// Legal places, and the one that is taken across its column.
    void paintTicks(QPainter& painter, const Theme& theme) const {
        for (const CutPoint& point : m_points) {
            if (isFree() && point.across.isNull())
                continue;
            const auto [at, way] = tickOf(point);
            painter.setPen(QPen(theme.color(Role::Accent), point.isBorder ? 1.8 : 1.2));
            painter.drawLine(at, at + way * (point.isBorder ? 8 : 5));
            if (m_point && point.entry == m_point->entry) {
                QPen pen(theme.color(Role::Accent), 1.8);
                pen.setDashPattern({4, 3});
                painter.setPen(pen);
                painter.drawLine(acrossAt(point));
            }
        }
        // Figures last: no line goes through them.
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            if (isFree() && m_points[i].across.isNull())
                continue;
            const auto [at, way] = tickOf(m_points[i]);
            paintCost(painter, i, at + way * 9, way, theme);
        }
    }

    /// What the cut would cost at a place: a bar beside its tick, longer where the slowest stage is slower.
    /// The best places have the colour of success, the first of them its figure, and so has the one that is
    /// taken.
    void paintCost(QPainter& painter, std::size_t place, const QPointF& at, const QPointF& way,
                   const Theme& theme) const {
        if (m_costs.empty())
            return;
        const auto [least, most] = std::ranges::minmax(m_costs);
        const bool isBest = m_costs[place] == least;
        const bool isFirstBest =
            isBest && std::ranges::find(m_costs, least) - m_costs.begin() == std::ptrdiff_t(place);
        const bool isTaken = m_point && m_point->entry == m_points[place].entry;
        const double share = most > least ? ratio(m_costs[place] - least, most - least) : 0;
        const double length = theme.px(3 + 30 * share);
        const QPointF half = QPointF(std::abs(way.y()), std::abs(way.x())) * 1.5;
        const QRectF bar = QRectF(at - half, at + way * length + half).normalized();
        painter.fillRect(bar, theme.color(isBest ? Role::Success : isTaken ? Role::Accent : Role::Text3));
        if (!isFirstBest && !isTaken)
            return;
        const Document& document = m_scene.document();
        const QString text = QStringLiteral("≈ ") +
                             timeText(m_costs[place], document.units().time, document.timeScale()).joined();
        const QSizeF size(chipWidth(text, theme), theme.px(18));
        const QPointF middle = at + QPointF(way.x() * (length + theme.px(3) + size.width() / 2),
                                            way.y() * (length + theme.px(3) + size.height() / 2));
        paintChip(painter, QRectF(middle - QPointF(size.width(), size.height()) / 2, size), text,
                  isBest ? ChipTone::Success : ChipTone::Accent, theme);
    }

    /// The middle of the ghosts: of the column that receives them, or beside the grip where there is none.
    [[nodiscard]] double ghostsAt(double width) const {
        if (isFree()) {
            const double left = m_scene.viewport().toView(m_from).x() - width;
            return std::max(width / 2, left);
        }
        const ColumnShape& column = m_scene.geometry().columns[receivingStage()];
        return m_scene.viewport().toView(QPointF((column.left + column.right()) / 2, 0)).x();
    }

    void paintGhosts(QPainter& painter, const Theme& theme) const {
        constexpr std::size_t most = 5;
        const std::size_t shown = std::min(most, m_moved.size());
        const double rowHeight = theme.px(26);
        const double width = theme.px(150);
        const double height =
            double(shown) * rowHeight + (m_moved.size() > shown ? theme.px(20) : theme.px(6));
        const double x = ghostsAt(theme.px(20) + width);
        double y = isToRight() ? theme.px(12) : m_scene.surface().height() / 2.0 - height / 2;
        const QRectF card(x - width / 2 - theme.px(8), y - theme.px(6), width + theme.px(16),
                          height + theme.px(8));
        paintCard(painter, card, theme.px(8), withAlpha(theme.color(Role::Panel), 0.92),
                  theme.color(Role::Accent));
        for (std::size_t i = 0; i < shown; ++i, y += rowHeight) {
            const QRectF ghost(x - width / 2, y, width, rowHeight - theme.px(4));
            QPen pen(theme.color(Role::Accent), 1.2);
            pen.setDashPattern({3, 2.5});
            painter.setPen(pen);
            painter.setBrush(theme.color(Role::AccentSoft));
            painter.drawRoundedRect(ghost, theme.px(5), theme.px(5));
            painter.setPen(theme.color(Role::AccentText));
            paintElided(painter, ghost.adjusted(theme.px(8), 0, -theme.px(6), 0),
                        Qt::AlignLeft | Qt::AlignVCenter, m_scene.model().nodes[std::size_t(m_moved[i])].name,
                        theme.font(11, QFont::DemiBold));
        }
        if (m_moved.size() > shown) {
            painter.setPen(theme.color(Role::Text2));
            painter.setFont(theme.font(10));
            painter.drawText(QRectF(card.left(), y, card.width(), theme.px(16)), Qt::AlignCenter,
                             CanvasScene::tr("and %1 more").arg(m_moved.size() - shown));
        }
    }

    CanvasScene& m_scene;
    QPointF m_from;
    std::size_t m_cut;
    std::vector<CutPoint> m_points;
    /// By point; empty where they are not known.
    std::vector<core::Cycles> m_costs;
    bool m_takesLayers = false;
    std::optional<CutPoint> m_point;
    std::vector<int> m_moved;
};

} // namespace

std::unique_ptr<CanvasGesture> cutGesture(CanvasScene& scene, const QPointF& from, std::size_t cut) {
    return std::make_unique<CutGesture>(scene, from, cut);
}

} // namespace views
