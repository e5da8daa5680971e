#pragma once

#include "simulator/graph/graph_builder.h"
#include "tests/support/numerics/random_operands.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tests {

/// One operand of an operation under test.
struct TestOperand {
    simulator::TensorForm form;
    std::vector<float> values;
    /// Its gradient is compared with differences.
    bool isChecked = true;
};

/// An operation with operands.
struct GradientCase {
    simulator::OperationAttributes attributes;
    std::vector<TestOperand> operands;
    /// Where the operation has no rule for its output.
    std::optional<simulator::TensorForm> output = std::nullopt;
    /// Allowed error, in units of the largest gradient (at least 1).
    double tolerance = 4e-3;
};

/// Runs the operation and its gradient, and compares with differences of the forward pass around the
/// operands' values. Answers what differs; empty when all agree.
[[nodiscard]] std::string gradientDisagreement(const GradientCase& one, RandomOperands& random);

} // namespace tests
