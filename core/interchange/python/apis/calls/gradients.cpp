// What a program makes of gradients until they change weights.
#include "core/interchange/python/apis/calls/gradients.h"

#include "core/catalogue/optimizers.h"
#include "core/interchange/python/draft/sample_computation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace core {

namespace {

constexpr double exactly = 1e-6;

const PythonData* gradientOf(const PythonValue& value) {
    const auto* data = value.as<PythonData>();
    return data != nullptr && data->isGradient ? data : nullptr;
}

bool isOfWeights(const PythonValue& value) {
    const auto* data = value.as<PythonData>();
    return data != nullptr && data->weights;
}

/// What weights are multiplied by; nothing: these are none.
std::optional<double> multipleIn(const PythonValue& value) {
    if (isOfWeights(value))
        return value.as<PythonData>()->weights;
    return isProgramWeight(value) ? std::optional(1.0) : std::nullopt;
}

/// Of the weights themselves, so that a sum with their gradients says how they decay.
std::optional<PythonValue> multipleOfWeights(const std::string& operation, const PythonValue& left,
                                             const PythonValue& right) {
    const bool isFirst = isOfWeights(left);
    if (operation != "*" || isFirst == isOfWeights(right) || !(isFirst ? right : left).isNumber())
        return std::nullopt;
    PythonData made = *(isFirst ? left : right).as<PythonData>();
    made.weights = *made.weights * (isFirst ? right : left).constant().get<double>();
    return made;
}

/// Whether two values may be the same variable: those of a model are known by their kinds alone.
bool mayBeSame(const PythonValue& a, const PythonValue& b) {
    const auto* object = a.as<PythonLibraryObject>();
    const auto* other = b.as<PythonLibraryObject>();
    if (object != nullptr && other != nullptr)
        return object->attributes == other->attributes;
    const auto* data = a.as<PythonData>();
    const auto* others = b.as<PythonData>();
    if (data == nullptr || others == nullptr)
        return true;
    if (!data->weightName.empty() && !others->weightName.empty())
        return data->weightName == others->weightName;
    return data->weightKind.empty() || others->weightKind.empty() || data->weightKind == others->weightKind;
}

bool isSameLossValue(const PythonValue& a, const PythonValue& b) {
    const auto* first = a.as<PythonLoss>();
    const auto* second = b.as<PythonLoss>();
    if (first != nullptr && second != nullptr)
        return first->json == second->json && first->prediction == second->prediction &&
               first->label == second->label;
    const auto* tensor = a.as<PythonTensor>();
    return tensor != nullptr && b.is<PythonTensor>() && *tensor == *b.as<PythonTensor>();
}

/// The variables of pairs that are given to apply_gradients(); null: they are not known.
PythonValue variablesIn(const PythonValue& pairs) {
    PythonValues variables;
    for (const PythonValue& pair : pairs.items()) {
        if (pair.items().size() != 2)
            return {};
        variables.push_back(pair.items().back());
    }
    return pythonList(std::move(variables));
}

/// Sums and differences of a gradient and what is no number.
void addTo(PythonData& gradient, const std::string& operation, const PythonValue& left,
           const PythonValue& right, bool isClipped) {
    const bool isSecond = gradientOf(left) == nullptr;
    const PythonValue& operand = isSecond ? left : right;
    if (const PythonData* other = gradientOf(left); other != nullptr && gradientOf(right) != nullptr) {
        const PythonData& added = *gradientOf(right);
        const bool isSame = added.lossTaken == other->lossTaken && added.factor && other->factor &&
                            (operation == "+" || operation == "-");
        gradient.factor =
            isSame ? std::optional(*other->factor + (operation == "+" ? *added.factor : -*added.factor))
                   : std::nullopt;
        gradient.decay = other->decay + (operation == "+" ? added.decay : -added.decay);
        return;
    }
    const auto weights = multipleIn(operand);
    const bool isOther =
        weights && gradient.gradientOf != nullptr && !mayBeSame(*gradient.gradientOf, operand);
    if (!weights || isOther || !gradient.factor || (operation != "+" && operation != "-")) {
        gradient.factor.reset();
        return;
    }
    if (gradient.gradientOf == nullptr)
        gradient.gradientOf = std::make_shared<const PythonValue>(operand);
    if (operation == "-" && isSecond) {
        gradient.factor = -*gradient.factor;
        gradient.decay = -gradient.decay;
    }
    gradient.decay += operation == "-" && !isSecond ? -*weights : *weights;
    gradient.decaysClipped = gradient.decaysClipped || isClipped;
}

/// How a statement changes a weight: by so much of its gradient, and of itself.
struct UpdateByHand {
    double rate = 0;
    double decay = 0;
};

/// Nothing: no step of gradient descent.
std::optional<UpdateByHand> updateOf(const std::string& function, const PythonData& gradients) {
    if (!gradients.factor)
        return std::nullopt;
    double kept = gradients.decay; // of the weight itself
    double added = *gradients.factor;
    if (function == "assign_sub") {
        kept = 1 - kept;
        added = -added;
    } else if (function == "assign_add") {
        kept += 1;
    }
    if (added >= 0)
        return std::nullopt;
    const double lost = 1 - kept;
    const UpdateByHand update{-added, std::abs(lost) < exactly * exactly ? 0 : lost / -added};
    // Clipping comes after what decays.
    return update.decay != 0 && gradients.decaysClipped ? std::nullopt : std::optional(update);
}

Json descent(double rate) {
    return {{"class_name", "SGD"}, {"config", {{"learning_rate", rate}}}};
}

/// The step of a graph whose weights the program changes one by one.
PythonTrainingStep stepOfWeight(const PythonApiCall& call, const PythonValue& weight,
                                const PythonData& gradients, Json optimizer) {
    PythonProgramBuilder& builder = call.builder;
    const PythonProgramBuilder::TakenLoss& taken =
        builder.takenLosses[static_cast<std::size_t>(gradients.lossTaken)];
    std::optional<PythonTrainingStep>& known = builder.step;
    if (!known || known->variables == nullptr || !isSameLossValue(*known->loss, taken.loss)) {
        PythonTrainingStep first = trainingStep(call, std::move(optimizer), taken.loss, taken.untrained);
        first.variables = std::make_shared<const PythonValue>(pythonList({weight}));
        return stepBeside(call, std::move(first));
    }
    if (known->optimizer != optimizer)
        call.refuse("python/unsupported",
                    fmt::format("this weight is changed by another multiple of its gradient than the one in "
                                "line {}; a project has one learning rate",
                                known->line),
                    {"change all weights by the same rate"});
    PythonValues variables = known->variables->items();
    if (std::ranges::any_of(variables, [&](const PythonValue& one) { return mayBeSame(one, weight); }))
        call.refuse("python/unsupported",
                    "the same weight is changed twice by one batch; a project updates it once for each batch",
                    {"change each weight once", "give each update a batch of its own, by more rounds"});
    variables.push_back(weight);
    known->variables = std::make_shared<const PythonValue>(pythonList(std::move(variables)));
    return *known;
}

} // namespace

