#include "views/plan/planner_plans.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace views {

namespace {

QString planText(const char* text) {
    return QCoreApplication::translate("views::PlannerView", text);
}

core::Cycles idleOf(const core::IpuEstimate& ipu) {
    return std::accumulate(ipu.idle.begin(), ipu.idle.end(), core::Cycles());
}

/// "4 × 2, 8 of 16, Grouped", under a header that says what is multiplied: plans of one shape differ in their
/// micro-batches.
QString shortName(const PlannedProject& plan) {
    const QString shape = QStringLiteral("%1 × %2, %3 of %4")
                              .arg(plan.stages)
                              .arg(plan.replicas)
                              .arg(plan.accumulation)
                              .arg(plan.batchSize);
    return plan.stages > 1 ? shape + QStringLiteral(", ") + toQString(plan.schedule) : shape;
}

TableCell shareCell(double share) {
    TableCell cell = numberCell(fixedText(100 * share, 1), share);
    cell.heat = std::nullopt;
    return cell;
}

} // namespace

QString planPartName(PlanPart part) {
    constexpr const char* names[]{
        QT_TRANSLATE_NOOP("views::PlannerView", "Split"),
        QT_TRANSLATE_NOOP("views::PlannerView", "Replicas"),
        QT_TRANSLATE_NOOP("views::PlannerView", "Schedule"),
        QT_TRANSLATE_NOOP("views::PlannerView", "Micro-batch"),
        QT_TRANSLATE_NOOP("views::PlannerView", "Recomputation"),
        QT_TRANSLATE_NOOP("views::PlannerView", "Offloading"),
        QT_TRANSLATE_NOOP("views::PlannerView", "Memory proportion"),
    };
    return planText(names[std::size_t(part)]);
}

std::vector<std::size_t> planFront(const std::vector<PlannedProject>& plans) {
    std::vector<std::size_t> order(plans.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return std::tuple(-plans[a].samplesPerSecond, plans[a].peak, plans[a].ipus) <
               std::tuple(-plans[b].samplesPerSecond, plans[b].peak, plans[b].ipus);
    });
    std::vector<std::size_t> front;
    for (const std::size_t i : order)
        if (std::ranges::none_of(front, [&](std::size_t better) {
                return plans[better].peak <= plans[i].peak && plans[better].ipus <= plans[i].ipus;
            }))
            front.push_back(i);
    return front;
}

QString planName(const PlannedProject& plan) {
    QString name = countedText(std::int64_t(plan.stages), planText("stage"), planText("stages"));
    if (plan.replicas > 1)
        name += QStringLiteral(" × ") + countedText(plan.replicas, planText("replica"), planText("replicas"));
    if (plan.stages > 1)
        name += QStringLiteral(", ") + toQString(plan.schedule);
    return name;
}

QString planDetails(const PlannedProject& plan) {
    QStringList parts{countedText(plan.accumulation, planText("micro-batch"), planText("micro-batches")) +
                      planText(" of %1").arg(plan.batchSize)};
    if (plan.recompute)
        parts << planText("recompute");
    if (!plan.offload.isEmpty())
        parts << planText("offload %1").arg(plan.offload);
    if (plan.memoryProportion)
        parts << planText("memory proportion %1").arg(*plan.memoryProportion);
    return parts.join(QStringLiteral(", "));
}

QString proofText(const PlannerOutcome& outcome, bool isFound) {
    const QString count =
        countedText(std::int64_t(outcome.simulated), planText("plan simulated"), planText("plans simulated"));
    if (!isFound && outcome.isProven)
        return planText("Proven: no plan fits (%1)").arg(count);
    if (!isFound)
        return (outcome.isCut ? planText("Stopped: no plan that fits was found yet (%1)")
                              : planText("No plan that fits was found (%1)"))
            .arg(count);
    if (outcome.isProven)
        return planText("Proven of the first: no plan that fits is faster with %1 samples per update (%2)")
            .arg(groupedText(outcome.effectiveBatch), count);
    const QString gap = std::isfinite(outcome.gap)
                            ? planText("at most %1 more is possible").arg(percentText(outcome.gap, 2))
                            : planText("how much more is possible is not known");
    return (outcome.isCut ? planText("Stopped: %1 (%2)") : planText("Not proven: %1 (%2)")).arg(gap, count);
}

