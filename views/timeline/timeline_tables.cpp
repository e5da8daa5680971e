#include "views/timeline/timeline_tables.h"

#include "core/profile/records/span_label.h"
#include "views/profile/tables/number_card.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace views {

namespace {

using core::IdleCause;
using core::LaneStatistics;
using core::SpanKind;

constexpr std::array workKinds{SpanKind::Forward, SpanKind::Backward, SpanKind::WeightGradient,
                               SpanKind::Recompute, SpanKind::WeightUpdate};
/// Order of display.
constexpr std::array<IdleCause, core::idleCauseCount> causes{
    IdleCause::WarmUp,  IdleCause::Drain, IdleCause::Imbalance, IdleCause::Transfer,
    IdleCause::Offload, IdleCause::Host,  IdleCause::AllReduce, IdleCause::Serial};

QString upperFirst(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

/// More decimals where the smallest of a column's figures would be read as nothing.
UnitChoice preciseFor(UnitChoice unit, core::Cycles smallest) {
    constexpr int most = 5;
    constexpr double digits = 10; // two digits of the smallest
    const double value = std::abs(double(smallest.value())) * unit.factor;
    if (value <= 0 || unit.factor == 1)
        return unit;
    while (unit.decimals < most && value * std::pow(10.0, unit.decimals) < digits)
        ++unit.decimals;
    return unit;
}

/// A column of the area table: a kind of work or a cause of idleness.
struct AreaColumn {
    std::optional<SpanKind> kind;
    std::optional<IdleCause> cause;

    [[nodiscard]] core::Cycles of(const LaneStatistics& lane) const {
        return kind ? lane.byKind[static_cast<std::size_t>(*kind)]
                    : lane.idleByCause[static_cast<std::size_t>(*cause)];
    }
    [[nodiscard]] QString title() const {
        return upperFirst(kind ? activityName(*activityOf(*kind))
                               : QString::fromStdString(core::idleCauseLabel(*cause)));
    }
    [[nodiscard]] GaugeSegment segment(double share, const Theme& theme) const {
        if (kind)
            return {share, theme.activity(*activityOf(*kind)), theme.activityHatch(*activityOf(*kind)), {}};
        return {share, theme.idleFill(*cause), Theme::idlePattern(*cause), theme.idleHatch(*cause)};
    }
};

core::Cycles sumOf(const AreaColumn& column, const std::vector<LaneStatistics>& statistics) {
    core::Cycles sum;
    for (const LaneStatistics& lane : statistics)
        sum += column.of(lane);
    return sum;
}

/// Forward and backward always; what does not occur has no column.
std::vector<AreaColumn> areaColumns(const std::vector<LaneStatistics>& statistics) {
    std::vector<AreaColumn> columns;
    for (const SpanKind kind : workKinds) {
        const AreaColumn column{kind, {}};
        const bool isAlwaysShown = kind == SpanKind::Forward || kind == SpanKind::Backward;
        if (isAlwaysShown || sumOf(column, statistics).value() > 0)
            columns.push_back(column);
    }
    for (const IdleCause cause : causes) {
        const AreaColumn column{{}, cause};
        if (sumOf(column, statistics).value() > 0)
            columns.push_back(column);
    }
    return columns;
}

decltype(TableCell::bar) barOf(std::vector<std::pair<AreaColumn, double>> shares) {
    return [shares = std::move(shares)](const Theme& theme) {
        std::vector<GaugeSegment> segments;
        for (const auto& [column, share] : shares)
            segments.push_back(column.segment(share, theme));
        return segments;
    };
}

TableCell ipuCell(const TimelineFrame& frame, std::size_t ipu) {
    const TimelineIpu& row = frame.ipus[ipu];
    const QString name = QStringLiteral("IPU %1").arg(row.ipu.value());
    return row.stages.empty() ? textCell(name) : stageCell(row.stages.front().index(), name);
}

TableCell indexCell(std::int64_t value) {
    return value < 0 ? dashCell() : numberCell(QString::number(value), static_cast<double>(value));
}

/// `part` of `from`, stretched to `to`; exact where both are as long.
core::Cycles scaledBy(core::Cycles part, core::Cycles to, core::Cycles from) {
    if (to == from || from.value() <= 0)
        return part;
    return core::Cycles(static_cast<std::int64_t>(static_cast<long double>(part.value()) *
                                                  static_cast<long double>(to.value()) /
                                                  static_cast<long double>(from.value())));
}

/// What a sum of the critical path is called on screen.
QString shareName(const core::CriticalShare& share) {
    using What = core::PathPart::What;
    switch (share.part.what) {
    case What::Spans:
        return toQString(core::spanKindLabel(share.part.kind));
    case What::Streams:
        return upperFirst(QString::fromStdString(core::idleCauseLabel(share.part.cause)));
    case What::Layer:
        return toQString(share.name);
    default:
        return upperFirst(toQString(share.name));
    }
}

using Explained = std::vector<std::pair<QString, NumberExplanation>>;

/// Of events: where they are and how long they last.
Explained eventExplanations(const TimelineFrame& frame, const Units& units) {
    const NumberExplanation::Input step{
        QStringLiteral("step"), timeText(frame.step, units.time, frame.timeScale()).joined(),
        QStringLiteral("One weight update, or one execution of the pipeline."), "step_cycles"};
    return {
        {QStringLiteral("Slot"),
         {QStringLiteral("The row of the schedule's table that the event is in, from 0."),
          {},
          {},
          QStringLiteral("The schedule has as many slots as its table has rows.")}},
        {QStringLiteral("Micro-batch"),
         {QStringLiteral("Which micro-batch of the update the work is for, from 0."),
          {},
          {},
          QStringLiteral("Below the micro-batches that an update accumulates.")}},
        {QStringLiteral("Start"),
         {QStringLiteral("When it begins, from the start of its update, as the simulated clock of the IPUs "
                         "counted it."),
          {},
          {step},
          QStringLiteral("It begins within the step.")}},
        {QStringLiteral("Duration"),
         {QStringLiteral("How long it lasts, as the simulated clock of the IPUs counted it."),
          QStringLiteral("end − start"),
          {{QStringLiteral("Start")}, step},
          QStringLiteral("No event of a lane lasts longer than the step.")}},
        {QStringLiteral("Size"),
         {QStringLiteral("Bytes of the block of memory."),
          QStringLiteral("elements · bytes of an element"),
          {},
          QStringLiteral("What one IPU has.")}},
        {QStringLiteral("Of step"),
         {QStringLiteral("Which part of the step it takes."),
          QStringLiteral("100 · time / step"),
          {step},
          QStringLiteral("100 %, were it all of the step.")}},
    };
}

} // namespace

TableContent areaTable(const TimelineFrame& frame, const std::vector<LaneStatistics>& statistics,
                       core::Cycles from, core::Cycles to, const std::set<std::size_t>& ticked,
                       const Units& units) {
    const std::vector<AreaColumn> columns = areaColumns(statistics);
    core::Cycles smallest = to - from;
    for (const LaneStatistics& lane : statistics)
        for (const AreaColumn& column : columns)
            if (column.of(lane).value() > 0)
                smallest = std::min(smallest, column.of(lane));
    const UnitChoice unit = preciseFor(timeUnitFor(to - from, units.time, frame.timeScale()), smallest);
    // The sum and the bars are of the ticked lanes.
    std::vector<LaneStatistics> counted;
    TableContent content;
    content.columns = {{QStringLiteral("Lane"), ColumnKind::Text, {}, 102, {}},
                       {QStringLiteral("Time in range"), ColumnKind::StackedBar, {}, 90, {}, true}};
    for (const AreaColumn& column : columns)
        content.columns.push_back({column.title(), ColumnKind::Number, unit.name, 0, {}});
    content.columns.push_back({QStringLiteral("Busy"), ColumnKind::Number, QStringLiteral("%"), 0, {}});
    for (const LaneStatistics& lane : statistics) {
        const auto ipu = frame.ipuOfLane(lane.lane);
        if (!ipu)
            continue;
        std::vector<TableCell> row{ipuCell(frame, *ipu), TableCell{}};
        std::vector<std::pair<AreaColumn, double>> shares;
        for (const AreaColumn& column : columns) {
            row.push_back(cyclesCell(column.of(lane), unit));
            shares.emplace_back(column, ratio(column.of(lane), to - from));
        }
        row[1].bar = barOf(std::move(shares));
        const double busy = ratio(lane.busy(), to - from);
        row[1].sort = busy;
        row.push_back(numberCell(fixedText(100 * busy, 1), busy));
        content.rows.push_back(std::move(row));
        content.ticks.push_back(ticked.contains(*ipu));
        if (ticked.contains(*ipu))
            counted.push_back(lane);
    }
    content.footer = {textCell(QStringLiteral("Sum")), TableCell{}};
    core::Cycles busy;
    for (const LaneStatistics& lane : counted)
        busy += lane.busy();
    const core::Cycles all =
        static_cast<std::int64_t>(std::max<std::size_t>(1, counted.size())) * (to - from);
    std::vector<std::pair<AreaColumn, double>> shares;
    for (const AreaColumn& column : columns) {
        const core::Cycles sum = sumOf(column, counted);
        content.footer.push_back(cyclesCell(sum, unit));
        shares.emplace_back(column, ratio(sum, all));
    }
    content.footer[1].bar = barOf(std::move(shares));
    content.footer.push_back(numberCell(fixedText(100 * ratio(busy, all), 1), 0));
    const NumberExplanation::Input range{QStringLiteral("range"),
                                         inUnit((to - from).value(), unit).value + thinSpace + unit.name,
                                         QStringLiteral("The time that is looked at.")};
    Explained explained;
    NumberExplanation share{
        QStringLiteral("Which part of the time the lane works, whatever it works on."),
        {},
        {},
        QStringLiteral("100 %: it never waits. Over whole steps, all IPUs together come to "
                       "1 − idle_fraction.")};
    for (const AreaColumn& column : columns) {
        const bool isWork = column.kind.has_value();
        explained.push_back({column.title(),
                             {isWork ? QStringLiteral("How long the lane runs programs of this kind.")
                                     : QStringLiteral("How long the lane waits for this reason."),
                              QStringLiteral("the sum over its %1 of what lies in the range")
                                  .arg(isWork ? QStringLiteral("programs") : QStringLiteral("gaps")),
                              {range},
                              QStringLiteral("The range: with all other columns it adds up to that.")}});
        if (!isWork)
            continue;
        share.formula += (share.formula.isEmpty() ? QString() : QStringLiteral(" + ")) + column.title();
        share.inputs.push_back({column.title()});
    }
    share.formula = QStringLiteral("100 · (%1) / range").arg(share.formula);
    share.inputs.push_back(range);
    share.inputs.push_back(
        {QStringLiteral("idle_fraction"), {}, QStringLiteral("Of the whole run."), "idle_fraction"});
    explained.push_back({QStringLiteral("Busy"), std::move(share)});
    explainColumns(content, std::move(explained));
    return content;
}

QString areaEquation(const std::vector<LaneStatistics>& statistics, core::Cycles from, core::Cycles to,
                     const UnitChoice& unit) {
    core::Cycles missing;
    for (const LaneStatistics& lane : statistics)
        missing += lane.unrecorded;
    const QString product = QStringLiteral("%1 × %2 %3")
                                .arg(statistics.size())
                                .arg(inUnit((to - from).value(), unit).value, unit.name);
    if (missing.value() == 0)
        return QStringLiteral("busy + idle = ") + product;
    return QStringLiteral("%1 %2 of %3 not recorded")
        .arg(inUnit(missing.value(), unit).value, unit.name, product);
}

QString areaReading(const TimelineFrame& frame, const std::vector<LaneStatistics>& statistics,
                    const Units& units) {
    std::array<std::pair<core::Cycles, IdleCause>, core::idleCauseCount> idle;
    for (std::size_t i = 0; i < causes.size(); ++i)
        idle[i] = {sumOf({{}, causes[i]}, statistics), causes[i]};
    std::stable_sort(idle.begin(), idle.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    if (idle[0].first.value() == 0)
        return QStringLiteral("No lane is idle here.");
    QString text = QStringLiteral("Largest idle cause here: <b>%1</b> (%2)")
                       .arg(QString::fromStdString(core::idleCauseLabel(idle[0].second)),
                            timeText(idle[0].first, units.time, frame.timeScale()).joined());
    if (idle[1].first.value() > 0)
        text += QStringLiteral(", then <b>%1</b>")
                    .arg(QString::fromStdString(core::idleCauseLabel(idle[1].second)));
    return text + QStringLiteral(".");
}

QString spanTitle(const core::SpanRecord& span) {
    if (span.kind == SpanKind::Idle)
        return QStringLiteral("Idle: ") + QString::fromStdString(core::idleCauseLabel(span.cause));
    QString title = toQString(core::spanKindLabel(span.kind));
    if (span.microBatch >= 0)
        title += QStringLiteral(", micro-batch %1").arg(span.microBatch);
    return title;
}

QString spanSentence(const TimelineFrame& frame, const core::SpanRecord& span, const Units& units) {
    QStringList parts{spanTitle(span)};
    if (span.stage.isValid())
        parts.append(QStringLiteral("stage %1").arg(span.stage.value()));
    if (const auto ipu = frame.ipuOfLane(span.lane))
        parts.append(QStringLiteral("IPU %1").arg(frame.ipus[*ipu].ipu.value()));
    parts.append(timeText(span.duration, units.time, frame.timeScale()).joined());
    return parts.join(QStringLiteral(", "));
}

TableContent hitTable(const TimelineFrame& frame, const std::vector<core::SearchHit>& hits,
                      const Units& units) {
    const UnitChoice startUnit = timeUnitFor(frame.step, units.time, frame.timeScale());
    core::Cycles longest;
    core::Cycles shortest(std::numeric_limits<std::int64_t>::max());
    core::Bytes largest;
    for (const core::SearchHit& hit : hits) {
        longest = std::max(longest, hit.to - hit.from);
        if (hit.to > hit.from)
            shortest = std::min(shortest, hit.to - hit.from);
        largest = std::max(largest, hit.bytes);
    }
    const UnitChoice unit = preciseFor(timeUnitFor(longest, units.time, frame.timeScale()), shortest);
    const UnitChoice bytes = byteUnitFor(largest, units.bytes);
    TableContent content;
    content.columns = {{QStringLiteral("What"), ColumnKind::Text, {}, 80, {}},
                       {QStringLiteral("Found"), ColumnKind::Text, {}, 220, {}, true},
                       {QStringLiteral("IPU"), ColumnKind::Text, {}, 90, {}},
                       {QStringLiteral("Slot"), ColumnKind::Number, {}, 0, {}},
                       {QStringLiteral("Micro-batch"), ColumnKind::Number, {}, 0, {}},
                       {QStringLiteral("Start"), ColumnKind::Number, startUnit.name, 0, {}},
                       {QStringLiteral("Duration"), ColumnKind::Number, unit.name, 0, {}}};
    if (largest.value() > 0)
        content.columns.push_back({QStringLiteral("Size"), ColumnKind::Number, bytes.name, 0, {}});
    for (const core::SearchHit& hit : hits) {
        TableCell name = textCell(hit.name.empty() && hit.span ? spanTitle(*hit.span) : toQString(hit.name));
        if (hit.phase && !hit.name.empty())
            name.text += QStringLiteral(" · ") + activityName(activityOf(*hit.phase));
        const auto activity = hit.kind == core::HitKind::Event && hit.span ? activityOf(hit.span->kind)
                              : hit.phase ? std::optional(activityOf(*hit.phase))
                                          : std::nullopt;
        if (activity)
            name.colour = [activity = *activity](const Theme& theme) { return theme.activity(activity); };
        std::optional<std::size_t> ipu = hit.span ? frame.ipuOfLane(hit.span->lane) : std::nullopt;
        for (std::size_t i = 0; !ipu && i < frame.ipus.size(); ++i)
            if (frame.ipus[i].ipu == hit.ipu)
                ipu = i;
        std::vector<TableCell> row{
            textCell(QString::fromUtf8(core::toString(hit.kind).data())),
            name,
            ipu ? ipuCell(frame, *ipu) : dashCell(),
            hit.span ? indexCell(hit.span->slot) : dashCell(),
            hit.span ? indexCell(hit.span->microBatch) : dashCell(),
            hit.span ? numberCell(inUnit(hit.from.value(), startUnit).value, double(hit.from.value()))
                     : dashCell(),
            hit.span && hit.kind != core::HitKind::Tensor
                ? numberCell(inUnit((hit.to - hit.from).value(), unit).value,
                             double((hit.to - hit.from).value()))
                : dashCell()};
        if (largest.value() > 0)
            row.push_back(hit.bytes.value() > 0 ? bytesCell(hit.bytes, bytes) : dashCell());
        content.rows.push_back(std::move(row));
    }
    explainColumns(content, eventExplanations(frame, units));
    return content;
}

TableContent noteTable(const TimelineFrame& frame, const std::vector<core::NoteRecord>& notes,
                       const Units& units) {
    // Notes are written where a view is a small part of all updates.
    const UnitChoice unit = preciseFor(timeUnitFor(frame.length(), units.time, frame.timeScale()),
                                       core::Cycles(frame.length().value() / 50'000));
    TableContent content;
    content.columns = {{QStringLiteral("Time"), ColumnKind::Number, unit.name, 0, {}},
                       {QStringLiteral("Note"), ColumnKind::Text, {}, 320, {}, true}};
    for (const core::NoteRecord& note : notes)
        content.rows.push_back({numberCell(inUnit(note.at.value(), unit).value, double(note.at.value())),
                                note.text.empty() ? dashCell() : textCell(toQString(note.text))});
    explainColumns(content, {{QStringLiteral("Time"),
                              {QStringLiteral("Where the note is, from the start of the first update."),
                               QStringLiteral("update · step + time in the update"),
                               {{QStringLiteral("step"),
                                 timeText(frame.step, units.time, frame.timeScale()).joined(),
                                 {},
                                 "step_cycles"}},
                               QStringLiteral("The end of the last update that was recorded.")}}});
    return content;
}

TableContent gapTable(const TimelineFrame& frame, const std::vector<core::SpanRecord>& gaps,
                      const Units& units) {
    const UnitChoice startUnit = timeUnitFor(frame.step, units.time, frame.timeScale());
    const UnitChoice unit =
        timeUnitFor(gaps.empty() ? core::Cycles() : gaps.front().duration, units.time, frame.timeScale());
    TableContent content;
    content.columns = {{QStringLiteral("Cause"), ColumnKind::Text, {}, 150, {}, true},
                       {QStringLiteral("IPU"), ColumnKind::Text, {}, 90, {}},
                       {QStringLiteral("Waits for"), ColumnKind::Text, {}, 110, {}},
                       {QStringLiteral("Slot"), ColumnKind::Number, {}, 0, {}},
                       {QStringLiteral("Start"), ColumnKind::Number, startUnit.name, 0, {}},
                       {QStringLiteral("Duration"), ColumnKind::Number, unit.name, 0, {}},
                       {QStringLiteral("Of step"), ColumnKind::Number, QStringLiteral("%"), 0, {}}};
    for (const core::SpanRecord& gap : gaps) {
        TableCell cause = textCell(upperFirst(QString::fromStdString(core::idleCauseLabel(gap.cause))));
        cause.colour = [which = gap.cause](const Theme& theme) { return theme.idleHatch(which); };
        const auto ipu = frame.ipuOfLane(gap.lane);
        const double share = 100 * ratio(gap.duration, frame.step);
        content.rows.push_back(
            {cause, ipu ? ipuCell(frame, *ipu) : dashCell(),
             gap.blame.isValid()
                 ? stageCell(gap.blame.index(), QStringLiteral("Stage %1").arg(gap.blame.value()))
                 : dashCell(),
             indexCell(gap.slot),
             numberCell(inUnit(gap.start.value(), startUnit).value, double(gap.start.value())),
             numberCell(inUnit(gap.duration.value(), unit).value, double(gap.duration.value())),
             numberCell(fixedText(share, 2), share)});
    }
    Explained explained = eventExplanations(frame, units);
    explained.back().second.formula = QStringLiteral("100 · Duration / step");
    explained.back().second.inputs.insert(explained.back().second.inputs.begin(),
                                          {QStringLiteral("Duration")});
    explainColumns(content, std::move(explained));
    return content;
}

TableContent layerTable(const TimelineFrame& frame, const StagePrograms& programs,
                        const std::vector<AreaSpans>& pieces, const Units& units) {
    struct Row {
        std::array<core::Cycles, workKinds.size()> cycles{};
        core::Cycles total;
        std::size_t order = 0;
    };
    std::map<std::pair<std::string, core::StageId>, Row> rows;
    const auto addSpan = [&](const core::SpanRecord& span, std::int64_t times,
                             const core::UpdatePiece& piece) {
        const auto program = programs.find({span.stage, span.kind});
        const auto* const work = std::find(workKinds.begin(), workKinds.end(), span.kind);
        if (work == workKinds.end() || program == programs.end())
            return;
        // A program that streams in its middle works in several spans.
        const core::Cycles whole = program->second.work();
        core::Cycles before;
        for (const core::LayerShare& layer : program->second.layers) {
            const core::Cycles at = span.start + scaledBy(before, span.duration, whole);
            before += layer.total();
            const core::Cycles end = span.start + scaledBy(before, span.duration, whole);
            const core::Cycles inside = std::min(end, piece.to) - std::max(at, piece.from);
            if (inside.value() <= 0)
                continue;
            Row& row = rows.try_emplace({layer.layer, span.stage}, Row{{}, {}, rows.size()}).first->second;
            row.cycles[static_cast<std::size_t>(work - workKinds.begin())] += inside * times;
            row.total += inside * times;
        }
    };
    for (const AreaSpans& spans : pieces)
        for (const core::AreaWork& work : spans.spans)
            addSpan(work.span, work.times * spans.piece.times, spans.piece);
    std::vector<std::pair<std::pair<std::string, core::StageId>, Row>> sorted(rows.begin(), rows.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return std::pair(b.second.total, a.second.order) < std::pair(a.second.total, b.second.order);
    });
    core::Cycles all;
    for (const auto& [key, row] : sorted)
        all += row.total;
    const UnitChoice unit = timeUnitFor(sorted.empty() ? core::Cycles() : sorted.front().second.total,
                                        units.time, frame.timeScale());
    TableContent content;
    content.columns = {{QStringLiteral("Layer"), ColumnKind::Text, {}, 220, {}, true}};
    for (const SpanKind kind : workKinds)
        content.columns.push_back({activityName(*activityOf(kind)), ColumnKind::Number, unit.name, 0, {}});
    content.columns.push_back({QStringLiteral("Total"), ColumnKind::Number, unit.name, 0, {}});
    content.columns.push_back({QStringLiteral("Share"), ColumnKind::Number, QStringLiteral("%"), 0, {}});
    for (const auto& [key, row] : sorted) {
        TableCell name = stageCell(key.second.isValid() ? key.second.index() : 0, toQString(key.first));
        name.sort = {};
        name.isLink = true;
        std::vector<TableCell> cells{name};
        for (const core::Cycles cycles : row.cycles)
            cells.push_back(cyclesCell(cycles, unit));
        cells.push_back(cyclesCell(row.total, unit));
        cells.push_back(numberCell(fixedText(100 * ratio(row.total, all), 1), ratio(row.total, all)));
        content.rows.push_back(std::move(cells));
    }
    Explained explained;
    NumberExplanation total{QStringLiteral("What the layer takes of the time that is looked at."),
                            {},
                            {},
                            QStringLiteral("The busy time of its IPU in that time.")};
    for (const SpanKind kind : workKinds) {
        const QString title = activityName(*activityOf(kind));
        explained.push_back(
            {title,
             {QStringLiteral("What the layer takes in programs of this kind, in the time that is looked at."),
              QStringLiteral("the sum over these programs of their time · the layer's share of the program's "
                             "cycles"),
              {},
              QStringLiteral("The time of these programs themselves.")}});
        total.formula += (total.formula.isEmpty() ? QString() : QStringLiteral(" + ")) + title;
        total.inputs.push_back({title});
    }
    explained.push_back({QStringLiteral("Total"), std::move(total)});
    explained.push_back(
        {QStringLiteral("Share"),
         {QStringLiteral("The layer's part of the work of all layers."),
          QStringLiteral("100 · Total / all layers"),
          {{QStringLiteral("Total")},
           {QStringLiteral("all layers"), inUnit(all.value(), unit).value + thinSpace + unit.name}},
          QStringLiteral("100 %, were it the only one.")}});
    explainColumns(content, std::move(explained));
    return content;
}

QString fasterPartsReading(const TimelineFrame& frame, const core::FasterParts& faster, const Units& units) {
    const QString percent = fixedText(100 * faster.less, 0);
    QString text =
        QStringLiteral("“If %1 % faster”: the step simulated again with that part taking %1 % less "
                       "time, and nothing else changed.")
            .arg(percent);
    if (faster.step != frame.step)
        text += QStringLiteral(" Another version recorded this run: now its step takes %1, against which the "
                               "gains are.")
                    .arg(timeText(faster.step, units.time, frame.timeScale()).joined());
    return text;
}

TableContent criticalTable(const TimelineFrame& frame, const core::CriticalPath& path,
                           const core::FasterParts* faster, const Units& units) {
    const UnitChoice unit = timeUnitFor(frame.step, units.time, frame.timeScale());
    TableContent content;
    content.columns = {{QStringLiteral("On the critical path"), ColumnKind::Text, {}, 240, {}, true},
                       {QStringLiteral("Sum by"), ColumnKind::Text, {}, 80, {}},
                       {QStringLiteral("Links"), ColumnKind::Number, {}, 0, {}},
                       {QStringLiteral("Time"), ColumnKind::Number, unit.name, 0, {}},
                       {QStringLiteral("Of step"), ColumnKind::Number, QStringLiteral("%"), 0, {}}};
    if (faster != nullptr) {
        content.columns.push_back({QStringLiteral("If %1 % faster").arg(fixedText(100 * faster->less, 0)),
                                   ColumnKind::Number,
                                   unit.name,
                                   0,
                                   {}});
        content.columns.push_back(
            {QStringLiteral("Throughput"), ColumnKind::Number, QStringLiteral("%"), 0, {}});
    }
    const auto add = [&](const std::vector<core::CriticalShare>& shares, const QString& by) {
        for (const core::CriticalShare& share : shares) {
            const QString name = shareName(share);
            const double part = 100 * ratio(share.cycles, path.step);
            content.rows.push_back(
                {share.stage.isValid() ? stageCell(share.stage.index(), name) : textCell(name), textCell(by),
                 numberCell(groupedText(share.links), double(share.links)), cyclesCell(share.cycles, unit),
                 numberCell(fixedText(part, 2), part)});
            if (faster == nullptr)
                continue;
            std::vector<TableCell>& cells = content.rows.back();
            if (const core::FasterPart* trial = faster->find(share.part)) {
                const double gain = 100 * (ratio(faster->step, trial->step) - 1);
                cells.push_back(cyclesCell(trial->step, unit));
                cells.push_back(numberCell(signedText(gain, 2), gain));
            } else {
                cells.push_back(dashCell());
                cells.push_back(dashCell());
            }
        }
    };
    add(path.byKind, QStringLiteral("kind"));
    add(path.byStage, QStringLiteral("stage"));
    add(path.byLayer, QStringLiteral("layer"));
    core::Cycles sum;
    std::int64_t links = 0;
    for (const core::CriticalShare& share : path.byKind) {
        sum += share.cycles;
        links += share.links;
    }
    const double share = 100 * ratio(sum, path.step);
    content.footer = {
        textCell(sum == path.step ? QStringLiteral("Step, by kind") : QStringLiteral("Area, by kind")),
        textCell({}), numberCell(groupedText(links), double(links)), cyclesCell(sum, unit),
        numberCell(fixedText(share, 2), share)};
    if (faster != nullptr) {
        content.footer.push_back(cyclesCell(faster->step, unit));
        content.footer.push_back(numberCell(signedText(0, 2), 0));
    }
    const NumberExplanation::Input ofRun{QStringLiteral("step"),
                                         timeText(path.step, units.time, frame.timeScale()).joined(),
                                         QStringLiteral("What the critical path adds up to."), "step_cycles"};
    Explained explained{
        {QStringLiteral("Links"),
         {QStringLiteral("How many events of the critical path belong to it."),
          {},
          {},
          QStringLiteral("All links of the path.")}},
        {QStringLiteral("Time"),
         {QStringLiteral("What these links last together: the step cannot become shorter by more than that."),
          QStringLiteral("the sum of its links"),
          {{QStringLiteral("Links")}, ofRun},
          QStringLiteral("The step, which the links add up to.")}},
        {QStringLiteral("Of step"),
         {QStringLiteral("Which part of the step it makes up."),
          QStringLiteral("100 · Time / step"),
          {{QStringLiteral("Time")}, ofRun},
          QStringLiteral("100 %: the kinds, the stages and the layers each add up to that.")}}};
    if (faster != nullptr) {
        const NumberExplanation::Input now{QStringLiteral("simulated step"),
                                           timeText(faster->step, units.time, frame.timeScale()).joined(),
                                           QStringLiteral("With nothing changed.")};
        const QString less = content.columns[content.columns.size() - 2].title;
        explained.push_back(
            {less,
             {QStringLiteral(
                  "What the step takes when this part is simulated faster and nothing else changes."),
              QStringLiteral("the step of another simulation"),
              {now},
              QStringLiteral("Simulated step − %1 % of Time, where nothing else becomes critical.")
                  .arg(fixedText(100 * faster->less, 0))}});
        explained.push_back({QStringLiteral("Throughput"),
                             {QStringLiteral("By how much more samples per second that is."),
                              QStringLiteral("100 · (simulated step / %1 − 1)").arg(less),
                              {now, {less}},
                              QStringLiteral("What the part takes of the step bounds it: Amdahl's law.")}});
    }
    explainColumns(content, std::move(explained));
    return content;
}

} // namespace views