namespace {

/// A key of an optimizer, and by which power of the number it goes down where gradients are multiplied by it.
struct ScaledKey {
    std::string_view optimizer;
    const char* key;
    int power;
};
/// Their updates are g / (√v + ε), so that c·g / (c·√v + ε) is that of ε / c.
constexpr std::array<ScaledKey, 9> scaledKeys{{{"Adam", "epsilon", 1},
                                               {"AdamW", "epsilon", 1},
                                               {"Adamax", "epsilon", 1},
                                               {"Nadam", "epsilon", 1},
                                               {"LAMB", "epsilon", 1},
                                               {"RMSprop", "epsilon", 1},
                                               {"RMSprop", "initial_rms", 2},
                                               {"Adagrad", "epsilon", 1},
                                               {"Adagrad", "initial_accumulator_value", 2}}};

/// The number of a key, or its default; nothing where it has none.
std::optional<double> numberOf(const Json& config, const KerasClass& row, std::string_view key) {
    if (const auto given = config.find(key); given != config.end())
        return given->is_number() ? std::optional(given->get<double>()) : std::nullopt;
    const KerasParameter* parameter = row.parameter(key);
    return parameter == nullptr ? std::nullopt
                                : std::optional(Json::parse(parameter->defaultText).get<double>());
}

} // namespace

