#include "views/graph/stage_strip.h"

#include "core/project/project_edit.h"
#include "views/common/text/elided_text.h"
#include "views/common/text/finding_text.h"
#include "views/common/theme/hatch.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/chip.h"
#include "views/graph/canvas/canvas_view.h"
#include "views/graph/painting/gauge_rows.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

namespace views {

namespace {

/// The visible part of a column of the canvas in the coordinates of a strip right above or below it.
QRectF cellOf(const CanvasView& canvas, const ColumnShape& column, double height) {
    const double left = std::round(canvas.viewport().toView(QPointF(column.left, 0)).x());
    const double right = std::round(canvas.viewport().toView(QPointF(column.right(), 0)).x());
    const double width = canvas.width();
    const double begin = std::clamp(left, 0.0, width);
    return {begin, 0, std::clamp(right, begin, width) - begin, height};
}

QString columnName(const core::Project& project, std::size_t stage) {
    return (project.assignment.isSharding ? CanvasView::tr("Shard %1") : CanvasView::tr("Stage %1"))
        .arg(stage);
}

/// Of many narrow columns every n-th has its chip, so that none lies over another.
std::size_t chipStride(double cellWidth, const Theme& theme) {
    const double wanted = stageChipSide(theme) + theme.px(2);
    return std::size_t(std::max(1.0, std::ceil(wanted / std::max(1.0, cellWidth))));
}

QString ipuName(const core::Project& project, std::size_t stage) {
    return CanvasView::tr("IPU %1").arg(project.deviceMapping.ipuOf(core::StageId(stage)).index());
}

} // namespace

StageHeaderStrip::StageHeaderStrip(Document& document, Selection& selection, CanvasView& canvas,
                                   QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_canvas(canvas) {
    setAccessibleName(tr("Stages"));
    setFixedHeight(sizeHint().height());
    connect(&canvas.scene(), &CanvasScene::viewportChanged, this, qOverload<>(&QWidget::update));
    connect(&canvas.scene(), &CanvasScene::drawingChanged, this, qOverload<>(&QWidget::update));
    connect(&selection, &Selection::changed, this, qOverload<>(&QWidget::update));
}

QSize StageHeaderStrip::sizeHint() const {
    return {400, themeOf(this).ipx(28)};
}

void StageHeaderStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Role::Panel));
    if (!m_document.isOpen())
        return;
    const std::vector<ColumnShape>& columns = m_canvas.geometry().columns;
    const bool isPipelined = m_canvas.model().stageCount > 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const QRectF cell = cellOf(m_canvas, columns[i], height());
        if (cell.isEmpty())
            continue;
        painter.setClipRect(cell);
        QRectF line = cell.adjusted(theme.px(10), 0, -theme.px(10), -theme.px(3));
        const bool selected = isPipelined && m_selection.state().stage == columns[i].stage;
        if (selected)
            painter.fillRect(cell, theme.color(Role::AccentSoft));
        const QString count = columns[i].invocations == 0 ? tr("no layers yet")
                                                          : countedText(std::int64_t(columns[i].invocations),
                                                                        tr("layer"), tr("layers"));
        const QFont small = theme.font(11);
        painter.fillRect(QRectF(cell.left(), cell.bottom() - 2.5, cell.width(), 2.5),
                         isPipelined ? theme.stage(i) : theme.color(Role::BorderStrong));
        if (isPipelined) {
            const double side = stageChipSide(theme);
            QRectF chip(line.left(), line.center().y() - side / 2, side, side);
            if (cell.width() < side + theme.px(20)) {
                chip.moveCenter({cell.center().x(), line.center().y()});
                painter.setClipping(false);
                if (i % chipStride(cell.width(), theme) == 0)
                    paintStageChip(painter, chip, i, theme);
                continue;
            }
            paintStageChip(painter, chip, i, theme);
            line.setLeft(line.left() + side + theme.px(6));
        }
        const std::int64_t replicas = m_document.drawn().replicas.value_or(1);
        const QString name = isPipelined ? columnName(m_document.drawn(), i)
                             : replicas > 1
                                 ? tr("Not pipelined: one IPU in each of %1 replicas").arg(replicas)
                                 : tr("Not pipelined: one IPU");
        const QFont bold = theme.font(12, QFont::DemiBold);
        painter.setPen(theme.color(Role::Text));
        paintElided(painter, line, Qt::AlignLeft | Qt::AlignVCenter, name, bold);
        line.setLeft(line.left() + textWidth(name, bold) + theme.px(8));
        const QString ipu = isPipelined ? ipuName(m_document.drawn(), i) : QString();
        const double ipuWidth = ipu.isEmpty() ? 0 : theme.px(19) + textWidth(ipu, small);
        if (!ipu.isEmpty() && line.width() > ipuWidth) {
            const double side = theme.px(14);
            paintIcon(painter, QRectF(line.left(), line.center().y() - side / 2, side, side),
                      QStringLiteral("ipu"), theme.color(Role::Text3));
            painter.setPen(theme.color(Role::Text2));
            paintElided(painter, line.adjusted(theme.px(18), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, ipu,
                        small);
            line.setLeft(line.left() + ipuWidth + theme.px(8));
        }
        if (isPipelined)
            paintChoices(painter, line, core::StageId(i), theme);
        if (line.width() > textWidth(count, small)) {
            painter.setPen(theme.color(Role::Text3));
            paintElided(painter, line, Qt::AlignRight | Qt::AlignVCenter, count, small);
        }
    }
}

