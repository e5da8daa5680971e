#include "simulator/compiler/planning/parallel_convolutions.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace simulator {

namespace {

using ConvolutionKey = std::tuple<core::StageId, Phase, std::int64_t, ConvolutionPass>;

/// Tiles for each member: in proportion to its arithmetic, at least one, together no more than there are.
std::vector<std::int64_t> sharesOf(const std::vector<OperationPlan>& plans,
                                   const std::vector<core::OperationId>& members, std::int64_t tiles) {
    double all = 0;
    for (const core::OperationId member : members)
        all += static_cast<double>(std::max<std::int64_t>(plans[member.index()].flops.value(), 1));
    std::vector<std::int64_t> shares;
    for (const core::OperationId member : members) {
        const auto own = static_cast<double>(std::max<std::int64_t>(plans[member.index()].flops.value(), 1));
        shares.push_back(
            std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(tiles) * own / all)));
    }
    return shares;
}

} // namespace

void runInParallel(std::vector<OperationPlan>& plans, const StagedGraph& staged, std::int64_t tiles,
                   const PartPlanner& planner) {
    std::map<ConvolutionKey, std::vector<core::OperationId>> sets;
    for (const Operation& operation : staged.graph.operations) {
        const auto* convolution = std::get_if<Convolution>(&operation.attributes);
        if (convolution != nullptr && convolution->parallelSet > 0)
            sets[{staged.stageOf(operation.id), operation.phase, convolution->parallelSet, convolution->pass}]
                .push_back(operation.id);
    }
    for (const auto& [key, members] : sets) {
        if (members.size() < 2 || static_cast<std::int64_t>(members.size()) > tiles)
            continue;
        const std::vector<std::int64_t> shares = sharesOf(plans, members, tiles);
        OperationPlan slowest;
        for (std::size_t i = 0; i < members.size(); ++i) {
            OperationPlan& plan = plans[members[i].index()];
            plan = planner(staged.graph.operation(members[i]), shares[i]);
            if (i == 0 || plan.total() > slowest.total())
                slowest = plan;
        }
        for (const core::OperationId member : members) {
            OperationPlan& plan = plans[member.index()];
            plan.compute = plan.exchange = plan.sync = plan.overhead = {};
            plan.supersteps = 0;
            plan.split.emplace_back("parallel", static_cast<std::int64_t>(members.size()));
        }
        OperationPlan& first = plans[members.front().index()];
        first.compute = slowest.compute;
        first.exchange = slowest.exchange;
        first.sync = slowest.sync;
        first.overhead = slowest.overhead;
        first.supersteps = slowest.supersteps;
    }
}

} // namespace simulator
