// Outputs and gradients of operations that move elements.
#include "simulator/graph/rules/rule_families.h"

#include <algorithm>

namespace simulator {

using core::DataType;
using core::TensorId;

static InputGradients reshapeGradients(const GradientRequest& request) {
    return {request.build.reshape(request.gradient(), Extents(request.build.extents(request.input(0))))};
}

static GradientRule reshapeRule(const OperationAttributes& attributes) {
    return std::get<Reshape>(attributes).stopsGradient ? noGradients : reshapeGradients;
}

static InputGradients transposeGradients(const GradientRequest& request) {
    const auto& permutation = request.attributes<Transpose>().permutation;
    std::vector<std::int64_t> inverse(permutation.size());
    for (std::size_t i = 0; i < permutation.size(); ++i)
        inverse[static_cast<std::size_t>(permutation[i])] = static_cast<std::int64_t>(i);
    return {request.build.transpose(request.gradient(), std::move(inverse))};
}

static InputGradients concatenateGradients(const GradientRequest& request) {
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

static InputGradients sliceGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const auto& slice = request.attributes<Slice>();
    const Extents whole = build.extents(request.input(0));
    TensorId dy = request.gradient();
    const Extents taken = build.extents(dy);
    if (elementCount(taken) == 0)
        return {build.constant(0, whole, build.type(dy))};
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

namespace {

/// Where padding repeats elements: every axis adds up what each of its elements was shown as.
TensorId repeatedPadGradient(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const auto& pad = request.attributes<Pad>();
    const Extents whole = build.extents(request.input(0));
    TensorId gradient = request.gradient();
    for (std::size_t i = 0; i < whole.size(); ++i) {
        if (pad.low[i] == 0 && pad.high[i] == 0)
            continue;
        const std::int64_t padded = build.extents(gradient)[i];
        std::vector<double> shown;
        for (std::int64_t p = 0; p < padded; ++p)
            shown.push_back(static_cast<double>(paddedPosition(pad.mode, p - pad.low[i], whole[i])));
        const TensorId positions =
            build.constant("shown", std::move(shown), {{padded}, core::DataType::Int32});
        gradient = build.add(GatherGradient{{.axis = static_cast<std::int64_t>(i)}, whole[i]},
                             {positions, gradient}, "");
    }
    return gradient;
}

} // namespace

static InputGradients padGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const auto& pad = request.attributes<Pad>();
    if (pad.mode != PadMode::Constant)
        return {repeatedPadGradient(request)};
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

static InputGradients upsampleGradients(const GradientRequest& request) {
    const auto& upsample = request.attributes<Upsample>();
    return {request.build.add(UpsampleGradient{upsample}, {request.gradient()}, "")};
}

static InputGradients gatherGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const auto& gather = request.attributes<Gather>();
    const Extents table = build.extents(request.input(0));
    const std::size_t axis = normalizedAxis(gather.axis, table.size());
    GatherGradient attributes{gather, table[axis]};
    attributes.forward.axis = static_cast<std::int64_t>(axis);
    return {build.add(attributes, {request.input(1), request.gradient()}, ""), TensorId{}};
}

/// The gradient of the rows a sequence slice read: each row of the destination goes back to the row whose
/// copy is there at the end; copies that later slices wrote over count for nothing.
TensorId sourceRowGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const TensorId dy = request.gradient();
    const Extents destination = build.extents(dy);
    const std::int64_t sourceRows = build.extents(request.input(1))[0];
    std::vector<double> numbers;
    for (std::int64_t row = 0; row < sourceRows; ++row)
        numbers.push_back(static_cast<double>(row + 1));
    const TensorForm column{{sourceRows, 1}, core::DataType::Float32};
    const TensorId none = build.constant(0, {destination[0], 1}, core::DataType::Float32);
    const TensorId owners = build.add(SequenceSlice{},
                                      {none, build.constant("rows", std::move(numbers), column),
                                       request.input(2), request.input(3), request.input(4)},
                                      "owners");
    Extents wide(destination.size(), 1);
    wide[0] = destination[0];
    const TensorId isWritten = build.cast(
        build.binary(BinaryFunction::Greater, owners, build.constant(0, {}, core::DataType::Float32)),
        build.type(dy));
    const TensorId kept =
        build.binary(BinaryFunction::Multiply, dy, build.reshape(isWritten, std::move(wide)));
    const TensorId rows =
        build.cast(build.unary(UnaryFunction::Relu, build.scaleShift(owners, 1, -1)), core::DataType::Int32);
    return build.add(GatherGradient{{}, sourceRows}, {build.reshape(rows, {destination[0]}), kept}, "source");
}

