#include "views/program/program_data.h"

#include "core/profile/analysis/time_tree.h"
#include "core/profile/queries/program_queries.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/timeline_queries.h"
#include "views/profile/tables/number_card.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace views {

namespace {

core::Cycles totalOf(const core::OperationRecord& operation) {
    return operation.compute + operation.exchange + operation.sync;
}

core::Cycles inStep(const ProgramData& data, const core::OperationRecord& operation) {
    const auto found = data.perStep.find(operation.id);
    return found == data.perStep.end() ? core::Cycles() : found->second;
}

/// Floating-point operations per cycle and used tile: how well the tiles are filled.
double intensityOf(const core::OperationRecord& operation) {
    const double tileCycles = static_cast<double>(totalOf(operation).value()) *
                              static_cast<double>(std::max<std::int64_t>(1, operation.tilesUsed));
    return tileCycles > 0 ? static_cast<double>(operation.flops.value()) / tileCycles : 0;
}

TableCell phaseCell(core::ProgramPhase phase) {
    TableCell cell = textCell(programPhaseName(phase));
    cell.colour = [phase](const Theme& theme) { return theme.activity(activityOf(phase)); };
    return cell;
}

template <class Value, class ValueOf>
Value largestOf(const std::vector<core::OperationRecord>& operations, ValueOf valueOf) {
    Value most;
    for (const core::OperationRecord& operation : operations)
        most = std::max(most, valueOf(operation));
    return most;
}

/// Units of the columns of operations.
struct OperationUnits {
    UnitChoice step;
    UnitChoice run;
    UnitChoice bytes;
};

/// What the numbers of operations are, by the titles of columns and of properties.
std::vector<std::pair<QString, NumberExplanation>> operationExplanations(const ProgramData& data,
                                                                         const Units& units) {
    const auto title = [](const char* text) { return QString::fromUtf8(text); };
    const auto input = [](const char* text) { return NumberExplanation::Input{QString::fromUtf8(text)}; };
    const NumberExplanation::Input step{QStringLiteral("step"),
                                        timeText(data.step, units.time, data.timeScale()).joined(),
                                        QStringLiteral("One weight update."), "step_cycles"};
    const NumberExplanation::Input microBatches{
        QStringLiteral("micro-batches"), groupedText(data.microBatches), QStringLiteral("Of one update.")};
    const NumberExplanation exchanged{
        title("Bytes that tiles send to others before and after the operation, at each run."),
        {},
        {},
        title("What the exchange moves in the cycles that it takes.")};
    return {
        {title("Per step"),
         {title("What all runs of the operation take of a step."),
          title("One run · runs in a step: every micro-batch, and once more where it is recomputed"),
          {input("One run"), microBatches, step},
          title("The step, for each IPU has one.")}},
        {title("Share"),
         {title("The operation's part of what all operations take of a step."),
          title("100 · Per step / the sum of Per step"),
          {input("Per step")},
          title("100 %, were it the only one.")}},
        {title("One run"),
         {title("Cycles from the start of its exchange to the end of its computing, once."),
          title("Compute + Exchange + Sync"),
          {input("Compute"), input("Exchange"), input("Sync")},
          title("Operations over what the matrix units of an IPU do at most in a cycle: see the roofline.")}},
        {title("Compute"),
         {title("Cycles of the slowest tile, by the cost model's price of its vertices."),
          {},
          {input("Tiles")},
          title("It should approach operations / (tiles of the IPU · peak of a tile).")}},
        {title("Exchange"),
         {title("Cycles that the fullest tile receives or sends."),
          title("bytes of that tile / bytes that a tile exchanges in a cycle"),
          {input("Exchanged")},
          title("It should approach Exchanged spread evenly over all tiles.")}},
        {title("Sync"),
         {title("Cycles in which all tiles wait for one another."),
          title("synchronisations · cycles of one, a figure of the target"),
          {},
          title("One synchronisation each for computing and exchanging.")}},
        {title("MFLOP"),
         {title("Floating-point operations that the mathematics of it takes, in millions, once."),
          {},
          {},
          title("It is what it is: the shapes of its tensors give it.")}},
        {title("FLOP/cycle/tile"),
         {title("How well the tiles that it uses are filled."),
          title("MFLOP · 10⁶ / (cycles of One run · Tiles)"),
          {input("MFLOP"), input("One run"), input("Tiles")},
          title("The peak of a tile at the operation's precision: see the roofline.")}},
        {title("Tiles"), {title("Tiles that its plan gives work."), {}, {}, title("The tiles of an IPU.")}},
        {title("Exchanged"), exchanged},
        {title("Temporary/tile"),
         {title("What a tile needs beside inputs and output while it runs."),
          {},
          {},
          title("The memory of a tile.")}},
        {title("Output"),
         {title("Bytes of its result."),
          title("elements · bytes of an element"),
          {},
          title("What one IPU has.")}},
        {title("Operations"),
         {title("Floating-point operations that the mathematics of it takes, once."),
          {},
          {},
          title("It is what it is: the shapes of its tensors give it.")}},
        {title("Rate"),
         {title("How fast it computes while it runs, on one IPU."),
          title("Operations / One run"),
          {},
          title("The peak of the IPU at its precision: see the roofline.")}},
        {title("Tiles used"),
         {title("Tiles that its plan gives work."), {}, {}, title("The tiles of an IPU.")}},
        {title("Temporary per tile"),
         {title("What a tile needs beside inputs and output while it runs."),
          {},
          {},
          title("The memory of a tile.")}},
    };
}

/// The footer of some operations: their sums, and their share of all.
std::vector<TableCell> operationSum(const std::vector<core::OperationRecord>& operations,
                                    const std::vector<core::Cycles>& steps,
                                    const std::vector<std::size_t>& rows, core::Cycles all,
                                    const OperationUnits& units) {
    core::OperationRecord sum;
    core::Cycles step;
    for (const std::size_t row : rows) {
        const core::OperationRecord& o = operations[row];
        step += steps[row];
        sum.compute += o.compute;
        sum.exchange += o.exchange;
        sum.sync += o.sync;
        sum.flops += o.flops;
        sum.exchangeBytes += o.exchangeBytes;
    }
    const TableCell nothing = textCell({});
    const QString of = rows.size() == operations.size()
                           ? QString()
                           : QStringLiteral(" of ") + groupedText(std::int64_t(operations.size()));
    return {textCell(groupedText(std::int64_t(rows.size())) + of + QStringLiteral(" operations")),
            cyclesCell(step, units.step),
            textCell(fixedText(100 * ratio(step, all), 2)),
            nothing,
            nothing,
            nothing,
            cyclesCell(totalOf(sum), units.run),
            cyclesCell(sum.compute, units.run),
            cyclesCell(sum.exchange, units.run),
            cyclesCell(sum.sync, units.run),
            textCell(fixedText(double(sum.flops.value()) / 1e6, 1)),
            nothing,
            nothing,
            bytesCell(sum.exchangeBytes, units.bytes),
            nothing,
            nothing};
}

} // namespace

