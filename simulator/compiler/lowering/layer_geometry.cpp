#include "simulator/compiler/lowering/layer_geometry.h"

#include <algorithm>
#include <numeric>

namespace simulator {

using core::TensorId;

WindowGeometry windowGeometry(const std::vector<std::int64_t>& kernel,
                              const std::vector<std::int64_t>& stride,
                              const std::vector<std::int64_t>& dilation, std::string_view padding,
                              const Extents& field) {
    WindowGeometry window{kernel, stride, dilation, std::vector<std::int64_t>(kernel.size(), 0),
                          std::vector<std::int64_t>(kernel.size(), 0)};
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        const std::int64_t span = (kernel[i] - 1) * dilation[i] + 1;
        if (padding == "causal") {
            window.paddingLow[i] = span - 1;
        } else if (padding == "same") {
            const std::int64_t outputs = (field[i] + stride[i] - 1) / stride[i];
            const std::int64_t total = std::max<std::int64_t>(0, (outputs - 1) * stride[i] + span - field[i]);
            window.paddingLow[i] = total / 2;
            window.paddingHigh[i] = total - total / 2;
        }
    }
    return window;
}

Extents fieldOf(const Extents& extents) {
    return {extents.begin() + 1, extents.end() - 1};
}

TensorId moveAxis(GraphBuilder& build, TensorId x, std::int64_t axis, std::int64_t to) {
    const std::size_t rank = build.rank(x);
    std::vector<std::int64_t> permutation(rank);
    std::iota(permutation.begin(), permutation.end(), 0);
    const auto from = static_cast<std::ptrdiff_t>(normalizedAxis(axis, rank));
    const auto target = static_cast<std::ptrdiff_t>(normalizedAxis(to, rank));
    const std::int64_t moved = permutation[static_cast<std::size_t>(from)];
    permutation.erase(permutation.begin() + from);
    permutation.insert(permutation.begin() + target, moved);
    return build.transpose(x, std::move(permutation));
}

namespace {

bool hasChannelsFirst(const LoweringCall& call) {
    return call.attributes.definition().findAttribute("data_format") != nullptr &&
           call.attributes.value("data_format") == "channels_first";
}

} // namespace

TensorId channelsLast(LoweringCall& call, TensorId x) {
    return hasChannelsFirst(call) && call.build.rank(x) > 2 ? moveAxis(call.build, x, 1, -1) : x;
}

TensorId toDataFormat(LoweringCall& call, TensorId x) {
    return hasChannelsFirst(call) && call.build.rank(x) > 2 ? moveAxis(call.build, x, -1, 1) : x;
}

TensorId expandAxes(GraphBuilder& build, TensorId x, std::vector<std::int64_t> axes) {
    Extents extents = build.extents(x);
    std::ranges::sort(axes);
    for (const std::int64_t axis : axes)
        extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(axis), 1);
    return build.reshape(x, std::move(extents));
}

std::vector<std::int64_t> innerAxes(GraphBuilder& build, TensorId x) {
    std::vector<std::int64_t> axes(build.rank(x) - 1);
    std::iota(axes.begin(), axes.end(), 1);
    return axes;
}

} // namespace simulator