bool multiplyGradients(Json& optimizer, double factor) {
    if (!optimizer.is_object() || factor <= 0)
        return false;
    const std::string className = optimizer.value("class_name", std::string());
    Json& config = optimizer["config"];
    if (clipsGradients(config) || config.contains("gradient_decay"))
        return false;
    const Json rate = config.value("learning_rate", Json());
    if (className == "SGD" && rate.is_number())
        config["learning_rate"] = rate.get<double>() * factor;
    if (className == "SGD" || className == "Lion") // the latter takes their signs
        return className == "Lion" || rate.is_number();
    const OptimizerDefinition* row = findOptimizer(className);
    const bool isInside = config.value("epsilon_inside_sqrt", Json()) == true;
    bool isKnown = false;
    for (const ScaledKey& scaled : scaledKeys) {
        if (row == nullptr || row->className != scaled.optimizer)
            continue;
        const auto number = numberOf(config, *row, scaled.key);
        if (!number)
            return false;
        const int power = isInside ? 2 : scaled.power; // below the root everything is squared
        if (*number != 0)
            config[scaled.key] = *number / std::pow(factor, power);
        isKnown = true;
    }
    return isKnown;
}

void multiplyClipping(Json& optimizer, double factor) {
    for (const char* option : clippingOptions)
        if (Json& config = optimizer["config"]; config.contains(option) && config[option].is_number())
            config[option] = config[option].get<double>() * factor;
}

void multiplyDecay(Json& optimizer, double factor) {
    if (Json& config = optimizer["config"]; config.contains("gradient_decay"))
        config["gradient_decay"] = config["gradient_decay"].get<double>() * factor;
}

void scaleLoss(Json& optimizer, double scale) {
    const bool isScaled = optimizer.value("class_name", Json()) == "LossScaleOptimizer";
    if (scale <= 1 + exactly || isScaled)
        return;
    Json inner = Json::object();
    for (const char* key : {"class_name", "config"}) { // the others are of what wraps it
        inner[key] = optimizer[key];
        optimizer.erase(key);
    }
    optimizer["class_name"] = "LossScaleOptimizer";
    optimizer["config"] = {
        {"inner_optimizer", std::move(inner)}, {"dynamic", false}, {"initial_scale", scale}};
}

bool takeReplicas(const PythonData& gradients, bool isClipped, Json& optimizer) {
    if (gradients.areSummed || gradients.areAveraged)
        optimizer.erase(pythonOptimizerAlone);
    if (gradients.areAveraged)
        optimizer[pythonOptimizerAverages] = true;
    return gradients.areSummed && divideByReplicas(gradients.factor, isClipped, optimizer);
}

bool divideByReplicas(std::optional<double> factor, bool isClipped, Json& optimizer) {
    const double divisor = factor && *factor > 0 ? 1 / *factor : 0;
    const bool isCount = divisor > 1 && std::abs(divisor - std::round(divisor)) < exactly * divisor;
    if (isClipped || !isCount)
        return false;
    optimizer[pythonOptimizerDivides] = std::llround(divisor);
    multiplyDecay(optimizer, divisor);
    return true;
}

void takeGradientOptions(const PythonApiCall& call, const PythonData* gradients, Json& optimizer) {
    PythonProgramBuilder& builder = call.builder;
    const bool isClipped = builder.clipping.is_object() && !builder.clipping.empty();
    if (isClipped)
        optimizer["config"].update(builder.clipping);
    builder.clipping = nullptr;
    if (gradients == nullptr || gradients->decay == 0)
        return;
    if (gradients->decaysClipped)
        call.refuse("python/unsupported",
                    "these gradients are clipped before a multiple of the weights is added, which a project "
                    "does not hold",
                    {"add the multiple first, and clip the sum"});
    optimizer["config"]["gradient_decay"] = gradients->decay;
}

