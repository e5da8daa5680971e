#include "core/plan/shard_stages.h"

#include <algorithm>

namespace core {

ShardStages shardStages(const FlattenedModel& model, const std::vector<StageId>& shards) {
    ShardStages result;
    result.stageOf.assign(model.invocations.size(), StageId(0));
    const std::vector<InvocationId> assignable = model.assignable();
    for (std::size_t entry = 0; entry < assignable.size(); ++entry) {
        const std::size_t call = assignable[entry].index();
        StageId earliest(0);
        for (const TensorRef& input : model.invocations[call].inputs)
            earliest = std::max(earliest, result.stageOf[input.invocation.index()]);
        const IpuId ipu(shards[entry].index());
        const auto first =
            result.ipus.begin() + static_cast<std::ptrdiff_t>(std::min(earliest.index(), result.ipus.size()));
        const auto found = std::find(first, result.ipus.end(), ipu);
        result.stageOf[call] = StageId(static_cast<std::size_t>(found - result.ipus.begin()));
        if (found == result.ipus.end())
            result.ipus.push_back(ipu);
    }
    return result;
}

} // namespace core
