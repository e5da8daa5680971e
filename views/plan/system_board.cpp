#include "views/plan/system_board.h"

#include "core/plan/assignment_entries.h"
#include "core/project/project_edit.h"
#include "core/project/run_figures.h"
#include "views/common/text/elided_text.h"
#include "views/common/theme/icons.h"
#include "views/common/widgets/chip.h"
#include "views/common/widgets/gauge.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <map>

namespace views {

namespace {

constexpr std::size_t mostReplicas = 4;
constexpr double cardWidth = 190;
constexpr double cardHeight = 92;
constexpr double linkGap = 74;
constexpr double rowGap = 30;
constexpr double framePadding = 14;
constexpr double frameHeader = 24;
constexpr double hostWidth = 52;

QString boardText(const char* text) {
    return QCoreApplication::translate("views::SystemView", text);
}

const core::IpuEstimate* figuresOf(const SystemBoard& board, std::size_t ipu) {
    return board.estimate && ipu < board.estimate->ipus.size() ? &board.estimate->ipus[ipu] : nullptr;
}

double busyShare(const SystemBoard& board, const core::IpuEstimate& ipu) {
    return board.estimate->step.value() > 0 ? ratio(ipu.busy, board.estimate->step) : 0;
}

std::size_t ipuOf(const SystemBoard& board, std::size_t stage) {
    for (const BoardIpu& ipu : board.ipus)
        if (std::ranges::find(ipu.stages, stage) != ipu.stages.end())
            return ipu.ipu;
    return 0;
}

const BoardCard* cardOf(const BoardLayout& layout, std::size_t replica, std::size_t ipu) {
    for (const BoardCard& card : layout.cards)
        if (card.replica == replica && card.ipu == ipu)
            return &card;
    return nullptr;
}

/// Stages all of whose layers are locked.
std::vector<bool> lockedStagesOf(const core::Project& project, std::size_t stages) {
    std::vector<bool> isLocked(stages, false);
    const auto locks = core::lockedStages(project);
    if (locks.empty())
        return isLocked;
    isLocked.assign(stages, true);
    for (std::size_t entry = 0; entry < locks.size(); ++entry)
        if (!locks[entry] && project.assignment.stages[entry].isValid())
            isLocked[project.assignment.stages[entry].index()] = false;
    return isLocked;
}

} // namespace

SystemBoard systemBoard(const core::Project& project, const std::optional<core::PlanEstimate>& estimate) {
    const core::RunFigures figures = core::runFigures(project, core::RunMode::Train, {});
    SystemBoard board;
    board.target = project.system.target;
    board.replicas = std::size_t(std::max<std::int64_t>(1, figures.replicas));
    board.stages = project.assignment.isPipelined() ? project.assignment.stageCount() : 0;
    board.locked = lockedStagesOf(project, board.stages);
    if (estimate && estimate->refusal.empty() &&
        estimate->stages.size() == std::max<std::size_t>(1, board.stages))
        board.estimate = estimate;
    std::size_t ipus = std::size_t(std::max<std::int64_t>(1, figures.ipusPerReplica));
    const bool isMapped = project.deviceMapping.ipus.size() == board.stages;
    const auto mapped = [&](std::size_t stage) {
        return isMapped ? project.deviceMapping.ipus[stage].index() : stage;
    };
    for (std::size_t stage = 0; stage < board.stages; ++stage)
        ipus = std::max(ipus, mapped(stage) + 1);
    // IPUs that the system has and no replica needs are there to be used.
    if (board.replicas == 1)
        ipus = std::max(ipus, std::size_t(std::max<std::int64_t>(1, project.system.ipus)));
    constexpr std::size_t mostIpus = 256;
    for (std::size_t ipu = 0; ipu < std::min(ipus, mostIpus); ++ipu)
        board.ipus.push_back({ipu, {}});
    for (std::size_t stage = 0; stage < board.stages; ++stage)
        if (mapped(stage) < board.ipus.size())
            board.ipus[mapped(stage)].stages.push_back(stage);
    for (std::size_t stage = 0; board.estimate && stage + 1 < board.stages; ++stage)
        if (mapped(stage) != mapped(stage + 1))
            board.links.push_back({mapped(stage), mapped(stage + 1), board.estimate->stages[stage].cut});
    return board;
}

QString boardTitle(const SystemBoard& board) {
    const auto perReplica = std::int64_t(board.ipus.size());
    QString title =
        QStringLiteral("%1 × %2").arg(perReplica * std::int64_t(board.replicas)).arg(toQString(board.target));
    if (board.replicas > 1)
        title += boardText(": %1 replicas of %2")
                     .arg(board.replicas)
                     .arg(countedText(perReplica, boardText("IPU"), boardText("IPUs")));
    return board.stages == 0
               ? title + boardText(", no pipeline")
               : title + QStringLiteral(", ") +
                     countedText(std::int64_t(board.stages), boardText("stage"), boardText("stages"));
}

QString stageText(const SystemBoard& board, std::size_t stage, const Units& units) {
    const std::size_t ipu = ipuOf(board, stage);
    QString text = boardText("Stage %1 on IPU %2").arg(stage).arg(ipu);
    if (const core::IpuEstimate* figures = figuresOf(board, ipu))
        text += boardText(": %1 of %2, %3 busy")
                    .arg(bytesText(figures->peak, units.bytes).joined(),
                         bytesText(figures->limit, units.bytes).joined(),
                         percentText(busyShare(board, *figures)));
    if (stage < board.locked.size() && board.locked[stage])
        text += boardText(", locked");
    return text;
}

BoardLayout layOutBoard(const SystemBoard& board, double width, const Theme& theme) {
    BoardLayout layout;
    const double margin = theme.px(12);
    const QSizeF card(theme.px(cardWidth), theme.px(cardHeight));
    const double left = margin + theme.px(framePadding + hostWidth);
    const double step = card.width() + theme.px(linkGap);
    const double room = width - left - margin - theme.px(framePadding);
    const auto columns =
        std::size_t(std::clamp((room + theme.px(linkGap)) / step, 1.0, double(board.ipus.size())));
    const std::size_t rows = (board.ipus.size() + columns - 1) / columns;
    const std::size_t replicas = std::min(board.replicas, mostReplicas);
    layout.replicasLeftOut = board.replicas - replicas;
    double y = theme.px(36);
    double right = 0;
    for (std::size_t replica = 0; replica < replicas; ++replica) {
        const double height = theme.px(frameHeader + framePadding) + double(rows) * card.height() +
                              double(rows - 1) * theme.px(rowGap);
        const double inner =
            double(columns) * step - theme.px(linkGap) + theme.px(2 * framePadding + hostWidth);
        layout.frames.emplace_back(margin, y, inner, height);
        right = std::max(right, margin + inner);
        for (std::size_t i = 0; i < board.ipus.size(); ++i) {
            const QRectF rect(left + double(i % columns) * step,
                              y + theme.px(frameHeader) +
                                  double(i / columns) * (card.height() + theme.px(rowGap)),
                              card.width(), card.height());
            layout.cards.push_back({replica, board.ipus[i].ipu, rect});
            double x = rect.right() - theme.px(8);
            const double side = theme.px(22);
            const auto& stages = board.ipus[i].stages;
            for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
                x -= side;
                layout.chips.push_back({replica, *stage, QRectF(x, rect.top() + theme.px(6), side, side)});
                x -= theme.px(4);
            }
        }
        layout.replicaStep = height + theme.px(26);
        y += layout.replicaStep;
    }
    if (!layout.frames.empty()) {
        const QRectF& last = layout.frames.back();
        layout.grip =
            QRectF(last.right() - theme.px(66), last.bottom() - theme.px(5), theme.px(44), theme.px(10));
    }
    layout.size = QSizeF(right + margin, y);
    return layout;
}

