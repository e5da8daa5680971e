#include "simulator/cost/communication.h"
#include "simulator/cost/query/cost_arguments.h"

#include <algorithm>
#include <numeric>

namespace simulator {

namespace {

using Kind = CostKeyKind;

CostAnswer waitingAnswer(const CostArguments& arguments, core::Cycles exchange, core::Cycles sync) {
    CostAnswer answer;
    answer.tilesUsed = arguments.tiles();
    answer.exchange = exchange;
    answer.sync = sync;
    answer.cycles = exchange + sync;
    addRates(answer, arguments.target(), core::DataType::Float16);
    return answer;
}

IpuSystem systemOf(const CostArguments& arguments) {
    IpuSystem system;
    system.target = arguments.target();
    system.replicas = arguments.integer("replicas");
    system.ipusPerReplica = arguments.integer("ipus_per_replica");
    system.ipus = system.replicas * system.ipusPerReplica;
    const std::int64_t machines = arguments.integer("machines");
    system.machines =
        machines > 0 ? machines
                     : core::ceilDivide(system.ipus, std::max<std::int64_t>(system.target.ipusPerMachine, 1));
    system.physicalIndex = physicalIndices(SelectionOrder::Zigzag, system.ipusPerReplica);
    return system;
}

core::Result<CostAnswer> priceCollective(const CostArguments& arguments, CollectiveKind kind) {
    const IpuSystem system = systemOf(arguments);
    const std::vector<std::int64_t> bytes(static_cast<std::size_t>(system.ipusPerReplica),
                                          arguments.integer("bytes"));
    const CollectiveCost cost = collectiveCost(system, kind, bytes, arguments.integer("group_size"));
    CostAnswer answer = waitingAnswer(arguments, cost.withinMachine + cost.acrossMachines, cost.sync);
    answer.details = {{"within_machine_cycles", static_cast<double>(cost.withinMachine.value())},
                      {"across_machines_cycles", static_cast<double>(cost.acrossMachines.value())},
                      {"sent_bytes_per_ipu", static_cast<double>(cost.sentPerIpu.value())},
                      {"machines", static_cast<double>(system.machines)}};
    return answer;
}

template <CollectiveKind kind>
core::Result<CostAnswer> priceCollectiveOf(const CostArguments& arguments, const CostOperation&) {
    return priceCollective(arguments, kind);
}

core::Result<CostAnswer> priceCopy(const CostArguments& arguments, const CostOperation&) {
    IpuSystem system;
    system.target = arguments.target();
    const std::int64_t from = arguments.integer("from");
    const std::int64_t to = arguments.integer("to");
    system.ipus = system.ipusPerReplica = std::max(from, to) + 1;
    const auto order = selectionOrderFromName(arguments.text("selection_order"));
    system.physicalIndex = physicalIndices(order.value_or(SelectionOrder::Zigzag), system.ipusPerReplica);
    const Route route = routeInReplica(system, from, to);
    CostAnswer answer =
        waitingAnswer(arguments, interIpuCopyCycles(system, from, to, arguments.integer("bytes")), {});
    answer.details = {{"hops", static_cast<double>(route.hops)}, {"bytes_per_second", route.bytesPerSecond}};
    return answer;
}

core::Result<CostAnswer> priceStreaming(const CostArguments& arguments, const CostOperation&) {
    return waitingAnswer(arguments, streamingMemoryCycles(arguments.target(), arguments.integer("bytes")),
                         {});
}

core::Result<CostAnswer> priceSync(const CostArguments& arguments, const CostOperation&) {
    return waitingAnswer(arguments, {}, globalSync(arguments.target(), arguments.integer("ipus")));
}

constexpr std::string_view communicationGroup = "communication";

PricedOperation collective(const char* name, const char* summary,
                           core::Result<CostAnswer> (*price)(const CostArguments&, const CostOperation&)) {
    return {{name,
             communicationGroup,
             summary,
             {{"bytes", Kind::Integer, "", "bytes of each IPU's tensor (all-gather: of the whole)", 0, 1e15},
              {"replicas", Kind::Integer, "2", "replicas of the model", 1, 65536},
              {"ipus_per_replica", Kind::Integer, "1", "IPUs of one replica; each takes part with its bytes",
               1, 4096},
              {"group_size", Kind::Integer, "0", "replicas that take part together; 0: all", 0, 65536},
              {"machines", Kind::Integer, "0", "machines; 0: as many as needed", 0, 65536}}},
            price};
}

} // namespace

std::vector<PricedOperation> communicationOperations() {
    return {
        collective("all-reduce", "sum of a tensor over the replicas, back on all of them",
                   priceCollectiveOf<CollectiveKind::AllReduce>),
        collective("reduce-scatter", "sum over the replicas, a part of it on each",
                   priceCollectiveOf<CollectiveKind::ReduceScatter>),
        collective("all-gather", "parts of a tensor made whole on every replica",
                   priceCollectiveOf<CollectiveKind::AllGather>),
        collective("all-to-all", "every replica sends a part to every other",
                   priceCollectiveOf<CollectiveKind::AllToAll>),
        {{"inter-ipu-copy",
          communicationGroup,
          "a tensor from one IPU of a replica to another",
          {{"bytes", Kind::Integer, "", "bytes", 0, 1e15},
           {"from", Kind::Integer, "0", "virtual IPU", 0, 4095},
           {"to", Kind::Integer, "1", "virtual IPU", 0, 4095},
           {"selection_order",
            Kind::Choice,
            "ZIGZAG",
            "which physical IPU a virtual one is",
            0,
            0,
            {"ZIGZAG", "SNAKE", "HOOF"}}}},
         priceCopy},
        {{"streaming-memory-copy",
          communicationGroup,
          "a tensor from or to streaming memory",
          {{"bytes", Kind::Integer, "", "bytes", 0, 1e15}}},
         priceStreaming},
        {{"global-sync",
          communicationGroup,
          "one sync of several IPUs",
          {{"ipus", Kind::Integer, "2", "IPUs", 1, 65536}}},
         priceSync},
    };
}

} // namespace simulator
