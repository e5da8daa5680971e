#include "core/profile/records/span_label.h"
#include "views/timeline/details_panel.h"
#include "views/timeline/timeline_tables.h"

#include <algorithm>

namespace views {

namespace {

using core::SpanKind;

/// Cycles of one slot on a stage: what its programs take together.
core::Cycles slotWork(const StagePrograms& programs, core::StageId stage) {
    core::Cycles total;
    for (const SpanKind kind :
         {SpanKind::Backward, SpanKind::Forward, SpanKind::Recompute, SpanKind::WeightGradient}) {
        const auto program = programs.find({stage, kind});
        if (program == programs.end())
            continue;
        for (const core::LayerShare& layer : program->second)
            total += layer.total();
    }
    return total;
}

QString stageName(core::StageId stage) {
    return QStringLiteral("stage %1").arg(stage.value());
}

void addFigures(const TimelineScene& scene, SpanDetails& details) {
    const core::SpanRecord& span = details.span;
    const TimeScale scale = scene.frame->timeScale();
    const TimeUnit unit = scene.state.units.time;
    details.figures.push_back({QStringLiteral("Start"), timeText(span.start, unit, scale),
                               QStringLiteral("from the start of the update")});
    details.figures.push_back(
        {QStringLiteral("Duration"), timeText(span.duration, unit, scale),
         QStringLiteral("cycles ÷ clock = %1 ÷ %2 GHz")
             .arg(groupedText(span.duration.value()), fixedText(scale.clockHz / 1e9, 2))});
    details.figures.push_back({QStringLiteral("Cycles"), {groupedText(span.duration.value()), {}}, {}});
    details.figures.push_back(
        {QStringLiteral("Share of step"),
         {fixedText(100 * ratio(span.duration, scene.frame->step), 2), QStringLiteral("%")},
         QStringLiteral("duration ÷ step")});
    if (span.bytes.value() > 0) {
        details.figures.push_back(
            {QStringLiteral("Bytes"), bytesText(span.bytes, scene.state.units.bytes), {}});
        const double perSecond = static_cast<double>(span.bytes.value()) * scale.clockHz /
                                 std::max(1.0, static_cast<double>(span.duration.value()));
        details.figures.push_back({QStringLiteral("Rate"),
                                   {fixedText(perSecond / 1e9, 2), QStringLiteral("GB/s")},
                                   QStringLiteral("bytes ÷ duration")});
    }
}

void addLayers(const TimelineScene& scene, SpanDetails& details) {
    if (!scene.programs || !core::programPhaseOf(details.span.kind))
        return;
    const auto program = scene.programs->find({details.span.stage, details.span.kind});
    if (program == scene.programs->end() || program->second.empty())
        return;
    core::Cycles compute;
    core::Cycles exchange;
    core::Cycles sync;
    core::Cycles longest;
    for (const core::LayerShare& layer : program->second) {
        compute += layer.compute;
        exchange += layer.exchange;
        sync += layer.sync;
        longest = std::max(longest, layer.total());
    }
    const core::Cycles total = compute + exchange + sync;
    const auto share = [&](const char* name, core::Cycles part) {
        details.figures.push_back({QString::fromUtf8(name),
                                   {fixedText(100 * ratio(part, total), 1), QStringLiteral("%")},
                                   QStringLiteral("%1 of %2 cycles of the stage program")
                                       .arg(groupedText(part.value()), groupedText(total.value()))});
    };
    share("On-tile compute", compute);
    share("Exchange", exchange);
    share("Sync", sync);
    const UnitChoice unit = timeUnitFor(longest, scene.state.units.time, scene.frame->timeScale());
    details.layersUnit = unit.name;
    for (const core::LayerShare& layer : program->second)
        details.layers.push_back({toQString(layer.layer), ratio(layer.total(), longest),
                                  inUnit(layer.total().value(), unit).value});
}

QString stepText(const TimelineFrame& frame, const core::SpanRecord& span) {
    const auto ipu = frame.ipuOfLane(span.lane);
    return QStringLiteral("%1 · IPU %2 · slot %3")
        .arg(QString::fromStdString(core::spanLabel(span)))
        .arg(ipu ? frame.ipus[*ipu].ipu.value() : 0)
        .arg(span.slot);
}

/// The stops of the micro-batch before and after this one.
void addNeighbours(const TimelineScene& scene, std::int64_t update, SpanDetails& details) {
    if (!scene.flows)
        return;
    for (const std::vector<core::SpanRecord>& spans : *scene.flows) {
        const auto at = std::find(spans.begin(), spans.end(), details.span);
        if (at == spans.end())
            continue;
        if (at != spans.begin())
            details.before = {QStringLiteral("from ") + stepText(*scene.frame, *std::prev(at)),
                              {*std::prev(at), update}};
        if (std::next(at) != spans.end())
            details.after = {QStringLiteral("to ") + stepText(*scene.frame, *std::next(at)),
                             {*std::next(at), update}};
    }
}

} // namespace

QString idleReason(const TimelineFrame& frame, const StagePrograms& programs, const core::SpanRecord& gap,
                   const Units& units) {
    const auto time = [&](core::Cycles cycles) {
        return timeText(cycles, units.time, frame.timeScale()).joined();
    };
    switch (gap.cause) {
    case core::IdleCause::WarmUp:
        return QStringLiteral(
            "The first micro-batch has not reached this stage yet. More micro-batches per update "
            "make this a smaller share.");
    case core::IdleCause::Drain:
        return QStringLiteral(
            "The last micro-batch has left this stage; earlier stages still work on it. More "
            "micro-batches per update make this a smaller share.");
    case core::IdleCause::Imbalance: {
        if (!gap.blame.isValid())
            return QStringLiteral("Other IPUs need longer here.");
        const core::Cycles theirs = slotWork(programs, gap.blame);
        const core::Cycles ours = slotWork(programs, gap.stage);
        return QStringLiteral(
                   "Waits for %1, whose programs of a full slot take %2; those of %3 take %4. Moving layers "
                   "from one to the other shortens every slot.")
            .arg(stageName(gap.blame), time(theirs),
                 gap.stage.isValid() ? stageName(gap.stage) : QStringLiteral("this IPU"), time(ours));
    }
    case core::IdleCause::Transfer:
        return QStringLiteral(
            "Tensors cross to the neighbouring IPUs; compute waits for the global exchange that ends "
            "the slot. A narrower cut shortens it.");
    case core::IdleCause::Host:
        return QStringLiteral("Waits for data from the host, or to hand results to it.");
    case core::IdleCause::AllReduce:
        return QStringLiteral("Gradients are summed over %1 replicas before the weight update.")
            .arg(frame.provenance.replicas);
    case core::IdleCause::Serial:
        return QStringLiteral("One stage works at a time in this schedule.");
    }
    return {};
}

SpanDetails detailsOf(const TimelineScene& scene, const PlacedSpan& placed) {
    const core::SpanRecord& span = placed.span;
    SpanDetails details;
    details.span = span;
    details.label = QString::fromStdString(core::spanLabel(span));
    details.title = spanTitle(span);
    QStringList place;
    if (span.stage.isValid()) {
        details.stage = span.stage.index();
        place.append(QStringLiteral("Stage %1").arg(span.stage.value()));
    }
    if (const auto ipu = scene.frame->ipuOfLane(span.lane))
        place.append(QStringLiteral("IPU %1").arg(scene.frame->ipus[*ipu].ipu.value()));
    if (span.slot >= 0)
        place.append(QStringLiteral("slot %1").arg(span.slot));
    place.append(QStringLiteral("update %1").arg(placed.update));
    details.place = place.join(QStringLiteral(" · "));
    addFigures(scene, details);
    addLayers(scene, details);
    addNeighbours(scene, placed.update, details);
    if (span.kind == SpanKind::Idle && scene.programs)
        details.reason = idleReason(*scene.frame, *scene.programs, span, scene.state.units);
    return details;
}

} // namespace views