/// What was chosen for the stage alone: that it is locked, and its share of memory for temporaries.
void StageHeaderStrip::paintChoices(QPainter& painter, QRectF& line, core::StageId stage,
                                    const Theme& theme) const {
    const double side = theme.px(14);
    if (isLocked(stage) && line.width() > side) {
        paintIcon(painter, QRectF(line.left(), line.center().y() - side / 2, side, side),
                  QStringLiteral("lock"), theme.color(Role::Text2));
        line.setLeft(line.left() + side + theme.px(8));
    }
    for (const QString& text : chosenFor(stage)) {
        const double width = chipWidth(text, theme);
        if (line.width() < width)
            return;
        const double height = theme.px(18);
        paintChip(painter, QRectF(line.left(), line.center().y() - height / 2, width, height), text,
                  ChipTone::Neutral, theme);
        line.setLeft(line.left() + width + theme.px(8));
    }
}

/// What a stage does that not all do.
QStringList StageHeaderStrip::chosenFor(core::StageId stage) const {
    const core::Project& project = m_document.drawn();
    QStringList chosen;
    if (const auto proportion = core::stageProportion(project, stage))
        chosen << tr("memory %1").arg(toQString(*proportion));
    const bool isLast = stage.index() + 1 == project.assignment.stageCount();
    if (project.pipeline.recomputedStages && !isLast && core::stageRecomputes(project, stage))
        chosen << tr("recompute");
    if (project.pipeline.offloadedStages && core::stageOffloads(project, stage))
        chosen << tr("offload");
    return chosen;
}

bool StageHeaderStrip::isLocked(core::StageId stage) const {
    bool isAny = false;
    for (const CanvasNode& node : m_canvas.model().nodes) {
        if (node.stage != stage || node.isInput)
            continue;
        isAny = true;
        if (!node.isLocked)
            return false;
    }
    return isAny;
}

/// The same in words.
QString StageHeaderStrip::choicesText(core::StageId stage) const {
    const core::Project& project = m_document.drawn();
    QStringList lines{columnName(project, stage.index()) + QStringLiteral(", ") +
                      ipuName(project, stage.index())};
    if (isLocked(stage))
        lines << tr("Locked: a search leaves its layers here");
    const auto proportion = core::stageProportion(project, stage);
    lines << (proportion ? tr("Memory proportion %1").arg(toQString(*proportion))
                         : tr("Memory proportion as everywhere"));
    const bool isLast = stage.index() + 1 == project.assignment.stageCount();
    lines << (!isLast && core::stageRecomputes(project, stage) ? tr("Activations are recomputed")
                                                               : tr("Activations are kept"));
    if (core::stageOffloads(project, stage))
        lines << tr("Activations are offloaded");
    lines << tr("Right click: IPU, recomputation, offloading, memory, lock");
    return lines.join(u'\n');
}

bool StageHeaderStrip::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int stage = stageAt(help->pos().x());
        if (stage >= 0 && m_canvas.model().stageCount > 0)
            QToolTip::showText(help->globalPos(), choicesText(core::StageId(std::size_t(stage))), this);
        return true;
    }
    return QWidget::event(event);
}

