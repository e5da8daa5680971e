// Layers of the IPU extensions that Keras itself does not have.
#include "simulator/compiler/lowering/activation_functions.h"
#include "simulator/compiler/lowering/ipu_operations.h"
#include "simulator/compiler/lowering/layer_lowering.h"
#include "simulator/compiler/lowering/recurrent_cell.h"

#include <array>

namespace simulator {
namespace {

using core::DataType;
using core::TensorId;

Lowered one(TensorId id) {
    return std::vector{id};
}

Lowered lowerRecomputationCheckpoint(LoweringCall& call) {
    std::vector<TensorId> outputs;
    for (const TensorId input : call.inputs)
        outputs.push_back(call.build.add(RecomputationCheckpoint{}, {input}, "checkpoint"));
    return outputs;
}

Lowered lowerHostTransfer(LoweringCall& call) {
    const bool isToHost = call.attributes.text("direction") == "to_host";
    return one(
        call.build.add(StreamCopy{isToHost ? StreamDirection::DeviceToHost : StreamDirection::HostToDevice},
                       {call.input()}, isToHost ? "to_host" : "from_host"));
}

// Products in pieces.

MatMulAxis serializedAxis(const std::string& name) {
    if (name == "a_columns" || name == "input_columns")
        return MatMulAxis::Rows;
    return name == "b_rows" || name == "kernel_rows" ? MatMulAxis::Columns : MatMulAxis::Inner;
}

MatMul serializedProduct(const LoweringCall& call) {
    MatMul product;
    product.serialization = call.attributes.integer("serialization_factor");
    product.serializedAxis = serializedAxis(call.attributes.text("serialization_dimension"));
    return product;
}

Lowered lowerSerialDense(LoweringCall& call) {
    const TensorId product =
        call.build.add(serializedProduct(call), {call.input(), call.weight("kernel")}, "matmul");
    return withActivation(call, call.addBias(product));
}

Lowered lowerSerializedMatmul(LoweringCall& call) {
    MatMul product = serializedProduct(call);
    product.transposeLeft = call.attributes.boolean("transpose_a");
    product.transposeRight = call.attributes.boolean("transpose_b");
    return one(call.build.add(product, {call.input(0), call.input(1)}, "matmul"));
}

// Statistics and images.

TensorId numbers(LoweringCall& call, const char* attribute, DataType type = DataType::Float32) {
    std::vector<double> values;
    for (const core::Json& value : call.attributes.value(attribute))
        values.push_back(value.is_number() ? value.get<double>() : 0);
    const auto count = static_cast<std::int64_t>(values.size());
    return call.build.constant(attribute, std::move(values), {{count}, type});
}

Lowered lowerHistogram(LoweringCall& call) {
    const bool takesLevels = call.attributes.isNull("levels");
    const bool isUpdate = call.inputs.size() > (takesLevels ? 2 : 1);
    const TensorId levels = takesLevels
                                ? call.build.cast(call.input(call.inputs.size() - 1), DataType::Float32)
                                : numbers(call, "levels");
    std::vector<TensorId> inputs{call.input(), levels};
    if (isUpdate)
        inputs.push_back(call.input(1));
    const Histogram attributes{call.attributes.boolean("absolute_of_input"), isUpdate};
    return one(call.build.add(attributes, std::move(inputs), ""));
}

Lowered lowerFixedWidthBins(LoweringCall& call) {
    return one(addFixedWidthBins(call.build, call.input(), call.attributes.integer("n_bins")));
}

Lowered lowerNormaliseImage(LoweringCall& call) {
    const TensorId image = call.build.cast(call.input(), DataType::Float32);
    const TensorId normal =
        addNormalisedImage(call.build, image, call.attributes.number("scale"),
                           numbers(call, "channel_offsets"), numbers(call, "channel_scales"));
    return one(call.build.cast(normal, call.precision.compute));
}

// Sampled losses.

Lowered lowerSampledLoss(LoweringCall& call) {
    const SampledClasses sampling{call.attributes.integer("num_classes"),
                                  call.attributes.integer("num_sampled"), call.attributes.integer("num_true"),
                                  call.seed(), call.nextStream()};
    const auto add = call.attributes.definition().className == "NceLoss" ? addNceLoss : addSampledSoftmaxLoss;
    const TensorId labels = call.build.cast(call.input(1), DataType::Int32);
    if (elementCount(call.build.extents(labels)) != call.extents()[0] * sampling.trueClasses)
        return cannotLower("labels and num_true do not agree", "give num_true labels for each sample");
    return one(add(call.build, sampling, call.input(), labels, call.weight("kernel"), call.weight("bias")));
}

// Functions people write themselves.

Lowered lowerExpression(LoweringCall& call) {
    const auto value = addExpression(call.build, call.attributes.text("expression"), call.inputs);
    if (!value)
        return core::failure(value.error());
    Extents extents;
    for (const TensorId input : call.inputs)
        extents = broadcastExtents(extents, call.build.extents(input));
    return one(call.build.broadcast(*value, std::move(extents)));
}

Lowered lowerUserOperation(LoweringCall& call) {
    UserOperation attributes;
    attributes.library = call.attributes.text("library_path");
    attributes.entry = call.attributes.text("op_name");
    attributes.attributes = call.attributes.text("attributes");
    attributes.flops = call.attributes.integer("flops");
    std::vector<OutputForm> outputs;
    for (const core::TensorSpec& spec : call.outputs) {
        OutputForm output;
        for (std::size_t axis = 0; axis < spec.shape.rank(); ++axis)
            output.form.extents.push_back(spec.shape[axis].value_or(call.extents()[0]));
        output.form.type = spec.type;
        outputs.push_back(std::move(output));
    }
    if (outputs.empty())
        outputs.push_back({"", call.build.form(call.input())});
    return call.build.addAllAs(std::move(attributes), call.inputs, "", std::move(outputs));
}

// Sequences.

Lowered lowerGatedUnit(LoweringCall& call) {
    auto attributes = recurrentAttributes(call.attributes, "GRU");
    if (!attributes)
        return core::failure(attributes.error());
    attributes->returnSequences = call.attributes.boolean("return_sequences");
    attributes->goBackwards = call.attributes.boolean("go_backwards");
    const bool hasAttention = call.attributes.definition().className == "AUGRU";
    RecurrentOperands operands;
    operands.x = timeMajorSwapped(call, call.input());
    operands.kernel = call.weight("kernel");
    operands.recurrentKernel = call.weight("recurrent_kernel");
    if (call.hasWeight("bias"))
        operands.bias = call.weight("bias");
    operands.lengths = call.build.cast(call.input(1), DataType::Int32);
    const std::size_t stateAt = hasAttention ? 3 : 2;
    if (hasAttention)
        operands.attention = call.input(2);
    if (call.inputs.size() > stateAt)
        operands.states = {call.input(stateAt)};
    const auto result = addRecurrent(call, *attributes, operands);
    if (!result)
        return core::failure(result.error());
    std::vector<TensorId> outputs{timeMajorSwapped(call, result->output)};
    if (call.attributes.boolean("return_state"))
        outputs.push_back(result->states.front());
    return outputs;
}

/// data with the steps first.
TensorId timeMajor(LoweringCall& call) {
    return call.attributes.boolean("time_major") ? call.input()
                                                 : call.build.transpose(call.input(), {1, 0, 2});
}
std::int64_t blankOf(LoweringCall& call) {
    const std::int64_t blank = call.attributes.integer("blank_index");
    return blank < 0 ? call.extents().back() + blank : blank;
}

Lowered lowerCtcLoss(LoweringCall& call) {
    std::vector<TensorId> inputs{timeMajor(call)};
    for (std::size_t i = 1; i < 4; ++i)
        inputs.push_back(call.build.cast(call.input(i), DataType::Int32));
    const CtcLoss attributes{blankOf(call), call.attributes.boolean("from_logits")};
    return one(call.build.addAll(attributes, std::move(inputs), "ctc").front());
}

Lowered lowerCtcBeamSearch(LoweringCall& call) {
    const CtcBeamSearch attributes{blankOf(call), call.attributes.boolean("from_logits"),
                                   call.attributes.integer("beam_width"),
                                   call.attributes.integer("top_paths")};
    return call.build.addAll(attributes, {timeMajor(call), call.build.cast(call.input(1), DataType::Int32)},
                             "ctc");
}

/// Where the slices lie: a list of the layer, or the next input.
TensorId placesOf(LoweringCall& call, const char* attribute, std::size_t& nextInput) {
    if (call.attributes.isNull(attribute))
        return call.build.cast(call.input(nextInput++), DataType::Int32);
    return numbers(call, attribute, DataType::Int32);
}

/// What is written to, and what is read; `nextInput` is then the first input behind them.
std::pair<TensorId, TensorId> destinationAndSource(LoweringCall& call, std::size_t& nextInput) {
    const auto rows = call.attributes.optionalInteger("dst_rows");
    const TensorId first = call.input(nextInput++);
    if (!rows)
        return {first, call.input(nextInput++)};
    Extents extents = call.build.extents(first);
    extents.front() = *rows;
    return {call.build.constant(0, std::move(extents), call.build.type(first)), first};
}

Lowered lowerSequenceSlice(LoweringCall& call) {
    std::size_t next = 0;
    const auto [destination, source] = destinationAndSource(call, next);
    const TensorId counts = placesOf(call, "num_elems", next);
    const TensorId from = placesOf(call, "src_offsets", next);
    const TensorId to = placesOf(call, "dst_offsets", next);
    return one(addSequenceSlice(call.build, destination, source, counts, from, to,
                                call.attributes.boolean("zero_unused")));
}

Lowered lowerPack(LoweringCall& call) {
    std::size_t next = 0;
    const auto [destination, source] = destinationAndSource(call, next);
    const TensorId counts = placesOf(call, "num_elems", next);
    const TensorId offsets = placesOf(call, "dst_offsets", next);
    return one(addSequenceSlice(call.build, destination, source, counts, {}, offsets,
                                call.attributes.boolean("zero_unused")));
}

Lowered lowerUnpack(LoweringCall& call) {
    GraphBuilder& build = call.build;
    Extents extents = call.extents();
    extents.front() = call.attributes.integer("total_elements");
    const TensorId nothing = build.constant(0, std::move(extents), build.type(call.input()));
    std::size_t next = 1;
    const TensorId counts = placesOf(call, "num_elems", next);
    const TensorId offsets = placesOf(call, "src_offsets", next);
    return one(addSequenceSlice(build, nothing, call.input(), counts, offsets, {}, false));
}

// Rows on the host.

Lowered lowerHostEmbedding(LoweringCall& call) {
    GraphBuilder& build = call.build;
    HostLookup lookup;
    lookup.table.partition = call.attributes.text("partition_strategy") == "ENCODING"
                                 ? EmbeddingPartition::Encoding
                                 : EmbeddingPartition::Token;
    lookup.clipIndices = call.attributes.boolean("clip_indices");
    const TensorId table = call.storedWeight("embeddings");
    const TensorId indices = build.cast(call.input(), DataType::Int32);
    TensorForm form{build.extents(indices), call.precision.compute};
    form.extents.push_back(build.extents(table)[1]);
    const TensorId rows = build.addAs(lookup, {table, indices}, "lookup", std::move(form));
    if (call.context.training && call.trainable && !call.attributes.isNull("optimizer")) {
        TrainedLookup trained{rows, indices, {table}, {}, build.scope()};
        trained.update = {lookup.table, call.attributes.number("learning_rate"), 1, lookup.clipIndices};
        if (call.hasWeight("accumulator")) {
            trained.update.accumulation = call.attributes.integer("accumulation_factor");
            trained.tables.push_back(call.storedWeight("accumulator"));
            trained.tables.push_back(call.storedWeight("count"));
        }
        call.context.trainedLookups.push_back(std::move(trained));
    }
    return one(rows);
}

// Between replicas.

Lowered lowerAllReduce(LoweringCall& call) {
    Collective attributes;
    attributes.groupSize = call.attributes.integer("replica_group_size");
    if (call.attributes.definition().className == "CrossReplicaMean")
        attributes.function = CollectiveFunction::Mean;
    return one(call.build.add(attributes, {call.input()}, ""));
}

Lowered lowerAllGather(LoweringCall& call) {
    Collective attributes{CollectiveKind::AllGather};
    attributes.groupSize = call.attributes.integer("replication_factor");
    TensorForm form = call.build.form(call.input());
    form.extents.insert(form.extents.begin(), attributes.groupSize);
    return one(call.build.addAs(attributes, {call.input()}, "", std::move(form)));
}

/// The kernel exchanges equal pieces along the first axis: the split axis comes first for it and goes back.
Lowered lowerAllToAll(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const std::int64_t replicas = call.attributes.integer("number_of_replicas");
    const std::size_t rank = call.extents().size();
    const std::size_t split = normalizedAxis(call.attributes.integer("split_dimension"), rank);
    const std::size_t join = normalizedAxis(call.attributes.integer("concat_dimension"), rank);
    std::vector<TensorId> pieces;
    const std::int64_t share = call.extents()[split] / replicas;
    for (std::int64_t i = 0; i < replicas; ++i)
        pieces.push_back(build.slice(call.input(), static_cast<std::int64_t>(split), i * share, share));
    Extents stacked = build.extents(pieces.front());
    stacked.insert(stacked.begin(), 1);
    for (TensorId& piece : pieces)
        piece = build.reshape(piece, stacked);
    Collective attributes{CollectiveKind::AllToAll};
    attributes.groupSize = replicas;
    const TensorId sent = build.concatenate(pieces, 0);
    const TensorId received = build.addAs(attributes, {sent}, "", build.form(sent));
    std::vector<TensorId> parts;
    for (std::int64_t i = 0; i < replicas; ++i) {
        const TensorId part = build.slice(received, 0, i, 1);
        parts.push_back(build.reshape(part, Extents(stacked.begin() + 1, stacked.end())));
    }
    return one(build.concatenate(parts, static_cast<std::int64_t>(join)));
}

CollectiveFunction collectiveFunction(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, CollectiveFunction>, 9> names{
        {{"COLLECTIVE_OP_ADD", CollectiveFunction::Add},
         {"COLLECTIVE_OP_MEAN", CollectiveFunction::Mean},
         {"COLLECTIVE_OP_MUL", CollectiveFunction::Multiply},
         {"COLLECTIVE_OP_MIN", CollectiveFunction::Minimum},
         {"COLLECTIVE_OP_MAX", CollectiveFunction::Maximum},
         {"COLLECTIVE_OP_LOGICAL_AND", CollectiveFunction::LogicalAnd},
         {"COLLECTIVE_OP_LOGICAL_OR", CollectiveFunction::LogicalOr},
         {"COLLECTIVE_OP_SQUARE_ADD", CollectiveFunction::SquareAdd},
         {"COLLECTIVE_OP_LOCAL", CollectiveFunction::Local}}};
    for (const auto& [known, function] : names) {
        if (known == name)
            return function;
    }
    return CollectiveFunction::Add;
}

Lowered lowerReduceScatter(LoweringCall& call) {
    GraphBuilder& build = call.build;
    Collective attributes{CollectiveKind::ReduceScatter, collectiveFunction(call.attributes.text("op"))};
    attributes.groupSize = call.attributes.integer("replication_factor");
    const std::int64_t count = elementCount(call.extents());
    const std::int64_t share = (count + attributes.groupSize - 1) / attributes.groupSize;
    TensorId flat = build.reshape(call.input(), {count});
    if (share * attributes.groupSize > count)
        flat = build.add(Pad{{0}, {share * attributes.groupSize - count}, {}}, {flat}, "pad");
    return one(build.addAs(attributes, {flat}, "", {{share}, build.type(flat)}));
}

Lowered lowerReplicationIndex(LoweringCall& call) {
    return one(call.build.add(ReplicationIndex{}, {}, ""));
}

Lowered lowerAssumeEqual(LoweringCall& call) {
    return one(call.input());
}

constexpr LoweringEntry ipuLayers[]{
    {"RecomputationCheckpoint", lowerRecomputationCheckpoint, true},
    {"HostTransfer", lowerHostTransfer},
    {"SerialDense", lowerSerialDense, true},
    {"SerializedMatmul", lowerSerializedMatmul},
    {"Histogram", lowerHistogram},
    {"FixedWidthBins", lowerFixedWidthBins},
    {"NormaliseImage", lowerNormaliseImage},
    {"NceLoss", lowerSampledLoss},
    {"SampledSoftmaxLoss", lowerSampledLoss},
    {"ElementwiseExpression", lowerExpression},
    {"UserOperation", lowerUserOperation},
    {"DynamicGRU", lowerGatedUnit},
    {"AUGRU", lowerGatedUnit},
    {"CTCLoss", lowerCtcLoss},
    {"CTCBeamSearch", lowerCtcBeamSearch},
    {"SequenceSlice", lowerSequenceSlice},
    {"SequenceSlicePack", lowerPack},
    {"SequenceSliceUnpack", lowerUnpack},
    {"HostEmbedding", lowerHostEmbedding},
    {"CrossReplicaSum", lowerAllReduce},
    {"CrossReplicaMean", lowerAllReduce},
    {"AllGather", lowerAllGather},
    {"AllToAll", lowerAllToAll},
    {"ReduceScatter", lowerReduceScatter},
    {"ReplicationIndex", lowerReplicationIndex},
    {"AssumeEqualAcrossReplicas", lowerAssumeEqual, true},
};

} // namespace

std::span<const LoweringEntry> ipuLowerings() {
    return ipuLayers;
}

} // namespace simulator
