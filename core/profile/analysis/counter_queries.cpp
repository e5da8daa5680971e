#include "core/profile/analysis/counter_queries.h"

#include "core/profile/queries/program_queries.h"
#include "core/profile/queries/timeline_queries.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/spans/span_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace core {

namespace {

/// How many tiles compute in a stage program, as a sum over its time.
class TileTime {
public:
    void add(Cycles from, Cycles duration, std::int64_t tiles) {
        m_pieces.push_back({from.value(), from.value() + duration.value(), tiles, 0});
    }
    void finish() {
        std::ranges::sort(m_pieces, {}, &Piece::from);
        double before = 0;
        for (Piece& piece : m_pieces) {
            piece.before = before;
            before += real(piece.to - piece.from) * real(piece.tiles);
        }
    }
    /// Tiles × cycles from the start of the program to `at`.
    [[nodiscard]] double upTo(double at) const {
        const auto next =
            std::ranges::upper_bound(m_pieces, at, {}, [](const Piece& piece) { return real(piece.from); });
        if (next == m_pieces.begin())
            return 0;
        const Piece& piece = *std::prev(next);
        return piece.before + (std::min(at, real(piece.to)) - real(piece.from)) * real(piece.tiles);
    }

private:
    struct Piece {
        std::int64_t from = 0;
        std::int64_t to = 0;
        std::int64_t tiles = 0;
        double before = 0;
    };
    std::vector<Piece> m_pieces;
};
using TileTimes = std::map<std::pair<StageId, ProgramPhase>, TileTime>;

Result<TileTimes> loadTileTimes(const ProfileDatabase& database, RunId run) {
    const auto operations = loadOperations(database, run);
    if (!operations)
        return failure(operations.error());
    const auto steps = loadProgram(database, run);
    if (!steps)
        return failure(steps.error());
    std::map<OperationId, std::int64_t> tiles;
    for (const OperationRecord& operation : *operations)
        tiles[operation.id] = operation.tilesUsed;
    TileTimes times;
    for (const ProgramStepRecord& step : *steps)
        if (step.kind == StepKind::OnTileExecute && step.phase && step.duration.value() > 0)
            if (const auto used = tiles.find(step.operation); used != tiles.end())
                times[{step.stage, *step.phase}].add(step.start, step.duration, used->second);
    for (auto& [program, time] : times)
        time.finish();
    return times;
}

std::optional<Counter> counterOf(SpanKind kind) {
    switch (kind) {
    case SpanKind::InterIpuCopy:
    case SpanKind::AllReduce:
        return Counter::LinkBytes;
    case SpanKind::Infeed:
    case SpanKind::Outfeed:
        return Counter::HostBytes;
    case SpanKind::RemoteMemory:
        return Counter::RemoteBytes;
    default:
        return programPhaseOf(kind) ? std::optional(Counter::BusyTiles) : std::nullopt;
    }
}

/// Sums over the bins of a window.
class CounterSum {
public:
    CounterSum(const CounterRequest& request, const TileTimes& tiles)
        : m_request(request)
        , m_tiles(tiles)
        , m_width(real((request.to - request.from).value()) / real(request.binCount)) {}

    [[nodiscard]] bool counts(const SpanRecord& span) const {
        const auto counter = counterOf(span.kind);
        return counter && std::ranges::find(m_request.counters, *counter) != m_request.counters.end();
    }

    void add(IpuId ipu, const SpanRecord& span) {
        const auto counter = counterOf(span.kind);
        const auto program = programPhaseOf(span.kind);
        const auto tiles = program ? m_tiles.find({span.stage, *program}) : m_tiles.end();
        if (program && tiles == m_tiles.end())
            return;
        std::vector<double>& bins = m_sums[{ipu, *counter}];
        bins.resize(static_cast<std::size_t>(m_request.binCount));
        const double start = real(span.start.value());
        const double length = std::max(1.0, real(span.duration.value()));
        // All that was moved up to a time.
        const auto upTo = [&](double time) {
            const double inside = std::clamp(time - start, 0.0, length);
            return program ? tiles->second.upTo(real(span.offset.value()) + inside)
                           : real(span.bytes.value()) * inside / length;
        };
        const double from = real(m_request.from.value());
        const auto first = static_cast<std::int64_t>((start - from) / m_width);
        const auto last = static_cast<std::int64_t>((start + length - from) / m_width);
        for (std::int64_t bin = std::max<std::int64_t>(0, first);
             bin <= std::min(last, m_request.binCount - 1); ++bin)
            bins[static_cast<std::size_t>(bin)] +=
                upTo(from + m_width * real(bin + 1)) - upTo(from + m_width * real(bin));
    }

