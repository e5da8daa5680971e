#include "views/graph/painting/gauge_rows.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <map>

namespace views {

core::Cycles stageTime(const core::StageEstimate& stage) {
    return stage.perMicroBatch();
}

namespace {

using core::PlanEstimate;
using core::StageEstimate;

QString gaugeText(const char* text) {
    return QCoreApplication::translate("views::GaugeRows", text);
}

const StageEstimate* stageIn(const PlanEstimate* estimate, std::size_t stage) {
    return estimate != nullptr && stage < estimate->stages.size() ? &estimate->stages[stage] : nullptr;
}

const core::IpuEstimate* ipuIn(const PlanEstimate* estimate, std::size_t stage) {
    const StageEstimate* which = stageIn(estimate, stage);
    if (which == nullptr || which->ipu.index() >= estimate->ipus.size())
        return nullptr;
    return &estimate->ipus[which->ipu.index()];
}

core::Cycles longest(const PlanEstimate& estimate) {
    core::Cycles most;
    for (const StageEstimate& stage : estimate.stages)
        most = std::max(most, stageTime(stage));
    return most;
}

core::Bytes largestCut(const PlanEstimate& estimate) {
    core::Bytes most;
    for (const StageEstimate& stage : estimate.stages)
        most = std::max(most, stage.cut);
    return most;
}

std::optional<double> changeOf(double now, std::optional<double> before) {
    if (!before || *before == 0 || std::abs(now - *before) < 1e-9 * std::abs(*before))
        return std::nullopt;
    return now / *before - 1;
}

GaugeSegment activitySegment(const Theme& theme, Activity activity, double share) {
    return {share, theme.activity(activity), theme.activityHatch(activity), {}};
}

GaugeRow timeRow(const PlanEstimate& now, const PlanEstimate* before, std::size_t index, const Units& units,
                 const Theme& theme) {
    // What a measured time is of the predicted one.
    const core::PredictionInterval interval = core::inverseInterval(now.intervals.rate);
    const StageEstimate& stage = now.stages[index];
    GaugeRow row;
    row.name = gaugeText("Time");
    // Figures of the work alone are elsewhere.
    row.label = stage.host.value() > 0 ? gaugeText("With host") : QString();
    // The scale holds still while a cut is dragged, unless something grows beyond it.
    const core::Cycles most = before != nullptr ? std::max(longest(now), longest(*before)) : longest(now);
    // Room for what the longest stage may take.
    const core::Cycles scale(std::llround(double(most.value()) * std::max(1.0, interval.high)));
    if (interval.low < interval.high)
        row.gauge.range = GaugeRange{ratio(stageTime(stage), scale) * interval.low,
                                     ratio(stageTime(stage), scale) * interval.high};
    row.gauge.segments = {activitySegment(theme, Activity::Host, ratio(stage.host, scale)),
                          activitySegment(theme, Activity::Backward, ratio(stage.backward, scale)),
                          activitySegment(theme, Activity::Forward, ratio(stage.forward, scale)),
                          activitySegment(theme, Activity::Recompute, ratio(stage.recompute, scale))};
    const UnitChoice unit = timeUnitFor(longest(now), units.time, {now.clockHz, now.step});
    row.value = inUnit(stageTime(stage).value(), unit);
    if (const StageEstimate* old = stageIn(before, index)) {
        row.change = changeOf(double(stageTime(stage).value()), double(stageTime(*old).value()));
        if (row.change)
            row.gauge.previous = ratio(stageTime(*old), scale);
    }
    return row;
}

GaugeRow memoryRow(const PlanEstimate& now, const PlanEstimate* before, std::size_t index, const Units& units,
                   const Theme& theme) {
    GaugeRow row;
    row.name = gaugeText("Memory");
    const core::IpuEstimate* ipu = ipuIn(&now, index);
    if (ipu == nullptr || ipu->limit.value() == 0)
        return row;
    row.level = gaugeLevel(double(ipu->peak.value()), double(ipu->limit.value()));
    row.gauge = memoryGauge(*ipu, now.intervals.peak, theme);
    const UnitChoice unit = byteUnitFor(ipu->limit, units.bytes);
    const auto whole = [&](core::Bytes bytes) { return fixedText(double(bytes.value()) * unit.factor, 0); };
    row.value = {whole(ipu->peak) + QStringLiteral(" / ") + whole(ipu->limit), unit.name};
    if (const core::IpuEstimate* old = ipuIn(before, index)) {
        row.change = changeOf(double(ipu->peak.value()), double(old->peak.value()));
        if (row.change)
            row.gauge.previous = ratio(old->peak, ipu->limit) * *row.gauge.limit;
    }
    return row;
}

GaugeRow cutRow(const PlanEstimate& now, const PlanEstimate* before, std::size_t index, const Units& units,
                const Theme& theme) {
    GaugeRow row;
    row.name = gaugeText("Cut out");
    if (index + 1 == now.stages.size()) {
        row.note = gaugeText("last stage");
        row.value = {QStringLiteral("–"), {}};
        return row;
    }
    const StageEstimate& stage = now.stages[index];
    const core::Bytes scale =
        before != nullptr ? std::max(largestCut(now), largestCut(*before)) : largestCut(now);
    row.gauge.segments = {activitySegment(theme, Activity::Copy, ratio(stage.cut, scale))};
    row.value = inUnit(stage.cut.value(), byteUnitFor(scale, units.bytes));
    if (const StageEstimate* old = stageIn(before, index)) {
        row.change = changeOf(double(stage.cut.value()), double(old->cut.value()));
        if (row.change)
            row.gauge.previous = ratio(old->cut, scale);
    }
    return row;
}

GaugeRow idleRow(const PlanEstimate& now, const PlanEstimate* before, std::size_t index, const Theme& theme) {
    GaugeRow row;
    row.name = gaugeText("Idle");
    const core::IpuEstimate* ipu = ipuIn(&now, index);
    if (ipu == nullptr || now.step.value() == 0)
        return row;
    const auto idleOf = [](const core::IpuEstimate& which) {
        core::Cycles sum;
        for (const core::Cycles cycles : which.idle)
            sum += cycles;
        return sum;
    };
    for (std::size_t cause = 0; cause < ipu->idle.size(); ++cause) {
        const auto what = static_cast<core::IdleCause>(cause);
        row.gauge.segments.push_back({ratio(ipu->idle[cause], now.step), theme.idleFill(what),
                                      Theme::idlePattern(what), theme.idleHatch(what)});
    }
    const double share = ratio(idleOf(*ipu), now.step);
    row.value = {fixedText(share * 100, 1), QStringLiteral("%")};
    if (const core::IpuEstimate* old = ipuIn(before, index); old != nullptr && before->step.value() > 0) {
        const double oldShare = ratio(idleOf(*old), before->step);
        row.change = changeOf(share, oldShare);
        if (row.change)
            row.gauge.previous = oldShare;
    }
    return row;
}

} // namespace

std::array<GaugeRow, 4> gaugeRows(const PlanEstimate& now, const PlanEstimate* before, std::size_t stage,
                                  const Units& units, const Theme& theme) {
    return {timeRow(now, before, stage, units, theme), memoryRow(now, before, stage, units, theme),
            cutRow(now, before, stage, units, theme), idleRow(now, before, stage, theme)};
}

std::size_t slowestStage(const PlanEstimate& estimate) {
    const auto workOf = [](const StageEstimate& stage) { return stage.perMicroBatch() - stage.host; };
    std::map<core::IpuId, core::Cycles> byIpu;
    for (const StageEstimate& stage : estimate.stages)
        byIpu[stage.ipu] += workOf(stage);
    std::size_t slowest = 0;
    for (std::size_t i = 1; i < estimate.stages.size(); ++i) {
        const StageEstimate& one = estimate.stages[i];
        const StageEstimate& most = estimate.stages[slowest];
        if (std::pair(byIpu[one.ipu], workOf(one)) > std::pair(byIpu[most.ipu], workOf(most)))
            slowest = i;
    }
    return slowest;
}

} // namespace views
