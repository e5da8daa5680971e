#include "core/profile/analysis/time_tree.h"

#include "core/profile/queries/program_queries.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/queries/timeline_queries.h"
#include "core/profile/records/span_bins.h"
#include "core/profile/records/span_label.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/spans/span_reader.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <map>
#include <tuple>

namespace core {

namespace {

/// Spans of a compute lane that are divided alike.
using LaneGroup = std::tuple<IpuId, SpanKind, std::optional<IdleCause>, StageId>;
struct LaneSum {
    Cycles cycles;
    std::int64_t times = 0;
};

void addLanePiece(SpanReader& reader, const LaneRecord& lane, const UpdatePiece& piece,
                  std::map<LaneGroup, LaneSum>& groups) {
    const Cycles from = piece.from;
    const Cycles to = piece.to;
    reader.forEachBlock(lane.id, from, to, [&](const SpanBlock& block, const std::vector<PackedSpan>& spans) {
        for (const PackedSpan& span : spans) {
            TurnRange turns = turnsInside(block, span, from, to);
            // One without duration at the very start is no part of the range.
            if (span.duration == 0 && turns.first < turns.last &&
                span.start + turns.first * block.strideCycles == from.value())
                ++turns.first;
            if (turns.first >= turns.last)
                continue;
            const auto before = [&](Cycles time) {
                return cyclesBefore(time.value(), span.start, span.duration, block.strideCycles, block.turns);
            };
            const SpanRecord& shape = reader.shapeOf(span).record;
            const bool isIdle = shape.kind == SpanKind::Idle;
            LaneSum& sum = groups[{lane.ipu, shape.kind, isIdle ? std::optional(shape.cause) : std::nullopt,
                                   shape.blame.isValid() ? shape.blame : shape.stage}];
            sum.cycles += piece.times * Cycles(before(to) - before(from));
            // A program that waits in its middle is one run in several spans.
            sum.times += isIdle || shape.part == 0 ? piece.times * (turns.last - turns.first) : 0;
        }
    });
}

/// Divides programs by their operations.
class PieceMaker {
public:
    PieceMaker(TimePieces& result, const StageProgramMap& programs,
               const std::vector<OperationRecord>& operations)
        : m_result(result)
        , m_programs(programs) {
        for (const OperationRecord& operation : operations) {
            m_indices[operation.id] = result.operations.size();
            result.operations.push_back({operation.name, operation.kind, operation.layer});
        }
        m_indices[OperationId()] = result.operations.size();
        result.operations.push_back({std::string(localCopiesName), "Copy", {}});
    }

    void add(const LaneGroup& group, const LaneSum& sum) {
        const auto& [ipu, kind, cause, stage] = group;
        const auto phase = programPhaseOf(kind);
        if (!phase) {
            m_result.pieces.push_back({ipu, stage, {}, cause, {}, StepPart::Compute, sum.cycles, sum.times});
            return;
        }
        const auto program = m_programs.find({stage, *phase});
        std::vector<std::int64_t> weights;
        if (program != m_programs.end())
            for (const OperationShare& share : program->second.operations)
                for (const Cycles cycles : {share.compute, share.exchange, share.sync})
                    weights.push_back(cycles.value());
        const std::vector<std::int64_t> shares = apportioned(weights, sum.cycles.value());
        if (std::ranges::all_of(shares, [](std::int64_t share) { return share == 0; })) {
            m_result.pieces.push_back({ipu, stage, phase, {}, {}, StepPart::Compute, sum.cycles, sum.times});
            return;
        }
        constexpr std::array parts{StepPart::Compute, StepPart::Exchange, StepPart::Sync};
        for (std::size_t i = 0; i < shares.size(); ++i)
            if (shares[i] != 0)
                m_result.pieces.push_back(
                    {ipu,
                     stage,
                     phase,
                     {},
                     m_indices.at(program->second.operations[i / parts.size()].operation),
                     parts[i % parts.size()],
                     Cycles(shares[i]),
                     sum.times});
    }

private:
    TimePieces& m_result;
    const StageProgramMap& m_programs;
    std::map<OperationId, std::size_t> m_indices;
};

/// A step of the way from the root to a piece; what is equal is one node.
struct TimeKey {
    TimeLevel level = TimeLevel::All;
    std::string name;
    /// The path up to here, for parts of a layer's path.
    std::string layer = {};
    /// Tells stages and IPUs apart.
    std::size_t number = 0;

