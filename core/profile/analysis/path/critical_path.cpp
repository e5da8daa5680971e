#include "core/profile/analysis/path/critical_path.h"

#include "core/plan/schedule/schedule_catalogue.h"
#include "core/profile/analysis/path/slack.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/records/span_label.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace core {

namespace {

Cycles endOf(const SpanRecord& span) {
    return span.start + span.duration;
}

/// Walks back from the end of the step.
class PathWalker {
public:
    explicit PathWalker(const CriticalPathInput& input)
        : m_spans(input.spans)
        , m_step(input.step) {
        for (const LaneRecord& lane : input.lanes)
            m_lanes[lane.id] = lane;
        for (const SpanRecord& span : m_spans)
            if (isWait(span))
                m_waits[span.lane].push_back(&span);
        for (std::size_t i = 0; i < m_spans.size(); ++i)
            if (m_spans[i].duration.value() > 0 && !isInsideProgram(m_spans[i]))
                m_byEnd.push_back(i);
        std::ranges::sort(m_byEnd, [&](std::size_t a, std::size_t b) {
            return std::pair(endOf(m_spans[a]), a) < std::pair(endOf(m_spans[b]), b);
        });
    }

    std::vector<CriticalLink> walk() {
        Cycles now = m_step;
        while (now > Cycles(0)) {
            const SpanRecord link = linkBefore(now);
            if (link.duration.value() <= 0)
                break;
            now = link.start;
            m_links.push_back({link, m_lanes[link.lane].ipu});
        }
        std::ranges::reverse(m_links);
        return std::move(m_links);
    }

private:
    /// Collectives inside a stage program are a part of its work.
    [[nodiscard]] bool isInsideProgram(const SpanRecord& span) const {
        return span.kind == SpanKind::Exchange || span.kind == SpanKind::RemoteMemory ||
               (span.kind == SpanKind::AllReduce && span.stage.isValid());
    }
    [[nodiscard]] bool isOnCompute(const SpanRecord& span) const {
        const auto lane = m_lanes.find(span.lane);
        return lane != m_lanes.end() && lane->second.kind == LaneKind::Compute;
    }
    /// An IPU is occupied: its programs work, or stream.
    [[nodiscard]] bool isBusy(const SpanRecord& span) const {
        return isOnCompute(span) && (span.kind != SpanKind::Idle || span.stage.isValid());
    }
    [[nodiscard]] bool isWait(const SpanRecord& span) const {
        return span.kind == SpanKind::Idle && !span.stage.isValid();
    }

    /// The spans that end at a time.
    [[nodiscard]] auto endingAt(Cycles time) const {
        const auto from = std::ranges::lower_bound(m_byEnd, time, {},
                                                   [&](std::size_t index) { return endOf(m_spans[index]); });
        const auto to = std::ranges::upper_bound(m_byEnd, time, {},
                                                 [&](std::size_t index) { return endOf(m_spans[index]); });
        return std::ranges::subrange(from, to);
    }

    [[nodiscard]] SpanRecord linkBefore(Cycles now) const {
        const SpanRecord* best = nullptr;
        int bestRank = -1;
        const SpanRecord* wait = waitBefore(now);
        for (const std::size_t index : endingAt(now)) {
            const SpanRecord& span = m_spans[index];
            const int rank = isWait(span) ? -1 : rankOf(span, wait);
            if (rank > bestRank) {
                bestRank = rank;
                best = &span;
            }
        }
        if (best != nullptr)
            return *best;
        return partOfWait(now);
    }

    /// The wait that ends where the last link begins, on its lane.
    [[nodiscard]] const SpanRecord* waitBefore(Cycles now) const {
        if (m_links.empty())
            return nullptr;
        for (const std::size_t index : endingAt(now))
            if (m_spans[index].lane == m_links.back().span.lane && isWait(m_spans[index]))
                return &m_spans[index];
        return nullptr;
    }

