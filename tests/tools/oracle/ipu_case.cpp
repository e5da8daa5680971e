// Facts about operations of the IPU extensions.
#include "simulator/graph/gradients/differentiate.h"
#include "tests/tools/oracle/graph_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>

namespace oracles {
namespace {

using core::DataType;
using core::Json;
using core::TensorId;
using namespace simulator;

/// One fact being computed: named inputs, arguments, named results.
struct Fact {
    GraphRun& graph;
    const Json& arguments;
    std::map<std::string, TensorId> inputs;
    std::map<std::string, TensorId> results;

    [[nodiscard]] GraphBuilder& build() const { return graph.build(); }
    [[nodiscard]] TensorId input(std::initializer_list<const char*> names) const {
        for (const char* name : names) {
            if (const auto it = inputs.find(name); it != inputs.end())
                return it->second;
        }
        return {};
    }
    [[nodiscard]] double number(const char* name, double preset) const {
        const auto it = arguments.find(name);
        return it != arguments.end() && it->is_number() ? it->get<double>() : preset;
    }
    [[nodiscard]] bool flag(const char* name) const {
        const auto it = arguments.find(name);
        return it != arguments.end() && it->is_boolean() && it->get<bool>();
    }
    /// A list of numbers among the arguments, as a constant.
    [[nodiscard]] TensorId list(const char* name, DataType type) const {
        const auto given = inputs.find(name);
        if (given != inputs.end())
            return given->second;
        const auto it = arguments.find(name);
        if (it == arguments.end())
            return {};
        const auto values = it->get<std::vector<double>>();
        const auto count = static_cast<std::int64_t>(values.size());
        return graph.build().constant(name, values, {{count}, type});
    }
};

using Compute = bool (*)(Fact& fact);

bool unaryOf(Fact& fact, UnaryFunction function, double alpha = 0, double beta = 0) {
    const TensorId x = fact.input({"x", "inputs", "features", "input"});
    fact.results["output"] = fact.build().add(Unary{function, alpha, beta}, {x}, "");
    return x.isValid();
}
bool gelu(Fact& fact) {
    return unaryOf(fact, UnaryFunction::GeluTanh);
}
bool swish(Fact& fact) {
    return unaryOf(fact, UnaryFunction::Swish);
}
bool hardSigmoid(Fact& fact) {
    return unaryOf(fact, UnaryFunction::HardSigmoid, 0.2, 0.5);
}
bool relu(Fact& fact) {
    return unaryOf(fact, UnaryFunction::Relu);
}
bool softmax(Fact& fact) {
    const TensorId x = fact.input({"x", "inputs", "logits"});
    fact.results["output"] = fact.build().add(Softmax{-1, false}, {x}, "");
    return true;
}

/// Gradients of the sum of the output, where the document asks for them.
void addSumGradients(Fact& fact, TensorId output,
                     const std::vector<std::pair<std::string, TensorId>>& wanted) {
    const TensorForm form = fact.build().form(output);
    const GradientSeed seed{output, fact.build().constant(1, form.extents, form.type)};
    std::vector<TensorId> ids;
    for (const auto& [name, id] : wanted)
        ids.push_back(id);
    const auto gradients = differentiate(fact.build(), std::span(&seed, 1), ids);
    for (const auto& [name, id] : wanted) {
        if (gradients)
            fact.results[name] = sumOfParts(fact.build(), *gradients, id);
    }
}

bool matmul(Fact& fact) {
    MatMul product{fact.flag("transpose_a"), fact.flag("transpose_b")};
    const std::string axis = fact.arguments.value("serialization_dimension", std::string());
    product.serializedAxis = axis == "a_columns"          ? MatMulAxis::Rows
                             : axis == "a_rows_b_columns" ? MatMulAxis::Inner
                                                          : MatMulAxis::Columns;
    product.serialization = static_cast<std::int64_t>(fact.number("serialization_factor", 1));
    const TensorId a = fact.input({"a", "x"});
    const TensorId b = fact.input({"b", "y"});
    const TensorId output = fact.build().add(product, {a, b}, "");
    fact.results["output"] = output;
    addSumGradients(fact, output, {{"grad_a_of_sum", a}, {"grad_b_of_sum", b}});
    return true;
}

bool groupNorm(Fact& fact) {
    GraphBuilder& build = fact.build();
    TensorId x = fact.input({"inputs", "x", "input"});
    const bool isFirst = fact.arguments.value("data_format", std::string("NHWC")).starts_with("NC");
    if (isFirst)
        x = build.transpose(x, {0, 2, 3, 1});
    Normalization attributes;
    attributes.kind = NormalizationKind::Group;
    attributes.groups = static_cast<std::int64_t>(fact.number("num_groups", 1));
    attributes.stridedGroups = fact.flag("strided_channel_grouping");
    attributes.epsilon = fact.number("epsilon", 1e-3);
    const auto outputs = build.addAll(attributes, {x, fact.input({"gamma"}), fact.input({"beta"})}, "");
    fact.results["output"] = isFirst ? build.transpose(outputs[0], {0, 3, 1, 2}) : outputs[0];
    fact.results["mean"] = outputs[1];
    fact.results["inv_std_dev"] = outputs[2];
    return true;
}

bool histogramOf(Fact& fact, std::int64_t updates) {
    GraphBuilder& build = fact.build();
    const bool absolute = fact.flag("absolute_of_input");
    const TensorId x = fact.input({"inputs", "x"});
    const TensorId levels = fact.list("levels", DataType::Float32);
    const TensorId given = fact.input({"hist", "histogram"});
    TensorId counts = given.isValid() ? given : build.add(Histogram{absolute, false}, {x, levels}, "");
    for (std::int64_t i = 0; i < updates; ++i)
        counts = build.add(Histogram{absolute, true}, {x, levels, counts}, "");
    fact.results["output"] = counts;
    return x.isValid() && levels.isValid();
}
bool histogram(Fact& fact) {
    return histogramOf(fact, 0);
}
bool histogramUpdate(Fact& fact) {
    return histogramOf(fact, static_cast<std::int64_t>(fact.number("updates_after_histogram", 1)));
}

bool fixedWidthBins(Fact& fact) {
    // n evenly spaced levels between the smallest and the largest value, which are no levels themselves.
    GraphBuilder& build = fact.build();
    const TensorId x = fact.input({"inputs", "x"});
    const auto bins = static_cast<std::int64_t>(fact.number("n_bins", 1));
    std::vector<std::int64_t> axes(build.rank(x));
    std::iota(axes.begin(), axes.end(), 0);
    const TensorId low = build.reduce(ReduceFunction::Minimum, x, axes, false);
    const TensorId high = build.reduce(ReduceFunction::Maximum, x, axes, false);
    std::vector<double> steps;
    for (std::int64_t i = 1; i < bins; ++i)
        steps.push_back(static_cast<double>(i) / static_cast<double>(bins));
    const TensorId shares = build.constant("shares", steps, {{bins - 1}, build.type(x)});
    const TensorId width = build.binary(BinaryFunction::Subtract, high, low);
    fact.results["output"] =
        build.binary(BinaryFunction::Add, build.binary(BinaryFunction::Multiply, shares, width), low);
    return true;
}

bool sequenceSlice(Fact& fact) {
    GraphBuilder& build = fact.build();
    const TensorId source = fact.input({"src"});
    const TensorId counts = fact.list("num_elems", DataType::Int32);
    const TensorId given = fact.list("src_offsets", DataType::Int32);
    const TensorId to = fact.list("dst_offsets", DataType::Int32);
    if (!source.isValid() || !counts.isValid())
        return false;
    // pack reads one slice after the other, unpack writes one after the other: running sums of the counts.
    const TensorId running = build.add(Cumulative{ReduceFunction::Sum, 0, true, false}, {counts}, "offsets");
    TensorId destination = fact.input({"dst"});
    if (!destination.isValid()) {
        Extents extents = build.extents(source);
        extents.front() = static_cast<std::int64_t>(fact.number("total_elements", 0));
        destination = build.constant(0, extents, build.type(source));
    }
    fact.results["output"] = build.add(
        SequenceSlice{fact.flag("zero_unused")},
        {destination, source, counts, given.isValid() ? given : running, to.isValid() ? to : running}, "");
    return true;
}

bool normaliseImage(Fact& fact) {
    GraphBuilder& build = fact.build();
    const TensorId image = build.cast(fact.input({"image"}), DataType::Float32);
    const TensorId offsets = fact.list("channel_offsets", DataType::Float32);
    const TensorId scales = fact.list("channel_scales", DataType::Float32);
    const TensorId scaled = build.scaleShift(image, fact.number("scale", 1));
    const TensorId normal = build.binary(BinaryFunction::Multiply,
                                         build.binary(BinaryFunction::Subtract, scaled, offsets), scales);
    Pad pad;
    pad.low.assign(build.rank(normal), 0);
    pad.high = pad.low;
    pad.high.back() = 1;
    fact.results["output"] = build.add(std::move(pad), {normal}, "");
    return true;
}

bool ctcLoss(Fact& fact) {
    GraphBuilder& build = fact.build();
    const TensorId logits = fact.input({"logits_time_major", "logits", "data", "log_probs"});
    const bool isProbability =
        fact.input({"log_probs"}).isValid() || fact.arguments.value("log_probs", false);
    const CtcLoss attributes{static_cast<std::int64_t>(fact.number("blank_index", 0)), !isProbability};
    const TensorId lengths = fact.list("label_length", DataType::Int32);
    TensorId dataLengths = fact.list("logit_length", DataType::Int32);
    if (!dataLengths.isValid())
        dataLengths = fact.list("data_length", DataType::Int32);
    if (!logits.isValid() || !lengths.isValid() || !dataLengths.isValid())
        return false;
    const auto outputs = build.addAll(attributes, {logits, fact.input({"labels"}), lengths, dataLengths}, "");
    fact.results["loss"] = outputs[0];
    fact.results["output"] = outputs[0];
    fact.results["grad"] = outputs[1];
    return true;
}

bool ctcBeamSearch(Fact& fact) {
    GraphBuilder& build = fact.build();
    const TensorId probabilities = fact.input({"log_probs"});
    const TensorId logits =
        probabilities.isValid() ? probabilities : fact.input({"logits", "logits_time_major"});
    const CtcBeamSearch search{static_cast<std::int64_t>(fact.number("blank_index", -1)),
                               !probabilities.isValid(),
                               static_cast<std::int64_t>(fact.number("beam_width", 100)),
                               static_cast<std::int64_t>(fact.number("top_paths", 1))};
    TensorId lengths = fact.list("logits_lengths", DataType::Int32);
    if (!lengths.isValid())
        lengths = fact.list("input_lengths", DataType::Int32);
    if (!logits.isValid() || !lengths.isValid())
        return false;
    const auto outputs = build.addAll(search, {logits, lengths}, "");
    fact.results["probs"] = outputs[0];
    fact.results["lengths"] = outputs[1];
    fact.results["predictions"] = outputs[2];
    return true;
}

bool embeddingLookup(Fact& fact) {
    const TensorId ids = fact.build().cast(fact.input({"ids", "indices"}), DataType::Int32);
    const Gather gather{0, static_cast<std::int64_t>(fact.number("serialization_factor", 1))};
    fact.results["output"] = fact.build().add(gather, {fact.input({"params", "table"}), ids}, "");
    return true;
}

const std::map<std::string, Compute>& facts() {
    static const std::map<std::string, Compute> all{
        {"gelu", gelu},
        {"swish", swish},
        {"hard_sigmoid", hardSigmoid},
        {"relu", relu},
        {"softmax", softmax},
        {"matmul", matmul},
        {"serialized_matmul", matmul},
        {"popnn_group_norm_training", groupNorm},
        {"group_norm", groupNorm},
        {"histogram", histogram},
        {"histogram_update", histogramUpdate},
        {"fixed_width_bins", fixedWidthBins},
        {"sequence_slice", sequenceSlice},
        {"sequence_slice_pack", sequenceSlice},
        {"sequence_slice_unpack", sequenceSlice},
        {"normalise_image", normaliseImage},
        {"ctc_loss", ctcLoss},
        {"ctc_loss_v2", ctcLoss},
        {"ctc_loss_with_logits", ctcLoss},
        {"ctc_loss_with_log_probs", ctcLoss},
        {"ctc_beam_search_decoder", ctcBeamSearch},
        {"ctc_beam_search_decoder_with_log_probs", ctcBeamSearch},
        {"embedding_lookup", embeddingLookup},
    };
    return all;
}

} // namespace

Verdict runIpuCase(const Json& document) {
    std::string op = document["op"].get<std::string>();
    op = op.substr(op.rfind('.') + 1);
    const auto compute = facts().find(op);
    if (compute == facts().end())
        return unsupported("no operation \"" + op + "\"");
    GraphRun graph;
    graph.build().setScope({"fact", {}, Phase::Forward});
    const Json arguments = document.value("arguments", Json::object());
    Fact fact{graph, arguments, {}, {}};
    for (const auto& [name, json] : document["inputs"].items()) {
        if (const auto values = valuesFromJson(json))
            fact.inputs[name] = graph.feed(name, *values);
    }
    if (!compute->second(fact))
        return unsupported("the inputs of \"" + op + "\" are others than expected");
    std::vector<TensorId> results;
    for (const auto& [name, json] : document["expected"].items()) {
        const auto it = fact.results.find(name);
        if (it == fact.results.end() || !it->second.isValid())
            return unsupported("\"" + op + "\" gives no \"" + name + "\"");
        results.push_back(it->second);
    }
    if (const auto result = graph.run(results); !result)
        return failed(result.error());
    Verdict verdict;
    for (const auto& [name, json] : document["expected"].items()) {
        if (const auto values = valuesFromJson(json))
            verdict.compare(name, graph.read(fact.results[name]), values->data, toleranceOf(document));
    }
    return verdict;
}

} // namespace oracles
