// Facts about operations of the IPU extensions.
#include "simulator/compiler/lowering/ipu_operations.h"
#include "simulator/graph/rules/differentiate.h"
#include "tests/tools/oracle/graph_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

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
bool sigmoid(Fact& fact) {
    return unaryOf(fact, UnaryFunction::Sigmoid);
}
bool tanhOf(Fact& fact) {
    return unaryOf(fact, UnaryFunction::Tanh);
}
bool softplus(Fact& fact) {
    return unaryOf(fact, UnaryFunction::Softplus);
}
bool softsign(Fact& fact) {
    return unaryOf(fact, UnaryFunction::Softsign);
}
bool elu(Fact& fact) {
    return unaryOf(fact, UnaryFunction::Elu, 1);
}
bool selu(Fact& fact) {
    return unaryOf(fact, UnaryFunction::Selu);
}
bool relu6(Fact& fact) {
    return unaryOf(fact, UnaryFunction::Relu6);
}
bool mish(Fact& fact) {
    return unaryOf(fact, UnaryFunction::Mish);
}
bool geluErf(Fact& fact) {
    return unaryOf(fact, UnaryFunction::GeluErf);
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

/// (x − mean)·deviation·gamma + beta, the statistics given per sample and group.
TensorId givenStatistics(Fact& fact, TensorId x, const Normalization& attributes) {
    GraphBuilder& build = fact.build();
    const Extents extents = build.extents(x);
    const std::int64_t channels = extents.back();
    std::vector<double> groupOf;
    for (std::int64_t c = 0; c < channels; ++c)
        groupOf.push_back(static_cast<double>(attributes.stridedGroups ? c % attributes.groups
                                                                       : c / (channels / attributes.groups)));
    const TensorId groups = build.constant("groups", groupOf, {{channels}, DataType::Int32});
    Extents wide(extents.size(), 1);
    wide.front() = extents.front();
    wide.back() = channels;
    const auto perChannel = [&](const char* name) {
        const TensorId given = fact.input({name});
        if (!given.isValid())
            return given;
        const TensorId rows = build.reshape(given, {extents.front(), attributes.groups});
        return build.reshape(build.add(Gather{1}, {rows, groups}, name), wide);
    };
    const TensorId mean = perChannel("mean");
    const TensorId deviation = perChannel("inv_std_dev");
    if (!mean.isValid() || !deviation.isValid())
        return {};
    const auto times = [&](TensorId a, TensorId b) { return build.binary(BinaryFunction::Multiply, a, b); };
    const TensorId normal = times(build.binary(BinaryFunction::Subtract, x, mean), deviation);
    return build.binary(BinaryFunction::Add, times(normal, fact.input({"gamma"})), fact.input({"beta"}));
}

/// Group, instance and layer normalisation over [N, …, C] or [N, C, …]; at inference with given statistics.
bool normalization(Fact& fact, NormalizationKind kind, bool isInference) {
    GraphBuilder& build = fact.build();
    TensorId x = fact.input({"inputs", "x", "input"});
    const TensorId gamma = fact.input({"gamma"});
    const TensorId beta = fact.input({"beta"});
    if (!x.isValid() || !gamma.isValid() || !beta.isValid())
        return false;
    const bool isFirst =
        build.rank(x) == 4 && fact.arguments.value("data_format", std::string("NHWC")).starts_with("NC");
    if (isFirst)
        x = build.transpose(x, {0, 2, 3, 1});
    Normalization attributes;
    attributes.kind = NormalizationKind::Group;
    attributes.groups = static_cast<std::int64_t>(fact.number("num_groups", 1));
    if (kind == NormalizationKind::Instance)
        attributes.groups = build.extents(x).back();
    attributes.stridedGroups = fact.flag("strided_channel_grouping");
    attributes.epsilon = fact.number("epsilon", 1e-3);
    TensorId y;
    if (isInference) {
        y = givenStatistics(fact, x, attributes);
    } else {
        const auto outputs = build.addAll(attributes, {x, gamma, beta}, "");
        y = outputs[0];
        fact.results["mean"] = outputs[1];
        fact.results["inv_std_dev"] = outputs[2];
    }
    fact.results["output"] = isFirst ? build.transpose(y, {0, 3, 1, 2}) : y;
    return y.isValid();
}
bool groupNorm(Fact& fact) {
    return normalization(fact, NormalizationKind::Group, false);
}
bool groupNormInference(Fact& fact) {
    return normalization(fact, NormalizationKind::Group, true);
}
bool instanceNorm(Fact& fact) {
    return normalization(fact, NormalizationKind::Instance, false);
}
bool layerNorm(Fact& fact) {
    return normalization(fact, NormalizationKind::Group, false);
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
    fact.results["output"] = addFixedWidthBins(fact.build(), fact.input({"inputs", "x"}),
                                               static_cast<std::int64_t>(fact.number("n_bins", 1)));
    return true;
}

bool sequenceSlice(Fact& fact) {
    GraphBuilder& build = fact.build();
    const TensorId source = fact.input({"src"});
    const TensorId counts = fact.list("num_elems", DataType::Int32);
    if (!source.isValid() || !counts.isValid())
        return false;
    // pack reads one slice after the other, unpack writes one after the other.
    TensorId destination = fact.input({"dst"});
    if (!destination.isValid()) {
        Extents extents = build.extents(source);
        extents.front() = static_cast<std::int64_t>(fact.number("total_elements", 0));
        destination = build.constant(0, extents, build.type(source));
    }
    fact.results["output"] =
        addSequenceSlice(build, destination, source, counts, fact.list("src_offsets", DataType::Int32),
                         fact.list("dst_offsets", DataType::Int32), fact.flag("zero_unused"));
    return true;
}

bool normaliseImage(Fact& fact) {
    GraphBuilder& build = fact.build();
    const TensorId image = build.cast(fact.input({"image"}), DataType::Float32);
    fact.results["output"] = addNormalisedImage(build, image, fact.number("scale", 1),
                                                fact.list("channel_offsets", DataType::Float32),
                                                fact.list("channel_scales", DataType::Float32));
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
        {"sigmoid", sigmoid},
        {"tanh", tanhOf},
        {"softplus", softplus},
        {"softsign", softsign},
        {"elu", elu},
        {"selu", selu},
        {"relu6", relu6},
        {"mish", mish},
        {"gelu_erf", geluErf},
        {"matmul", matmul},
        {"serialized_matmul", matmul},
        {"popnn_group_norm_training", groupNorm},
        {"group_norm", groupNorm},
        {"group_norm_training", groupNorm},
        {"popnn_group_norm_inference", groupNormInference},
        {"group_norm_inference", groupNormInference},
        {"instance_norm", instanceNorm},
        {"layer_norm", layerNorm},
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
