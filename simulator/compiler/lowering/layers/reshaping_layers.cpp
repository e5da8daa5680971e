// Layers that move, pad, crop or repeat.
#include "simulator/compiler/lowering/functions/image_resize.h"
#include "simulator/compiler/lowering/layer_geometry.h"
#include "simulator/compiler/lowering/layer_lowering.h"

#include <algorithm>

namespace simulator {
namespace {

using core::TensorId;

Lowered lowerFlatten(LoweringCall& call) {
    const TensorId x = channelsLast(call, call.input());
    const Extents extents = call.build.extents(x);
    const std::int64_t rest = call.build.graph().tensor(x).elements() / std::max<std::int64_t>(1, extents[0]);
    return std::vector{call.build.reshape(x, {extents[0], rest})};
}

Lowered lowerReshapeLayer(LoweringCall& call) {
    Extents extents{call.extents().front()};
    std::int64_t known = extents.front();
    std::size_t open = 0;
    for (const core::Json& extent : call.attributes.value("target_shape")) {
        const std::int64_t value = extent.is_number_integer() ? extent.get<std::int64_t>() : -1;
        if (value < 0)
            open = extents.size();
        else
            known *= value;
        extents.push_back(value);
    }
    if (open > 0)
        extents[open] = call.build.graph().tensor(call.input()).elements() / std::max<std::int64_t>(1, known);
    return std::vector{call.build.reshape(call.input(), std::move(extents))};
}

Lowered lowerPermute(LoweringCall& call) {
    std::vector<std::int64_t> permutation{0};
    for (const core::Json& axis : call.attributes.value("dims"))
        permutation.push_back(axis.get<std::int64_t>());
    return std::vector{call.build.transpose(call.input(), std::move(permutation))};
}

Lowered lowerRepeatVector(LoweringCall& call) {
    const Extents extents = call.extents();
    const TensorId column = call.build.reshape(call.input(), {extents[0], 1, extents[1]});
    return std::vector{call.build.broadcast(column, {extents[0], call.attributes.integer("n"), extents[1]})};
}

/// Pads (or with sign −1 crops) the field of a channels-last tensor.
Lowered padField(LoweringCall& call, const char* attribute, std::int64_t sign) {
    const TensorId x = channelsLast(call, call.input());
    Pad pad;
    pad.low.push_back(0);
    pad.high.push_back(0);
    for (const auto& [before, after] : call.attributes.padding(attribute)) {
        pad.low.push_back(sign * before);
        pad.high.push_back(sign * after);
    }
    pad.low.push_back(0);
    pad.high.push_back(0);
    return std::vector{toDataFormat(call, call.build.add(std::move(pad), {x}, ""))};
}

Lowered lowerZeroPadding(LoweringCall& call) {
    return padField(call, "padding", 1);
}
Lowered lowerCropping(LoweringCall& call) {
    return padField(call, "cropping", -1);
}

Lowered lowerUpSampling(LoweringCall& call) {
    const TensorId x = channelsLast(call, call.input());
    const std::vector<std::int64_t> factors = call.attributes.integers("size");
    const bool chooses = call.attributes.definition().findAttribute("interpolation") != nullptr;
    const std::string interpolation = chooses ? call.attributes.text("interpolation") : "nearest";
    if (interpolation == "nearest" || interpolation == "bilinear") {
        const Upsample upsample{factors,
                                interpolation == "nearest" ? Interpolation::Nearest : Interpolation::Linear};
        return std::vector{toDataFormat(call, call.build.add(upsample, {x}, ""))};
    }
    const Extents extents = call.build.extents(x);
    const auto resized =
        addResize(call.build, x, extents[1] * factors[0], extents[2] * factors[1], interpolation, false);
    return resized ? Lowered(std::vector{toDataFormat(call, *resized)}) : core::failure(resized.error());
}

constexpr LoweringEntry reshapingLayers[]{
    {"Flatten", lowerFlatten},           {"Reshape", lowerReshapeLayer},
    {"Permute", lowerPermute},           {"RepeatVector", lowerRepeatVector},
    {"ZeroPadding1D", lowerZeroPadding}, {"ZeroPadding2D", lowerZeroPadding},
    {"ZeroPadding3D", lowerZeroPadding}, {"Cropping1D", lowerCropping},
    {"Cropping2D", lowerCropping},       {"Cropping3D", lowerCropping},
    {"UpSampling1D", lowerUpSampling},   {"UpSampling2D", lowerUpSampling},
    {"UpSampling3D", lowerUpSampling},
};

} // namespace

std::span<const LoweringEntry> reshapingLowerings() {
    return reshapingLayers;
}

} // namespace simulator
