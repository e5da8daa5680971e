#pragma once

#include "core/base/ids.h"
#include "core/base/phase.h"
#include "core/base/shared_text.h"
#include "core/model/data_type.h"
#include "simulator/graph/operation_attributes.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace simulator {

/// Extents of a device tensor, outermost first; every extent is known. Rank 0 is a scalar.
using Extents = std::vector<std::int64_t>;

/// Product of the extents; 1 for a scalar.
[[nodiscard]] std::int64_t elementCount(const Extents& extents);

/// What a tensor is to the program; decides where it lives and how long.
enum class TensorRole : std::uint8_t {
    Input,         ///< streamed from the host for each micro-batch (features)
    Target,        ///< streamed from the host for each micro-batch (labels, sample weights)
    Parameter,     ///< trainable weight
    State,         ///< weight that training does not update by gradient (moving statistics, frozen weights)
    Constant,      ///< fixed at compile time
    Activation,    ///< computed by a forward operation
    Gradient,      ///< computed by a backward operation
    Accumulator,   ///< sum of one parameter's gradients over the micro-batches of an update
    OptimizerSlot, ///< momentum, second moment, …
    Metric,        ///< loss or metric, streamed to the host
};

/// Which part of a stage's work an operation belongs to.
using core::Phase;

/// A value of the training graph. A tensor is written by at most one operation, except Accumulator,
/// OptimizerSlot, Parameter and State tensors, which their one updating operation rewrites in place.
struct Tensor {
    core::TensorId id;
    /// "dense256/kernel", "conv1/out", "grad(conv1/out)"; unique, for people and profiles.
    core::SharedText name;
    Extents extents;
    core::DataType type = core::DataType::Float32;
    TensorRole role = TensorRole::Activation;
    /// The invocation it belongs to; invalid for losses, metrics and optimizer values without one.
    core::InvocationId origin;

    [[nodiscard]] std::int64_t elements() const { return elementCount(extents); }
    [[nodiscard]] std::int64_t bytes() const { return elements() * core::elementBytes(type); }
};

/// One primitive computation. What it computes is in `attributes`; numerics execute it, the cost model prices
/// it, so the profile is of the program that produced the loss curve.
struct Operation {
    core::OperationId id;
    /// "dense256/matmul", "dense256/matmul/grad_weights"; unique.
    core::SharedText name;
    OperationAttributes attributes;
    std::vector<core::TensorId> inputs;
    std::vector<core::TensorId> outputs;
    Phase phase = Phase::Forward;
    core::InvocationId origin;
    /// Of backward operations: nothing but gradients of weights comes of it, so a schedule may run it apart.
    bool isWeightGradient = false;
};

/// The tensors of an operation that are never on the device: those of a host embedding.
[[nodiscard]] std::span<const core::TensorId> hostTables(const Operation& operation);

} // namespace simulator
