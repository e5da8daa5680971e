#include "simulator/graph/output_rules.h"

#include <algorithm>
#include <cassert>

namespace simulator {
OutputForms outputForms(const OperationAttributes& attributes, InputForms inputs) {
    const OutputRule rule = outputRules().of(attributes);
    return rule == nullptr ? OutputForms{} : rule(attributes, inputs);
}

OutputForms oneOutput(Extents extents, core::DataType type) {
    return {{"", {std::move(extents), type}}};
}

OutputForms sameOutput(const TensorForm& form) {
    return {{"", form}};
}

Extents broadcastExtents(const Extents& a, const Extents& b) {
    Extents result = a.size() >= b.size() ? a : b;
    const Extents& shorter = a.size() >= b.size() ? b : a;
    const std::size_t offset = result.size() - shorter.size();
    for (std::size_t i = 0; i < shorter.size(); ++i) {
        std::int64_t& extent = result[offset + i];
        assert(extent == shorter[i] || extent == 1 || shorter[i] == 1);
        if (extent == 1)
            extent = shorter[i];
    }
    return result;
}

std::size_t normalizedAxis(std::int64_t axis, std::size_t rank) {
    const std::int64_t normalized = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
    assert(normalized >= 0 && normalized < static_cast<std::int64_t>(rank));
    return static_cast<std::size_t>(normalized);
}

std::int64_t windowOutputs(const WindowGeometry& window, std::size_t axis, std::int64_t input) {
    const std::int64_t padded = input + window.paddingLow[axis] + window.paddingHigh[axis];
    const std::int64_t span = (window.kernel[axis] - 1) * window.dilation[axis] + 1;
    return padded < span ? 0 : (padded - span) / window.stride[axis] + 1;
}

std::int64_t paddedPosition(PadMode mode, std::int64_t position, std::int64_t extent) {
    if (mode == PadMode::Edge)
        return std::clamp<std::int64_t>(position, 0, extent - 1);
    if (mode == PadMode::Symmetric) {
        const std::int64_t at = (position % (2 * extent) + 2 * extent) % (2 * extent);
        return at < extent ? at : 2 * extent - 1 - at;
    }
    const std::int64_t period = std::max<std::int64_t>(1, 2 * (extent - 1));
    const std::int64_t at = std::abs(position) % period;
    return at < extent ? at : period - at;
}

std::int64_t gateCount(RecurrentCell cell) {
    switch (cell) {
    case RecurrentCell::Simple:
        return 1;
    case RecurrentCell::Lstm:
        return 4;
    case RecurrentCell::Gru:
        return 3;
    }
    return 1;
}

bool keepsGateSums(const Recurrent& recurrent) {
    const auto needsInput = [](const GateFunction& gate) {
        return gradientNeeds(gate.function).input && gate.function != UnaryFunction::HardSigmoid;
    };
    return needsInput(recurrent.activation) ||
           (recurrent.cell != RecurrentCell::Simple && needsInput(recurrent.recurrentActivation));
}

std::int64_t reserveValues(const Recurrent& recurrent) {
    const std::int64_t sums = keepsGateSums(recurrent) ? gateCount(recurrent.cell) : 0;
    switch (recurrent.cell) {
    case RecurrentCell::Simple:
        return 1 + sums;
    case RecurrentCell::Lstm:
        return 6 + sums;
    case RecurrentCell::Gru:
        return (recurrent.resetAfter ? 5 : 4) + sums;
    }
    return 1;
}

UnaryGradientNeeds gradientNeeds(UnaryFunction function) {
    const core::Derivative derivative = core::definitionOf(function).derivative;
    return {derivative == core::Derivative::OfInput, derivative == core::Derivative::OfOutput,
            derivative == core::Derivative::Flat};
}

bool answersBool(UnaryFunction function) {
    return core::definitionOf(function).answersBool;
}

bool answersBool(BinaryFunction function) {
    return core::definitionOf(function).answersBool;
}

} // namespace simulator