QRectF StageHeaderStrip::headRect(std::size_t stage) const {
    return cellOf(m_canvas, m_canvas.geometry().columns[stage], height());
}

int StageHeaderStrip::stageAt(double x) const {
    const std::vector<ColumnShape>& columns = m_canvas.geometry().columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (headRect(i).contains(QPointF(x, 1)))
            return int(i);
    }
    return -1;
}

void StageHeaderStrip::mousePressEvent(QMouseEvent* event) {
    const int stage = stageAt(event->position().x());
    if (stage < 0 || m_canvas.model().stageCount == 0)
        return;
    if (event->button() == Qt::RightButton) {
        emit ipuMenuRequested(std::size_t(stage), event->globalPosition().toPoint());
        return;
    }
    const core::StageId id{std::size_t(stage)};
    m_selection.selectStage(m_selection.state().stage == id ? std::nullopt : std::optional(id));
}

GaugeStrip::GaugeStrip(Document& document, CanvasView& canvas, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_canvas(canvas) {
    setAccessibleName(tr("Gauges of the stages"));
    setFixedHeight(sizeHint().height());
    connect(&canvas.scene(), &CanvasScene::viewportChanged, this, &GaugeStrip::followColumns);
    connect(&canvas.scene(), &CanvasScene::drawingChanged, this, &GaugeStrip::followColumns);
    constexpr int lateAfter = 150;
    m_late.setSingleShot(true);
    m_late.setInterval(lateAfter);
    connect(&m_late, &QTimer::timeout, this, &GaugeStrip::redraw);
    connect(&document, &Document::projectChanged, &m_late, qOverload<>(&QTimer::start));
    connect(&document, &Document::estimateChanged, this, [this] {
        m_late.stop();
        redraw();
    });
    connect(&document, &Document::opened, this, &GaugeStrip::redraw);
    connect(&document, &Document::previewChanged, this, &GaugeStrip::redraw);
    connect(&document, &Document::unitsChanged, this, &GaugeStrip::redraw);
}

void GaugeStrip::redraw() {
    m_pictures.clear();
    update();
}

void GaugeStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    m_pictures.clear();
}

void GaugeStrip::followColumns() {
    std::vector<QRectF> cells;
    for (const ColumnShape& column : m_canvas.geometry().columns)
        cells.push_back(cellOf(m_canvas, column, height()));
    if (cells == m_cells)
        return;
    m_cells = std::move(cells);
    update();
}

QSize GaugeStrip::sizeHint() const {
    return {400, themeOf(this).ipx(112)};
}