    [[nodiscard]] CounterWindow finish() {
        CounterWindow window{m_request.from, m_request.to, m_request.binCount, {}};
        for (auto& [key, bins] : m_sums) {
            for (double& value : bins)
                value /= m_width;
            window.curves.push_back({key.first, key.second, std::move(bins)});
        }
        return window;
    }

private:
    const CounterRequest& m_request;
    const TileTimes& m_tiles;
    double m_width;
    std::map<std::pair<IpuId, Counter>, std::vector<double>> m_sums;
};

} // namespace

std::string_view toString(Counter counter) {
    constexpr std::array<std::string_view, counterCount> names{"busy_tiles", "link_bytes", "host_bytes",
                                                               "remote_bytes"};
    return names[static_cast<std::size_t>(counter)];
}

double CounterCurve::highest() const {
    return means.empty() ? 0 : *std::ranges::max_element(means);
}

const CounterCurve* CounterWindow::curveOf(IpuId ipu, Counter counter) const {
    const auto curve = std::ranges::find_if(
        curves, [&](const CounterCurve& one) { return one.ipu == ipu && one.counter == counter; });
    return curve == curves.end() ? nullptr : &*curve;
}

Result<CounterWindow> loadCounters(const ProfileDatabase& database, const CounterRequest& request) {
    if (request.to <= request.from || request.binCount < 1 || request.counters.empty())
        return CounterWindow{request.from, request.to, std::max<std::int64_t>(1, request.binCount), {}};
    TileTimes tiles;
    if (std::ranges::find(request.counters, Counter::BusyTiles) != request.counters.end()) {
        auto loaded = loadTileTimes(database, request.run);
        if (!loaded)
            return failure(loaded.error());
        tiles = *std::move(loaded);
    }
    const Result<std::vector<LaneRecord>> lanes = loadLanes(database, request.run);
    if (!lanes)
        return failure(lanes.error());
    return guarded(database, [&]() -> Result<CounterWindow> {
        SpanReader reader(database, request.run);
        CounterSum sum(request, tiles);
        std::vector<char> isCounted;
        for (const ReadShape& shape : reader.shapes())
            isCounted.push_back(sum.counts(shape.record) ? 1 : 0);
        for (const LaneRecord& lane : *lanes)
            reader.forEachBlock(lane.id, request.from, request.to,
                                [&](const SpanBlock& block, const std::vector<PackedSpan>& spans) {
                                    for (const PackedSpan& span : spans) {
                                        if (isCounted[span.shape] == 0)
                                            continue;
                                        const TurnRange turns =
                                            turnsInside(block, span, request.from, request.to);
                                        for (std::int64_t turn = turns.first; turn < turns.last; ++turn)
                                            sum.add(lane.ipu, reader.record(block, span, turn));
                                    }
                                });
        return sum.finish();
    });
}

Result<CounterRates> highestRates(const ProfileDatabase& database, RunId run) {
    const Result<std::vector<LaneRecord>> lanes = loadLanes(database, run);
    if (!lanes)
        return failure(lanes.error());
    return guardedPart(database, "counters", [&]() -> Result<CounterRates> {
        SpanReader reader(database, run);
        CounterRates highest{};
        for (const LaneRecord& lane : *lanes) {
            if (lane.kind == LaneKind::Compute)
                continue;
            // All turns of a span are as long and move as much.
            reader.forEachBlock(lane.id, [&](const SpanBlock& block, const auto& spans) {
                for (const PackedSpan& packed : spans) {
                    const SpanRecord span = reader.record(block, packed, 0);
                    const auto counter = counterOf(span.kind);
                    if (!counter)
                        continue;
                    double& most = highest[static_cast<std::size_t>(*counter)];
                    most = std::max(most, real(span.bytes.value()) /
                                              real(std::max<std::int64_t>(1, span.duration.value())));
                }
            });
        }
        return highest;
    });
}

} // namespace core