static InputGradients sequenceSliceGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const bool zeroUnused = request.attributes<SequenceSlice>().zeroUnused;
    const TensorId dy = request.gradient();
    const TensorId counts = request.input(2);
    const TensorId from = request.input(3);
    const TensorId to = request.input(4);
    const TensorForm source = build.form(request.input(1));
    const TensorId nothing = build.constant(0, source.extents, source.type);
    InputGradients gradients(request.operation.inputs.size());
    if (request.wanted[0] && !zeroUnused)
        gradients[0] = build.add(SequenceSlice{}, {dy, nothing, counts, from, to}, "destination");
    if (request.wanted[0] && zeroUnused)
        gradients[0] = build.constant(0, build.form(dy).extents, build.type(dy));
    if (request.wanted[1])
        gradients[1] = sourceRowGradients(request);
    return gradients;
}

static InputGradients collectiveGradients(const GradientRequest& request) {
    // Sums meet everywhere what everyone added; a gather's transpose scatters sums.
    GraphBuilder& build = request.build;
    Collective attributes = request.attributes<Collective>();
    const bool isScatteredMean =
        attributes.kind == CollectiveKind::ReduceScatter && attributes.function == CollectiveFunction::Mean;
    if (attributes.kind == CollectiveKind::AllGather) {
        attributes.kind = CollectiveKind::ReduceScatter;
        attributes.function = CollectiveFunction::Add;
    } else if (attributes.kind == CollectiveKind::ReduceScatter) {
        attributes.kind = CollectiveKind::AllGather;
    }
    TensorId gradient = build.addAs(attributes, {request.gradient()}, "", build.form(request.input(0)));
    if (isScatteredMean) {
        // As many replicas as the gathered gradient has parts.
        const auto whole = static_cast<double>(elementCount(build.extents(request.input(0))));
        const auto part = static_cast<double>(elementCount(build.extents(request.gradient())));
        gradient = build.scaleShift(gradient, part / whole);
    }
    return {gradient};
}

static InputGradients userGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    UserOperation attributes = request.attributes<UserOperation>();
    attributes.isGradient = true;
    attributes.flops *= 2;
    std::vector<TensorId> inputs = request.operation.inputs;
    inputs.insert(inputs.end(), request.operation.outputs.begin(), request.operation.outputs.end());
    for (std::size_t i = 0; i < request.operation.outputs.size(); ++i)
        inputs.push_back(request.gradient(i));
    std::vector<OutputForm> outputs;
    for (const TensorId input : request.operation.inputs)
        outputs.push_back({"", build.form(input)});
    InputGradients gradients =
        build.addAllAs(std::move(attributes), std::move(inputs), "", std::move(outputs));
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        if (!request.wanted[i])
            gradients[i] = {};
    }
    return gradients;
}

static InputGradients opaqueGradients(const GradientRequest& request) {
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

// Gradients.

static GradientRule collectiveRule(const OperationAttributes& attributes) {
    const auto& collective = std::get<Collective>(attributes);
    const bool isLinear =
        collective.function == CollectiveFunction::Add || collective.function == CollectiveFunction::Mean ||
        collective.kind == CollectiveKind::AllGather || collective.kind == CollectiveKind::AllToAll;
    return isLinear ? collectiveGradients : nullptr;
}

// Outputs.

namespace {

Extents gathered(const Extents& table, std::size_t axis, const Extents& indices) {
    Extents extents(table.begin(), table.begin() + static_cast<std::ptrdiff_t>(axis));
    extents.insert(extents.end(), indices.begin(), indices.end());
    extents.insert(extents.end(), table.begin() + static_cast<std::ptrdiff_t>(axis) + 1, table.end());
    return extents;
}

} // namespace

static OutputForms outputsOf(const Transpose& transpose, InputForms inputs) {
    Extents extents;
    for (const std::int64_t axis : transpose.permutation)
        extents.push_back(inputs[0].extents[static_cast<std::size_t>(axis)]);
    return oneOutput(std::move(extents), inputs[0].type);
}
static OutputForms outputsOf(const Concatenate& concatenate, InputForms inputs) {
    Extents extents = inputs[0].extents;
    const std::size_t axis = normalizedAxis(concatenate.axis, extents.size());
    extents[axis] = 0;
    for (const TensorForm& input : inputs)
        extents[axis] += input.extents[axis];
    return oneOutput(std::move(extents), inputs[0].type);
}
static OutputForms outputsOf(const Pad& pad, InputForms inputs) {
    Extents extents = inputs[0].extents;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const std::int64_t gaps =
            pad.interior.empty() ? 0 : pad.interior[i] * std::max<std::int64_t>(extents[i] - 1, 0);
        extents[i] += gaps + pad.low[i] + pad.high[i];
    }
    return oneOutput(std::move(extents), inputs[0].type);
}
static OutputForms outputsOf(const Upsample& upsample, InputForms inputs) {
    Extents extents = inputs[0].extents;
    for (std::size_t i = 0; i < upsample.factors.size(); ++i)
        extents[i + 1] *= upsample.factors[i];
    return oneOutput(std::move(extents), inputs[0].type);
}
static OutputForms outputsOf(const UpsampleGradient& gradient, InputForms inputs) {
    const Upsample& upsample = gradient.forward;
    Extents extents = inputs[0].extents;
    for (std::size_t i = 0; i < upsample.factors.size(); ++i)
        extents[i + 1] /= upsample.factors[i];
    return oneOutput(std::move(extents), inputs[0].type);
}
static OutputForms outputsOf(const RecomputationCheckpoint&, InputForms inputs) {
    return sameOutput(inputs[0]);
}
static OutputForms outputsOf(const Copy&, InputForms inputs) {
    return sameOutput(inputs[0]);
}
static OutputForms outputsOf(const Gather& gather, InputForms inputs) {
    const std::size_t axis = normalizedAxis(gather.axis, inputs[0].extents.size());
    return oneOutput(gathered(inputs[0].extents, axis, inputs[1].extents), inputs[0].type);
}
static OutputForms outputsOf(const GatherGradient& gather, InputForms inputs) {
    const Extents& gradient = inputs[1].extents;
    const std::size_t indexRank = inputs[0].extents.size();
    const auto axis = static_cast<std::ptrdiff_t>(gather.forward.axis);
    Extents extents(gradient.begin(), gradient.begin() + axis);
    extents.push_back(gather.rows);
    extents.insert(extents.end(), gradient.begin() + axis + static_cast<std::ptrdiff_t>(indexRank),
                   gradient.end());
    return oneOutput(std::move(extents), inputs[1].type);
}
static OutputForms outputsOf(const SequenceSlice&, InputForms inputs) {
    return sameOutput(inputs[0]);
}
static OutputForms outputsOf(const Collective& collective, InputForms inputs) {
    return collective.kind == CollectiveKind::AllReduce ? sameOutput(inputs[0]) : OutputForms{};
}
static OutputForms outputsOf(const InterIpuCopy&, InputForms inputs) {
    return sameOutput(inputs[0]);
}
static OutputForms outputsOf(const StreamCopy&, InputForms inputs) {
    return inputs.empty() ? OutputForms{} : sameOutput(inputs[0]);
}
static OutputForms outputsOf(const ReplicationIndex&, InputForms) {
    return oneOutput({}, DataType::Int32);
}