namespace {

class BoardPainter {
public:
    BoardPainter(QPainter& painter, const SystemBoard& board, const BoardLayout& layout,
                 const BoardState& state, const Units& units, const Theme& theme)
        : m_painter(painter)
        , m_board(board)
        , m_layout(layout)
        , m_state(state)
        , m_units(units)
        , m_theme(theme) {}

    void paint() {
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(m_theme.color(Role::Text));
        const QRectF title(m_theme.px(12), m_theme.px(6), m_layout.size.width(), m_theme.px(24));
        paintElided(m_painter, title, Qt::AlignLeft | Qt::AlignVCenter, boardTitle(m_board),
                    m_theme.font(13, QFont::DemiBold));
        for (std::size_t replica = 0; replica < m_layout.frames.size(); ++replica)
            paintFrame(replica);
        paintAllReduce();
        for (std::size_t replica = 0; replica < m_layout.frames.size(); ++replica)
            for (const BoardLink& link : m_board.links)
                paintLink(replica, link);
        for (const BoardCard& card : m_layout.cards)
            paintCard(card);
        for (const BoardChip& chip : m_layout.chips)
            paintStage(chip);
        paintGrip();
        if (m_state.dragged) {
            m_painter.setOpacity(0.85);
            const double side = m_theme.px(26);
            paintStageChip(m_painter, QRectF(m_state.mouse - QPointF(side / 2, side / 2), QSizeF(side, side)),
                           *m_state.dragged, m_theme);
            m_painter.setOpacity(1);
        }
    }

private:
    void paintFrame(std::size_t replica) {
        const QRectF& frame = m_layout.frames[replica];
        QPen pen(m_theme.color(Role::BorderStrong), 1);
        pen.setDashPattern({4, 3});
        m_painter.setPen(pen);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
        m_painter.setPen(m_theme.color(Role::Text2));
        paintElided(m_painter,
                    QRectF(frame.left() + m_theme.px(10), frame.top(), m_theme.px(200), m_theme.px(22)),
                    Qt::AlignLeft | Qt::AlignVCenter, boardText("Replica %1").arg(replica),
                    m_theme.font(11, QFont::DemiBold));
        paintHost(frame, replica);
        if (replica + 1 == m_layout.frames.size() && m_layout.replicasLeftOut > 0) {
            m_painter.setPen(m_theme.color(Role::Text3));
            paintElided(m_painter,
                        QRectF(frame.left(), frame.bottom() + m_theme.px(4), frame.width(), m_theme.px(18)),
                        Qt::AlignLeft | Qt::AlignVCenter,
                        boardText("and %1 more replicas, all alike").arg(m_layout.replicasLeftOut),
                        m_theme.font(11));
        }
    }

