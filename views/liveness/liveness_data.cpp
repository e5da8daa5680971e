#include "views/liveness/liveness_data.h"

#include "core/profile/queries/program_queries.h"
#include "core/profile/queries/run_queries.h"

#include <algorithm>
#include <array>
#include <map>

namespace views {

namespace {

/// When each step of the curve begins, and when the last ends. Programs follow one another as in a full slot
/// and are as long as in the timeline. The first step of a program begins with it, for what its operation
/// waits for (as an update does for remote memory) is time of this program; a later one begins with its
/// operation, or with the step before where it has no place in its program.
void addTimes(const std::vector<core::ProgramStepRecord>& steps, const core::StageProgramMap& programs,
              LivenessData& data) {
    std::map<std::pair<core::OperationId, core::ProgramPhase>, core::Cycles> starts;
    for (const core::ProgramStepRecord& step : steps)
        if (step.operation.isValid() && step.phase)
            starts.try_emplace({step.operation, *step.phase}, step.start);
    std::vector<core::Cycles>& times = data.stepTimes;
    core::Cycles start;
    core::Cycles length;
    const core::LivenessPoint* before = nullptr;
    for (const core::LivenessPoint& point : data.curve.points) {
        const bool isFirst =
            before == nullptr || point.stage != before->stage || point.phase != before->phase;
        if (isFirst) {
            start += length;
            data.programTimes.try_emplace({point.stage, point.phase}, start);
            const auto program = programs.find({point.stage, point.phase});
            length = program == programs.end() ? core::Cycles()
                                               : program->second.work() + program->second.streamed;
        }
        before = &point;
        const auto found = starts.find({point.operation, point.phase});
        const core::Cycles inside =
            isFirst || found == starts.end() ? core::Cycles() : std::min(found->second, length);
        times.push_back(times.empty() ? start + inside : std::max(start + inside, times.back()));
    }
    times.push_back(start + length);
    // Without a program there is no time.
    if (times.back().value() > 0)
        return;
    times.clear();
    data.programTimes.clear();
}

/// No two blocks that are live together share an address.
bool areDisjoint(const std::vector<core::LiveRangeRecord>& ranges) {
    std::vector<const core::LiveRangeRecord*> sorted;
    for (const core::LiveRangeRecord& range : ranges)
        sorted.push_back(&range);
    std::sort(sorted.begin(), sorted.end(),
              [](const auto* a, const auto* b) { return a->address < b->address; });
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const core::LiveRangeRecord& a = *sorted[i];
        for (std::size_t j = i + 1; j < sorted.size() && sorted[j]->address < a.address + a.bytes; ++j) {
            const core::LiveRangeRecord& b = *sorted[j];
            if (a.alwaysLive || b.alwaysLive || (a.firstStep <= b.lastStep && b.firstStep <= a.lastStep))
                return false;
        }
    }
    return true;
}

/// Puts blocks on one another in the order of their birth, each as low as there is space for it.
class Stack {
public:
    core::Bytes place(const core::LiveRangeRecord& range) {
        std::erase_if(m_live, [&](const Block& block) { return block.last < range.firstStep; });
        core::Bytes bottom = m_floor;
        for (const Block& block : m_live) {
            if (block.bottom - bottom >= range.bytes)
                break;
            bottom = std::max(bottom, block.bottom + block.bytes);
        }
        if (range.alwaysLive) {
            m_floor += range.bytes;
            return bottom;
        }
        const Block made{bottom, range.bytes, range.lastStep};
        m_live.insert(std::upper_bound(m_live.begin(), m_live.end(), made,
                                       [](const Block& a, const Block& b) { return a.bottom < b.bottom; }),
                      made);
        return bottom;
    }

private:
    struct Block {
        core::Bytes bottom;
        core::Bytes bytes;
        std::int64_t last = 0;
    };
    std::vector<Block> m_live;
    core::Bytes m_floor;
};

std::vector<ProgramStretch> stretchesOf(const core::LivenessCurve& curve) {
    std::vector<ProgramStretch> stretches;
    for (const core::LivenessPoint& point : curve.points) {
        if (stretches.empty() || stretches.back().stage != point.stage ||
            stretches.back().phase != point.phase)
            stretches.push_back({point.stage, point.phase, point.step, point.step});
        stretches.back().last = point.step;
    }
    return stretches;
}

} // namespace

