#include "core/profile/analysis/roofline.h"

#include "core/base/json.h"
#include "core/profile/queries/run_queries.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace core {

namespace {

constexpr std::string_view mixedPrecision = "mixed";

double inTimeOf(double cycles, Cycles time) {
    return time.value() > 0 ? cycles / real(time.value()) : 0;
}

/// Adds an operation to a sum.
void addTo(RooflinePoint& sum, const RooflinePoint& operation) {
    ++sum.operations;
    // What computes nothing has no say in how wide the numbers are.
    if (operation.flops.value() > 0) {
        if (sum.flops.value() == 0)
            sum.precision = operation.precision;
        else if (sum.precision != operation.precision)
            sum.precision = mixedPrecision;
    }
    sum.compute += operation.compute;
    sum.exchange += operation.exchange;
    sum.sync += operation.sync;
    sum.flops += operation.flops;
    sum.bytes += operation.bytes;
    sum.atPeak += operation.atPeak;
    sum.atRoof += operation.atRoof;
    sum.usefulAtPeak += operation.usefulAtPeak;
}

/// The sums by some key, in the order of their first operation.
template <class Key>
class PointSums {
public:
    void add(const Key& key, const RooflinePoint& operation, const RooflinePoint& head) {
        const auto [place, isNew] = m_places.try_emplace(key, points.size());
        if (isNew) {
            RooflinePoint& sum = points.emplace_back(head);
            sum.operations = 0;
            sum.precision = operation.precision;
        }
        addTo(points[place->second], operation);
    }

    std::vector<RooflinePoint> points;

private:
    std::map<Key, std::size_t> m_places;
};

RooflinePoint pointOf(const OperationRecord& operation, const OperationTimes& times, std::int64_t programs,
                      double bytesPerCycle) {
    const std::int64_t runs = (times.needed + times.again) * programs;
    RooflinePoint point;
    point.name = operation.name;
    point.operation = operation.id;
    point.isRecomputed = times.again > 0;
    point.kind = operation.kind;
    point.phase = operation.phase;
    point.layer = operation.layer;
    point.stage = operation.stage;
    point.precision = operation.precision;
    point.runs = runs;
    point.compute = operation.compute * runs;
    point.exchange = operation.exchange * runs;
    point.sync = operation.sync * runs;
    point.flops = operation.flops * runs;
    point.bytes = Bytes(std::llround(real(point.exchange.value()) * bytesPerCycle));
    point.atPeak = operation.peakPerCycle.value() > 0 ? ratio(point.flops, operation.peakPerCycle) : 0;
    // Without operations there is nothing that a roof could hold back.
    point.atRoof = point.flops.value() > 0 ? std::max(point.atPeak, real(point.exchange.value())) : 0;
    point.usefulAtPeak = operation.phase == ProgramPhase::Recompute
                             ? 0
                             : point.atPeak * real(times.needed) / real(times.needed + times.again);
    return point;
}

/// How often its stage programs run each operation: those of loops as often as these turn. The first of the
/// programs needs it, in the order of the phases; others recompute.
std::vector<OperationTimes> timesOf(const std::vector<OperationRecord>& operations,
                                    const std::vector<ProgramStepRecord>& steps) {
    std::map<OperationId, std::map<ProgramPhase, std::int64_t>> found;
    std::vector<std::int64_t> turns(steps.size(), 1);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const ProgramStepRecord& step = steps[i];
        if (step.parent.isValid() && step.phase) {
            const ProgramStepRecord& parent = steps[step.parent.index()];
            // Loops around stage programs are none of theirs.
            if (parent.phase)
                turns[i] = turns[step.parent.index()] *
                           (parent.kind == StepKind::Repeat ? std::max<std::int64_t>(1, parent.count) : 1);
        }
        if (step.operation.isValid())
            found[step.operation].try_emplace(step.phase.value_or(ProgramPhase::Forward), turns[i]);
    }
    std::vector<OperationTimes> times(operations.size());
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const auto place = found.find(operations[i].id);
        if (place == found.end())
            continue;
        times[i].needed = place->second.begin()->second;
        for (auto more = std::next(place->second.begin()); more != place->second.end(); ++more)
            times[i].again += more->second;
    }
    return times;
}

Diagnostic notStored(RunId run) {
    return makeError(Trouble::Input, "roofline/none", {},
                     fmt::format("run {} was recorded by a version that did not store the peaks of its "
                                 "target",
                                 run.value()),
                     {"run the project again"});
}

} // namespace

