#include "core/model/layers/recurrent/recurrent_rules.h"

#include "core/model/initializer_catalogue.h"

namespace core {

using namespace attribute;

const CellKind& simpleCell() {
    static const CellKind kind{"SimpleRNN", 1, 1};
    return kind;
}
const CellKind& gatedCell() {
    static const CellKind kind{"GRU", 3, 1};
    return kind;
}
const CellKind& longShortTermCell() {
    static const CellKind kind{"LSTM", 4, 2};
    return kind;
}

/// The IPU's own cells have a seed for their matrices, beside the one of their dropout.
static void seedInitializers(const LayerCall& call, std::vector<WeightSpec>& weights) {
    const Json& seed = call.attributes.value("seed");
    if (call.attributes.definition().findAttribute("dropout_seed") == nullptr || !seed.is_number_integer())
        return;
    for (WeightSpec& weight : weights) {
        if (weight.initializer.is_object() && weight.initializer["config"].value("seed", Json()).is_null())
            weight.initializer["config"]["seed"] = seed;
    }
}

CellFacts describeCell(const LayerCall& call, const CellKind& kind, std::int64_t features) {
    const std::int64_t units = call.attributes.integer("units");
    const std::int64_t width = units * kind.gates;
    CellFacts facts;
    facts.outputs = units;
    facts.states.assign(kind.states, units);
    facts.weights.push_back(weight(call, "kernel", Shape{features, width}, "kernel_initializer"));
    facts.weights.push_back(
        weight(call, "recurrent_kernel", Shape{units, width}, "recurrent_initializer", "orthogonal"));
    seedInitializers(call, facts.weights);
    if (call.attributes.boolean("use_bias")) {
        // A GRU that resets after its matrix product has a bias for each of its two products.
        const bool hasTwo = call.attributes.boolean("reset_after");
        facts.weights.push_back(
            weight(call, "bias", hasTwo ? Shape{2, width} : Shape{width}, "bias_initializer"));
        if (call.attributes.boolean("unit_forget_bias"))
            facts.weights.back().initializer = initializerFromJson("unit_forget_bias");
    }
    facts.flopsPerStep = Count(2) * width * (Count(features) + units);
    return facts;
}

RuleResult<CallFacts> runCell(const LayerCall& call, const CellFacts& cell) {
    if (auto error = requireRank(call, 3))
        return tl::unexpected(*error);
    const std::size_t given = call.inputs.size() - 1;
    if (given != 0 && given < cell.states.size())
        return refuse("expects no initial state, or all of them", "connect every state of the other layer");
    const bool isTimeMajor = call.attributes.boolean("time_major");
    const Dimension batch = call.shape()[isTimeMajor ? 1 : 0];
    const Dimension steps = call.shape()[isTimeMajor ? 0 : 1];
    Shape shape{batch, cell.outputs};
    if (call.attributes.boolean("return_sequences"))
        shape = isTimeMajor ? Shape{steps, batch, cell.outputs} : Shape{batch, steps, cell.outputs};
    CallFacts facts = output(call, shape);
    if (call.attributes.boolean("return_state")) {
        for (const std::int64_t units : cell.states)
            facts.outputs.push_back({Shape{batch, units}, call.precision.compute});
    }
    facts.weights = cell.weights;
    facts.flops = cell.flopsPerStep * Count(batch) * Count(steps);
    return facts;
}

Attributes cellAttributes(const CellKind& kind) {
    Attributes list{integer("units", "Numbers of the state and the output.").required(64).alias("output_dim"),
                    activation("activation", "tanh", "Function of the output.")};
    if (kind.gates > 1)
        list.push_back(activation("recurrent_activation", "sigmoid", "Function of the gates.")
                           .alias("inner_activation"));
    list = joined({list, weightObjects({"kernel", "recurrent", "bias"})});
    if (kind.gates == 4)
        list.push_back(boolean("unit_forget_bias", true, "Whether the forget gate's bias starts at 1."));
    if (kind.gates == 3)
        // Files older than the attribute mean false; every file that knows it writes it.
        list.push_back(boolean("reset_after", true, "Whether the reset gate acts after the matrix product.")
                           .defaultsBeside("implementation", false));
    list.push_back(rate("dropout", "Share of the inputs dropped.").defaults(0.0));
    list.push_back(rate("recurrent_dropout", "Share of the state dropped.").defaults(0.0));
    list.push_back(json("implementation", 2, "How Keras computes it; no effect here."));
    list.push_back(seed());
    return list;
}

Attributes sequenceAttributes() {
    return {
        boolean("return_sequences", false, "Whether every step's output is given, or only the last."),
        boolean("return_state", false, "Whether the final states are given too."),
        boolean("go_backwards", false, "Whether time runs from the end."),
        boolean("stateful", false, "Whether a batch starts with the last one's states."),
        boolean("unroll", false, "Whether steps are laid out one after the other instead of looped."),
        boolean("time_major", false, "Whether the time axis comes before the batch axis."),
        json("zero_output_for_mask", false, "Whether masked steps give zeros."),
        json("use_cudnn", "auto", "Bookkeeping of newer editions."),
        json("input_dim", nullptr, "Bookkeeping of old editions."),
        json("input_length", nullptr, "Bookkeeping of old editions."),
        json("consume_less", nullptr, "Bookkeeping of old editions."),
    };
}

} // namespace core
