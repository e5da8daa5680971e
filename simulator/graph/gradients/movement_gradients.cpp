// Gradients of operations that only move, copy or repeat elements.
#include "simulator/graph/gradients/gradient_rule.h"

#include <algorithm>

namespace simulator {

using core::TensorId;

InputGradients passGradients(const GradientRequest& request) {
    return {request.gradient()};
}

InputGradients reshapeGradients(const GradientRequest& request) {
    return {request.build.reshape(request.gradient(), Extents(request.build.extents(request.input(0))))};
}

InputGradients transposeGradients(const GradientRequest& request) {
    const auto& permutation = request.attributes<Transpose>().permutation;
    std::vector<std::int64_t> inverse(permutation.size());
    for (std::size_t i = 0; i < permutation.size(); ++i)
        inverse[static_cast<std::size_t>(permutation[i])] = static_cast<std::int64_t>(i);
    return {request.build.transpose(request.gradient(), std::move(inverse))};
}

InputGradients concatenateGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const std::int64_t axis = request.attributes<Concatenate>().axis;
    const std::size_t position = normalizedAxis(axis, build.rank(request.output()));
    InputGradients gradients;
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < request.operation.inputs.size(); ++i) {
        const std::int64_t extent = build.extents(request.input(i))[position];
        gradients.push_back(request.wanted[i] ? build.slice(request.gradient(), axis, begin, extent)
                                              : TensorId{});
        begin += extent;
    }
    return gradients;
}

InputGradients sliceGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const auto& slice = request.attributes<Slice>();
    const Extents whole = build.extents(request.input(0));
    TensorId dy = request.gradient();
    const Extents taken = build.extents(dy);
    Slice reverse{std::vector<std::int64_t>(whole.size(), 0), std::vector<std::int64_t>(whole.size(), 1)};
    Pad pad;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::int64_t first = slice.begin[i];
        const std::int64_t last = slice.begin[i] + (taken[i] - 1) * slice.stride[i];
        if (slice.stride[i] < 0) {
            reverse.begin[i] = taken[i] - 1;
            reverse.stride[i] = -1;
            first = last;
        }
        pad.low.push_back(first);
        pad.high.push_back(whole[i] - 1 - std::max(last, slice.begin[i]));
        pad.interior.push_back(std::abs(slice.stride[i]) - 1);
    }
    if (std::ranges::any_of(reverse.stride, [](std::int64_t stride) { return stride < 0; }))
        dy = build.addAs(std::move(reverse), {dy}, "reverse", build.form(dy));
    return {build.add(std::move(pad), {dy}, "")};
}

InputGradients padGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const auto& pad = request.attributes<Pad>();
    Pad crop{pad.low, pad.high, {}, PadMode::Constant, 0};
    for (std::size_t i = 0; i < crop.low.size(); ++i) {
        crop.low[i] = -crop.low[i];
        crop.high[i] = -crop.high[i];
    }
    const TensorId cropped = build.add(std::move(crop), {request.gradient()}, "");
    if (std::ranges::all_of(pad.interior, [](std::int64_t gap) { return gap == 0; }))
        return {cropped};
    Slice slice{std::vector<std::int64_t>(pad.low.size(), 0), {}};
    for (const std::int64_t gap : pad.interior)
        slice.stride.push_back(gap + 1);
    return {build.addAs(std::move(slice), {cropped}, "", build.form(request.input(0)))};
}

InputGradients upsampleGradients(const GradientRequest& request) {
    const auto& upsample = request.attributes<Upsample>();
    return {request.build.add(UpsampleGradient{upsample.factors, upsample.interpolation},
                              {request.gradient()}, "")};
}

InputGradients gatherGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const auto& gather = request.attributes<Gather>();
    const Extents table = build.extents(request.input(0));
    const std::size_t axis = normalizedAxis(gather.axis, table.size());
    const GatherGradient attributes{static_cast<std::int64_t>(axis), table[axis], gather.serialization};
    return {build.add(attributes, {request.input(1), request.gradient()}, ""), TensorId{}};
}

InputGradients allReduceGradients(const GradientRequest& request) {
    return {request.build.add(request.attributes<Collective>(), {request.gradient()}, "")};
}

InputGradients opaqueGradients(const GradientRequest& request) {
    // The usual ratio of a layer with weights: the backward pass costs about twice the forward pass.
    GraphBuilder& build = request.build;
    std::vector<TensorId> inputs = request.operation.inputs;
    for (std::size_t i = 0; i < request.operation.outputs.size(); ++i)
        inputs.push_back(request.gradient(i));
    std::vector<OutputForm> outputs;
    for (const TensorId input : request.operation.inputs)
        outputs.push_back({"", build.form(input)});
    return build.addAllAs(Opaque{2 * request.attributes<Opaque>().flops}, std::move(inputs), "",
                          std::move(outputs));
}

} // namespace simulator