QString programPhaseName(core::ProgramPhase phase) {
    static const std::array<const char*, core::programPhaseCount> names{"Forward", "Backward", "Recompute",
                                                                        "Update", "Weight gradient"};
    return QString::fromLatin1(names[static_cast<std::size_t>(phase)]);
}

core::Result<ProgramData> loadProgramData(const core::ProfileDatabase& database, core::RunId run) {
    const core::Result<core::RunSummary> summary = core::loadRun(database, run);
    if (!summary)
        return core::failure(summary.error());
    auto steps = core::loadProgram(database, run);
    if (!steps)
        return core::failure(steps.error());
    auto operations = core::loadOperations(database, run);
    if (!operations)
        return core::failure(operations.error());
    if (steps->empty() && operations->empty())
        return core::failure(core::makeError(core::Trouble::Input, "run/no-program", {},
                                             "this run was recorded without its program",
                                             {"run the project with the profile level \"ipu\" or finer"}));
    const auto pieces = core::loadTimePieces(database, run);
    if (!pieces && !core::isWithoutTimeline(pieces.error()))
        return core::failure(pieces.error());
    // Operations come first among what time is divided by, in their order.
    std::map<core::OperationId, core::Cycles> perStep;
    for (const core::TimePiece& piece : pieces ? pieces->pieces : std::vector<core::TimePiece>())
        if (piece.operation && *piece.operation < operations->size())
            perStep[(*operations)[*piece.operation].id] += piece.cycles;
    std::map<core::StageId, core::IpuId> ipus;
    for (const core::StageSummary& stage : summary->stages)
        ipus[stage.stage] = stage.ipu;
    return ProgramData{run,
                       *std::move(steps),
                       *std::move(operations),
                       std::move(perStep),
                       summary->provenance.clockHz,
                       summary->step,
                       summary->provenance.microBatches,
                       std::move(ipus)};
}