namespace {

/// What the figures of an estimate are short of: an earlier plan's, or without some layers.
QString shortcomingOf(const core::PlanEstimate& estimate) {
    if (!estimate.refusal.empty())
        return CanvasView::tr("old");
    return estimate.uncounted.empty() ? QString() : CanvasView::tr("part");
}

/// The line above the rows: chip, IPU, what the figures are short of, and whether the stage is the slowest.
void paintGaugeTitle(QPainter& painter, const QRectF& line, const core::Project& project, std::size_t stage,
                     bool isSlowest, const QString& shortcoming, const Theme& theme) {
    const double side = stageChipSide(theme);
    paintStageChip(painter, QRectF(line.left(), line.center().y() - side / 2, side, side), stage, theme);
    const QFont bold = theme.font(12, QFont::DemiBold);
    const QString name = ipuName(project, stage);
    const QRectF text = line.adjusted(side + theme.px(6), 0, 0, 0);
    painter.setPen(theme.color(Role::Text));
    paintElided(painter, text, Qt::AlignLeft | Qt::AlignVCenter, name, bold);
    double at = text.left() + textWidth(name, bold) + theme.px(8);
    const auto paintWord = [&](const QString& word, ChipTone tone) {
        const double width = chipWidth(word, theme);
        if (at + width > line.right())
            return;
        paintChip(painter, QRectF(at, line.center().y() - theme.px(9), width, theme.px(18)), word, tone,
                  theme);
        at += width + theme.px(6);
    };
    if (!shortcoming.isEmpty())
        paintWord(shortcoming, ChipTone::Info);
    if (isSlowest)
        paintWord(CanvasView::tr("slowest"), ChipTone::Warning);
}

/// What a row says of its change; empty where nothing changed.
QString changeText(const GaugeRow& row, int decimals = 1) {
    if (!row.change)
        return {};
    return (*row.change > 0 ? QStringLiteral("▲ ") : QStringLiteral("▼ ")) +
           fixedText(std::abs(*row.change) * 100, decimals) + thinSpace + u'%';
}

/// What of a row has room in a line: an unnamed number says nothing, so its decimals, what it is of (that
/// stands as a mark on the bar too) and the change go before its name does.
struct GaugeLine {
    QString value;
    double numberWidth = 0;
    QString change;
    double changeWidth = 0;
    double nameWidth = 0;
};

GaugeLine gaugeLine(const GaugeRow& row, double width, double unitWidth, const Theme& theme) {
    const QFont mono = theme.mono(11);
    const QFont unitFont = theme.mono(10);
    const QString part = row.value.value.section(QStringLiteral(" / "), 0, 0);
    const double name = theme.px(54);
    struct Candidate {
        QString value;
        QString change;
        double leastChangeWidth = 0;
        double nameWidth = 0;
    };
    const QString rounded = changeText(row, 0);
    const Candidate candidates[]{{row.value.value, changeText(row), theme.px(52), name},
                                 {row.value.value, rounded, 0, name},
                                 {part, rounded, 0, name},
                                 {row.value.value, {}, 0, name},
                                 {part, {}, 0, name},
                                 {row.value.value, {}, 0, 0},
                                 {part, {}, 0, 0}};
    GaugeLine line;
    for (const auto& [value, change, leastChangeWidth, nameWidth] : candidates) {
        const double changeWidth =
            change.isEmpty()
                ? 0
                : std::max(leastChangeWidth, textWidth(change, unitFont) + theme.px(4)) + theme.px(4);
        line = {value, textWidth(value, mono) + unitWidth, change, changeWidth, nameWidth};
        if (nameWidth + line.numberWidth + changeWidth <= width)
            break;
    }
    return line;
}

/// Name, bar, number; where little is left between the two, the bar is a line below them. What has no room,
/// in a column that is half out of view too, is left out, the change first: no number is cut.
void paintGaugeRow(QPainter& painter, const QRectF& place, const GaugeRow& row, bool isCurrent,
                   const Theme& theme) {
    const QFont mono = theme.mono(11);
    const QFont unitFont = theme.mono(10);
    const double unitWidth = row.value.unit.isEmpty() ? 0 : textWidth(row.value.unit, unitFont) + theme.px(4);
    const auto [value, numberWidth, change, changeWidth, nameWidth] =
        gaugeLine(row, place.width(), unitWidth, theme);
    const bool hasNumber = numberWidth <= place.width();
    const double right = place.right() - changeWidth;
    const double valueWidth = hasNumber ? std::max(theme.px(76), numberWidth + theme.px(8)) : 0;
    QRectF bar(place.left() + nameWidth, place.center().y() - theme.px(4),
               right - valueWidth - place.left() - nameWidth, theme.px(8));
    QRectF line = place;
    if (row.note.isEmpty() && bar.width() < theme.px(48)) {
        bar = QRectF(place.left(), place.bottom() - theme.px(4), place.width(), theme.px(4));
        line.adjust(0, -theme.px(2), 0, -theme.px(4));
    }
    if (nameWidth > 0) {
        painter.setPen(theme.color(Role::Text2));
        paintElided(painter, QRectF(line.left(), line.top(), nameWidth - theme.px(4), line.height()),
                    Qt::AlignLeft | Qt::AlignVCenter, row.label.isEmpty() ? row.name : row.label,
                    theme.font(11));
    }
    if (!change.isEmpty()) {
        painter.setPen(theme.color(*row.change > 0 ? Role::Error : Role::Success));
        paintElided(painter, line, Qt::AlignRight | Qt::AlignVCenter, change, unitFont);
    }
    if (hasNumber && unitWidth > 0) {
        painter.setPen(theme.color(Role::Text3));
        paintElided(painter, QRectF(line.left(), line.top(), right - line.left(), line.height()),
                    Qt::AlignRight | Qt::AlignVCenter, row.value.unit, unitFont);
    }
    const Role valueRole = row.level == GaugeLevel::Over   ? Role::Error
                           : row.level == GaugeLevel::Near ? Role::Warning
                           : isCurrent                     ? Role::Text
                                                           : Role::Text3;
    painter.setPen(theme.color(valueRole));
    // With half a pixel more than it was measured to need.
    if (hasNumber)
        paintElided(
            painter,
            QRectF(line.left() - 0.5, line.top(), right - unitWidth - line.left() + 0.5, line.height()),
            Qt::AlignRight | Qt::AlignVCenter, value, mono);
    if (row.note.isEmpty())
        return paintGauge(painter, bar, row.gauge, theme);
    painter.setPen(theme.color(Role::Text3));
    // No bar: all the room before the value.
    const double end = right - numberWidth - theme.px(8);
    paintElided(painter, QRectF(bar.left(), line.top(), end - bar.left(), line.height()),
                Qt::AlignLeft | Qt::AlignVCenter, row.note, theme.font(11));
}

/// Of many stages: the bars, and above each its number where that has room; its unit stands with the name.
void paintNarrowRow(QPainter& painter, const QRectF& place, const GaugeRow& row, bool isCurrent,
                    const Theme& theme) {
    if (row.note.isEmpty()) {
        const double height = theme.px(6);
        paintGauge(painter, QRectF(place.left(), place.bottom() - height, place.width(), height), row.gauge,
                   theme);
    }
    const QFont mono = theme.mono(9);
    QString value = row.value.value.section(QStringLiteral(" / "), 0, 0);
    if (textWidth(value, mono) > place.width())
        value = value.section(u'.', 0, 0);
    if (!row.note.isEmpty() || textWidth(value, mono) > place.width())
        return;
    painter.setPen(theme.color(row.level == GaugeLevel::Over   ? Role::Error
                               : row.level == GaugeLevel::Near ? Role::Warning
                               : isCurrent                     ? Role::Text
                                                               : Role::Text3));
    paintElided(painter, place.adjusted(0, 0, 0, -theme.px(6)), Qt::AlignRight | Qt::AlignVCenter, value,
                mono);
}

/// What a row of the gauges says.
QString meaningOf(int row) {
    switch (row) {
    case 0:
        return GaugeStrip::tr("Host, backward, forward and recompute of one micro-batch, against the longest "
                              "stage.");
    case 1:
        return GaugeStrip::tr("Always live, stash and temporary at the peak, against the limit of the IPU.");
    case 2:
        return GaugeStrip::tr("Bytes to the next stage with each micro-batch.");
    case 3:
        return GaugeStrip::tr("Share of a weight update without work, by cause.");
    default:
        return {};
    }
}

} // namespace

