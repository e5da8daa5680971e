#include "views/plan/schedule/schedule_details.h"

#include "core/profile/records/span_label.h"

#include <QObject>
#include <algorithm>
#include <span>

namespace views {

namespace {

using Kind = SchedulePlace::Kind;
using Row = ToolTipContent::Row;

QString kindName(core::SpanKind kind) {
    switch (kind) {
    case core::SpanKind::Backward:
        return QObject::tr("Backward");
    case core::SpanKind::Recompute:
        return QObject::tr("Recompute");
    case core::SpanKind::WeightGradient:
        return QObject::tr("Weight gradient");
    default:
        return QObject::tr("Forward");
    }
}

const ScheduleCell& cellOf(const ScheduleChart& chart, const SchedulePlace& place) {
    return chart.slotList[place.slot].work[place.row][place.index];
}

QString slotText(const ScheduleChart& chart, std::size_t slot) {
    return QObject::tr("%1 of %2 · %3")
        .arg(slot)
        .arg(chart.slotList.size())
        .arg(bandName(chart.slotList[slot].band));
}

QString ipuText(const ScheduleChart& chart, std::size_t row) {
    return QStringLiteral("IPU %1").arg(chart.rows[row].ipu.value());
}

core::Cycles cyclesOf(const core::StageEstimate& stage, core::SpanKind kind) {
    return kind == core::SpanKind::Backward         ? stage.backward
           : kind == core::SpanKind::Recompute      ? stage.recompute
           : kind == core::SpanKind::WeightGradient ? stage.weightGradient
                                                    : stage.forward;
}

const core::StageEstimate* estimateOf(const core::PlanEstimate* estimate, core::StageId stage) {
    if (estimate == nullptr || !stage.isValid() || stage.index() >= estimate->stages.size())
        return nullptr;
    return &estimate->stages[stage.index()];
}

QString takes(core::Cycles cycles, const core::PlanEstimate& estimate, const Units& units) {
    return QStringLiteral("≈ ") + timeText(cycles, units.time, {estimate.clockHz, estimate.step}).joined();
}

ToolTipContent workDetails(const ScheduleChart& chart, const SchedulePlace& place,
                           const core::PlanEstimate* estimate, const Units& units) {
    const ScheduleCell& cell = cellOf(chart, place);
    ToolTipContent content;
    content.title = kindName(cell.kind);
    content.rows = {{QObject::tr("Micro-batch"), QString::number(cell.microBatch)},
                    {QObject::tr("Stage"), QString::number(cell.stage.value())},
                    {QObject::tr("IPU"), QString::number(chart.rows[place.row].ipu.value())},
                    {QObject::tr("Slot"), slotText(chart, place.slot)}};
    const core::StageEstimate* stage = estimateOf(estimate, cell.stage);
    if (stage != nullptr && cell.computes)
        content.rows.push_back({QObject::tr("Takes"), takes(cyclesOf(*stage, cell.kind), *estimate, units)});
    content.footer = cell.computes ? QObject::tr("Click follows this micro-batch")
                                   : QObject::tr("Hands on what it got: its backward step computes it");
    return content;
}

/// Why a row has nothing to do in a slot.
QString idleReason(const ScheduleChart& chart, const SchedulePlace& place) {
    const auto hasWork = [&](const ScheduleSlot& slot) { return !slot.work[place.row].empty(); };
    const auto here = chart.slotList.begin() + static_cast<std::ptrdiff_t>(place.slot);
    if (hasWork(*here))
        return QObject::tr("Waits until the fullest IPU of the slot is done");
    if (std::none_of(chart.slotList.begin(), here, hasWork))
        return QObject::tr("Warm-up: no micro-batch has come this far yet");
    if (std::none_of(here, chart.slotList.end(), hasWork))
        return QObject::tr("Drain: every micro-batch has passed");
    return QObject::tr("The schedule gives it nothing in this slot");
}

} // namespace

QString bandName(core::ScheduleBand band) {
    return toQString(core::toString(band));
}

ToolTipContent scheduleDetails(const ScheduleChart& chart, const SchedulePlace& place,
                               const core::PlanEstimate* estimate, const Units& units) {
    ToolTipContent content;
    const Row ipu{QObject::tr("IPU"), place.row < chart.rows.size()
                                          ? QString::number(chart.rows[place.row].ipu.value())
                                          : QString()};
    switch (place.kind) {
    case Kind::Work:
        return workDetails(chart, place, estimate, units);
    case Kind::Idle:
        content.title = QObject::tr("Idle");
        content.rows = {ipu, {QObject::tr("Slot"), slotText(chart, place.slot)}};
        content.footer = idleReason(chart, place);
        break;
    case Kind::Omitted:
        content.title = QObject::tr("%1 slots left out").arg(place.omitted);
        content.rows = {{QObject::tr("Slots"),
                         QStringLiteral("%1 … %2").arg(place.slot).arg(place.slot + place.omitted - 1)}};
        content.footer = QObject::tr("They repeat what is beside them");
        break;
    case Kind::Update: {
        content.title = QObject::tr("Weight update");
        content.rows = {ipu};
        if (chart.updateAfter)
            content.rows.push_back({QObject::tr("After slot"), QString::number(*chart.updateAfter)});
        core::Cycles cycles;
        for (const core::StageId stage : chart.rows[place.row].stages) {
            if (const core::StageEstimate* known = estimateOf(estimate, stage))
                cycles += known->update;
        }
        if (cycles.value() > 0)
            content.rows.push_back({QObject::tr("Takes"), takes(cycles, *estimate, units)});
        content.footer = QObject::tr("Once per %1 micro-batches").arg(chart.microBatches);
        break;
    }
    case Kind::Infeed:
    case Kind::Outfeed: {
        const ScheduleSlot& slot = chart.slotList[place.slot];
        const bool isInfeed = place.kind == Kind::Infeed;
        content.title = isInfeed ? QObject::tr("Infeed") : QObject::tr("Outfeed");
        content.rows = {{QObject::tr("Micro-batch"),
                         QString::number((isInfeed ? slot.infeed : slot.outfeed).value_or(0))},
                        {QObject::tr("Slot"), slotText(chart, place.slot)}};
        content.footer = isInfeed ? QObject::tr("The host gives the first stage its input")
                                  : QObject::tr("The host takes what the last stage made");
        break;
    }
    }
    return content;
}

QString spokenDetails(const ScheduleChart& chart, const SchedulePlace& place) {
    const QString where = QObject::tr("slot %1").arg(place.slot);
    switch (place.kind) {
    case Kind::Work: {
        const ScheduleCell& cell = cellOf(chart, place);
        return QObject::tr("%1, micro-batch %2, stage %3, %4, %5")
            .arg(kindName(cell.kind))
            .arg(cell.microBatch)
            .arg(cell.stage.value())
            .arg(ipuText(chart, place.row), where);
    }
    case Kind::Idle:
        return QObject::tr("Idle, %1, %2").arg(ipuText(chart, place.row), where);
    case Kind::Omitted:
        return QObject::tr("%1 slots left out").arg(place.omitted);
    case Kind::Update:
        return QObject::tr("Weight update, %1").arg(ipuText(chart, place.row));
    case Kind::Infeed:
        return QObject::tr("Infeed, %1").arg(where);
    case Kind::Outfeed:
        break;
    }
    return QObject::tr("Outfeed, %1").arg(where);
}

TableContent scheduleTable(const ScheduleChart& chart, std::size_t most) {
    TableContent content;
    content.columns = {{QObject::tr("Slot"), ColumnKind::Number, {}, 60, {}, false},
                       {QObject::tr("Part"), ColumnKind::Text, {}, 90, {}, false},
                       {QObject::tr("IPU"), ColumnKind::Number, {}, 60, {}, false},
                       {QObject::tr("Stage"), ColumnKind::Text, {}, 80, {}, false},
                       {QObject::tr("Work"), ColumnKind::Text, {}, 110, {}, true},
                       {QObject::tr("Micro-batch"), ColumnKind::Number, {}, 100, {}, false}};
    const std::vector<ScheduleCellId> cells = scheduleTableCells(chart);
    for (const ScheduleCellId& id : std::span(cells).first(std::min(cells.size(), most))) {
        const ScheduleSlot& slot = chart.slotList[id.slot];
        const ScheduleCell& cell = slot.work[id.row][id.index];
        const auto number = [](auto value) {
            return numberCell(groupedText(std::int64_t(value)), double(value));
        };
        TableCell work = textCell(cell.computes ? kindName(cell.kind)
                                                : QObject::tr("%1 (hands on)").arg(kindName(cell.kind)));
        work.isMuted = !cell.computes;
        content.rows.push_back({number(id.slot), textCell(bandName(slot.band)),
                                number(chart.rows[id.row].ipu.value()),
                                stageCell(cell.stage.index(), QString::number(cell.stage.value())), work,
                                number(cell.microBatch)});
    }
    if (cells.size() > most)
        content.footer = {
            textCell({}),
            textCell({}),
            textCell({}),
            textCell({}),
            textCell(QObject::tr("%1 more").arg(groupedText(std::int64_t(cells.size() - most)))),
            textCell({})};
    return content;
}

std::vector<ScheduleCellId> scheduleTableCells(const ScheduleChart& chart) {
    std::vector<ScheduleCellId> cells;
    for (std::size_t slot = 0; slot < chart.slotList.size(); ++slot) {
        for (std::size_t row = 0; row < chart.slotList[slot].work.size(); ++row) {
            for (std::size_t index = 0; index < chart.slotList[slot].work[row].size(); ++index)
                cells.push_back({slot, row, index});
        }
    }
    return cells;
}

} // namespace views
