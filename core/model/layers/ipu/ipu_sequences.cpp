// Sequences: gated units with lengths, connectionist temporal classification, slices.
#include "core/model/layers/ipu/ipu_families.h"
#include "core/model/layers/recurrent/recurrent_rules.h"

namespace core {

namespace {

using namespace attribute;

RuleResult<CallFacts> describeGatedUnit(const LayerCall& call) {
    if (auto error = requireRank(call, 3))
        return tl::unexpected(*error);
    const auto features = requireExtent(call.shape(), 2);
    if (!features)
        return tl::unexpected(features.error());
    return runCell(call, describeCell(call, gatedCell(), *features));
}

/// data [samples, steps, classes], or time first.
std::optional<RuleError> requireData(const LayerCall& call) {
    return requireRank(call, 3);
}
Dimension samplesOf(const LayerCall& call) {
    return call.shape()[call.attributes.boolean("time_major") ? 1 : 0];
}

RuleResult<CallFacts> describeCtcLoss(const LayerCall& call) {
    if (auto error = requireData(call))
        return tl::unexpected(*error);
    CallFacts facts = output(Shape{samplesOf(call)}, DataType::Float32);
    facts.flops = elements(call.shape()) * 8;
    return facts;
}

RuleResult<CallFacts> describeBeamSearch(const LayerCall& call) {
    if (auto error = requireData(call))
        return tl::unexpected(*error);
    const std::int64_t paths = call.attributes.integer("top_paths");
    if (paths > call.attributes.integer("beam_width"))
        return refuse("wants more paths than it follows", "raise beam_width", "top_paths");
    const Dimension samples = samplesOf(call);
    const Dimension steps = call.shape()[call.attributes.boolean("time_major") ? 0 : 1];
    CallFacts facts;
    facts.outputs = {{Shape{samples, paths}, DataType::Float32},
                     {Shape{samples, paths}, DataType::Int32},
                     {Shape{samples, paths, steps}, DataType::Int32}};
    facts.flops = elements(call.shape()) * call.attributes.integer("beam_width") * 4;
    return facts;
}

RuleResult<CallFacts> describeSequenceSlice(const LayerCall& call) {
    if (auto error = requireMinimumRank(call, 1))
        return tl::unexpected(*error);
    return sameAsInput(call);
}

/// Slices [total, …] one after the other: their rows follow from the counts.
RuleResult<CallFacts> describeUnpack(const LayerCall& call) {
    if (auto error = requireMinimumRank(call, 1))
        return tl::unexpected(*error);
    Shape shape = call.shape();
    shape[0] = call.attributes.integer("total_elements");
    return output(shape, call.inputType());
}

Attributes gatedAttributes() {
    return joined({cellAttributes(gatedCell()), sequenceAttributes()});
}

Attributes dataAttributes() {
    return {integer("blank_index", "The class that stands for no label; -1 is the last.")
                .between(-1, 1e6)
                .defaults(0),
            boolean("from_logits", true, "Whether the data are logits, else logarithms of probabilities."),
            boolean("time_major", false, "Whether the steps are the first axis.")};
}

LayerDefinition gated(std::string className, std::string documentation, std::vector<std::string> inputs) {
    LayerDefinition definition = ipuLayer(std::move(className), std::move(documentation), gatedAttributes(),
                                          describeGatedUnit, std::move(inputs));
    ++definition.maximumInputs;
    definition.inputNames.emplace_back("state");
    return definition;
}

} // namespace

LayerFamily ipuSequenceLayers() {
    const auto zeroUnused = [] {
        return boolean("zero_unused", false, "Whether rows that no slice writes become zero.");
    };
    return {
        gated("DynamicGRU", "A GRU over sequences of different lengths; later steps give zeros.",
              {"sequence", "sequence_length"}),
        gated("AUGRU", "A GRU whose update gate is scaled by attention, over sequences of different lengths.",
              {"sequence", "sequence_length", "attention_score"}),
        ipuLayer("CTCLoss", "Negative logarithm of the probability of a label sequence, for each sample.",
                 dataAttributes(), describeCtcLoss, {"data", "labels", "label_length", "data_length"}),
        ipuLayer(
            "CTCBeamSearch", "The most probable label sequences: probabilities, lengths and labels.",
            joined({dataAttributes(),
                    {integer("beam_width", "Paths followed side by side.").between(1, 10000).defaults(100),
                     integer("top_paths", "Paths that come out.").between(1, 10000).defaults(1)}}),
            describeBeamSearch, {"data", "data_length"}),
        ipuLayer("SequenceSlice", "Copies slices of rows of one tensor into another.", {zeroUnused()},
                 describeSequenceSlice, {"dst", "src", "num_elems", "src_offsets", "dst_offsets"}),
        ipuLayer("SequenceSlicePack",
                 "Copies rows that come one after the other in one tensor to slices of another.",
                 {zeroUnused()}, describeSequenceSlice, {"dst", "src", "num_elems", "dst_offsets"}),
        ipuLayer("SequenceSliceUnpack", "Copies slices of rows of a tensor out, one after the other.",
                 {integer("total_elements", "Rows of all slices together.").between(1, 1e9).required(1)},
                 describeUnpack, {"src", "num_elems", "src_offsets"}),
    };
}

} // namespace core
