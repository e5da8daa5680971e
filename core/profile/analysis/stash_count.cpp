#include "core/profile/analysis/stash_count.h"

#include "core/profile/queries/timeline_queries.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/spans/span_reader.h"

#include <algorithm>
#include <map>

namespace core {

namespace {

struct Pass {
    Cycles start;
    std::int64_t microBatch = 0;
    bool isForward = false;
};

StashCount countOf(StageId stage, std::vector<Pass>& passes) {
    std::ranges::stable_sort(passes, {}, &Pass::start);
    StashCount count{stage, 0, 0};
    std::int64_t last = -1; // whose forward pass has begun
    for (const Pass& pass : passes) {
        if (pass.isForward)
            last = std::max(last, pass.microBatch);
        else if (last - pass.microBatch > count.depth())
            count = {stage, pass.microBatch, last};
    }
    return count;
}

} // namespace

Result<std::vector<StashCount>> loadStashCounts(const ProfileDatabase& database, RunId run, IpuId ipu) {
    const Result<std::vector<LaneRecord>> lanes = loadLanes(database, run);
    if (!lanes)
        return failure(lanes.error());
    return guardedPart(database, timelineEvents, [&]() -> Result<std::vector<StashCount>> {
        SpanReader reader(database, run);
        std::map<StageId, std::vector<Pass>> passes;
        for (const LaneRecord& lane : *lanes) {
            if (lane.kind != LaneKind::Compute || lane.ipu != ipu)
                continue;
            reader.forEachBlock(lane.id, [&](const SpanBlock& block, const std::vector<PackedSpan>& spans) {
                for (const PackedSpan& span : spans) {
                    const ReadShape& shape = reader.shapeOf(span);
                    const SpanKind kind = shape.record.kind;
                    if (!shape.hasMicroBatch || !shape.record.stage.isValid() ||
                        (kind != SpanKind::Forward && kind != SpanKind::Backward))
                        continue;
                    for (std::int64_t turn = 0; turn < block.turns; ++turn)
                        passes[shape.record.stage].push_back({Cycles(span.start + turn * block.strideCycles),
                                                              span.microBatch + turn * block.microBatchStride,
                                                              kind == SpanKind::Forward});
                }
            });
        }
        std::vector<StashCount> counts;
        for (auto& [stage, of] : passes)
            if (const StashCount count = countOf(stage, of); count.depth() > 0)
                counts.push_back(count);
        return counts;
    });
}

} // namespace core
