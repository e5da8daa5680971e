#include "simulator/compiler/memory/unshared_code.h"

#include <algorithm>

namespace simulator {

namespace {

// Bytes a tile of operations compiled alone: exchange code and vertex state by kind.
constexpr OperationCode denseProduct{350, 59, 0};
constexpr OperationCode batchedProduct{135, 64, 0};
constexpr OperationCode lookup{370, 63, 0};
constexpr OperationCode normalization{60, 150, 0};
constexpr OperationCode elementwise{15, 12, 0};
/// Put together: its two reductions are those of a norm (which has five element-wise passes beside them),
/// and it has four element-wise passes.
constexpr OperationCode softmaxOfRows{60, normalization.state - elementwise.state, 0};
/// A pass of a spatial convolution has about 1,000 bytes in all; shared out as those of a whole model are.
constexpr OperationCode spatialPass{735, 147, 118};

/// A product has 71 bytes of control code in four supersteps, an element-wise operation 40 in one.
constexpr std::int64_t callBytes = 30;
constexpr std::int64_t superstepBytes = 10;
/// Serial steps of a plan are a loop, whose code is there once.
constexpr std::int64_t mostSupersteps = 7;
/// Passes of a softmax, which its plan prices together: four over the elements, three for two reductions.
constexpr std::int64_t softmaxSupersteps = 7;

OperationCode ofKind(const TrainingGraph& graph, const Operation& operation) {
    const OperationAttributes& attributes = operation.attributes;
    if (std::holds_alternative<Softmax>(attributes))
        return softmaxOfRows;
    if (std::holds_alternative<MatMul>(attributes))
        return graph.tensor(operation.inputs[1]).extents.size() > 2 ? batchedProduct : denseProduct;
    if (std::holds_alternative<Convolution>(attributes))
        return spatialPass;
    if (std::holds_alternative<Gather>(attributes) || std::holds_alternative<GatherGradient>(attributes))
        return lookup;
    if (std::holds_alternative<Normalization>(attributes) ||
        std::holds_alternative<NormalizationGradient>(attributes))
        return normalization;
    if (std::holds_alternative<Unary>(attributes) || std::holds_alternative<Binary>(attributes))
        return elementwise;
    return {};
}

OperationCode alone(const TrainingGraph& graph, const Operation& operation, const OperationPlan& plan) {
    OperationCode code = ofKind(graph, operation);
    if (code.state == 0 || code.control > 0)
        return code;
    const bool isSoftmax = std::holds_alternative<Softmax>(operation.attributes);
    const std::int64_t steps = isSoftmax ? softmaxSupersteps : std::min(plan.supersteps, mostSupersteps);
    code.control = callBytes + superstepBytes * steps;
    return code;
}

} // namespace

OperationCode unsharedCode(const TrainingGraph& graph, core::OperationId operation,
                           const OperationPlan& plan) {
    const OperationCode own = alone(graph, graph.operation(operation), plan);
    return {std::max(plan.exchangeCodePerTile.value(), own.exchange),
            std::max(plan.vertexStatePerTile.value(), own.state),
            std::max(plan.controlCodePerTile.value(), own.control)};
}

} // namespace simulator