GaugeStrip::Shown GaugeStrip::shown() const {
    const std::optional<core::PlanEstimate>& estimate =
        m_document.isPlanPreview() ? m_document.previewEstimate() : m_document.estimate();
    // Old figures of other stages than those above say nothing about these.
    const std::size_t stages = std::max<std::size_t>(1, m_canvas.model().stageCount);
    const bool isOfOthers = estimate && !estimate->refusal.empty() && estimate->stages.size() != stages;
    if (!m_document.isOpen() || !estimate || estimate->stages.empty() || isOfOthers)
        return {};
    const auto& preview = m_document.previewEstimate();
    if (!m_document.preview() || !preview || preview->stages.size() != estimate->stages.size())
        return {&*estimate, nullptr};
    const auto& own = m_document.estimate();
    return {&*preview, own && own->stages.size() == preview->stages.size() ? &*own : nullptr};
}

QString GaugeStrip::refusal() const {
    if (!m_document.isOpen())
        return {};
    const std::optional<core::PlanEstimate>& estimate =
        m_document.isPlanPreview() ? m_document.previewEstimate() : m_document.estimate();
    const QString why = estimate ? toQString(estimate->refusal) : QString();
    return why.isEmpty() ? tr("Estimating…")
                         : findingText(why, &m_document.project().model, m_document.units().bytes);
}

GaugeStrip::Placing GaugeStrip::placing() const {
    const Theme& theme = themeOf(this);
    const std::vector<ColumnShape>& columns = m_canvas.geometry().columns;
    const core::PlanEstimate* now = shown().now;
    const std::size_t stages = now == nullptr ? columns.size() : now->stages.size();
    // Name, bar and number beside one another.
    const double roomy = theme.px(172);
    // Columns that are read from left to right are so long that most are out of view: all gauges are in view.
    const bool isBelowColumns = m_canvas.geometry().flow != FlowDirection::Right;
    const auto isRoomy = [&](const ColumnShape& column) {
        return cellOf(m_canvas, column, height()).width() >= roomy;
    };
    if (columns.size() == stages && isBelowColumns && std::ranges::any_of(columns, isRoomy))
        return Placing::BelowColumns;
    return width() >= roomy * double(stages) ? Placing::Shares : Placing::Narrow;
}