    void paintGrip() {
        const QRectF& grip = m_layout.grip;
        m_painter.setPen(QPen(m_theme.color(m_state.isOnGrip ? Role::AccentFill : Role::BorderStrong),
                              m_theme.frameWidth()));
        m_painter.setBrush(m_theme.color(m_state.isOnGrip ? Role::AccentFill : Role::Raised));
        m_painter.drawRoundedRect(grip, grip.height() / 2, grip.height() / 2);
        m_painter.setPen(QPen(m_theme.color(m_state.isOnGrip ? Role::OnAccent : Role::Text3), 1.2));
        for (const double shift : {-1.5, 1.5})
            m_painter.drawLine(grip.center() + QPointF(-6, shift), grip.center() + QPointF(6, shift));
    }

    /// The host beside its IPUs, with a line to those it feeds or reads.
    void paintHost(const QRectF& frame, std::size_t replica) {
        const BoardCard* first = cardOf(m_layout, replica, 0);
        if (first == nullptr)
            return;
        const QRectF host(frame.left() + m_theme.px(10), first->rect.top() + m_theme.px(26), m_theme.px(38),
                          m_theme.px(40));
        const QColor colour = m_theme.activity(Activity::Host);
        m_painter.setPen(QPen(colour, 2.5));
        if (m_board.estimate && !m_board.estimate->stages.empty() &&
            m_board.estimate->stages.front().host.value() > 0)
            if (const BoardCard* fed =
                    cardOf(m_layout, replica, m_board.estimate->stages.front().ipu.index());
                fed == first)
                m_painter.drawLine(QPointF(host.right(), host.center().y()),
                                   QPointF(fed->rect.left(), host.center().y()));
        m_painter.setPen(QPen(m_theme.color(Role::BorderStrong), 1));
        m_painter.setBrush(m_theme.color(Role::Raised));
        m_painter.drawRoundedRect(host, 6, 6);
        m_painter.setPen(m_theme.color(Role::Text2));
        paintElided(m_painter, host, Qt::AlignCenter, boardText("Host"), m_theme.font(10));
    }