    [[nodiscard]] int rankOf(const SpanRecord& span, const SpanRecord* wait) const {
        const bool isSameLane = !m_links.empty() && span.lane == m_links.back().span.lane;
        const bool isSameIpu =
            !m_links.empty() && m_lanes.at(span.lane).ipu == m_lanes.at(m_links.back().span.lane).ipu;
        if (isBusy(span)) {
            if (isSameLane)
                return 9;
            const bool isBlamed = wait != nullptr && wait->blame.isValid() && span.stage == wait->blame;
            const bool waitsForWork = wait == nullptr || wait->cause == IdleCause::Imbalance ||
                                      wait->cause == IdleCause::Offload || wait->cause == IdleCause::WarmUp ||
                                      wait->cause == IdleCause::Drain || wait->cause == IdleCause::Serial;
            return isBlamed && waitsForWork ? 8 : isSameIpu ? 5 : 4;
        }
        return isSameIpu ? 7 : 6;
    }

    /// Where nothing ends: the wait that is on, back to where something does.
    [[nodiscard]] SpanRecord partOfWait(Cycles now) const {
        const auto after = std::ranges::lower_bound(m_byEnd, now, {},
                                                    [&](std::size_t index) { return endOf(m_spans[index]); });
        Cycles from;
        for (auto at = after; at != m_byEnd.begin();) {
            --at;
            if (!isWait(m_spans[*at])) {
                from = endOf(m_spans[*at]);
                break;
            }
        }
        SpanRecord part;
        for (const auto& [lane, waits] : m_waits) {
            const auto next =
                std::ranges::lower_bound(waits, now, {}, [](const SpanRecord* span) { return span->start; });
            if (next == waits.begin() || endOf(**std::prev(next)) < now)
                continue;
            part = **std::prev(next);
            break;
        }
        part.kind = SpanKind::Idle;
        part.start = std::max(from, Cycles(0));
        part.duration = now - part.start;
        return part;
    }

    const std::vector<SpanRecord>& m_spans;
    Cycles m_step;
    std::map<LaneId, LaneRecord> m_lanes;
    /// By lane, in order of time.
    std::map<LaneId, std::vector<const SpanRecord*>> m_waits;
    /// Indices of spans by their end.
    std::vector<std::size_t> m_byEnd;
    std::vector<CriticalLink> m_links;
};

// --- sums
// ---------------------------------------------------------------------------------------------------

constexpr std::string_view betweenStages = "between stages";

class ShareTable {
public:
    void add(const std::string& name, StageId stage, Cycles cycles, std::int64_t times,
             const PathPart& part) {
        if (cycles.value() <= 0)
            return;
        CriticalShare& share = m_shares[{name, stage}];
        share.name = name;
        share.stage = stage;
        share.cycles += cycles * times;
        share.links += times;
        share.part = part;
    }
    [[nodiscard]] std::vector<CriticalShare> finish() {
        std::vector<CriticalShare> rows;
        for (auto& [key, share] : m_shares)
            rows.push_back(std::move(share));
        std::ranges::stable_sort(rows, std::greater(), &CriticalShare::cycles);
        return rows;
    }

private:
    std::map<std::pair<std::string, StageId>, CriticalShare> m_shares;
};

std::string kindName(const SpanRecord& span) {
    if (span.kind != SpanKind::Idle)
        return std::string(toString(span.kind));
    return span.stage.isValid() ? std::string(toString(span.cause))
                                : fmt::format("wait: {}", idleCauseLabel(span.cause));
}

PathPart kindPart(const SpanRecord& span) {
    if (span.kind != SpanKind::Idle)
        return {.what = PathPart::What::Spans, .kind = span.kind};
    if (span.stage.isValid())
        return {.what = PathPart::What::Streams, .cause = span.cause};
    return {.what = PathPart::What::Wait};
}

/// Of what is no work of a stage program.
PathPart placePart(const SpanRecord& span) {
    if (span.kind != SpanKind::Idle)
        return {.what = PathPart::What::BetweenStages};
    if (span.stage.isValid())
        return {.what = PathPart::What::Streams, .cause = span.cause, .stage = span.stage};
    return {.what = PathPart::What::BetweenStages};
}

/// A link's work by layer: in the proportions of its program.
void addLayers(const CriticalLink& link, const StageProgramShares& program, ShareTable& layers) {
    const SpanRecord& span = link.span;
    const Cycles whole = program.work();
    Cycles before;
    Cycles given;
    for (const LayerShare& layer : program.layers) {
        before += layer.total();
        const Cycles until =
            whole == span.duration || whole.value() <= 0
                ? std::min(before, span.duration)
                : Cycles(static_cast<std::int64_t>(static_cast<long double>(before.value()) *
                                                   static_cast<long double>(span.duration.value()) /
                                                   static_cast<long double>(whole.value())));
        layers.add(layer.layer, span.stage, until - given, link.times,
                   {.what = PathPart::What::Layer, .stage = span.stage, .layer = layer.layer});
        given = until;
    }
    layers.add("not attributed", span.stage, span.duration - given, link.times,
               {.what = PathPart::What::Rest});
}

void addSums(CriticalPath& path) {
    ShareTable kinds;
    ShareTable stages;
    ShareTable layers;
    for (const CriticalLink& link : path.links) {
        const SpanRecord& span = link.span;
        kinds.add(kindName(span), {}, span.duration, link.times, kindPart(span));
        const std::optional<ProgramPhase> phase = programPhaseOf(span.kind);
        const bool isOfStage = phase || (span.kind == SpanKind::Idle && span.stage.isValid());
        stages.add(isOfStage ? fmt::format("stage {}", span.stage.value()) : std::string(betweenStages),
                   isOfStage ? span.stage : StageId(), span.duration, link.times,
                   isOfStage ? PathPart{.what = PathPart::What::Stage, .stage = span.stage}
                             : PathPart{.what = PathPart::What::BetweenStages});
        const auto program = phase ? path.programs.find({span.stage, *phase}) : path.programs.end();
        if (program != path.programs.end() && link.isCut)
            layers.add("in part", span.stage, span.duration, link.times, {.what = PathPart::What::Rest});
        else if (program != path.programs.end())
            addLayers(link, program->second, layers);
        else
            layers.add(isOfStage && !phase ? kindName(span) : std::string(betweenStages),
                       isOfStage ? span.stage : StageId(), span.duration, link.times, placePart(span));
    }
    path.byKind = kinds.finish();
    path.byStage = stages.finish();
    path.byLayer = layers.finish();
}

} // namespace

