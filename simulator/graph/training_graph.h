#pragma once

#include "simulator/graph/operation.h"

#include <string>
#include <vector>

namespace simulator {

/// A trainable weight and what training keeps beside it.
struct ParameterSlots {
    core::TensorId parameter;
    /// Sum over one micro-batch's uses; invalid when inference or nothing depends on it.
    core::TensorId gradient;
    /// Invalid when every gradient is applied at once (N = 1, not pipelined).
    core::TensorId accumulator;
    std::vector<core::TensorId> optimizerSlots;
};

/// Every operation of one weight update (training) or one micro-batch (inference), before stages: forward
/// operations in post-order, then loss and metrics, then backward operations in reverse, then accumulation,
/// then (once per update) the optimizer. Operations stand in an order in which each input is written before
/// it is read.
struct TrainingGraph {
    std::vector<Tensor> tensors;
    std::vector<Operation> operations;
    std::vector<ParameterSlots> parameters;
    /// Host-fed tensors in the order of the model's inputs, and of its outputs' targets.
    std::vector<core::TensorId> inputs;
    std::vector<core::TensorId> targets;
    /// Model outputs, in Keras' order.
    std::vector<core::TensorId> predictions;
    /// Total loss; invalid for prediction.
    core::TensorId loss;
    struct NamedTensor {
        std::string name;
        core::TensorId tensor;
    };
    /// Keras' names ("accuracy"), the loss excluded.
    std::vector<NamedTensor> metrics;
    bool training = true;

    [[nodiscard]] const Tensor& tensor(core::TensorId id) const { return tensors[id.index()]; }
    [[nodiscard]] const Operation& operation(core::OperationId id) const { return operations[id.index()]; }
};

} // namespace simulator