PythonValue gradientsOfGraph(const PythonApiCall& call, const PythonValue& loss, PythonValues variables,
                             std::vector<std::int64_t> untrained) {
    PythonData gradient;
    gradient.isGradient = true;
    gradient.lossTaken = static_cast<std::int64_t>(call.builder.takenLosses.size());
    call.builder.takenLosses.push_back({loss, std::move(untrained)});
    call.builder.clipping = Json::object();
    if (variables.empty())
        variables.emplace_back(weightsOfModel());
    PythonValues pairs;
    for (const PythonValue& variable : variables) {
        gradient.gradientOf = std::make_shared<const PythonValue>(variable);
        pairs.push_back(pythonList({gradient, variable}, true));
    }
    return pythonList(std::move(pairs));
}

PythonTrainingStep trainingStep(const PythonApiCall& call, Json optimizer, const PythonValue& loss,
                                std::vector<std::int64_t> untrained) {
    const PythonPlace place = call.place();
    return {std::move(optimizer), std::make_shared<const PythonValue>(loss),
            place.line,           place.column,
            place.file,           std::move(untrained)};
}

PythonTrainingStep stepBeside(const PythonApiCall& call, PythonTrainingStep step) {
    std::optional<PythonTrainingStep>& known = call.builder.step;
    if (known && known->optimizer == step.optimizer && isSameLossValue(*known->loss, *step.loss)) {
        if (known->untrained.empty() || step.untrained.empty())
            call.refuse(
                "python/unsupported",
                fmt::format("the weights are updated here and in line {} by the same batch; a project "
                            "updates them once for each batch",
                            known->line),
                {"minimize the loss once", "give each update a batch of its own, by more rounds"});
        std::erase_if(step.untrained, [&](std::int64_t layer) {
            return std::ranges::find(known->untrained, layer) == known->untrained.end();
        });
    } else if (known) {
        call.refuse("python/unsupported",
                    fmt::format("the graph is trained here and in line {} by steps of their own; a project "
                                "has one optimizer and one loss",
                                known->line),
                    {"train all variables by one optimizer that minimizes the sum of the losses",
                     "read the program with one of the steps, whose var_list names what it trains"});
    }
    known = std::move(step);
    return *known;
}

std::optional<PythonTrainingStep> stepOfGradients(const PythonApiCall& call,
                                                  const PythonConfigured& optimizer) {
    PythonProgramBuilder& builder = call.builder;
    const PythonValue* applied = call.arguments.find("grads_and_vars", 0);
    const PythonData* gradients = applied == nullptr ? nullptr : gradientsIn(*applied);
    if (gradients == nullptr || gradients->gradientsOf >= 0 || gradients->lossTaken < 0)
        return std::nullopt;
    const PythonProgramBuilder::TakenLoss taken =
        builder.takenLosses[static_cast<std::size_t>(gradients->lossTaken)];
    // A loss that is scaled up, and gradients that are scaled down as much, are those of the loss itself.
    const auto* scaled = taken.loss.as<PythonTensor>();
    const auto known = scaled == nullptr ? builder.multipliedLosses.end()
                                         : std::ranges::find(builder.multipliedLosses, *scaled,
                                                             &PythonProgramBuilder::MultipliedLoss::product);
    const bool isScaledBack = gradients->factor && known != builder.multipliedLosses.end() &&
                              std::abs(*gradients->factor * known->factor - 1) < exactly;
    Json json = configuredNow(optimizer);
    const bool isClipped = builder.clipping.is_object() && !builder.clipping.empty();
    takeGradientOptions(call, gradients, json);
    if (json.contains(pythonOptimizerOptions)) // it accumulates what it is given
        json[pythonOptimizerDecaysEach] = true;
    const bool isOfReplicas = takeReplicas(*gradients, isClipped, json);
    const bool isItself = isOfReplicas || (gradients->factor && std::abs(*gradients->factor - 1) < exactly);
    if (!isScaledBack && !isItself && (!gradients->factor || !multiplyGradients(json, *gradients->factor)))
        call.refuse(
            "python/unsupported",
            "these gradients are computed further before they are applied, which a project does not hold",
            {"apply the gradients of the loss itself, clipped by tf.clip_by_* where they should be",
             "multiply the loss or the learning rate instead"});
    if (isScaledBack) {
        if (isClipped)
            multiplyClipping(json, *gradients->factor);
        scaleLoss(json, known->factor);
    }
    const PythonValue variables = variablesIn(*applied);
    const auto left = variables.items().empty() ? std::nullopt : builder.layersLeft(call.place(), variables);
    return stepBeside(call, trainingStep(call, std::move(json),
                                         isScaledBack ? PythonValue(known->loss) : taken.loss,
                                         left.value_or(taken.untrained)));
}

