#pragma once

#include "core/base/quantity.h"
#include "simulator/graph/training_graph.h"

#include <optional>
#include <vector>

namespace simulator {

/// The outfeed options of the pipeline.
struct OutfeedSelection {
    /// Only the loss.
    bool lossOnly = false;
    /// One entry for the loss and for each output of the model; true keeps it on the device.
    std::optional<std::vector<bool>> mask;

    bool operator==(const OutfeedSelection&) const = default;
};

/// The values that the last stage hands to the host for each micro-batch: the loss and the metrics, for
/// prediction the outputs of the model, for training what the options say instead. Each tensor once.
[[nodiscard]] std::vector<core::TensorId> chooseOutfeeds(const TrainingGraph& graph,
                                                         const OutfeedSelection& selection);

/// Bytes of values that go to the host, in their own type or all in `type`.
[[nodiscard]] core::Bytes outfeedBytes(const TrainingGraph& graph, const std::vector<core::TensorId>& values,
                                       std::optional<core::DataType> type = {});

} // namespace simulator
