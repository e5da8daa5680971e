// Sequences: gated units with lengths, connectionist temporal classification, slices.
#include "core/model/layers/ipu/ipu_families.h"
#include "core/model/layers/recurrent/recurrent_rules.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// Where slices lie: how many rows each has, where they are read and where they are written.
constexpr std::array slicePlaces{"num_elems", "src_offsets", "dst_offsets"};

bool isListOfRows(const Json& value) {
    return value.is_array() && !value.empty() && std::ranges::all_of(value, [](const Json& entry) {
               return entry.is_number_integer() && entry.get<std::int64_t>() >= 0 &&
                      entry.get<std::int64_t>() <= largestExtent;
           });
}

/// The places are inputs after the `tensors`, or lists in the layer, then all of the same length.
std::optional<RuleError> requirePlaces(const LayerCall& call, std::size_t tensors) {
    std::vector<std::string> names;
    for (const char* name : slicePlaces)
        if (call.attributes.definition().findAttribute(name) != nullptr)
            names.emplace_back(name);
    const auto isOpen = [&](const std::string& name) { return call.attributes.isNull(name); };
    const bool areInputs = std::ranges::all_of(names, isOpen);
    const Json& counts = call.attributes.value(names.front());
    for (const std::string& name : names) {
        if (areInputs)
            break;
        const Json& list = call.attributes.value(name);
        if (!isListOfRows(list))
            return RuleError{"has a " + name + " that is no list of whole numbers from 0",
                             fmt::format("give {} as lists, or none of them", fmt::join(names, ", ")), name};
        if (list.size() != counts.size())
            return RuleError{
                fmt::format("{} has {} entries, {} has {}", name, list.size(), names.front(), counts.size()),
                "give one entry for each slice", name};
    }
    const std::size_t wanted = tensors + (areInputs ? names.size() : 0);
    if (call.inputs.size() != wanted)
        return RuleError{
            fmt::format("takes {} input{}, has {}", wanted, wanted == 1 ? "" : "s", call.inputs.size()),
            areInputs ? fmt::format("connect {}, or give them as lists", fmt::join(names, ", "))
                      : "connect only what the layer's lists do not say",
            ""};
    return std::nullopt;
}

RuleResult<CallFacts> describeSequenceSlice(const LayerCall& call) {
    const bool startsEmpty = !call.attributes.isNull("dst_rows");
    if (auto error = requirePlaces(call, startsEmpty ? 1 : 2))
        return tl::unexpected(*error);
    if (auto error = requireMinimumRank(call, 1))
        return tl::unexpected(*error);
    if (!startsEmpty)
        return sameAsInput(call);
    Shape shape = call.shape();
    shape[0] = call.attributes.integer("dst_rows");
    return output(shape, call.inputType());
}

/// Slices [total, …] one after the other: their rows follow from the counts.
RuleResult<CallFacts> describeUnpack(const LayerCall& call) {
    if (auto error = requirePlaces(call, 1))
        return tl::unexpected(*error);
    if (auto error = requireMinimumRank(call, 1))
        return tl::unexpected(*error);
    Shape shape = call.shape();
    shape[0] = call.attributes.integer("total_elements");
    return output(shape, call.inputType());
}

AttributeDefinition placeList(const char* name) {
    return json(name, nullptr, "One entry for each slice, in rows; null: the input of that name.");
}

Attributes destinationAttributes() {
    return {boolean("zero_unused", false, "Whether rows that no slice writes become zero."),
            integer("dst_rows", "Rows of zeros that are written to; null: the input dst.")
                .between(1, largestExtent)
                .defaults(nullptr)
                .nullable()};
}

/// Its places can be lists, and what it writes to zeros of its own.
LayerDefinition slices(LayerDefinition definition) {
    definition.minimumInputs = 1;
    return definition;
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
        slices(
            ipuLayer("SequenceSlice", "Copies slices of rows of one tensor into another.",
                     joined({destinationAttributes(),
                             {placeList("num_elems"), placeList("src_offsets"), placeList("dst_offsets")}}),
                     describeSequenceSlice, {"dst", "src", "num_elems", "src_offsets", "dst_offsets"})),
        slices(ipuLayer("SequenceSlicePack",
                        "Copies rows that come one after the other in one tensor to slices of another.",
                        joined({destinationAttributes(), {placeList("num_elems"), placeList("dst_offsets")}}),
                        describeSequenceSlice, {"dst", "src", "num_elems", "dst_offsets"})),
        slices(
            ipuLayer("SequenceSliceUnpack", "Copies slices of rows of a tensor out, one after the other.",
                     {integer("total_elements", "Rows of all slices together.").between(1, 1e9).required(1),
                      placeList("num_elems"), placeList("src_offsets")},
                     describeUnpack, {"src", "num_elems", "src_offsets"})),
    };
}

} // namespace core
