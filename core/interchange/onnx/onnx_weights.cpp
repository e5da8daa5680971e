#include "core/interchange/onnx/onnx_weights.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace core {

namespace {

std::size_t lengthOf(const std::vector<std::int64_t>& extents, std::size_t firstAxis = 0) {
    std::size_t length = 1;
    for (std::size_t axis = firstAxis; axis < extents.size(); ++axis)
        length *= static_cast<std::size_t>(extents[axis]);
    return length;
}

} // namespace

OnnxWeight::OnnxWeight(const OnnxTensor& tensor)
    : extents(tensor.extents) {
    const std::vector<double> numbers = numbersOf(tensor);
    values.reserve(numbers.size());
    for (const double number : numbers)
        values.push_back(static_cast<float>(number));
}

OnnxWeight OnnxWeight::transposed(std::span<const std::size_t> order) const {
    const std::size_t rank = extents.size();
    std::vector<std::size_t> strides(rank, 1);
    for (std::size_t axis = rank; axis-- > 1;)
        strides[axis - 1] = strides[axis] * static_cast<std::size_t>(extents[axis]);
    OnnxWeight result;
    for (const std::size_t axis : order)
        result.extents.push_back(extents[axis]);
    if (values.size() != lengthOf(extents))
        return result; // the values are in another file
    result.values.resize(values.size());
    std::vector<std::int64_t> place(rank, 0);
    std::size_t source = 0;
    for (float& value : result.values) {
        value = values[source];
        for (std::size_t axis = rank; axis-- > 0;) {
            const std::size_t stride = strides[order[axis]];
            source += stride;
            if (++place[axis] < result.extents[axis])
                break;
            source -= stride * static_cast<std::size_t>(result.extents[axis]);
            place[axis] = 0;
        }
    }
    return result;
}

OnnxWeight OnnxWeight::scaled(double factor) const {
    OnnxWeight result = *this;
    for (float& value : result.values)
        value = static_cast<float>(value * factor);
    return result;
}

OnnxWeight OnnxWeight::entries(std::size_t begin, std::size_t count) const {
    const std::size_t length = lengthOf(extents, 1);
    OnnxWeight result;
    result.extents = extents;
    result.extents[0] = static_cast<std::int64_t>(count);
    const std::size_t first = std::min(values.size(), begin * length);
    const std::size_t last = std::min(values.size(), (begin + count) * length);
    result.values.assign(values.begin() + static_cast<std::ptrdiff_t>(first),
                         values.begin() + static_cast<std::ptrdiff_t>(last));
    return result;
}

OnnxWeight OnnxWeight::entry(std::size_t index) const {
    OnnxWeight result = entries(index, 1);
    result.extents.erase(result.extents.begin());
    return result;
}

OnnxWeight OnnxWeight::reshaped(std::vector<std::int64_t> newExtents) const {
    OnnxWeight result = *this;
    result.extents = std::move(newExtents);
    return result;
}

OnnxWeight OnnxWeight::blocksReordered(std::span<const std::size_t> order) const {
    const std::size_t block = static_cast<std::size_t>(extents[0]) / order.size();
    OnnxWeight result;
    result.extents = extents;
    for (const std::size_t from : order) {
        const OnnxWeight part = entries(from * block, block);
        result.values.insert(result.values.end(), part.values.begin(), part.values.end());
    }
    return result;
}

OnnxWeight OnnxWeight::plus(const OnnxWeight& other) const {
    OnnxWeight result = *this;
    for (std::size_t i = 0; i < std::min(values.size(), other.values.size()); ++i)
        result.values[i] += other.values[i];
    return result;
}

OnnxWeight convolutionKernel(const OnnxTensor& tensor) {
    std::vector<std::size_t> order(tensor.extents.size());
    std::iota(order.begin(), order.end(), std::size_t{2});
    order[order.size() - 2] = 1;
    order[order.size() - 1] = 0;
    return OnnxWeight(tensor).transposed(order);
}

OnnxRecurrence recurrenceWeights(std::string_view operation, std::size_t direction, const OnnxTensor& kernel,
                                 const OnnxTensor& recurrentKernel, const OnnxTensor* bias,
                                 OnnxRecurrence::Bias kind) {
    constexpr std::array<std::size_t, 4> lstm{0, 2, 3, 1};
    constexpr std::array<std::size_t, 3> gru{0, 1, 2};
    constexpr std::array<std::size_t, 1> plain{0};
    const std::span<const std::size_t> gates = operation == "LSTM"  ? std::span<const std::size_t>(lstm)
                                               : operation == "GRU" ? std::span<const std::size_t>(gru)
                                                                    : std::span<const std::size_t>(plain);
    constexpr std::array<std::size_t, 2> swapped{1, 0};
    const auto arranged = [&](const OnnxTensor& tensor) {
        return OnnxWeight(tensor).entry(direction).blocksReordered(gates).transposed(swapped);
    };
    OnnxRecurrence result{arranged(kernel), arranged(recurrentKernel), {}};
    if (bias == nullptr || kind == OnnxRecurrence::Bias::None)
        return result;
    const OnnxWeight both = OnnxWeight(*bias).entry(direction);
    const std::size_t width = static_cast<std::size_t>(both.extents[0]) / 2;
    const OnnxWeight input = both.entries(0, width).blocksReordered(gates);
    const OnnxWeight recurrent = both.entries(width, width).blocksReordered(gates);
    result.bias = input.plus(recurrent);
    if (kind == OnnxRecurrence::Bias::Separate) {
        result.bias = input;
        result.bias.values.insert(result.bias.values.end(), recurrent.values.begin(), recurrent.values.end());
        result.bias.extents = {2, static_cast<std::int64_t>(width)};
    }
    return result;
}

} // namespace core
