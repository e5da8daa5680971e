#pragma once

#include "simulator/graph/learning_rate.h"
#include "simulator/graph/operation.h"

#include <string>
#include <vector>

namespace simulator {

/// A trainable weight and what training keeps beside it.
struct ParameterSlots {
    core::TensorId parameter;
    /// With an accumulator: one for each invocation that uses the parameter, each accumulated in its own
    /// stage. Without: one, the sum. Empty for inference or when the loss does not depend on it.
    std::vector<core::TensorId> gradients;
    /// Invalid when every gradient is applied at once (N = 1, not pipelined).
    core::TensorId accumulator;
    std::vector<core::TensorId> optimizerSlots;
};

/// A weight of a layer, trainable or not: its value comes from a file or from the weight's initializer.
struct LayerWeight {
    core::TensorId tensor;
    /// Position in the `weights` of a layer of the typed graph.
    core::LayerId layer;
    std::size_t index = 0;
};

/// What a tensor holds before the first operation: constants, optimizer slots, states that no layer owns.
struct InitialValue {
    core::TensorId tensor;
    /// Row-major; a single number fills the tensor.
    std::vector<double> values;
};

/// A call of an outlined function: everything that one call of a layer does. Calls of the same function on an
/// IPU share its code.
struct OutlinedCall {
    std::string function;
    core::InvocationId call;
};

/// Every operation of one weight update (training) or one micro-batch (inference), before stages: forward
/// operations in post-order, then loss and metrics, then backward operations in reverse, then accumulation,
/// then (once per update) the optimizer. Operations are in an order in which each input is written before
/// it is read.
struct TrainingGraph {
    std::vector<Tensor> tensors;
    std::vector<Operation> operations;
    std::vector<ParameterSlots> parameters;
    /// Every Parameter and State tensor that belongs to a layer.
    std::vector<LayerWeight> weights;
    std::vector<InitialValue> initialValues;
    LearningRate learningRate;
    std::vector<OutlinedCall> outlinedCalls;
    /// The loss was multiplied by this before its gradients were taken; the update divides it out again.
    double lossScale = 1;
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