TableContent plansTable(const std::vector<PlannedProject>& plans, const std::vector<std::size_t>& front,
                        const Units& units) {
    TableContent table;
    core::Bytes most;
    for (const std::size_t i : front)
        most = std::max(most, plans[i].peak);
    const UnitChoice unit = byteUnitFor(most, units.bytes);
    table.columns = {
        {planText("Plan"),
         ColumnKind::Text,
         {},
         0,
         planText("Stages × replicas, micro-batches of samples, and the schedule of the pipeline"),
         false},
        numberColumn(planText("Samples/s")),
        numberColumn(planText("Peak"), planText("Memory of the fullest IPU")),
        numberColumn(planText("IPUs")),
        {planText("With"), ColumnKind::Text, {}, 0, {}, true}};
    // Without a plan nothing says which unit it will be.
    table.columns[2].unit = front.empty() ? QString() : unit.name;
    for (const std::size_t i : front) {
        const PlannedProject& plan = plans[i];
        table.rows.push_back({textCell(shortName(plan)),
                              numberCell(fixedText(plan.samplesPerSecond, 1), plan.samplesPerSecond),
                              bytesCell(plan.peak, unit),
                              numberCell(groupedText(plan.ipus), double(plan.ipus)),
                              textCell(planDetails(plan))});
    }
    return table;
}

TableContent planStagesTable(const core::PlanEstimate& estimate, const Units& units) {
    TableContent table;
    core::Cycles longest;
    for (const core::StageEstimate& stage : estimate.stages)
        longest = std::max(longest, stage.perMicroBatch());
    const TimeScale scale{estimate.clockHz, estimate.step};
    const UnitChoice time = timeUnitFor(longest, units.time, scale);
    const core::Bytes most = core::peakOf(estimate);
    const UnitChoice memory = byteUnitFor(most, units.bytes);
    // The panel is narrow: what matters most is in view.
    table.columns = {{planText("Stage"), ColumnKind::Text, {}, 0, {}, false},
                     numberColumn(planText("Time"), planText("Of one micro-batch")),
                     numberColumn(planText("Memory"), planText("Peak of the stage's IPU")),
                     numberColumn(planText("Idle"), planText("Share of a weight update without work")),
                     numberColumn(planText("Layers"))};
    table.columns[1].unit = time.name;
    table.columns[2].unit = memory.name;
    table.columns[3].unit = QStringLiteral("%");
    for (const core::StageEstimate& stage : estimate.stages) {
        std::vector<TableCell> row{
            stageCell(stage.stage.index(), QStringLiteral("IPU %1").arg(stage.ipu.index())),
            cyclesCell(stage.perMicroBatch(), time)};
        if (stage.ipu.index() < estimate.ipus.size()) {
            const core::IpuEstimate& ipu = estimate.ipus[stage.ipu.index()];
            row.push_back(bytesCell(ipu.peak, memory));
            row.push_back(shareCell(ratio(idleOf(ipu), estimate.step)));
        } else {
            row.push_back(dashCell());
            row.push_back(dashCell());
        }
        row.push_back(numberCell(groupedText(std::int64_t(stage.invocations)), double(stage.invocations)));
        table.rows.push_back(std::move(row));
    }
    std::size_t layers = 0;
    for (const core::StageEstimate& stage : estimate.stages)
        layers += stage.invocations;
    table.footer = {textCell(planText("all")), cyclesCell(longest, time), bytesCell(most, memory),
                    shareCell(estimate.idleFraction),
                    numberCell(groupedText(std::int64_t(layers)), double(layers))};
    return table;
}

ParetoScene plansScene(const std::vector<PlannedProject>& plans, const std::vector<std::size_t>& front,
                       const std::optional<core::Bytes>& limit, const Units& units) {
    ParetoScene scene;
    for (std::size_t i = 0; i < plans.size(); ++i)
        scene.points.push_back(
            {std::int64_t(i), plans[i].samplesPerSecond, plans[i].peak, plans[i].ipus, {}, true});
    scene.front = front;
    scene.limit = limit;
    scene.isByIpus = true;
    scene.units = units;
    return scene;
}

} // namespace views
