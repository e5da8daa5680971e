#pragma once

#include "core/base/json.h"
#include "tests/tools/oracle/oracle_case.h"

#include <string>
#include <vector>

namespace tests {

/// One call of a layer under test.
struct LayerProbe {
    std::string className;
    core::Json config = core::Json::object();
    core::Json arguments = core::Json::object();
    std::vector<oracles::Values> inputs;
    bool training = false;
    /// Values of the layer's weights, in its order; made up where none are given.
    std::vector<std::vector<float>> weights = {};
    /// Allowed error of a gradient, in units of the largest (at least 1).
    double tolerance = 5e-3;
};

struct ProbeAnswer {
    std::string error;
    std::vector<std::vector<std::int64_t>> extents;
    std::vector<std::vector<float>> outputs;
    /// Where gradients of floating inputs or weights and differences of the forward pass disagree.
    std::string disagreement;
};

/// Lowers and computes the call, and compares its gradients with central differences.
[[nodiscard]] ProbeAnswer probe(const LayerProbe& layer);

/// A tensor of these values.
[[nodiscard]] oracles::Values valuesOf(simulator::Extents extents, std::vector<float> data,
                                       core::DataType type = core::DataType::Float32);

} // namespace tests