    auto operator<=>(const TimeKey&) const = default;
};

std::string_view phaseLabel(ProgramPhase phase) {
    constexpr std::array<std::string_view, programPhaseCount> labels{"Forward", "Backward", "Recompute",
                                                                     "Weight update", "Weight gradient"};
    return labels[static_cast<std::size_t>(phase)];
}

class TreeMaker {
public:
    TreeMaker(const TimePieces& pieces, TimeGrouping grouping)
        : m_pieces(pieces)
        , m_grouping(grouping) {}

    [[nodiscard]] TimeNode make() const {
        std::vector<const TimePiece*> all;
        for (const TimePiece& piece : m_pieces.pieces)
            all.push_back(&piece);
        std::vector<std::vector<TimeKey>> ways;
        for (const TimePiece* piece : all)
            ways.push_back(wayOf(*piece));
        std::vector<std::size_t> indices(all.size());
        for (std::size_t i = 0; i < indices.size(); ++i)
            indices[i] = i;
        TimeNode root;
        root.name = "All IPUs";
        fill(root, indices, ways, 0);
        return root;
    }

private:
    [[nodiscard]] static TimeKey stageKey(StageId stage) {
        return stage.isValid()
                   ? TimeKey{TimeLevel::Stage, fmt::format("Stage {}", stage.value()), {}, stage.index() + 1}
                   : TimeKey{TimeLevel::Stage, "No stage", {}, 0};
    }

    void addLayers(std::vector<TimeKey>& way, const std::string& layer) const {
        if (layer.empty()) {
            way.push_back({TimeLevel::Layer, std::string(noLayerName)});
            return;
        }
        for (std::size_t from = 0; from < layer.size();) {
            const std::size_t end = std::min(layer.find('/', from), layer.size());
            way.push_back({TimeLevel::Layer, layer.substr(from, end - from), layer.substr(0, end)});
            from = end + 1;
        }
    }

    [[nodiscard]] std::vector<TimeKey> wayOf(const TimePiece& piece) const {
        std::vector<TimeKey> way;
        if (m_grouping == TimeGrouping::Ipu)
            way.push_back({TimeLevel::Ipu, fmt::format("IPU {}", piece.ipu.value()), {}, piece.ipu.index()});
        if (!piece.phase) {
            if (!piece.cause) {
                way.push_back({TimeLevel::Unrecorded, "Not recorded"});
                return way;
            }
            way.push_back({TimeLevel::Idle, "Idle"});
            way.push_back({TimeLevel::Cause, idleCauseLabel(*piece.cause)});
            if (piece.stage.isValid())
                way.push_back(stageKey(piece.stage));
            return way;
        }
        const TimedOperation* operation = piece.operation ? &m_pieces.operations[*piece.operation] : nullptr;
        const TimeKey phase{TimeLevel::Phase, std::string(phaseLabel(*piece.phase))};
        switch (m_grouping) {
        case TimeGrouping::Stage:
        case TimeGrouping::Ipu:
            way.push_back(stageKey(piece.stage));
            way.push_back(phase);
            break;
        case TimeGrouping::Phase:
            way.push_back(phase);
            way.push_back(stageKey(piece.stage));
            break;
        case TimeGrouping::Layer:
            addLayers(way, operation == nullptr ? std::string() : operation->layer);
            way.push_back(phase);
            break;
        case TimeGrouping::Kind:
            way.push_back({TimeLevel::Kind, operation == nullptr ? "Not recorded" : operation->kind});
            way.push_back(phase);
            break;
        }
        if (operation == nullptr)
            return way;
        if (m_grouping != TimeGrouping::Layer)
            addLayers(way, operation->layer);
        way.push_back({TimeLevel::Operation, operation->name});
        way.push_back({TimeLevel::Part, stepPartLabel(static_cast<std::size_t>(piece.part))});
        return way;
    }

    void fill(TimeNode& node, const std::vector<std::size_t>& indices,
              const std::vector<std::vector<TimeKey>>& ways, std::size_t depth) const {
        describe(node, indices);
        std::map<TimeKey, std::vector<std::size_t>> groups;
        for (const std::size_t index : indices) {
            const TimePiece& piece = m_pieces.pieces[index];
            node.cycles += piece.cycles;
            node.times = std::max(node.times, piece.times);
            if (depth < ways[index].size())
                groups[ways[index][depth]].push_back(index);
        }
        for (const auto& [key, members] : groups) {
            TimeNode& child = node.children.emplace_back();
            child.level = key.level;
            child.name = key.name;
            child.layer = key.layer;
            fill(child, members, ways, depth + 1);
        }
        std::ranges::stable_sort(node.children,
                                 [](const TimeNode& a, const TimeNode& b) { return a.cycles > b.cycles; });
    }

