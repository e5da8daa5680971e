#include "views/graph/gestures/canvas_gesture.h"

#include "views/common/text/elided_text.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/control_painters.h"
#include "views/common/widgets/chip.h"
#include "views/graph/model/cut_costs.h"
#include "views/graph/painting/gauge_rows.h"
#include "views/graph/scene/canvas_handles.h"
#include "views/graph/scene/canvas_scene.h"

#include <QLineF>
#include <QPainter>
#include <QTimer>
#include <QWidget>
#include <algorithm>
#include <utility>

namespace views {

namespace {

class CutGesture final : public CanvasGesture {
public:
    CutGesture(CanvasScene& scene, const QPointF& from, std::size_t cut)
        : m_scene(scene)
        , m_from(scene.viewport().toCanvas(from))
        , m_cut(cut)
        , m_points(cutPoints(scene.model(), scene.geometry(), cut)) {
        m_prices.resize(m_points.size());
        const Document& document = scene.document();
        if (document.estimate() && document.areFiguresCurrent()) {
            const std::vector<core::Cycles> costs =
                cutCosts(scene.model(), *document.estimate(), m_points, cut);
            for (std::size_t i = 0; i < costs.size(); ++i)
                m_prices[i].slowest = costs[i];
        }
        QObject::connect(&scene.trials(), &TrialPlans::answered, &m_context,
                         [this](const core::PlanEstimate& estimate) {
                             if (m_asked)
                                 keep(*std::exchange(m_asked, std::nullopt), estimate);
                             askNext();
                         });
        // What is taken is estimated already, for the gauges.
        QObject::connect(&document, &Document::estimateChanged, &m_context, [this] {
            const auto& taken = m_scene.document().previewEstimate();
            if (m_point && !m_moved.empty() && taken)
                keep(indexOf(*m_point), *taken);
        });
        // The gauges come first: other places are asked for while the hand rests.
        constexpr int rest = 80;
        m_rest.setSingleShot(true);
        m_rest.setInterval(rest);
        QObject::connect(&m_rest, &QTimer::timeout, &m_context, [this] { askNext(); });
        m_rest.start();
    }

    void hold(Qt::KeyboardModifiers keys) override { m_takesLayers = keys.testFlag(Qt::AltModifier); }

    void move(const QPointF& at) override {
        const std::optional<CutPoint> point = cutPointAt(
            m_points, m_scene.geometry(), m_cut, m_scene.viewport().toCanvas(at), m_from, m_takesLayers);
        if (point == m_point)
            return;
        m_point = point;
        m_scene.trials().leave();
        m_asked.reset();
        m_rest.start();
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
        m_scene.trials().leave();
        m_scene.document().setPreview(nullptr);
        if (point && changes)
            m_scene.commands().moveCut(m_cut, point->entry);
    }

