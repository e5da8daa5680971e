#include "views/plan/schedule/schedule_outcomes_panel.h"

#include "views/common/text/interval_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/plan/schedule/strips_canvas.h"
#include "views/profile/tables/table_panel.h"

#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

namespace views {

TableContent outcomesTable(const std::vector<core::ScheduleOutcome>& outcomes, const Units& units) {
    core::Cycles longest;
    core::Bytes fullest;
    double clockHz = 0;
    for (const core::ScheduleOutcome& outcome : outcomes) {
        longest = std::max(longest, outcome.plan.step);
        fullest = std::max(fullest, outcome.peak());
        clockHz = std::max(clockHz, outcome.plan.clockHz);
    }
    const UnitChoice time = timeUnitFor(longest, units.time, {clockHz, longest});
    const UnitChoice bytes = byteUnitFor(fullest, units.bytes);
    TableContent table;
    table.columns = {{QObject::tr("Schedule"), ColumnKind::Text, {}, 130, {}, false},
                     numberColumn(QObject::tr("Samples/s")),
                     numberColumn(QObject::tr("Update"), QObject::tr("One weight update")),
                     numberColumn(QObject::tr("Idle"), QObject::tr("Mean of the IPUs over an update")),
                     numberColumn(QObject::tr("Fullest IPU"), QObject::tr("Peak of its memory")),
                     {QObject::tr("Measured, 4 of 5"), ColumnKind::Text, {}, 0, {}, false},
                     {QObject::tr("Note"), ColumnKind::Text, {}, 0, {}, true}};
    table.columns[2].unit = time.name;
    table.columns[4].unit = bytes.name;
    for (const core::ScheduleOutcome& outcome : outcomes) {
        const core::PlanEstimate& plan = outcome.plan;
        std::vector<TableCell>& row = table.rows.emplace_back();
        row.push_back(textCell(toQString(outcome.schedule)));
        if (outcome.isRefused()) {
            row.insert(row.end(), 5, dashCell());
            row.push_back(textCell(outcomeText(outcome, units)));
            continue;
        }
        row.push_back(numberCell(fixedText(plan.samplesPerSecond, 1), plan.samplesPerSecond));
        row.push_back(cyclesCell(plan.step, time));
        row.push_back(numberCell(percentText(plan.idleFraction), plan.idleFraction));
        row.push_back(bytesCell(outcome.peak(), bytes));
        const core::PredictedRanges ranges = core::rangesOf(plan);
        row.push_back(textCell(rateRangeText(ranges) + QStringLiteral(", ") + peakRangeText(ranges, units)));
        row.push_back(textCell(!plan.fits         ? QObject::tr("does not fit")
                               : outcome.isOwn    ? QObject::tr("this project")
                               : outcome.isWhatIf ? QObject::tr("what-if: not on an IPU")
                                                  : QString()));
    }
    return table;
}

ScheduleOutcomesPanel::ScheduleOutcomesPanel(QWidget* parent)
    : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setHandleWidth(1);
    parts->setChildrenCollapsible(false);
    m_scroll = new QScrollArea(parts);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_canvas = new StripsCanvas(m_scroll);
    m_scroll->setWidget(m_canvas);
    parts->addWidget(m_scroll);
    m_table = new TablePanel(tr("Figures by schedule"), parts);
    parts->addWidget(m_table);
    parts->setStretchFactor(0, 1);
    parts->setSizes({480, 210});
    layout->addWidget(parts);
    setFocusProxy(m_canvas);
    connect(m_canvas, &StripsCanvas::chosen, this, &ScheduleOutcomesPanel::choose);
    connect(m_table, &TablePanel::rowChosen, this, [this](int row) { choose(std::size_t(row)); });
    const auto activate = [this](std::size_t row) {
        if (row < m_canvas->scene().outcomes.size())
            emit activated(m_canvas->scene().outcomes[row].schedule);
    };
    connect(m_canvas, &StripsCanvas::activated, this, activate);
    connect(m_table, &TablePanel::rowActivated, this, [activate](int row) { activate(std::size_t(row)); });
}

void ScheduleOutcomesPanel::setOutcomes(std::vector<core::ScheduleOutcome> outcomes, const QString& subject) {
    StripsScene scene{std::move(outcomes), subject, m_canvas->scene().units, std::nullopt, std::nullopt, 0};
    const std::string before = chosen();
    const auto row = std::ranges::find(scene.outcomes, before, &core::ScheduleOutcome::schedule);
    if (row != scene.outcomes.end())
        scene.chosen = std::size_t(row - scene.outcomes.begin());
    m_table->setContent(outcomesTable(scene.outcomes, scene.units));
    m_canvas->setScene(std::move(scene));
    m_table->setCurrentRow(m_canvas->scene().chosen ? int(*m_canvas->scene().chosen) : -1);
    emit chosenChanged();
}

void ScheduleOutcomesPanel::setUnits(const Units& units) {
    StripsScene scene = m_canvas->scene();
    scene.units = units;
    m_table->setContent(outcomesTable(scene.outcomes, units));
    m_canvas->setScene(std::move(scene));
}

std::string ScheduleOutcomesPanel::chosen() const {
    const StripsScene& scene = m_canvas->scene();
    return scene.chosen && *scene.chosen < scene.outcomes.size() ? scene.outcomes[*scene.chosen].schedule
                                                                 : std::string();
}

void ScheduleOutcomesPanel::choose(std::size_t outcome) {
    m_canvas->choose(outcome);
    m_table->setCurrentRow(int(outcome));
    const QRectF place = m_canvas->placeOf(outcome);
    m_scroll->ensureVisible(0, int(place.center().y()), 0, int(place.height() / 2));
    emit chosenChanged();
}

Picture ScheduleOutcomesPanel::picture() const {
    return stripsPicture(m_canvas->scene(), themeOf(this));
}

/// In a low dock the picture has all the space.
void ScheduleOutcomesPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_table->setVisible(height() >= themeOf(this).ipx(420));
}

} // namespace views