core::Cycles StepTime::busiest() const {
    core::Cycles most;
    for (const auto& [ipu, cycles] : byIpu)
        most = std::max(most, cycles);
    return most + shared;
}

void StepTime::add(const StepTime& other, std::int64_t times) {
    shared += other.shared * times;
    for (const auto& [ipu, cycles] : other.byIpu) {
        const auto place = std::ranges::lower_bound(byIpu, ipu, {}, &decltype(byIpu)::value_type::first);
        if (place != byIpu.end() && place->first == ipu)
            place->second += cycles * times;
        else
            byIpu.insert(place, {ipu, cycles * times});
    }
}

std::vector<StepTime> stepTimes(const std::vector<core::ProgramStepRecord>& steps,
                                const std::map<core::StageId, core::IpuId>& ipus) {
    std::vector<StepTime> times(steps.size());
    // Children follow their parents, so backwards every child is done before its parent is asked.
    for (std::size_t i = steps.size(); i-- > 0;) {
        const core::ProgramStepRecord& step = steps[i];
        if (step.duration.value() > 0) {
            const auto ipu = ipus.find(step.stage);
            times[i] = ipu == ipus.end() ? StepTime{{}, step.duration}
                                         : StepTime{{{ipu->second, step.duration}}, {}};
        } else if (step.count > 1) {
            StepTime whole;
            whole.add(times[i], step.count);
            times[i] = std::move(whole);
        }
        if (step.parent.isValid() && step.parent.index() < i)
            times[step.parent.index()].add(times[i], 1);
    }
    return times;
}

UnitChoice operationTimeUnit(const ProgramData& data, const Units& units) {
    return timeUnitFor(largestOf<core::Cycles>(data.operations, totalOf), units.time, data.timeScale());
}

UnitChoice operationByteUnit(const ProgramData& data, const Units& units) {
    core::Bytes most = largestOf<core::Bytes>(data.operations, [](const core::OperationRecord& o) {
        return std::max(o.outputBytes, o.exchangeBytes);
    });
    for (const core::ProgramStepRecord& step : data.steps)
        most = std::max(most, step.bytes);
    return byteUnitFor(most, units.bytes);
}

