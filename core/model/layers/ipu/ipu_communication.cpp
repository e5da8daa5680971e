// Layers that let replicas talk to one another.
#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/ipu/ipu_families.h"
#include "core/model/layers/shape_rules.h"

namespace core {

namespace {

using namespace attribute;

RuleResult<CallFacts> describeAllReduce(const LayerCall& call) {
    return sameAsInput(call, 1);
}

AttributeDefinition replicationFactor() {
    return integer("replication_factor", "Number of replicas of a group; groups hold consecutive ones.")
        .between(1, 65536)
        .required(1);
}

/// What every replica has, side by side along a new first axis.
RuleResult<CallFacts> describeAllGather(const LayerCall& call) {
    Shape shape{call.attributes.integer("replication_factor")};
    for (const Dimension& extent : call.shape().dimensions)
        shape.dimensions.push_back(extent);
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describeAllToAll(const LayerCall& call) {
    Shape shape = call.shape();
    const std::int64_t replicas = call.attributes.integer("number_of_replicas");
    const auto split = axisFromFront(call.attributes.integer("split_dimension"), shape.rank());
    const auto join = axisFromFront(call.attributes.integer("concat_dimension"), shape.rank());
    if (!split || !join)
        return refuse("has no such axis", "choose one of the input's axes",
                      split ? "concat_dimension" : "split_dimension");
    const auto extent = requireExtent(shape, *split);
    if (!extent)
        return tl::unexpected(extent.error());
    // The batch axis may be that of one sample, where only shapes are asked for.
    if (*extent % replicas != 0 && (*split != 0 || *extent >= replicas))
        return refuse("the axis to split is no multiple of the replicas", "split another axis",
                      "split_dimension");
    shape[*split] = *extent / replicas;
    if (shape[*join])
        shape[*join] = *shape[*join] * replicas;
    return output(shape, call.inputType());
}

/// Each replica keeps its share of the flattened result.
RuleResult<CallFacts> describeReduceScatter(const LayerCall& call) {
    std::int64_t count = 1;
    for (std::size_t axis = 0; axis < call.shape().rank(); ++axis) {
        const auto extent = requireExtent(call.shape(), axis);
        if (!extent)
            return tl::unexpected(extent.error());
        count *= *extent;
    }
    const std::int64_t replicas = call.attributes.integer("replication_factor");
    CallFacts facts = output(Shape{(count + replicas - 1) / replicas}, call.inputType());
    facts.flops = Count(count);
    return facts;
}

RuleResult<CallFacts> describeIndex(const LayerCall&) {
    return output(Shape{}, DataType::Int32);
}

} // namespace

LayerFamily ipuCommunicationLayers() {
    const auto group = [] {
        return integer("replica_group_size", "Replicas that are added up together; 0 for all.")
            .between(0, 65536)
            .defaults(0);
    };
    return {
        ipuLayer("CrossReplicaSum", "The sum of a tensor over the replicas, given to all of them.", {group()},
                 describeAllReduce, {"x"}),
        ipuLayer("CrossReplicaMean", "The mean of a tensor over the replicas, given to all of them.",
                 {group()}, describeAllReduce, {"x"}),
        ipuLayer("AllGather", "The tensors of the replicas of a group, along a new first axis.",
                 {replicationFactor()}, describeAllGather, {"x"}),
        ipuLayer("AllToAll",
                 "Splits an axis over the replicas and joins what the others send along another axis.",
                 {integer("split_dimension", "Axis that is split.").between(-32, 31).defaults(0),
                  integer("concat_dimension", "Axis along which the pieces are joined.")
                      .between(-32, 31)
                      .defaults(0),
                  integer("number_of_replicas", "Number of replicas.").between(1, 65536).required(1)},
                 describeAllToAll, {"x"}),
        ipuLayer("ReduceScatter",
                 "Combines the tensors of all replicas; each keeps its share of the flattened result.",
                 {replicationFactor(),
                  choice("op",
                         {"COLLECTIVE_OP_ADD", "COLLECTIVE_OP_MEAN", "COLLECTIVE_OP_MUL", "COLLECTIVE_OP_MIN",
                          "COLLECTIVE_OP_MAX", "COLLECTIVE_OP_LOGICAL_AND", "COLLECTIVE_OP_LOGICAL_OR",
                          "COLLECTIVE_OP_SQUARE_ADD", "COLLECTIVE_OP_LOCAL"},
                         "How elements are combined.")
                      .defaults("COLLECTIVE_OP_ADD")},
                 describeReduceScatter, {"x"}),
        ipuLayer("ReplicationIndex", "The number of the replica.", {}, describeIndex, {"x"}),
        ipuLayer("AssumeEqualAcrossReplicas",
                 "Its input, with the promise that it is the same on every replica.", {},
                 [](const LayerCall& call) -> RuleResult<CallFacts> { return sameAsInput(call); }, {"x"}),
    };
}

} // namespace core
