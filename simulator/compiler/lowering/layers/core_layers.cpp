// Dense layers, embeddings and masks.
#include "simulator/compiler/lowering/activation_functions.h"
#include "simulator/compiler/lowering/functions/einsum.h"
#include "simulator/compiler/lowering/layer_lowering.h"

namespace simulator {
namespace {

using core::TensorId;

Lowered lowerDense(LoweringCall& call) {
    const TensorId product = call.build.add(MatMul{}, {call.input(), call.weight("kernel")}, "matmul");
    return withActivation(call, call.addBias(product));
}

Lowered lowerEinsumDense(LoweringCall& call) {
    const TensorId kernel = call.weight("kernel");
    const std::string equation = withoutEllipsis(
        call.attributes.text("equation"), static_cast<std::size_t>(call.rank()), call.build.rank(kernel));
    const auto product = addEinsum(call.build, equation, call.input(), kernel);
    return product ? withActivation(call, call.addBias(*product)) : core::failure(product.error());
}

TensorId asIndices(LoweringCall& call) {
    return call.build.cast(call.input(), core::DataType::Int32);
}

Lowered lowerEmbedding(LoweringCall& call) {
    const TensorId indices = asIndices(call);
    const Gather gather{0, call.attributes.integer("serialization_factor")};
    const TensorId rows = call.build.add(gather, {call.weight("embeddings"), indices}, "lookup");
    if (call.attributes.boolean("mask_zero")) {
        const TensorId zero = call.build.constant(0, {}, core::DataType::Int32);
        call.setMask(rows, call.build.binary(BinaryFunction::NotEqual, indices, zero));
    }
    return std::vector{rows};
}

Lowered lowerReversibleEmbedding(LoweringCall& call) {
    if (!call.argumentFlag("reverse"))
        return std::vector{call.build.add(Gather{}, {call.weight("embeddings"), asIndices(call)}, "lookup")};
    const bool isTied = !call.hasWeight("reverse_embeddings");
    MatMul product;
    product.transposeRight = isTied;
    TensorId logits = call.build.add(
        product, {call.input(), call.weight(isTied ? "embeddings" : "reverse_embeddings")}, "matmul");
    if (!call.attributes.isNull("logit_soft_cap")) {
        const double cap = call.attributes.number("logit_soft_cap");
        logits = call.build.unary(UnaryFunction::Tanh, call.build.scaleShift(logits, 1 / cap));
        logits = call.build.scaleShift(logits, cap);
    }
    return std::vector{logits};
}

Lowered lowerPositionEmbedding(LoweringCall& call) {
    const Extents extents = call.extents();
    const TensorId rows = call.build.slice(call.weight("embeddings"), 0, 0, extents[extents.size() - 2]);
    return std::vector{call.build.broadcast(rows, extents)};
}

Lowered lowerMasking(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const TensorId value = build.constant(call.attributes.number("mask_value"), {}, build.type(call.input()));
    const TensorId differs = build.binary(BinaryFunction::NotEqual, call.input(), value);
    const TensorId mask = build.reduce(ReduceFunction::Any, differs, {-1}, true);
    const TensorId kept =
        build.binary(BinaryFunction::Multiply, call.input(), build.cast(mask, build.type(call.input())));
    Extents steps = build.extents(mask);
    steps.pop_back();
    call.setMask(kept, build.reshape(mask, std::move(steps)));
    return std::vector{kept};
}

Lowered lowerIdentity(LoweringCall& call) {
    return call.inputs;
}

constexpr LoweringEntry coreLayers[]{
    {"Dense", lowerDense, true},
    {"EinsumDense", lowerEinsumDense, true},
    {"Embedding", lowerEmbedding},
    {"ReversibleEmbedding", lowerReversibleEmbedding},
    {"PositionEmbedding", lowerPositionEmbedding},
    {"Masking", lowerMasking},
    {"Identity", lowerIdentity, true},
};

} // namespace

std::span<const LoweringEntry> coreLowerings() {
    return coreLayers;
}

} // namespace simulator