std::optional<double> RooflinePoint::intensity() const {
    if (bytes.value() == 0)
        return std::nullopt;
    return real(flops.value()) / real(bytes.value());
}

double RooflinePoint::flopsPerCycle() const {
    return inTimeOf(real(flops.value()), cycles());
}

double RooflinePoint::shareOfPeak() const {
    return inTimeOf(atPeak, cycles());
}

double RooflinePoint::shareOfRoof() const {
    return inTimeOf(atRoof, cycles());
}

RoofKind RooflinePoint::bound() const {
    return atPeak >= real(exchange.value()) ? RoofKind::Compute : RoofKind::Exchange;
}

double Roofline::ridge(const ComputeRoof& roof) const {
    return bytesPerCycle > 0 ? real(roof.perCycle.value()) / bytesPerCycle : 0;
}

double Roofline::shareOfStep() const {
    double useful = 0;
    for (const RooflinePoint& stage : stages)
        useful += stage.usefulAtPeak;
    return inTimeOf(useful, step * std::max<std::int64_t>(1, ipusPerReplica));
}

double Roofline::shareOfStep(const RooflinePoint& stage) const {
    return inTimeOf(stage.usefulAtPeak, step);
}

Roofline roofline(const RunSummary& summary, const std::vector<OperationRecord>& operations,
                  const std::vector<OperationTimes>& times, double exchangeBytesPerTileCycle) {
    Roofline result;
    result.clockHz = summary.provenance.clockHz;
    result.step = summary.step;
    result.ipusPerReplica = summary.provenance.ipusPerReplica;
    result.bytesPerCycle = exchangeBytesPerTileCycle * real(summary.provenance.tiles);
    std::map<std::string, Flops> roofs;
    PointSums<std::pair<std::string, StageId>> layers;
    PointSums<StageId> stages;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const OperationRecord& operation = operations[i];
        const OperationTimes ofProgram = i < times.size() ? times[i] : OperationTimes();
        const std::int64_t programs =
            operation.phase == ProgramPhase::WeightUpdate ? 1 : summary.provenance.microBatches;
        const RooflinePoint& point =
            result.operations.emplace_back(pointOf(operation, ofProgram, programs, result.bytesPerCycle));
        if (point.flops.value() > 0)
            roofs[operation.precision] = operation.peakPerCycle;
        RooflinePoint head;
        head.stage = operation.stage;
        head.layer = operation.layer;
        head.name = operation.layer.empty() ? operation.name : operation.layer;
        layers.add({head.name, operation.stage}, point, head);
        if (!operation.stage.isValid())
            continue;
        head.layer.clear();
        head.name = fmt::format("Stage {}", operation.stage.value());
        stages.add(operation.stage, point, head);
    }
    for (const auto& [precision, perCycle] : roofs)
        result.roofs.push_back({precision, perCycle});
    std::ranges::sort(result.roofs, std::ranges::greater(), &ComputeRoof::perCycle);
    std::ranges::sort(stages.points, {}, &RooflinePoint::stage);
    result.layers = std::move(layers.points);
    result.stages = std::move(stages.points);
    return result;
}

Result<Roofline> loadRoofline(const ProfileDatabase& database, RunId run) {
    const auto summary = loadRun(database, run);
    if (!summary)
        return failure(summary.error());
    const auto operations = loadOperations(database, run);
    if (!operations)
        return failure(operations.error());
    if (operations->empty())
        return failure(makeError(Trouble::Input, "run/no-program", {{}, fmt::format("run {}", run.value())},
                                 fmt::format("run {} was recorded without its program", run.value()),
                                 {"run the project again with `--profile device` or finer"}));
    const auto steps = loadProgram(database, run);
    if (!steps)
        return failure(steps.error());
    const Json figures = Json::parse(summary->provenance.targetFigures, nullptr, false);
    const double bytes = numberOr(figures, "exchange_bytes_per_cycle", 0);
    const bool hasPeaks = std::ranges::all_of(*operations, [](const OperationRecord& operation) {
        return operation.peakPerCycle.value() > 0 || operation.flops.value() == 0;
    });
    if (bytes <= 0 || !hasPeaks)
        return failure(notStored(run));
    Roofline result = roofline(*summary, *operations, timesOf(*operations, *steps), bytes);
    result.run = run;
    return result;
}

std::string_view toString(RoofKind roof) {
    return roof == RoofKind::Compute ? "compute" : "exchange";
}

} // namespace core
