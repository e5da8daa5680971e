// Operators that read or write elements by their index.
#include "core/model/onnx/onnx_operator.h"

#include <algorithm>

namespace core {

namespace {

using Call = OnnxOperatorCall;
using Facts = RuleResult<OnnxFacts>;

Facts gathered(const Call& call) {
    const auto axis = onnxAxisOf(call.node.integer("axis", 0), call.rank());
    if (!axis)
        return tl::unexpected(axis.error());
    OnnxExtents extents = call.extents();
    const auto place = extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(*axis));
    extents.insert(place, call.extents(1).begin(), call.extents(1).end());
    return onnxOutput(std::move(extents), call.type());
}

/// Indices along an axis, beside a tensor whose other extents hold them.
tl::expected<void, RuleError> checkBeside(const Call& call) {
    const auto axis = onnxAxisOf(call.node.integer("axis", 0), call.rank());
    if (!axis)
        return tl::unexpected(axis.error());
    bool fits = call.extents(1).size() == call.extents().size();
    for (std::size_t i = 0; fits && i < call.extents().size(); ++i)
        fits = i == *axis || call.extents(1)[i] <= call.extents()[i];
    if (!fits)
        return refuse("has indices that do not fit the tensor", "give one index for each element");
    return {};
}

Facts gatheredElements(const Call& call) {
    if (auto fits = checkBeside(call); !fits)
        return tl::unexpected(fits.error());
    return onnxOutput(call.extents(1), call.type());
}

Facts scatteredElements(const Call& call) {
    if (auto fits = checkBeside(call); !fits)
        return tl::unexpected(fits.error());
    if (call.extents(1) != call.extents(2))
        return refuse("has other updates than indices", "give one index for each update");
    return onnxOutput(call.extents(), call.type());
}

Facts gatheredTuples(const Call& call) {
    const std::int64_t batch = call.node.integer("batch_dims", 0);
    const OnnxExtents& own = call.extents(1);
    if (own.empty() || batch < 0 || batch >= call.rank(1) || own.back() + batch > call.rank() ||
        !std::equal(own.begin(), own.begin() + batch, call.extents().begin()))
        return refuse("has index tuples longer than the tensor has axes", "shorten them");
    OnnxExtents extents(own.begin(), own.end() - 1);
    extents.insert(extents.end(), call.extents().begin() + batch + own.back(), call.extents().end());
    return onnxOutput(std::move(extents), call.type());
}

Facts scatteredTuples(const Call& call) {
    const OnnxExtents& own = call.extents(1);
    if (own.empty() || own.back() > call.rank())
        return refuse("has index tuples longer than the tensor has axes", "shorten them");
    const Count rows = elementsOf({own.begin(), own.end() - 1});
    const Count inner = elementsOf({call.extents().begin() + own.back(), call.extents().end()});
    if (elementsOf(call.extents(2)) != rows * inner)
        return refuse("has updates that do not fit its indices", "give one slice for each index tuple");
    return onnxOutput(call.extents(), call.type());
}

Facts oneHot(const Call& call) {
    const auto depth = call.integers(1);
    if (!depth || depth->size() != 1)
        return refuseUnknownValue(call, "depth");
    const auto axis = onnxAxisOf(call.node.integer("axis", -1), call.rank() + 1);
    if (!axis)
        return tl::unexpected(axis.error());
    constexpr std::int64_t deepest = 1 << 24;
    if (depth->front() < 1 || depth->front() > deepest || call.extents(2) != OnnxExtents{2})
        return refuse("takes a depth of at least 1 and two values", "give them");
    OnnxExtents extents = call.extents();
    extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(*axis), depth->front());
    return onnxOutput(std::move(extents), call.type(2), 1);
}

/// The values and their positions.
Facts largest(const Call& call) {
    const auto counts =
        call.opset >= 10 ? call.integers(1) : std::optional(std::vector{call.node.integer("k", 1)});
    if (!counts || counts->size() != 1)
        return refuseUnknownValue(call, "K");
    const auto axis = onnxAxisOf(call.node.integer("axis", -1), call.rank());
    if (!axis)
        return tl::unexpected(axis.error());
    OnnxExtents extents = call.extents();
    if (counts->front() < 1 || counts->front() > extents[*axis])
        return refuse("asks for more elements than the tensor has", "lower K");
    extents[*axis] = counts->front();
    return OnnxFacts{{{extents, call.type()}, {extents, DataType::Int32}}, elementsOf(call.extents())};
}

Facts compressed(const Call& call) {
    const auto condition = call.numbers(1);
    if (!condition)
        return refuseUnknownValue(call, "condition");
    const bool isFlat = call.node.attribute("axis") == nullptr;
    OnnxExtents extents{elementsOf(call.extents()).known().value_or(0)};
    std::size_t place = 0;
    if (!isFlat) {
        const auto axis = onnxAxisOf(call.node.integer("axis", 0), call.rank());
        if (!axis)
            return tl::unexpected(axis.error());
        extents = call.extents();
        place = *axis;
    }
    std::int64_t kept = 0;
    for (std::size_t i = 0; i < condition->size() && static_cast<std::int64_t>(i) < extents[place]; ++i)
        kept += (*condition)[i] != 0 ? 1 : 0;
    if (kept == 0)
        return refuse("keeps nothing", "give a condition that holds somewhere");
    extents[place] = kept;
    return onnxOutput(std::move(extents), call.type());
}

constexpr OnnxOperator indexingRows[]{
    {"Compress", compressed, 2, inputsAt({1})},
    {"Gather", gathered, 2},
    {"GatherElements", gatheredElements, 2},
    {"GatherND", gatheredTuples, 2},
    {"OneHot", oneHot, 3, inputsAt({1}), inputsAt({2})},
    {"Scatter", scatteredElements, 3},
    {"ScatterElements", scatteredElements, 3},
    {"ScatterND", scatteredTuples, 3},
    {"TopK", largest, 1, inputsAt({1})},
};

} // namespace

std::span<const OnnxOperator> indexingOnnxOperators() {
    return indexingRows;
}

} // namespace core
