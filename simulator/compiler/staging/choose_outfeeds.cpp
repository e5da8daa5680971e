#include "simulator/compiler/staging/choose_outfeeds.h"

#include <algorithm>

namespace simulator {

namespace {

/// What the last stage of a training pipeline gives: the loss, then the outputs.
std::vector<core::TensorId> unmasked(const TrainingGraph& graph, const std::vector<bool>& mask) {
    std::vector<core::TensorId> values{graph.loss};
    values.insert(values.end(), graph.predictions.begin(), graph.predictions.end());
    std::vector<core::TensorId> chosen;
    for (std::size_t index = 0; index < values.size(); ++index)
        if (index >= mask.size() || !mask[index])
            chosen.push_back(values[index]);
    return chosen;
}

} // namespace

std::vector<core::TensorId> chooseOutfeeds(const TrainingGraph& graph, const OutfeedSelection& selection) {
    std::vector<core::TensorId> values;
    if (!graph.loss.isValid())
        values = graph.predictions;
    else if (graph.training && selection.mask)
        values = unmasked(graph, *selection.mask);
    else if (graph.training && selection.lossOnly)
        values = {graph.loss};
    else
        for (const Tensor& tensor : graph.tensors)
            if (tensor.role == TensorRole::Metric)
                values.push_back(tensor.id);
    std::ranges::sort(values);
    const auto repeats = std::ranges::unique(values);
    values.erase(repeats.begin(), repeats.end());
    return values;
}

core::Bytes outfeedBytes(const TrainingGraph& graph, const std::vector<core::TensorId>& values,
                         std::optional<core::DataType> type) {
    core::Bytes bytes;
    for (const core::TensorId value : values) {
        const Tensor& tensor = graph.tensor(value);
        bytes += core::Bytes(type ? tensor.elements() * core::elementBytes(*type) : tensor.bytes());
    }
    return bytes;
}

} // namespace simulator