CriticalPath criticalPath(const CriticalPathInput& input, const StageProgramMap& programs) {
    CriticalPath path;
    path.step = input.step;
    path.links = PathWalker(input).walk();
    path.slacks = slacksOf(input);
    std::set<std::pair<LaneId, Cycles>> critical;
    for (const CriticalLink& link : path.links)
        critical.insert({link.span.lane, link.span.start});
    for (SpanSlack& slack : path.slacks)
        slack.isCritical = critical.contains({slack.span.lane, slack.span.start});
    path.programs = programs;
    addSums(path);
    return path;
}

CriticalPath partOf(const CriticalPath& path, std::span<const UpdatePiece> pieces) {
    CriticalPath part;
    part.step = path.step;
    part.slacks = path.slacks;
    part.programs = path.programs;
    for (const UpdatePiece& piece : pieces)
        for (const CriticalLink& link : path.links) {
            const Cycles from = std::max(link.span.start, piece.from);
            const Cycles to = std::min(link.end(), piece.to);
            if (from >= to)
                continue;
            CriticalLink& inside = part.links.emplace_back(link);
            inside.isCut = to - from < link.span.duration;
            inside.times = piece.times;
            inside.span.start = from;
            inside.span.duration = to - from;
        }
    addSums(part);
    return part;
}

std::vector<PathPart> partsOf(const CriticalPath& path) {
    std::vector<PathPart> parts;
    for (const auto* shares : {&path.byKind, &path.byStage, &path.byLayer})
        for (const CriticalShare& share : *shares)
            if (std::ranges::find(parts, share.part) == parts.end())
                parts.push_back(share.part);
    return parts;
}

Result<CriticalPath> loadCriticalPath(const ProfileDatabase& database, RunId run) {
    const Result<RunSummary> summary = loadRun(database, run);
    if (!summary)
        return failure(summary.error());
    const auto lanes = loadLanes(database, run);
    if (!lanes)
        return failure(lanes.error());
    auto spans = loadOutlineSpans(database, run);
    if (!spans)
        return failure(spans.error());
    if (spans->empty())
        return failure(withoutTimeline(run));
    const auto programs = loadStagePrograms(database, run);
    if (!programs)
        return failure(programs.error());
    const ScheduleDefinition* schedule = findSchedule(summary->provenance.schedule);
    return criticalPath(
        {summary->step, *lanes, *std::move(spans), schedule != nullptr && schedule->isAsynchronous},
        *programs);
}

} // namespace core
