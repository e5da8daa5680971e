#pragma once

#include "tests/support/numerics/central_differences.h"

#include <span>

namespace tests {

/// Makes a random case of one kind of operation.
struct GradientFamily {
    const char* name;
    GradientCase (*make)(RandomOperands& random);
};

// By file, as the gradient rules.
std::span<const GradientFamily> elementwiseFamilies();
std::span<const GradientFamily> reductionFamilies();
std::span<const GradientFamily> productFamilies();
std::span<const GradientFamily> recurrentFamilies();
std::span<const GradientFamily> movementFamilies();
std::span<const GradientFamily> lossFamilies();

inline TestOperand floats(simulator::Extents extents, std::vector<float> values, bool isChecked = true) {
    return {{std::move(extents), core::DataType::Float32}, std::move(values), isChecked};
}
inline TestOperand integers(simulator::Extents extents, std::vector<float> values) {
    return {{std::move(extents), core::DataType::Int32}, std::move(values), false};
}
/// A float operand of smooth values; `tensor` numbers the operands of a case.
inline TestOperand smooth(RandomOperands& random, const simulator::Extents& extents, int tensor = 0,
                          double range = 1.5) {
    return floats(extents, random.apart(simulator::elementCount(extents), tensor, range));
}
inline TestOperand within(RandomOperands& random, const simulator::Extents& extents, double low, double high,
                          bool isChecked = true) {
    return floats(extents, random.between(simulator::elementCount(extents), low, high), isChecked);
}

} // namespace tests
