#include "simulator/graph/dynamic_loss_scale.h"

#include <algorithm>
#include <string>

namespace simulator {

core::TensorId lossScaleTensor(const TrainingGraph& graph) {
    const std::string name = std::string(lossScaleScope) + "/" + lossScaleLabel;
    const auto found = std::ranges::find_if(graph.tensors, [&](const Tensor& tensor) {
        return tensor.role == TensorRole::Constant && tensor.name == name;
    });
    return found == graph.tensors.end() ? core::TensorId() : found->id;
}

} // namespace simulator