    /// What all the pieces have in common.
    void describe(TimeNode& node, const std::vector<std::size_t>& indices) const {
        const auto common = [&](const auto& valueOf) -> std::optional<decltype(valueOf(m_pieces.pieces[0]))> {
            std::optional<decltype(valueOf(m_pieces.pieces[0]))> value;
            for (const std::size_t index : indices) {
                const auto one = valueOf(m_pieces.pieces[index]);
                if (value && !(*value == one))
                    return std::nullopt;
                value = one;
            }
            return value;
        };
        const auto nameOf = [&](const std::optional<std::size_t>& operation, auto field) {
            return operation ? m_pieces.operations[*operation].*field : std::string();
        };
        node.ipu = common([](const TimePiece& piece) { return piece.ipu; }).value_or(IpuId());
        node.stage = common([](const TimePiece& piece) { return piece.stage; }).value_or(StageId());
        node.phase = common([](const TimePiece& piece) { return piece.phase; }).value_or(std::nullopt);
        node.cause = common([](const TimePiece& piece) { return piece.cause; }).value_or(std::nullopt);
        const auto operation = common([](const TimePiece& piece) { return piece.operation; });
        if (operation && *operation)
            node.operation = nameOf(*operation, &TimedOperation::name);
        if (node.layer.empty())
            node.layer = common([&](const TimePiece& piece) {
                             return nameOf(piece.operation, &TimedOperation::layer);
                         }).value_or(std::string());
        if (node.level == TimeLevel::Part)
            node.part = m_pieces.pieces[indices.front()].part;
    }

    const TimePieces& m_pieces;
    TimeGrouping m_grouping;
};

} // namespace

std::string_view toString(TimeGrouping grouping) {
    constexpr std::array<std::string_view, timeGroupingCount> names{"stage", "phase", "layer", "kind", "ipu"};
    return names[static_cast<std::size_t>(grouping)];
}

std::string_view toString(TimeLevel level) {
    constexpr std::array<std::string_view, timeLevelCount> names{
        "all", "ipu", "stage", "phase", "layer", "kind", "operation", "part", "idle", "cause", "unrecorded"};
    return names[static_cast<std::size_t>(level)];
}

Result<TimePieces> loadTimePieces(const ProfileDatabase& database, RunId run,
                                  std::optional<CycleRange> range) {
    const Result<RunSummary> summary = loadRun(database, run);
    if (!summary)
        return failure(summary.error());
    const Result<std::vector<LaneRecord>> lanes = loadLanes(database, run);
    if (!lanes)
        return failure(lanes.error());
    if (lanes->empty())
        return failure(withoutTimeline(run));
    const Result<std::vector<OperationRecord>> operations = loadOperations(database, run);
    if (!operations)
        return failure(operations.error());
    const Result<StageProgramMap> programs = loadStagePrograms(database, run);
    if (!programs)
        return failure(programs.error());
    TimePieces result;
    result.run = run;
    result.clockHz = summary->provenance.clockHz;
    result.step = summary->step;
    result.from = range ? range->from : Cycles();
    result.to = range ? range->to : summary->step;
    std::map<IpuId, Cycles> missing;
    for (const LaneRecord& lane : *lanes)
        if (lane.kind == LaneKind::Compute)
            missing[lane.ipu] = result.to - result.from;
    result.ipus = static_cast<std::int64_t>(missing.size());
    return guardedPart(database, timelineEvents, [&]() -> Result<TimePieces> {
        SpanReader reader(database, run);
        std::map<LaneGroup, LaneSum> groups;
        if (result.to > result.from)
            for (const UpdatePiece& piece : updatePieces(result.from, result.to, result.step))
                for (const LaneRecord& lane : *lanes)
                    if (lane.kind == LaneKind::Compute)
                        addLanePiece(reader, lane, piece, groups);
        PieceMaker maker(result, *programs, *operations);
        for (const auto& [group, sum] : groups) {
            missing[std::get<IpuId>(group)] -= sum.cycles;
            maker.add(group, sum);
        }
        for (const auto& [ipu, cycles] : missing)
            if (cycles.value() > 0)
                result.pieces.push_back({ipu, {}, {}, {}, {}, StepPart::Compute, cycles, 0});
        return std::move(result);
    });
}

TimeNode timeTree(const TimePieces& pieces, TimeGrouping grouping) {
    return TreeMaker(pieces, grouping).make();
}

} // namespace core
