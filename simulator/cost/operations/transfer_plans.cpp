#include "simulator/cost/communication.h"
#include "simulator/cost/operations/elementwise_step.h"
#include "simulator/cost/operations/operation_planners.h"

#include <algorithm>

namespace simulator {

namespace {

constexpr CodeFootprint transferFootprint{60, 0, 60};

std::int64_t bytesOf(const Tensor& tensor) {
    return saturated(static_cast<double>(countElements(tensor.extents)) * core::elementBytes(tensor.type));
}

/// An operation that only waits for data from outside the IPU.
OperationPlan transfer(const PlanContext& context, const Tensor& tensor, core::Cycles cycles) {
    PlanTally tally(context);
    tally.addExchange(static_cast<double>(cycles.value()));
    tally.addExchangeBytes(static_cast<double>(bytesOf(tensor)));
    tally.setTilesUsed(tilesFor(context, countElements(tensor.extents)));
    tally.setFootprint(transferFootprint);
    return tally.finish();
}

/// A pair of IPUs: what an operation is priced for where its system is not known.
IpuSystem pairOf(const IpuTarget& target, std::int64_t replicas) {
    IpuSystem system;
    system.target = target;
    system.replicas = replicas;
    system.ipusPerReplica = 2 / replicas;
    system.ipus = 2;
    system.physicalIndex = {0, 1};
    return system;
}

} // namespace

static OperationPlan plan(const PlanContext& context, const Collective& operation) {
    // Two replicas; the compiler prices the real ones with `collectiveCost`.
    const std::int64_t bytes[] = {bytesOf(context.input())};
    return transfer(context, context.input(),
                    collectiveCost(pairOf(context.target(), 2), operation.kind, bytes).total());
}

static OperationPlan plan(const PlanContext& context, const InterIpuCopy&) {
    return transfer(context, context.input(),
                    interIpuCopyCycles(pairOf(context.target(), 1), 0, 1, bytesOf(context.input())));
}

static OperationPlan plan(const PlanContext& context, const StreamCopy& operation) {
    const Tensor& tensor = context.inputCount() > 0 ? context.input() : context.output();
    const bool remote = operation.direction == StreamDirection::RemoteToDevice ||
                        operation.direction == StreamDirection::DeviceToRemote;
    const std::int64_t bytes = bytesOf(tensor);
    return transfer(context, tensor,
                    remote ? streamingMemoryCycles(context.target(), bytes)
                           : hostTransfer(context.target(), bytes).data);
}

static OperationPlan plan(const PlanContext& context, const Opaque& operation) {
    // A declared cost runs at a quarter of the matrix unit's peak, as dense layers of middling size do.
    constexpr double share = 0.25;
    const IpuTarget& target = context.target();
    const double perCycle =
        core::real(target.peakPerTileCycle(core::elementBytes(context.input().type)).value());
    const auto flops = static_cast<double>(std::max<std::int64_t>(operation.flops, 0));
    PlanTally tally(context);
    tally.addCompute(flops / (perCycle * share * static_cast<double>(context.tiles())));
    tally.addReceived(bytesPerTile(context, countElements(context.input().extents), context.input().type));
    tally.addSupersteps(2);
    tally.setTilesUsed(context.tiles());
    tally.setFlops(flops);
    tally.setFootprint({64, 48, 40});
    tally.addCodelet(codeletName(CodeletFamily::MatrixProduct, context.input().type));
    return tally.finish();
}

static OperationPlan plan(const PlanContext& context, const UserOperation& operation) {
    return plan(context, Opaque{operation.flops});
}

static OperationPlan plan(const PlanContext& context, const HostLookup& operation) {
    // One replica; the compiler prices those that share a table.
    const HostRows rows{bytesOf(context.input(1)), bytesOf(context.output()), false};
    return transfer(context, context.output(),
                    hostTableCycles(pairOf(context.target(), 1), operation.table, rows));
}

static OperationPlan plan(const PlanContext& context, const HostUpdate& operation) {
    const std::size_t last = context.inputCount() - 1;
    const HostRows rows{bytesOf(context.input(last - 1)), bytesOf(context.input(last)), true};
    return transfer(context, context.input(last),
                    hostTableCycles(pairOf(context.target(), 1), operation.table, rows));
}

static OperationPlan plan(const PlanContext& context, const ReplicationIndex&) {
    // A constant of each replica.
    PlanTally tally(context);
    tally.setTilesUsed(1);
    return tally.finish();
}

std::span<const PartRow<Planner>> transferPlans() {
    static constexpr PartRow<Planner> rows[]{
        plannerRow<Collective, plan>(), plannerRow<InterIpuCopy, plan>(),    plannerRow<StreamCopy, plan>(),
        plannerRow<Opaque, plan>(),     plannerRow<UserOperation, plan>(),   plannerRow<HostLookup, plan>(),
        plannerRow<HostUpdate, plan>(), plannerRow<ReplicationIndex, plan>()};
    return rows;
}

} // namespace simulator
