// Layers that join several inputs.
#include "core/config/keras_catalogue.h"
#include "simulator/compiler/lowering/layer_geometry.h"
#include "simulator/compiler/lowering/layer_lowering.h"
#include "simulator/compiler/lowering/loss_lowering.h"

#include <algorithm>

namespace simulator {
namespace {

using core::TensorId;

/// Inputs with as many axes as the one with the most: Keras puts the missing ones behind the batch axis.
std::vector<TensorId> alignedInputs(LoweringCall& call) {
    std::size_t rank = 0;
    for (const TensorId id : call.inputs)
        rank = std::max(rank, call.build.rank(id));
    std::vector<TensorId> aligned;
    for (const TensorId id : call.inputs) {
        Extents extents = call.build.extents(id);
        extents.insert(extents.begin() + (extents.empty() ? 0 : 1), rank - extents.size(), 1);
        aligned.push_back(call.build.reshape(id, std::move(extents)));
    }
    return aligned;
}

/// A step counts where every input that has a mask counts it.
void joinMasks(LoweringCall& call, TensorId output) {
    TensorId joined;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        const TensorId mask = call.mask(i);
        if (mask.isValid())
            joined = joined.isValid() ? call.build.binary(BinaryFunction::LogicalAnd, joined, mask) : mask;
    }
    call.setMask(output, joined);
}

Lowered joinInputs(LoweringCall& call, BinaryFunction function, double scale = 1) {
    const std::vector<TensorId> inputs = alignedInputs(call);
    TensorId result = inputs.front();
    for (std::size_t i = 1; i < inputs.size(); ++i)
        result = call.build.binary(function, result, inputs[i]);
    result = call.build.scaleShift(result, scale);
    joinMasks(call, result);
    return std::vector{result};
}

Lowered lowerAdd(LoweringCall& call) {
    return joinInputs(call, BinaryFunction::Add);
}
Lowered lowerSubtract(LoweringCall& call) {
    return joinInputs(call, BinaryFunction::Subtract);
}
Lowered lowerMultiply(LoweringCall& call) {
    return joinInputs(call, BinaryFunction::Multiply);
}
Lowered lowerAverage(LoweringCall& call) {
    return joinInputs(call, BinaryFunction::Add, 1.0 / static_cast<double>(call.inputs.size()));
}
Lowered lowerMaximum(LoweringCall& call) {
    return joinInputs(call, BinaryFunction::Maximum);
}
Lowered lowerMinimum(LoweringCall& call) {
    return joinInputs(call, BinaryFunction::Minimum);
}

Lowered lowerConcatenate(LoweringCall& call) {
    const TensorId result = call.build.concatenate(call.inputs, call.attributes.axes("axis").front());
    joinMasks(call, result);
    return std::vector{result};
}

/// x scaled to length 1 along `axis`.
TensorId unitVectors(GraphBuilder& build, TensorId x, std::int64_t axis) {
    const TensorId squares =
        build.reduce(ReduceFunction::Sum, build.unary(UnaryFunction::Square, x), {axis}, true);
    const TensorId bounded =
        build.binary(BinaryFunction::Maximum, squares, build.constant(1e-12, {}, build.type(x)));
    return build.binary(BinaryFunction::Multiply, x,
                        build.unary(UnaryFunction::ReciprocalSquareRoot, bounded));
}

/// [N, others…, summed] as [N, product of others, summed].
TensorId asRows(GraphBuilder& build, TensorId x, std::int64_t axis, Extents& others) {
    const TensorId last = moveAxis(build, x, axis, -1);
    const Extents extents = build.extents(last);
    others.assign(extents.begin() + 1, extents.end() - 1);
    return build.reshape(last, {extents.front(), elementCount(others), extents.back()});
}

Lowered lowerDot(LoweringCall& call) {
    GraphBuilder& build = call.build;
    std::vector<std::int64_t> axes = call.attributes.axes("axes");
    if (axes.size() == 1)
        axes.push_back(axes.front());
    TensorId left = call.input(0);
    TensorId right = call.input(1);
    if (call.attributes.boolean("normalize")) {
        left = unitVectors(build, left, axes[0]);
        right = unitVectors(build, right, axes[1]);
    }
    Extents leftOthers;
    Extents rightOthers;
    const TensorId leftRows = asRows(build, left, axes[0], leftOthers);
    const TensorId rightRows = asRows(build, right, axes[1], rightOthers);
    const TensorId product = build.add(MatMul{false, true}, {leftRows, rightRows}, "matmul");
    Extents extents{build.extents(product).front()};
    extents.insert(extents.end(), leftOthers.begin(), leftOthers.end());
    extents.insert(extents.end(), rightOthers.begin(), rightOthers.end());
    if (extents.size() == 1)
        extents.push_back(1);
    return std::vector{build.reshape(product, std::move(extents))};
}

Lowered lowerLossValue(LoweringCall& call) {
    constexpr const char* hint = "give it a loss of Keras with its config";
    const core::Json& given = call.attributes.value("loss");
    core::Diagnostics findings;
    auto object = core::readKerasObject(given, core::lossCatalogue(), "", "", findings);
    if (!object || given.is_null())
        return cannotLower("its \"loss\" is no loss", hint);
    object->config["reduction"] = "none";
    const auto loss = LossLowering::make(*object, call.extents(1));
    if (!loss)
        return core::failure(loss.error());
    const TensorForm target = loss->targetForm();
    // Class numbers may have an axis of one behind them.
    TensorId labels = call.build.cast(call.input(0), target.type);
    const Extents own = call.extents(0);
    const bool isSpread = target.type == core::DataType::Float32 && own.size() == target.extents.size() &&
                          std::ranges::equal(own, target.extents, [](std::int64_t has, std::int64_t wants) {
                              return has == wants || has == 1;
                          });
    if (isSpread)
        labels = call.build.broadcast(labels, target.extents);
    else if (elementCount(own) != elementCount(target.extents))
        return cannotLower("its labels are not those of its predictions",
                           "give labels of the predictions' shape, or class numbers to a sparse loss");
    labels = call.build.reshape(labels, target.extents);
    const auto values =
        loss->add(call.build, {call.build.cast(call.input(1), core::DataType::Float32), labels, {}},
                  loss->attributes().fromLogits);
    if (!values)
        return core::failure(values.error());
    Extents extents = call.extents(1);
    extents.pop_back();
    if (call.build.extents(*values) != extents)
        return cannotLower("this loss gives no value for each sample", "choose a loss over the last axis");
    return std::vector{*values};
}

constexpr LoweringEntry mergingLayers[]{
    {"Add", lowerAdd},
    {"Subtract", lowerSubtract},
    {"Multiply", lowerMultiply},
    {"Average", lowerAverage},
    {"Maximum", lowerMaximum},
    {"Minimum", lowerMinimum},
    {"Concatenate", lowerConcatenate},
    {"Dot", lowerDot},
    {"LossValue", lowerLossValue},
};

} // namespace

std::span<const LoweringEntry> mergingLowerings() {
    return mergingLayers;
}

} // namespace simulator
