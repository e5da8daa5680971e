#include "core/profile/analysis/idle_reason.h"
#include "core/profile/records/span_label.h"
#include "views/timeline/details_panel.h"
#include "views/timeline/timeline_tables.h"

#include <algorithm>
#include <array>

namespace views {

namespace {

using core::SpanKind;

/// A start as on the ruler, which goes on from update to update.
SpanDetails::Figure startFigure(const TimelineScene& scene, std::int64_t update, core::Cycles inUpdate) {
    const TimeScale scale = scene.frame->timeScale();
    const TimeUnit unit = scene.state.units.time;
    QString explanation = QStringLiteral("from the start of update 0, as on the ruler");
    if (update > 0)
        explanation += QStringLiteral("; %1 from the start of update %2")
                           .arg(timeText(inUpdate, unit, scale).joined())
                           .arg(update);
    return {QStringLiteral("Start"), timeText(update * scene.frame->step + inUpdate, unit, scale),
            explanation};
}

void addFigures(const TimelineScene& scene, std::int64_t update, SpanDetails& details) {
    const core::SpanRecord& span = details.span;
    const TimeScale scale = scene.frame->timeScale();
    const TimeUnit unit = scene.state.units.time;
    details.figures.push_back(startFigure(scene, update, span.start));
    details.figures.push_back(
        {QStringLiteral("Duration"), timeText(span.duration, unit, scale),
         QStringLiteral("cycles ÷ clock = %1 ÷ %2 GHz")
             .arg(groupedText(span.duration.value()), fixedText(scale.clockHz / 1e9, 2))});
    details.figures.push_back({QStringLiteral("Cycles"), {groupedText(span.duration.value()), {}}, {}});
    details.figures.push_back(
        {QStringLiteral("Share of step"),
         {fixedText(100 * ratio(span.duration, scene.frame->step), 2), QStringLiteral("%")},
         QStringLiteral("duration ÷ step")});
    if (const auto slack = scene.critical ? scene.critical->slackOf(span) : std::nullopt)
        details.figures.push_back(
            {QStringLiteral("Slack"), timeText(*slack, unit, scale),
             scene.critical->holds(span)
                 ? QStringLiteral("on the critical path: a longer event makes a longer step")
                 : QStringLiteral("it may end this much later and the step stays as long as it is")});
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
    if (program == scene.programs->end() || program->second.layers.empty())
        return;
    core::Cycles compute;
    core::Cycles exchange;
    core::Cycles sync;
    core::Cycles longest;
    for (const core::LayerShare& layer : program->second.layers) {
        compute += layer.compute;
        exchange += layer.exchange;
        sync += layer.sync;
        longest = std::max(longest, layer.total());
    }
    const core::Cycles total = compute + exchange + sync;
    const bool isWhole = total == details.span.duration;
    const auto share = [&](const char* name, core::Cycles part) {
        details.figures.push_back({QString::fromUtf8(name),
                                   {fixedText(100 * ratio(part, total), 1), QStringLiteral("%")},
                                   (isWhole ? QStringLiteral("%1 of the %2 cycles of this event")
                                            : QStringLiteral("%1 of the %2 cycles of its whole program"))
                                       .arg(groupedText(part.value()), groupedText(total.value()))});
    };
    share("On-tile compute", compute);
    share("Exchange", exchange);
    share("Sync", sync);
    const UnitChoice unit = timeUnitFor(longest, scene.state.units.time, scene.frame->timeScale());
    details.layersUnit = unit.name;
    for (const core::LayerShare& layer : program->second.layers)
        details.layers.push_back({toQString(layer.layer), ratio(layer.total(), longest),
                                  inUnit(layer.total().value(), unit).value, toQString(layer.layer)});
}

/// Bars for the pieces of a level that run inside a part.
void addParts(const TimelineScene& scene, const core::SpanRecord& span, const SelectedPiece& piece,
              DepthLevel level, const char* name, SpanDetails& details) {
    if (!scene.depths)
        return;
    const std::vector<DepthPiece> parts =
        piecesWithin(*scene.depths, span, level, piece.start, piece.start + piece.duration);
    core::Cycles longest(1);
    for (const DepthPiece& part : parts)
        longest = std::max(longest, part.duration);
    const UnitChoice unit = timeUnitFor(longest, scene.state.units.time, scene.frame->timeScale());
    details.partName = QString::fromLatin1(name);
    details.layersUnit = unit.name;
    for (const DepthPiece& part : parts)
        details.layers.push_back(
            {toQString(part.name), ratio(part.duration, longest), inUnit(part.duration.value(), unit).value});
}

/// What the run recorded of an operation.
void addOperation(const core::OperationRecord& operation, const Units& units, SpanDetails& details) {
    const auto add = [&](const char* name, NumberText value, const char* explanation) {
        details.figures.push_back(
            {QString::fromLatin1(name), std::move(value), QString::fromUtf8(explanation)});
    };
    if (!operation.layer.empty())
        details.figures.push_back(
            {QStringLiteral("Layer"), {toQString(operation.layer.str()), {}}, {}, true});
    add("Kind", {toQString(operation.kind.str()), {}}, "");
    add("Tiles used", {groupedText(operation.tilesUsed), {}}, "tiles that compute it");
    if (operation.flops.value() > 0)
        add("Work", flopsText(operation.flops), "floating-point operations of one run");
    add("Exchanged", bytesText(operation.exchangeBytes, units.bytes), "bytes between the tiles in one run");
    add("Temporary", bytesText(operation.temporaryPerTile, units.bytes), "on each tile, while it runs");
    add("Output", bytesText(operation.outputBytes, units.bytes), "bytes of what it computes");
    if (!operation.precision.empty())
        add("Precision", {toQString(operation.precision.str()), {}}, "");
}

/// The operation that a part is, or is a step of.
const core::OperationRecord* operationOf(const TimelineScene& scene, const core::SpanRecord& span,
                                         const SelectedPiece& piece) {
    if (!scene.operations || !scene.depths || piece.level == DepthLevel::Layer)
        return nullptr;
    std::string name = piece.name;
    if (piece.level == DepthLevel::Step)
        for (const DepthPiece& whole : piecesWithin(*scene.depths, span, DepthLevel::Operation,
                                                    core::Cycles(), piece.start + core::Cycles(1)))
            name = whole.name;
    const auto found = scene.operations->find(name);
    return found == scene.operations->end() ? nullptr : &found->second;
}

/// A part of what runs inside the span has its own time, and consists of its own parts: a layer of
/// operations, an operation of steps.
void showPieceOf(const TimelineScene& scene, const PlacedSpan& placed, const SelectedPiece& piece,
                 SpanDetails& details) {
    const core::SpanRecord& span = placed.span;
    const TimeScale scale = scene.frame->timeScale();
    static constexpr std::array<const char*, depthLevelCount> levels{"Layer", "Operation", "Step"};
    details.place =
        QLatin1String(levels[static_cast<std::size_t>(piece.level)]) + QStringLiteral(" · ") + details.place;
    details.title = QString::fromStdString(piece.name);
    details.figures = {
        startFigure(scene, placed.update, span.start + piece.start - span.offset),
        {QStringLiteral("Duration"), timeText(piece.duration, scene.state.units.time, scale),
         QStringLiteral("cycles ÷ clock = %1 ÷ %2 GHz")
             .arg(groupedText(piece.duration.value()), fixedText(scale.clockHz / 1e9, 2))},
        {QStringLiteral("Cycles"), {groupedText(piece.duration.value()), {}}, {}},
        {QStringLiteral("Share of event"),
         {fixedText(100 * ratio(piece.duration, span.duration), 2), QStringLiteral("%")},
         QStringLiteral("duration ÷ %1 cycles of the event").arg(groupedText(span.duration.value()))},
        {QStringLiteral("Share of step"),
         {fixedText(100 * ratio(piece.duration, scene.frame->step), 2), QStringLiteral("%")},
         QStringLiteral("duration ÷ step")}};
    details.layers.clear();
    if (piece.level == DepthLevel::Layer) {
        addParts(scene, span, piece, DepthLevel::Operation, "operation", details);
    } else if (const core::OperationRecord* operation = operationOf(scene, span, piece)) {
        if (piece.level == DepthLevel::Step)
            details.place = QStringLiteral("of %1 · ").arg(toQString(operation->name.str())) + details.place;
        addOperation(*operation, scene.state.units, details);
    }
    if (piece.level == DepthLevel::Operation)
        addParts(scene, span, piece, DepthLevel::Step, "step", details);
}

QString stepText(const TimelineFrame& frame, const core::SpanRecord& span) {
    const auto ipu = frame.ipuOfLane(span.lane);
    const QString text = QStringLiteral("%1 · IPU %2")
                             .arg(QString::fromStdString(core::spanLabel(span)))
                             .arg(ipu ? frame.ipus[*ipu].ipu.value() : 0);
    return span.slot < 0 ? text : text + QStringLiteral(" · slot %1").arg(span.slot);
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

QString reasonOf(const TimelineFrame& frame, const StagePrograms& programs, const core::SpanRecord& gap,
                 const Units& units) {
    core::StageProgramMap byPhase;
    for (const auto& [program, shares] : programs)
        if (const auto phase = core::programPhaseOf(program.second))
            byPhase[{program.first, *phase}] = shares;
    std::map<core::StageId, core::IpuId> ipus;
    for (const TimelineIpu& ipu : frame.ipus)
        for (const core::StageId stage : ipu.stages)
            ipus[stage] = ipu.ipu;
    const auto ipu = frame.ipuOfLane(gap.lane);
    const core::IdleContext context{
        byPhase,
        ipus,
        frame.provenance,
        {[&](core::Cycles cycles) {
             return timeText(cycles, units.time, frame.timeScale()).joined().toStdString();
         },
         [&](core::Bytes bytes) { return bytesText(bytes, units.bytes).joined().toStdString(); }}};
    return toQString(core::idleReason(context, gap, ipu ? frame.ipus[*ipu].ipu : core::IpuId()));
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
    addFigures(scene, placed.update, details);
    addLayers(scene, details);
    if (scene.state.piece && scene.state.selected == placed)
        showPieceOf(scene, placed, *scene.state.piece, details);
    addNeighbours(scene, placed.update, details);
    if (span.kind == SpanKind::Idle && scene.programs)
        details.reason = reasonOf(*scene.frame, *scene.programs, span, scene.state.units);
    return details;
}

} // namespace views