TableContent operationTable(const ProgramData& data, const Units& units) {
    const auto& operations = data.operations;
    const UnitChoice time = operationTimeUnit(data, units);
    const UnitChoice bytes = operationByteUnit(data, units);
    std::vector<core::Cycles> steps;
    for (const core::OperationRecord& o : operations)
        steps.push_back(inStep(data, o));
    const core::Cycles all = std::accumulate(steps.begin(), steps.end(), core::Cycles());
    const UnitChoice stepTime = timeUnitFor(steps.empty() ? core::Cycles() : *std::ranges::max_element(steps),
                                            units.time, data.timeScale());
    const UnitChoice tileBytes = byteUnitFor(
        largestOf<core::Bytes>(operations, [](const core::OperationRecord& o) { return o.temporaryPerTile; }),
        units.bytes);
    TableContent content;
    const auto number = [&](const char* title, const QString& unit, const char* tip = "") {
        content.columns.push_back(
            {QString::fromUtf8(title), ColumnKind::Number, unit, 0, QString::fromUtf8(tip), false});
    };
    content.columns = {{QStringLiteral("Operation"), ColumnKind::Text, {}, 220, {}, true}};
    number("Per step", stepTime.name,
           "of all its runs in a step: every micro-batch, and once more where it is recomputed");
    number("Share", QStringLiteral("%"), "of what all operations take of a step");
    for (const auto& [title, width] : {std::pair("Kind", 0.0), {"Layer", 170.0}, {"Phase", 100.0}})
        content.columns.push_back({QString::fromLatin1(title), ColumnKind::Text, {}, width, {}, false});
    number("One run", time.name, "compute + exchange + sync each time it runs");
    number("Compute", time.name);
    number("Exchange", time.name);
    number("Sync", time.name);
    number("MFLOP", {});
    number("FLOP/cycle/tile", {}, "FLOP ÷ (cycles × tiles used)");
    number("Tiles", {});
    number("Exchanged", bytes.name);
    number("Temporary/tile", tileBytes.name);
    number("Output", bytes.name);
    for (const core::OperationRecord& o : operations) {
        TableCell layer = o.layer.empty()     ? dashCell()
                          : o.stage.isValid() ? stageCell(o.stage.index(), toQString(o.layer))
                                              : textCell(toQString(o.layer));
        layer.sort = {};
        layer.isLink = !o.layer.empty();
        content.rows.push_back(
            {textCell(toQString(o.name)), cyclesCell(inStep(data, o), stepTime),
             numberCell(fixedText(100 * ratio(inStep(data, o), all), 2), ratio(inStep(data, o), all)),
             textCell(toQString(o.kind)), layer, phaseCell(o.phase), cyclesCell(totalOf(o), time),
             cyclesCell(o.compute, time), cyclesCell(o.exchange, time), cyclesCell(o.sync, time),
             o.flops.value() == 0
                 ? dashCell()
                 : numberCell(fixedText(double(o.flops.value()) / 1e6, 1), double(o.flops.value())),
             numberCell(fixedText(intensityOf(o), 2), intensityOf(o)),
             numberCell(groupedText(o.tilesUsed), double(o.tilesUsed)), bytesCell(o.exchangeBytes, bytes),
             bytesCell(o.temporaryPerTile, tileBytes), bytesCell(o.outputBytes, bytes)});
    }
    content.footerOf = [operations, steps, all,
                        used = OperationUnits{stepTime, time, bytes}](const std::vector<std::size_t>& rows) {
        return operationSum(operations, steps, rows, all, used);
    };
    std::vector<std::size_t> rows(operations.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    content.footer = content.footerOf(rows);
    explainColumns(content, operationExplanations(data, units));
    return content;
}

TableContent operationDetails(const ProgramData& data, const core::OperationRecord& o, const Units& units) {
    TableContent content;
    content.columns = {{QStringLiteral("Property"), ColumnKind::Text, {}, 150, {}, false},
                       {QStringLiteral("Value"), ColumnKind::Number, {}, 120, {}, true}};
    const auto row = [&](const QString& name, const QString& value) {
        content.rows.push_back({textCell(name), textCell(value)});
    };
    const auto time = [&](core::Cycles cycles) {
        return QStringLiteral("%1 (%2)").arg(timeText(cycles, units.time, data.timeScale()).joined(),
                                             percentText(ratio(cycles, totalOf(o)), 1));
    };
    row(QStringLiteral("Kind"), toQString(o.kind));
    if (!o.layer.empty())
        row(QStringLiteral("Layer"), toQString(o.layer));
    if (o.stage.isValid())
        row(QStringLiteral("Stage"), QString::number(o.stage.value()));
    row(QStringLiteral("Phase"), programPhaseName(o.phase));
    row(QStringLiteral("Per step"), timeText(inStep(data, o), units.time, data.timeScale()).joined());
    row(QStringLiteral("One run"), timeText(totalOf(o), units.time, data.timeScale()).joined());
    row(QStringLiteral("Compute"), time(o.compute));
    row(QStringLiteral("Exchange"), time(o.exchange));
    row(QStringLiteral("Sync"), time(o.sync));
    row(QStringLiteral("Operations"), flopsText(o.flops).joined());
    if (data.clockHz > 0 && totalOf(o).value() > 0)
        row(QStringLiteral("Rate"),
            QStringLiteral("%1 TFLOP/s")
                .arg(fixedText(double(o.flops.value()) / double(totalOf(o).value()) * data.clockHz / 1e12,
                               2)));
    row(QStringLiteral("Tiles used"), groupedText(o.tilesUsed));
    row(QStringLiteral("Exchanged"), bytesText(o.exchangeBytes, units.bytes).joined());
    row(QStringLiteral("Temporary per tile"), bytesText(o.temporaryPerTile, units.bytes).joined());
    row(QStringLiteral("Output"), bytesText(o.outputBytes, units.bytes).joined());
    const QStringList parts = toQString(o.plan).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const QString& part : parts)
        row(part.section(QLatin1Char('='), 0, 0), part.section(QLatin1Char('='), 1));
    // A row is a property: what explains a column of the table explains it.
    content.explanation = [explanations = operationExplanations(data, units)](
                              const TableContent& asked, std::size_t line,
                              std::size_t column) -> std::optional<NumberExplanation> {
        for (const auto& [title, explanation] : explanations)
            if (column == 1 && asked.rows[line].front().text == title)
                return explanation;
        return std::nullopt;
    };
    return content;
}

} // namespace views