std::span<const PartRow<GradientChoice>> movementsGradients() {
    static constexpr PartRow<GradientChoice> rows[]{
        {kindIndex<Reshape>(), reshapeRule},
        gradientRow<Transpose, transposeGradients>(),
        gradientRow<Concatenate, concatenateGradients>(),
        gradientRow<Slice, sliceGradients>(),
        gradientRow<Pad, padGradients>(),
        gradientRow<Upsample, upsampleGradients>(),
        noGradientRow<UpsampleGradient>("it is made by differentiation, which nothing differentiates again"),
        gradientRow<RecomputationCheckpoint, passGradients>(),
        gradientRow<Copy, passGradients>(),
        gradientRow<Fill, noGradients>(),
        gradientRow<Gather, gatherGradients>(),
        noGradientRow<GatherGradient>("it is made by differentiation, which nothing differentiates again"),
        // The gradient of the rows goes to the host (HostUpdate).
        gradientRow<HostLookup, noGradients>(),
        noGradientRow<HostUpdate>("weight updates come after differentiation"),
        gradientRow<SequenceSlice, sequenceSliceGradients>(),
        {kindIndex<Collective>(), collectiveRule},
        noGradientRow<InterIpuCopy>("stages are cut after differentiation"),
        // In the middle of a program: what the host computes is differentiated on the device.
        gradientRow<StreamCopy, passGradients>(),
        gradientRow<Opaque, opaqueGradients>(),
        gradientRow<UserOperation, userGradients>(),
        gradientRow<ReplicationIndex, noGradients>()};
    return rows;
}

std::span<const PartRow<OutputRule>> movementsOutputs() {
    static constexpr PartRow<OutputRule> rows[]{
        {kindIndex<Reshape>(), nullptr, "whoever makes it chooses its extents"},
        outputRow<Transpose, outputsOf>(),
        outputRow<Concatenate, outputsOf>(),
        {kindIndex<Slice>(), nullptr, "whoever makes it chooses its extents"},
        outputRow<Pad, outputsOf>(),
        outputRow<Upsample, outputsOf>(),
        outputRow<UpsampleGradient, outputsOf>(),
        outputRow<RecomputationCheckpoint, outputsOf>(),
        outputRow<Copy, outputsOf>(),
        {kindIndex<Fill>(), nullptr, "whoever makes it chooses its extents"},
        outputRow<Gather, outputsOf>(),
        outputRow<GatherGradient, outputsOf>(),
        {kindIndex<HostLookup>(), nullptr, "whoever makes it knows the rows of the table"},
        {kindIndex<HostUpdate>(), nullptr, "it rewrites its operands"},
        outputRow<SequenceSlice, outputsOf>(),
        outputRow<Collective, outputsOf>(),
        outputRow<InterIpuCopy, outputsOf>(),
        outputRow<StreamCopy, outputsOf>(),
        {kindIndex<Opaque>(), nullptr, "the declaration of its layer says them"},
        {kindIndex<UserOperation>(), nullptr, "the declaration of its layer says them"},
        outputRow<ReplicationIndex, outputsOf>()};
    return rows;
}

} // namespace simulator