    /// Gradients of replicas are summed IPU by IPU.
    void paintAllReduce() {
        QPen pen(m_theme.activity(Activity::WeightUpdate), 2);
        pen.setDashPattern({3, 2});
        m_painter.setPen(pen);
        for (const BoardCard& card : m_layout.cards) {
            const BoardCard* next = cardOf(m_layout, card.replica + 1, card.ipu);
            if (next == nullptr || m_board.ipus[card.ipu].stages.empty())
                continue;
            const double x = card.rect.left() + m_theme.px(18);
            m_painter.drawLine(QPointF(x, card.rect.bottom()), QPointF(x, next->rect.top()));
        }
        if (m_layout.frames.size() > 1) {
            const QRectF& frame = m_layout.frames.front();
            m_painter.setPen(m_theme.color(Role::Text3));
            paintElided(m_painter,
                        QRectF(frame.left() + m_theme.px(92), frame.bottom() + m_theme.px(4), m_theme.px(300),
                               m_theme.px(18)),
                        Qt::AlignLeft | Qt::AlignVCenter, boardText("all-reduce of gradients"),
                        m_theme.font(10));
        }
    }

    void paintLink(std::size_t replica, const BoardLink& link) {
        const BoardCard* from = cardOf(m_layout, replica, link.from);
        const BoardCard* to = cardOf(m_layout, replica, link.to);
        if (from == nullptr || to == nullptr)
            return;
        core::Bytes most;
        for (const BoardLink& other : m_board.links)
            most = std::max(most, other.bytes);
        const double share = most.value() > 0 ? ratio(link.bytes, most) : 0;
        m_painter.setPen(
            QPen(m_theme.activity(Activity::Copy), m_theme.px(1.5 + 5 * share), Qt::SolidLine, Qt::FlatCap));
        const bool isNext = from->rect.top() == to->rect.top() && from->rect.right() < to->rect.left() &&
                            to->rect.left() - from->rect.right() < m_theme.px(linkGap + 2);
        if (isNext) {
            const double y = from->rect.top() + m_theme.px(34);
            m_painter.drawLine(QPointF(from->rect.right(), y), QPointF(to->rect.left(), y));
            m_painter.setPen(m_theme.color(Role::Text2));
            paintElided(m_painter,
                        QRectF(from->rect.right(), y + m_theme.px(5), to->rect.left() - from->rect.right(),
                               m_theme.px(16)),
                        Qt::AlignCenter, bytesText(link.bytes, m_units.bytes).joined(), m_theme.mono(10));
            return;
        }
        // Below the cards of its row, so that nothing is crossed but the space between rows.
        const double y = from->rect.bottom() + m_theme.px(6 + 3 * double(link.from % 4));
        const QPointF end(to->rect.center().x(),
                          to->rect.top() > from->rect.top() ? to->rect.top() : to->rect.bottom());
        QPolygonF way{{from->rect.center(), QPointF(from->rect.center().x(), y), QPointF(end.x(), y), end}};
        way[0] = QPointF(from->rect.center().x(), from->rect.bottom());
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawPolyline(way);
    }