QRectF GaugeStrip::cell(std::size_t stage) const {
    const Placing placing = this->placing();
    if (placing == Placing::BelowColumns)
        return cellOf(m_canvas, m_canvas.geometry().columns[stage], height());
    const core::PlanEstimate* now = shown().now;
    const std::size_t stages = now == nullptr ? m_canvas.geometry().columns.size() : now->stages.size();
    const double first = placing == Placing::Narrow ? themeOf(this).px(92) : 0;
    const double share = (double(width()) - first) / double(stages);
    return {first + share * double(stage), 0, share, double(height())};
}

QRectF GaugeStrip::rowRect(std::size_t stage, int row) const {
    const Theme& theme = themeOf(this);
    const QRectF all = cell(stage);
    if (row < 0)
        return all;
    const double margin = std::min(theme.px(10), all.width() / 12);
    const QRectF inside = all.adjusted(margin, theme.px(6), -margin, -theme.px(4));
    return {inside.left(), inside.top() + theme.px(23 + 20 * row), inside.width(), theme.px(19)};
}

void GaugeStrip::paintNarrow(QPainter& painter) const {
    const Theme& theme = themeOf(this);
    const auto [now, before] = shown();
    const double left = rowRect(0, -1).left();
    const double lineHeight = theme.px(22);
    const QString shortcoming = shortcomingOf(*now);
    if (!shortcoming.isEmpty())
        paintChip(painter, QRectF(theme.px(10), theme.px(8), chipWidth(shortcoming, theme), theme.px(18)),
                  shortcoming, ChipTone::Info, theme);
    const std::size_t slowest = slowestStage(*now);
    const bool isCurrent = m_document.previewEstimate() || m_document.areFiguresCurrent();
    for (std::size_t i = 0; i < now->stages.size(); ++i) {
        const QRectF all = rowRect(i, -1);
        const double side = stageChipSide(theme);
        QRectF chip(0, 0, side, side);
        chip.moveCenter({all.center().x(), theme.px(6) + lineHeight / 2});
        chip.moveRight(std::min(chip.right(), double(width()) - theme.px(2)));
        if (i % chipStride(all.width(), theme) == 0)
            paintStageChip(painter, chip, i, theme);
        if (i == slowest && now->stages.size() > 1)
            painter.fillRect(QRectF(all.left() + 1, 1, all.width() - 2, theme.px(3)),
                             theme.color(Role::Warning));
        if (all.width() >= theme.px(20))
            painter.fillRect(QRectF(all.left(), 0, 1, height()), theme.color(Role::Border));
        const std::array<GaugeRow, 4> rows = gaugeRows(*now, before, i, m_document.units(), theme);
        for (int row = 0; row < int(rows.size()); ++row) {
            const GaugeRow& one = rows[std::size_t(row)];
            const QRectF place = rowRect(i, row);
            paintNarrowRow(painter, place, one, isCurrent, theme);
            if (i > 0)
                continue;
            const QRectF name(theme.px(10), place.top(), left - theme.px(16), place.height());
            painter.setPen(theme.color(Role::Text3));
            paintElided(painter, name, Qt::AlignRight | Qt::AlignVCenter, one.value.unit, theme.mono(9));
            painter.setPen(theme.color(Role::Text2));
            paintElided(painter, name.adjusted(0, 0, -theme.px(22), 0), Qt::AlignLeft | Qt::AlignVCenter,
                        one.label.isEmpty() ? one.name : one.label, theme.font(11));
        }
    }
}