    void cancel() override {
        m_scene.trials().leave();
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
    /// What a place of the cut would cost.
    struct Price {
        /// What the slowest stage of the plan would work with each micro-batch: a forecast until it was
        /// simulated.
        std::optional<core::Cycles> slowest;
        bool isSimulated = false;
        bool fits = true;
    };

    [[nodiscard]] std::size_t indexOf(const CutPoint& point) const {
        return std::size_t(std::ranges::find(m_points, point) - m_points.begin());
    }

    void keep(std::size_t place, const core::PlanEstimate& estimate) {
        Price& price = m_prices[place];
        price.isSimulated = true;
        if (!estimate.refusal.empty() || estimate.stages.empty())
            return;
        price.slowest = core::Cycles();
        for (const core::StageEstimate& stage : estimate.stages)
            price.slowest = std::max(*price.slowest, stageTime(stage));
        price.fits = std::ranges::all_of(estimate.ipus, [](const core::IpuEstimate& ipu) {
            return ipu.limit.value() == 0 || ipu.peak <= ipu.limit;
        });
        emit m_scene.repaintNeeded();
    }

    /// Asks for the next price: of the place that looks best, else of that nearest to the one that is taken.
    void askNext() {
        std::optional<std::size_t> next = bestPlace();
        if (!next || m_prices[*next].isSimulated) {
            next.reset();
            const auto from = std::ptrdiff_t(m_point ? indexOf(*m_point) : m_points.size() / 2);
            const auto distance = [&](std::size_t place) { return std::abs(std::ptrdiff_t(place) - from); };
            for (std::size_t i = 0; i < m_points.size(); ++i) {
                if (!m_prices[i].isSimulated && (!next || distance(i) < distance(*next)))
                    next = i;
            }
        }
        if (!next)
            return;
        if (const ProjectSnapshot plan = m_scene.commands().withCutMoved(m_cut, m_points[*next].entry)) {
            m_asked = next;
            m_scene.trials().ask(plan);
        } else {
            m_prices[*next].isSimulated = true;
        }
    }

    /// The first of those with the fastest slowest stage, as far as is known.
    [[nodiscard]] std::optional<std::size_t> bestPlace() const {
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < m_prices.size(); ++i) {
            if (m_prices[i].slowest && (!best || *m_prices[i].slowest < *m_prices[*best].slowest))
                best = i;
        }
        return best;
    }

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
        const std::optional<std::size_t> best = bestPlace();
        if (!best)
            return;
        core::Cycles most;
        for (const Price& price : m_prices)
            most = std::max(most, price.slowest.value_or(core::Cycles()));
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            if (!m_prices[i].slowest || (isFree() && m_points[i].across.isNull()))
                continue;
            const auto [at, way] = tickOf(m_points[i]);
            const core::Cycles least = *m_prices[*best].slowest;
            const double share = most > least ? ratio(*m_prices[i].slowest - least, most - least) : 0;
            paintPrice(painter, i, i == *best, share, {at + way * 9, way}, theme);
        }
    }

    /// What the cut would cost at a place: a bar beside its tick, longer where the slowest stage is slower,
    /// from the best to the worst place (`share`). The best places have the colour of success, the first of
    /// them its figure, and so has the one that is taken; what would not fit has that of an error.
    void paintPrice(QPainter& painter, std::size_t place, bool isFirstBest, double share,
                    const std::pair<QPointF, QPointF>& tick, const Theme& theme) const {
        const auto& [at, way] = tick;
        const Price& price = m_prices[place];
        const bool isTaken = m_point && m_point->entry == m_points[place].entry;
        const double length = theme.px(3 + 30 * share);
        const QPointF half = QPointF(std::abs(way.y()), std::abs(way.x())) * 1.5;
        const QRectF bar = QRectF(at - half, at + way * length + half).normalized();
        const Role role = !price.fits  ? Role::Error
                          : share == 0 ? Role::Success
                          : isTaken    ? Role::Accent
                                       : Role::Text3;
        painter.fillRect(bar, theme.color(role));
        if (!isFirstBest && !isTaken)
            return;
        const Document& document = m_scene.document();
        const QString figure = timeText(*price.slowest, document.units().time, document.timeScale()).joined();
        const QString text = (price.isSimulated ? figure : QStringLiteral("≈ ") + figure) +
                             (price.fits ? QString() : CanvasScene::tr(", does not fit"));
        const QSizeF size(chipWidth(text, theme), theme.px(18));
        const QPointF middle = at + QPointF(way.x() * (length + theme.px(3) + size.width() / 2),
                                            way.y() * (length + theme.px(3) + size.height() / 2));
        paintChip(painter, QRectF(middle - QPointF(size.width(), size.height()) / 2, size), text,
                  !price.fits  ? ChipTone::Error
                  : share == 0 ? ChipTone::Success
                               : ChipTone::Accent,
                  theme);
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
    /// By point.
    std::vector<Price> m_prices;
    /// The place that is being simulated.
    std::optional<std::size_t> m_asked;
    QTimer m_rest;
    /// What is connected goes with the gesture.
    QObject m_context;
    bool m_takesLayers = false;
    std::optional<CutPoint> m_point;
    std::vector<int> m_moved;
};

} // namespace

std::unique_ptr<CanvasGesture> cutGesture(CanvasScene& scene, const QPointF& from, std::size_t cut) {
    return std::make_unique<CutGesture>(scene, from, cut);
}

} // namespace views