    void paintCard(const BoardCard& card) {
        const std::vector<std::size_t>& stages = m_board.ipus[card.ipu].stages;
        const bool isTarget = m_state.dragged && m_state.target == card.ipu;
        m_painter.setPen(QPen(m_theme.color(isTarget ? Role::Accent : Role::Border), isTarget ? 2 : 1));
        m_painter.setBrush(m_theme.color(isTarget ? Role::AccentSoft : Role::Raised));
        m_painter.drawRoundedRect(card.rect.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
        if (!stages.empty())
            m_painter.fillRect(
                QRectF(card.rect.left(), card.rect.top() + 6, m_theme.px(3.5), card.rect.height() - 12),
                m_theme.stage(stages.front()));
        const QRectF inside =
            card.rect.adjusted(m_theme.px(12), m_theme.px(6), -m_theme.px(10), -m_theme.px(6));
        m_painter.setPen(m_theme.color(Role::Text));
        paintElided(m_painter, QRectF(inside.left(), inside.top(), inside.width() / 2, m_theme.px(22)),
                    Qt::AlignLeft | Qt::AlignVCenter,
                    boardText("IPU %1").arg(card.replica * m_board.ipus.size() + card.ipu),
                    m_theme.font(12, QFont::DemiBold));
        const core::IpuEstimate* figures = figuresOf(m_board, card.ipu);
        if (figures == nullptr || (stages.empty() && m_board.stages > 0)) {
            m_painter.setPen(m_theme.color(Role::Text3));
            paintElided(m_painter, inside.adjusted(0, m_theme.px(26), 0, 0), Qt::AlignLeft | Qt::AlignTop,
                        stages.empty() && m_board.stages > 0 ? boardText("empty") : QStringLiteral("–"),
                        m_theme.font(11));
            return;
        }
        paintBars(inside, *figures);
    }

    void paintBars(const QRectF& inside, const core::IpuEstimate& figures) {
        const double name = m_theme.px(50);
        const auto line = [&](double y, const char* title, const Gauge& gauge) {
            const QRectF row(inside.left(), inside.top() + m_theme.px(y), inside.width(), m_theme.px(14));
            m_painter.setPen(m_theme.color(Role::Text2));
            paintElided(m_painter, row, Qt::AlignLeft | Qt::AlignVCenter, boardText(title), m_theme.font(10));
            paintGauge(m_painter, row.adjusted(name, m_theme.px(3), 0, -m_theme.px(3)), gauge, m_theme);
        };
        Gauge time;
        time.segments = {
            {busyShare(m_board, figures), m_theme.activity(Activity::Forward), HatchPattern::None, {}}};
        line(26, QT_TRANSLATE_NOOP("views::SystemView", "busy"), time);
        line(42, QT_TRANSLATE_NOOP("views::SystemView", "memory"),
             memoryGauge(figures, m_board.estimate->intervals.peak, m_theme));
        const bool isOver = figures.peak > figures.limit;
        m_painter.setPen(m_theme.color(isOver ? Role::Error : Role::Text2));
        paintElided(m_painter,
                    QRectF(inside.left(), inside.top() + m_theme.px(60), inside.width(), m_theme.px(18)),
                    Qt::AlignLeft | Qt::AlignVCenter,
                    QStringLiteral("%1 · %2").arg(
                        bytesText(figures.peak, m_units.bytes).joined(),
                        boardText("%1 busy").arg(percentText(busyShare(m_board, figures), 0))),
                    m_theme.mono(10));
    }

    void paintStage(const BoardChip& chip) {
        if (m_state.dragged == chip.stage)
            m_painter.setOpacity(0.35);
        paintStageChip(m_painter, chip.rect, chip.stage, m_theme);
        m_painter.setOpacity(1);
        if (m_board.locked[chip.stage]) {
            const double side = m_theme.px(11);
            paintIcon(
                m_painter,
                QRectF(chip.rect.center().x() - side / 2, chip.rect.bottom() + m_theme.px(1), side, side),
                QStringLiteral("lock"), m_theme.color(Role::Text2));
        }
        if (m_state.current == chip.stage && chip.replica == 0) {
            m_painter.setPen(QPen(m_theme.color(Role::Accent), m_state.hasFocus ? 2 : 1));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawRoundedRect(chip.rect.adjusted(-2.5, -2.5, 2.5, 2.5), 5, 5);
        }
    }

    QPainter& m_painter;
    const SystemBoard& m_board;
    const BoardLayout& m_layout;
    const BoardState& m_state;
    const Units& m_units;
    const Theme& m_theme;
};

} // namespace

void paintBoard(QPainter& painter, const SystemBoard& board, const BoardLayout& layout,
                const BoardState& state, const Units& units, const Theme& theme) {
    BoardPainter(painter, board, layout, state, units, theme).paint();
}

} // namespace views