void GaugeStrip::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Role::Panel));
    painter.fillRect(QRectF(0, 0, width(), 1), theme.color(Role::Border));
    const auto [now, before] = shown();
    if (now == nullptr) {
        painter.setPen(theme.color(Role::Text3));
        paintElided(painter, QRectF(rect()).adjusted(theme.px(16), 0, -theme.px(16), 0), Qt::AlignCenter,
                    refusal(), theme.font(12));
        return;
    }
    if (placing() == Placing::Narrow)
        return paintNarrow(painter);
    // Cells below columns are on whole pixels.
    const bool keepsPictures = placing() == Placing::BelowColumns && !isVectorDevice(painter);
    m_pictures.resize(now->stages.size());
    for (std::size_t i = 0; i < now->stages.size(); ++i) {
        const QRectF cell = rowRect(i, -1);
        if (cell.isEmpty())
            continue;
        if (!keepsPictures) {
            paintStage(painter, i);
            continue;
        }
        QPixmap& picture = m_pictures[i];
        const QSize size = (cell.size() * devicePixelRatioF()).toSize();
        if (picture.size() != size) {
            picture = QPixmap(size);
            picture.setDevicePixelRatio(devicePixelRatioF());
            picture.fill(theme.color(Role::Panel));
            QPainter into(&picture);
            into.translate(-cell.topLeft());
            into.fillRect(QRectF(cell.left(), 0, cell.width(), 1), theme.color(Role::Border));
            paintStage(into, i);
        }
        painter.drawPixmap(cell.topLeft(), picture);
    }
}

void GaugeStrip::paintStage(QPainter& painter, std::size_t stage) const {
    const Theme& theme = themeOf(this);
    const auto [now, before] = shown();
    const bool isPreviewing = m_document.previewEstimate() && now == &*m_document.previewEstimate();
    const QRectF cell = rowRect(stage, -1);
    painter.setClipRect(cell);
    if (stage > 0)
        painter.fillRect(QRectF(cell.left(), 0, 1, height()), theme.color(Role::Border));
    const QRectF inside = cell.adjusted(theme.px(10), theme.px(6), -theme.px(10), -theme.px(4));
    const QRectF line(inside.left(), inside.top(), inside.width(), theme.px(22));
    paintGaugeTitle(painter, line, m_document.drawn(), stage,
                    stage == slowestStage(*now) && now->stages.size() > 1,
                    isPreviewing ? QString() : shortcomingOf(*now), theme);
    const bool isCurrent = isPreviewing || m_document.areFiguresCurrent();
    int place = 0;
    for (const GaugeRow& row : gaugeRows(*now, before, stage, m_document.units(), theme))
        paintGaugeRow(painter, rowRect(stage, place++), row, isCurrent, theme);
}

/// The figures of the stage below the pointer, and what the row below it says.
QString GaugeStrip::textAt(const QPoint& at) const {
    const auto [now, before] = shown();
    if (now == nullptr)
        return {};
    std::size_t stage = 0;
    while (stage < now->stages.size() && !rowRect(stage, -1).contains(QPointF(at.x(), 1)))
        ++stage;
    int row = 3;
    while (row >= 0 && at.y() < rowRect(0, row).top())
        --row;
    QStringList lines;
    if (stage < now->stages.size()) {
        const core::Project& project = m_document.drawn();
        lines << columnName(project, stage) + QStringLiteral(", ") + ipuName(project, stage);
        if (now->stages.size() > 1 && stage == slowestStage(*now))
            lines << tr(
                "Slowest: its own work sets the length of a slot, so that all others wait for it; the "
                "host holds all of them up alike.");
        for (const GaugeRow& one : gaugeRows(*now, before, stage, m_document.units(), themeOf(this))) {
            const QString change = changeText(one);
            lines << one.name + QStringLiteral(": ") + (one.note.isEmpty() ? one.value.joined() : one.note) +
                         (change.isEmpty() ? QString() : QStringLiteral("  ") + change);
        }
    }
    if (!now->refusal.empty())
        lines << tr("Old: figures of the last plan that could be estimated.");
    else if (!now->uncounted.empty())
        lines << tr("Part: without %1, whose shapes are not known.")
                     .arg(countedText(std::int64_t(now->uncounted.size()), tr("layer"), tr("layers")));
    if (const QString meaning = meaningOf(row); !meaning.isEmpty())
        lines << meaning;
    if (row == 0 || row == 1)
        lines << tr("Thin line with ends: where it lies for %1 % of programs once it is measured.")
                     .arg(std::lround(100 * core::intervalCoverage));
    return lines.join(u'\n');
}

bool GaugeStrip::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), textAt(help->pos()), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace views