PythonValue updateByHand(const PythonApiCall& call, const PythonValue& weight, const PythonValue* value) {
    const PythonData* gradients = value == nullptr ? nullptr : gradientsIn(*value);
    const auto* data = weight.as<PythonData>();
    if (gradients == nullptr) {
        if (data != nullptr && data->weights && value != nullptr)
            call.warn("python/ignored", "what the program does to the weights itself is left out",
                      {"say it as a regularizer, a constraint or an option of the optimizer"});
        return data != nullptr ? weight : PythonValue(PythonData());
    }
    const auto update = updateOf(call.name(), *gradients);
    const bool isOther = gradients->gradientOf != nullptr && !mayBeSame(*gradients->gradientOf, weight);
    const bool isKnown = isProgramWeight(weight) || (data != nullptr && data->weights);
    if (!isKnown || (data != nullptr && data->weightKind == pythonWeightAtPlace))
        call.refuse("python/unsupported", "which weights the program changes by these gradients is not known",
                    {"change all of them: for w, g in zip(model.trainable_variables, gradients)",
                     "let an optimizer apply the gradients"});
    if (!update || isOther || gradients->lossTaken < 0)
        call.refuse("python/unsupported", "how these gradients change the weights is not read",
                    {"subtract a multiple of the gradient: weight.assign_sub(rate * gradient)",
                     "let an optimizer apply them"});
    PythonData applied = *gradients;
    applied.decay = update->decay;
    if (gradients->gradientsOf < 0) {
        Json optimizer = descent(update->rate);
        takeGradientOptions(call, &applied, optimizer);
        return stepOfWeight(call, weight, applied, std::move(optimizer));
    }
    const bool isFirst = data == nullptr || data->weightKind.empty() || data->weightKind == "kernel";
    if (!isFirst) // of a loop over all of them
        return weight;
    applied.factor = call.builder.takenLosses[static_cast<std::size_t>(gradients->lossTaken)]
                         .loss.as<PythonLoss>()
                         ->factor;
    PythonArguments pairs{{applied}, {}, call.place()};
    PythonValue method = PythonMethod{std::make_shared<const PythonValue>(PythonConfigured{
                                          descent(update->rate / *applied.factor), "keras.optimizers"}),
                                      "apply_gradients"};
    static_cast<void>(call.interpreter.call(method, pairs));
    return weight;
}

std::optional<PythonValue> gradientOperation(const PythonProgramBuilder& builder,
                                             const std::string& operation, const PythonValue& left,
                                             const PythonValue& right) {
    if (auto multiple = multipleOfWeights(operation, left, right))
        return multiple;
    constexpr std::array<std::string_view, 6> arithmetic{"+", "-", "*", "/", "**", "@"};
    const PythonData* first = gradientOf(left) != nullptr ? gradientOf(left) : gradientOf(right);
    if (first == nullptr || std::ranges::find(arithmetic, operation) == arithmetic.end())
        return std::nullopt;
    PythonData made = *first;
    const PythonValue& operand = gradientOf(left) != nullptr ? right : left;
    const bool isFirst = gradientOf(left) != nullptr;
    if (operand.isNumber() && made.factor && (operation == "*" || (operation == "/" && isFirst))) {
        const auto number = operand.constant().get<double>();
        made.factor = operation == "*" ? *made.factor * number : *made.factor / number;
        made.decay = operation == "*" ? made.decay * number : made.decay / number;
    } else {
        addTo(made, operation, left, right, builder.clipping.is_object() && !builder.clipping.empty());
    }
    return made;
}

