// Exchanges between replicas, and functions of users.
#include "simulator/numerics/bindings/bind_operation.h"
#include "simulator/numerics/bindings/replica_group.h"
#include "simulator/numerics/bindings/user_library_host.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace simulator {
namespace {

float startOf(CollectiveFunction function) {
    switch (function) {
    case CollectiveFunction::Multiply:
    case CollectiveFunction::LogicalAnd:
        return 1;
    case CollectiveFunction::Minimum:
        return std::numeric_limits<float>::infinity();
    case CollectiveFunction::Maximum:
        return -std::numeric_limits<float>::infinity();
    default:
        return 0;
    }
}

float combined(CollectiveFunction function, float sum, float value) {
    switch (function) {
    case CollectiveFunction::Multiply:
        return sum * value;
    case CollectiveFunction::Minimum:
        return std::min(sum, value);
    case CollectiveFunction::Maximum:
        return std::max(sum, value);
    case CollectiveFunction::LogicalAnd:
        return sum != 0 && value != 0 ? 1.0F : 0.0F;
    case CollectiveFunction::LogicalOr:
        return sum != 0 || value != 0 ? 1.0F : 0.0F;
    case CollectiveFunction::SquareAdd:
        return sum + value * value;
    default:
        return sum + value;
    }
}

/// Elements [offset, offset + count) of the group's tensors combined, members in order.
void combine(CollectiveFunction function, const GroupContributions& all, std::int64_t offset,
             std::int64_t count, float* out) {
    const std::int64_t size = all.group().size;
    if (function == CollectiveFunction::Local) {
        std::copy_n(all.of(all.group().own) + offset, count, out);
        return;
    }
    std::fill_n(out, count, startOf(function));
    for (std::int64_t member = 0; member < size; ++member) {
        const float* values = all.of(member) + offset;
        for (std::int64_t i = 0; i < count; ++i)
            out[i] = combined(function, out[i], values[i]);
    }
    for (std::int64_t i = 0; function == CollectiveFunction::Mean && i < count; ++i)
        out[i] /= static_cast<float>(size);
}

/// Results go to memory of their own first: others still read this replica's input, which may be `out`.
void exchange(const Collective& collective, const GroupContributions& all, std::int64_t inputs,
              std::int64_t outputs, float* out) {
    const ReplicaGroup& group = all.group();
    switch (collective.kind) {
    case CollectiveKind::AllReduce:
        combine(collective.function, all, 0, outputs, out);
        break;
    case CollectiveKind::ReduceScatter:
        combine(collective.function, all, group.own * outputs, outputs, out);
        break;
    case CollectiveKind::AllGather:
        for (std::int64_t member = 0; member < group.size; ++member)
            std::copy_n(all.of(member), inputs, out + member * inputs);
        break;
    case CollectiveKind::AllToAll: {
        const std::int64_t piece = inputs / group.size;
        for (std::int64_t member = 0; member < group.size; ++member)
            std::copy_n(all.of(member) + group.own * piece, piece, out + member * piece);
        break;
    }
    }
}

} // namespace

static void bindCollective(BindRequest& request, BoundOperation& bound) {
    const auto collective = request.attributes<Collective>();
    const float* in = request.inputs[0].as();
    float* out = request.outputs[0].as();
    const std::int64_t inputs = request.inputs[0].elements();
    const std::int64_t outputs = request.outputs[0].elements();
    float* result = request.takeFloats(outputs);
    bound.phases.push_back({1, [=](const StepState& state, std::int64_t, std::byte*) {
                                {
                                    const GroupContributions all(collective, state, in);
                                    exchange(collective, all, inputs, outputs, result);
                                }
                                std::copy_n(result, outputs, out);
                            }});
}

static void bindReplicationIndex(BindRequest& request, BoundOperation& bound) {
    auto* out = request.outputs[0].as<std::int32_t>();
    bound.phases.push_back({1, [out](const StepState& state, std::int64_t, std::byte*) {
                                *out = static_cast<std::int32_t>(state.replica);
                            }});
}

static void bindUserOperation(BindRequest& request, BoundOperation& bound) {
    bound.phases.push_back(
        {1, [libraries = request.libraries, call = UserCall(request),
             library = request.attributes<UserOperation>().library](
                const StepState&, std::int64_t, std::byte*) { libraries->call(library, call); }});
}

std::span<const PartRow<Binding>> collectivesBindings() {
    static constexpr PartRow<Binding> rows[]{
        {kindIndex<Collective>(), {bindCollective}},
        {kindIndex<UserOperation>(), {bindUserOperation}},
        {kindIndex<ReplicationIndex>(), {bindReplicationIndex, wholeOutputs<0>}}};
    return rows;
}

} // namespace simulator