const core::IpuMemorySummary* LivenessData::summary() const {
    const auto found =
        std::find_if(memory.begin(), memory.end(), [&](const auto& m) { return m.ipu == ipu; });
    return found == memory.end() ? nullptr : &*found;
}

std::vector<core::Bytes> LivenessData::peakByCategory() const {
    const core::IpuMemorySummary* sums = summary();
    return sums == nullptr ? std::vector<core::Bytes>() : sums->byCategory;
}

const core::LivenessPoint* LivenessData::pointAt(std::int64_t step) const {
    if (curve.points.empty())
        return nullptr;
    const auto at = std::lower_bound(curve.points.begin(), curve.points.end(), step,
                                     [](const core::LivenessPoint& p, std::int64_t s) { return p.step < s; });
    return at == curve.points.end() ? &curve.points.back() : &*at;
}

std::int64_t LivenessData::peakStep() const {
    return curve.peak ? curve.points[*curve.peak].step : 0;
}

core::Result<LivenessData> loadLiveness(const core::ProfileDatabase& database, core::RunId run,
                                        core::IpuId ipu) {
    core::Result<core::RunSummary> summary = core::loadRun(database, run);
    if (!summary)
        return core::failure(summary.error());
    auto curve = core::livenessCurve(database, run, ipu);
    if (!curve)
        return core::failure(curve.error());
    auto ranges = core::liveRanges(database, run, ipu);
    if (!ranges)
        return core::failure(ranges.error());
    const auto steps = core::loadProgram(database, run);
    if (!steps)
        return core::failure(steps.error());
    auto stashCounts = core::loadStashCounts(database, run, ipu);
    if (!stashCounts)
        return core::failure(stashCounts.error());
    const auto programs = core::loadStagePrograms(database, run);
    if (!programs)
        return core::failure(programs.error());
    LivenessData data;
    data.run = run;
    data.ipu = ipu;
    data.memory = std::move(summary->memory);
    for (const core::StageSummary& stage : summary->stages) {
        if (stage.ipu == ipu)
            data.stages.push_back(stage);
    }
    data.stashCounts = *std::move(stashCounts);
    data.curve = *std::move(curve);
    data.stretches = stretchesOf(data.curve);
    data.ranges = *std::move(ranges);
    addTimes(*steps, *programs, data);
    data.clockHz = summary->provenance.clockHz;
    data.tiles = summary->provenance.tiles;
    data.memoryPerTile = summary->provenance.memoryPerTile;
    return data;
}

QString stretchName(const ProgramStretch& stretch, bool hasSeveralStages) {
    static const std::array<const char*, core::programPhaseCount> names{"Forward", "Backward", "Recompute",
                                                                        "Update", "Weight gradient"};
    QString name = QString::fromLatin1(names[static_cast<std::size_t>(stretch.phase)]);
    if (hasSeveralStages && stretch.stage.isValid())
        name += QStringLiteral(" · stage %1").arg(stretch.stage.value());
    return name;
}

LifetimePlacement placeLifetimes(const std::vector<core::LiveRangeRecord>& ranges, std::size_t most) {
    LifetimePlacement placement;
    placement.hasAddresses = areDisjoint(ranges);
    std::vector<std::size_t> order(ranges.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const auto area = [&](std::size_t i) {
        return static_cast<double>(ranges[i].bytes.value()) *
               static_cast<double>(ranges[i].lastStep - ranges[i].firstStep + 1);
    };
    if (order.size() > most) {
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return area(a) > area(b); });
        placement.hidden = order.size() - most;
        order.resize(most);
    }
    // What is always live is at the bottom, in the order of the categories; then by birth, long ones
    // first.
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const core::LiveRangeRecord& x = ranges[a];
        const core::LiveRangeRecord& y = ranges[b];
        if (x.alwaysLive != y.alwaysLive)
            return x.alwaysLive;
        if (x.alwaysLive)
            return x.category < y.category;
        return x.firstStep != y.firstStep ? x.firstStep < y.firstStep : x.lastStep > y.lastStep;
    });
    Stack stack;
    for (const std::size_t i : order) {
        const core::Bytes bottom = placement.hasAddresses ? ranges[i].address : stack.place(ranges[i]);
        placement.placed.push_back({i, bottom});
        placement.top = std::max(placement.top, bottom + ranges[i].bytes);
    }
    return placement;
}

QString columnLetter(std::size_t column) {
    return QString(QChar(static_cast<char16_t>(u'A' + column % 26)));
}

} // namespace views
