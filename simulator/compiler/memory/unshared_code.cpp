#include "simulator/compiler/memory/unshared_code.h"

#include <algorithm>

namespace simulator {

namespace {

// Bytes a tile of operations compiled alone.
constexpr OperationCode denseProduct{350, 59, 71};
constexpr OperationCode batchedProduct{135, 64, 60};
constexpr OperationCode lookup{370, 63, 60};
constexpr OperationCode normalization{60, 150, 100};
constexpr OperationCode elementwise{15, 12, 40};
/// A pass of a spatial convolution has about 1,000 bytes in all; shared out as those of a whole model are.
constexpr OperationCode spatialPass{735, 147, 118};

OperationCode alone(const TrainingGraph& graph, const Operation& operation) {
    const OperationAttributes& attributes = operation.attributes;
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

} // namespace

OperationCode unsharedCode(const TrainingGraph& graph, core::OperationId operation, OperationCode shared) {
    const OperationCode own = alone(graph, graph.operation(operation));
    return {std::max(shared.exchange, own.exchange), std::max(shared.state, own.state),
            std::max(shared.control, own.control)};
}

} // namespace simulator
