#include "simulator/compiler/planning/host_traffic.h"

#include "simulator/compiler/staging/choose_outfeeds.h"
#include "simulator/compiler/staging/tensor_uses.h"

#include <algorithm>

namespace simulator {

HostTraffic hostTraffic(const StagedGraph& staged, const Deployment& deployment, bool mergesInfeedCopies) {
    const ExecutionShape& execution = deployment.execution;
    HostTraffic traffic;
    if (!execution.syntheticInfeed) {
        std::int64_t fed = 0;
        for (const Tensor& tensor : staged.graph.tensors)
            if (isHostFed(tensor.role)) {
                ++fed;
                traffic.infeedBytes += core::Bytes(tensor.bytes()) * deployment.batchSerialization;
            }
        traffic.infeedCopies = mergesInfeedCopies ? 1 : std::max<std::int64_t>(fed, 1);
    }
    if (execution.syntheticOutfeed)
        return traffic;
    if (execution.accumulateOutfeed)
        traffic.updateOutfeedBytes =
            outfeedBytes(staged.graph, staged.outfeeds, execution.accumulateOutfeedType);
    else
        traffic.outfeedBytes = outfeedBytes(staged.graph, staged.outfeeds) * deployment.batchSerialization;
    return traffic;
}

} // namespace simulator