std::optional<PythonArithmetic> arithmeticOf(const PythonApiCall& call) {
    struct Row {
        std::string_view function;
        const char* operation;
    };
    constexpr std::array<Row, 6> known{{{"add", "+"},
                                        {"subtract", "-"},
                                        {"multiply", "*"},
                                        {"scalar_mul", "*"},
                                        {"divide", "/"},
                                        {"truediv", "/"}}};
    const auto* row = std::ranges::find(known, call.name(), &Row::function);
    if (row == known.end())
        return std::nullopt;
    const bool isScalar = call.name() == "scalar_mul";
    const PythonValue* x = call.arguments.find(isScalar ? "scalar" : "x", 0);
    const PythonValue* y = call.arguments.find(isScalar ? "x" : "y", 1);
    return x == nullptr || y == nullptr ? std::nullopt
                                        : std::optional(PythonArithmetic{row->operation, *x, *y});
}

std::optional<PythonValue> gradientFunction(const PythonApiCall& call) {
    const std::string name = call.name();
    const bool isAssignment = name == "assign" || name == "assign_sub" || name == "assign_add";
    if (isAssignment) {
        const PythonValue* weight = call.arguments.find("ref", 0);
        const PythonValue* value = call.arguments.find("value", 1);
        const bool changes = value != nullptr && gradientsIn(*value) != nullptr;
        return weight != nullptr && changes ? std::optional(updateByHand(call, *weight, value))
                                            : std::nullopt;
    }
    if (name == "negative") {
        const PythonValue* x = call.arguments.find("x", 0);
        return x == nullptr || gradientOf(*x) == nullptr
                   ? std::nullopt
                   : gradientOperation(call.builder, "*", *x, pythonConstant(-1));
    }
    const auto two = arithmeticOf(call);
    return two && (gradientOf(two->x) != nullptr || gradientOf(two->y) != nullptr)
               ? gradientOperation(call.builder, two->operation, two->x, two->y)
               : std::nullopt;
}

std::optional<PythonValue> clipGradients(const PythonApiCall& call) {
    struct Clipping {
        std::string_view function;
        const char* argument;
        std::size_t position;
        const char* option;
    };
    constexpr std::array<Clipping, 3> known{{{"clip_by_global_norm", "clip_norm", 1, "global_clipnorm"},
                                             {"clip_by_norm", "clip_norm", 1, "clipnorm"},
                                             {"clip_by_value", "clip_value_max", 2, "clipvalue"}}};
    const auto* row = std::ranges::find(known, call.name(), &Clipping::function);
    const bool isOfGradients = !call.arguments.list.empty() && (call.arguments.list[0].is<PythonData>() ||
                                                                call.arguments.list[0].is<PythonList>());
    if (row == known.end() || call.builder.clipping.is_null() || !isOfGradients)
        return std::nullopt;
    const PythonValue* bound = call.arguments.find(row->argument, row->position);
    const PythonValue* low = call.arguments.find("clip_value_min", 1);
    const bool isRange = std::string_view(row->option) == "clipvalue";
    if (bound == nullptr || !bound->isNumber() ||
        (isRange && (low == nullptr || !low->isNumber() ||
                     low->constant().get<double>() != -bound->constant().get<double>())))
        call.refuse("python/unsupported",
                    fmt::format("the bound of {} of gradients is not read here", call.name()),
                    {isRange ? "clip between -x and x, where x is a number of the program"
                             : "give a number of the program as clip_norm"});
    // What is clipped may be a multiple of the gradients of the loss.
    const PythonData* multiple = gradientsIn(call.arguments.list[0]);
    const double factor = multiple == nullptr ? 1 : multiple->factor.value_or(1);
    call.builder.clipping[row->option] =
        factor == 1 || factor <= 0 ? bound->constant() : Json(bound->constant().get<double>() / factor);
    const PythonValue clipped = call.arguments.list[0];
    const bool givesNorm = std::string_view(row->option) == "global_clipnorm";
    return givesNorm ? pythonList({clipped, PythonData()}, true) : clipped;
}

} // namespace core
