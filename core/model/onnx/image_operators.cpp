// Images resized, and read at places that the data says.
#include "core/model/onnx/onnx_operator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace core {

namespace {

using Call = OnnxOperatorCall;
using Facts = RuleResult<OnnxFacts>;

constexpr std::int64_t flopsOfSample = 8;

Facts resizedTo(const Call& call, OnnxExtents extents) {
    constexpr std::int64_t most = 1 << 20;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (extents[i] < 1 || (extents[i] > most && extents[i] != call.extents()[i]))
            return refuse("has sizes or scales that leave nothing, or too much", "give other ones");
    }
    return onnxOutput(std::move(extents), call.type(), flopsOfSample);
}

std::int64_t scaled(std::int64_t extent, double scale) {
    return static_cast<std::int64_t>(std::floor(std::clamp(static_cast<double>(extent) * scale, 0.0, 1e9)));
}

Facts byScales(const Call& call, const std::optional<std::vector<double>>& scales) {
    if (!scales)
        return refuseUnknownValue(call, "scales");
    OnnxExtents extents = call.extents();
    if (scales->size() != extents.size())
        return refuse("has scales that do not fit", "give one number for each axis");
    for (std::size_t i = 0; i < extents.size(); ++i)
        extents[i] = scaled(extents[i], (*scales)[i]);
    return resizedTo(call, std::move(extents));
}

/// Operator sets 7 to 9.
Facts upsampled(const Call& call) {
    const OnnxAttribute* attribute = call.node.attribute("scales");
    return byScales(call, attribute != nullptr ? std::optional(attribute->numbers) : call.numbers(1));
}

/// Sizes with the proportions kept where the policy says so.
OnnxExtents bySizes(const Call& call, const std::vector<double>& sizes,
                    const std::vector<std::size_t>& axes) {
    const std::string policy = call.node.text("keep_aspect_ratio_policy", "stretch");
    OnnxExtents extents = call.extents();
    double common = policy == "not_larger" ? HUGE_VAL : 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const double scale = sizes[i] / static_cast<double>(std::max<std::int64_t>(extents[axes[i]], 1));
        common = policy == "not_larger" ? std::min(common, scale) : std::max(common, scale);
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
        std::int64_t& extent = extents[axes[i]];
        const double wanted = policy == "stretch" ? sizes[i] : common * static_cast<double>(extent);
        extent = static_cast<std::int64_t>(std::round(std::clamp(wanted, 0.0, 1e9)));
    }
    return extents;
}

Facts resized(const Call& call) {
    if (call.opset < 11)
        return byScales(call, call.numbers(1));
    if (call.node.integer("antialias", 0) != 0)
        return refuse("smooths before it resizes", "leave antialias out", "attributes");
    std::vector<std::size_t> axes(call.extents().size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    if (const auto given = call.node.integers("axes"); !given.empty()) {
        axes.clear();
        for (const std::int64_t axis : given) {
            const auto place = onnxAxisOf(axis, call.rank());
            if (!place)
                return tl::unexpected(place.error());
            axes.push_back(*place);
        }
    }
    const bool hasSizes = call.has(3) && elementsOf(call.extents(3)) != Count(0);
    const auto numbers = call.numbers(hasSizes ? 3 : 2);
    if (!numbers || numbers->size() != axes.size())
        return refuseUnknownValue(call, hasSizes ? "sizes" : "scales");
    if (hasSizes)
        return resizedTo(call, bySizes(call, *numbers, axes));
    OnnxExtents extents = call.extents();
    for (std::size_t i = 0; i < axes.size(); ++i)
        extents[axes[i]] = scaled(extents[axes[i]], (*numbers)[i]);
    return resizedTo(call, std::move(extents));
}

/// X [N, C, H, W], grid [N, rows, columns, 2] → [N, C, rows, columns].
Facts sampledByGrid(const Call& call) {
    const OnnxExtents& grid = call.extents(1);
    if (call.rank() != 4 || grid.size() != 4 || grid[3] != 2 || grid[0] != call.extents()[0])
        return refuse("samples other than images", "give [N, C, H, W] and a grid [N, rows, columns, 2]");
    return onnxOutput({call.extents()[0], call.extents()[1], grid[1], grid[2]}, call.type(), flopsOfSample);
}

/// X [N, C, H, W], regions [R, 4], their images [R] → [R, C, rows, columns].
Facts alignedRegions(const Call& call) {
    if (call.rank() != 4 || call.rank(1) != 2 || call.extents(1)[1] != 4)
        return refuse("samples other than images and regions", "give images [N, C, H, W] and regions [R, 4]");
    const std::int64_t samples = call.node.integer("sampling_ratio", 0);
    if (samples < 1 || call.node.text("mode", "avg") != "avg")
        return refuse("takes a number of samples that follows from the data, or their maximum",
                      "set sampling_ratio to at least 1 and mode to \"avg\"", "attributes");
    const std::int64_t rows = call.node.integer("output_height", 1);
    const std::int64_t columns = call.node.integer("output_width", 1);
    if (rows < 1 || columns < 1)
        return refuse("has no cells", "give a height and a width", "attributes");
    return onnxOutput({call.extents(1)[0], call.extents()[1], rows, columns}, call.type(),
                      flopsOfSample * std::min<std::int64_t>(samples, largestExtent));
}

constexpr OnnxOperator imageRows[]{
    {"GridSample", sampledByGrid, 2},
    {"Resize", resized, 1, inputsAt({1, 2, 3})},
    {"RoiAlign", alignedRegions, 3},
    {"Upsample", upsampled, 1, inputsAt({1})},
};

} // namespace

std::span<const OnnxOperator> imageOnnxOperators() {
    return imageRows;
}

} // namespace core
