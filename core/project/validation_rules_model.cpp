#include "core/model/activation_catalogue.h"
#include "core/model/initializer_catalogue.h"
#include "core/project/validation_rules.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace core {

using namespace std::string_view_literals;

namespace {

void modelFindings(const RuleContext& context) {
    for (Diagnostic finding : context.modelFindings) {
        if (finding.code == "model/free-shape")
            finding.code = "value-error/unknown-dimension"; // Keras' data handler finds it
        if (finding.hints.empty())
            finding.hints = {"change this layer or what feeds it; `summary` prints the shapes"};
        context.add(std::move(finding));
    }
}

/// Keras builds such a model, but nothing can be compiled from it.
void somethingIsComputed(const RuleContext& context) {
    if (context.flattened == nullptr)
        return;
    const auto& layers = context.flattened->layers;
    const bool computes = std::any_of(layers.begin(), layers.end(), [](const FlattenedLayer& flat) {
        return flat.layer->className != "InputLayer"sv && !flat.layer->isNestedModel();
    });
    if (!computes)
        context.refuse("value-error/empty-model", "/model", "the model has no layers to run",
                       "add a layer that computes something");
    else if (context.project.model.outputs.empty())
        context.refuse("value-error/no-outputs", "/model", "the model has no outputs",
                       "choose its last layer as output: key O on the canvas, output_layers in the file");
}

/// A layer the catalogue does not know must say what it does to be run.
void opaqueLayersAreDeclared(const RuleContext& context) {
    if (context.flattened == nullptr)
        return;
    for (const FlattenedLayer& flat : context.flattened->layers) {
        if (!flat.isKnown && !context.project.opaqueLayers.contains(flat.path))
            context.refuse(
                "not-implemented/opaque-layer", flat.path,
                fmt::format("the layer class {} of {} is not known", flat.layer->className, flat.path),
                fmt::format(
                    "give its shape and cost in its fields, or in the file under opaque_layers: {{\"{}\": "
                    "{{\"output_shape\": [null, 10], \"parameters\": 0, \"flops\": 0}}}}",
                    flat.path));
    }
}

void declaredOpaqueLayersExist(const RuleContext& context) {
    if (context.flattened == nullptr)
        return;
    for (const auto& [name, layer] : context.project.opaqueLayers) {
        bool exists = false;
        for (const FlattenedLayer& flat : context.flattened->layers)
            exists = exists || flat.path == name;
        if (!exists)
            context.warn("warning/unused-opaque-layer", "/opaque_layers",
                         fmt::format("no layer is called {}", name), "remove it, or correct its name");
    }
}

/// Constant takes one number, or one for each of the weight: others TensorFlow cannot make a tensor of.
void constantsHaveTheirLength(const RuleContext& context) {
    if (context.graph == nullptr)
        return;
    for (const TypedLayer& layer : context.graph->layers)
        for (const WeightSpec& weight : layer.weights) {
            if (weight.initializer.value("class_name", "") != "Constant")
                continue;
            const Json value = weight.initializer.value("config", Json::object()).value("value", Json(0));
            const auto numbers = constantNumbers(value);
            const Dimension count = weight.shape.elementCount();
            if (!numbers || numbers->empty())
                context.refuse("type-error/constant-initializer", layer.path,
                               fmt::format("the values that {} begins with are no numbers", weight.name),
                               "give Constant one number, or a list of numbers");
            else if (count && numbers->size() > 1 && static_cast<std::int64_t>(numbers->size()) != *count)
                context.refuse("value-error/constant-initializer", layer.path,
                               fmt::format("{} has {} numbers, and its Constant initializer gives {}",
                                           weight.name, *count, numbers->size()),
                               fmt::format("give one number, or {}", *count));
        }
}

void lossesMatchTheOutputs(const RuleContext& context) {
    const std::size_t losses = context.project.training.losses.size();
    const std::size_t outputs = context.project.model.outputs.size();
    // Without an output there is nothing that a loss could be of.
    const bool needsLoss = context.mode == RunMode::Train && outputs > 0;
    if (losses > 1 && losses != outputs)
        context.refuse("value-error/loss-count", "/training/loss",
                       fmt::format("{} losses are given for {} outputs", losses, outputs),
                       "give one loss per output, or a single one for all");
    if (losses > 0 || !needsLoss)
        return;
    if (context.predictsOnly())
        context.warn("warning/no-loss", "/training/loss",
                     "the model has neither a loss nor an optimizer: it predicts, and cannot be trained",
                     "run it with --mode predict, or set training.loss to train it");
    else if (context.project.training.dataset)
        context.refuse("value-error/no-loss", "/training/loss",
                       "the model cannot be trained: it has no loss to optimise",
                       "set training.loss, for example \"sparse_categorical_crossentropy\"");
    else
        context.warn("warning/no-loss", "/training/loss",
                     "no loss is set; the profile takes the mean squared error",
                     "set training.loss to the loss you will train with");
}

void replicaGroupsDivideTheReplicas(const RuleContext& context) {
    if (context.flattened == nullptr)
        return;
    for (const FlattenedLayer& flat : context.flattened->layers)
        if (auto broken =
                brokenReplicaGroup(flat.layer->className, flat.layer->config, context.figures.replicas))
            context.refuse("exception/replica-group", flat.path, std::move(broken->message),
                           std::move(broken->hint));
}

/// The fused cells of Popnn know fewer functions than Keras' own; "linear" stands for None.
void fusedCellsKnowTheirActivations(const RuleContext& context) {
    static constexpr std::array<std::string_view, 6> outputs{"tanh",    "relu",         "softmax",
                                                             "sigmoid", "hard_sigmoid", "linear"};
    if (context.flattened == nullptr)
        return;
    for (const FlattenedLayer& flat : context.flattened->layers) {
        const std::string& className = flat.layer->className;
        if (className != "PopnnLSTM"sv && className != "PopnnGRU"sv)
            continue;
        for (const char* attribute : {"activation", "recurrent_activation"}) {
            const auto value = flat.layer->config.find(attribute);
            if (value == flat.layer->config.end())
                continue;
            const std::string name = activationFromJson(*value).name;
            std::vector<std::string_view> known(outputs.begin(), outputs.end());
            if (attribute == "recurrent_activation"sv)
                std::erase(known, "relu"sv);
            const bool isKnown = std::ranges::find(known, name) != known.end();
            std::erase(known, "linear"sv); // which nobody names
            if (!isKnown)
                context.refuse("value-error/fused-activation", flat.path,
                               fmt::format("{} of {} cannot be {}", attribute, className, name),
                               fmt::format("choose one of {}, or use the Keras layer {}",
                                           fmt::join(known, ", "),
                                           className.substr(std::string_view("Popnn").size())));
        }
    }
}

/// Where the tensors of a call are. What is computed from nothing may be on either side.
enum class Side { Either, Device, Host };

/// A tensor is taken to the host by one HostTransfer and comes back by another; between the two a layer has
/// all its inputs there, and they are of its stage: what goes from stage to stage goes from device to device.
class HostVisits {
public:
    explicit HostVisits(const RuleContext& context)
        : m_context(context)
        , m_model(*context.flattened)
        , m_sides(m_model.invocations.size(), Side::Either) {
        if (!context.figures.isPipelined || !context.hasUsableStages())
            return;
        m_stages.resize(m_model.invocations.size());
        const std::vector<InvocationId>& assignable = m_model.assignable();
        for (std::size_t entry = 0; entry < assignable.size(); ++entry)
            m_stages[assignable[entry].index()] = context.stageOf(entry);
    }

    void ask() {
        for (std::size_t i = 0; i < m_model.invocations.size(); ++i)
            m_sides[i] = follow(i);
    }

private:
    [[nodiscard]] const FlattenedLayer& layer(std::size_t invocation) const {
        return m_model.layers[m_model.invocations[invocation].layer.index()];
    }

    Side follow(std::size_t invocation) {
        const FlattenedLayer& flat = layer(invocation);
        std::optional<std::size_t> onHost;
        std::optional<std::size_t> onDevice;
        for (const TensorRef& input : m_model.invocations[invocation].inputs) {
            const std::size_t maker = input.invocation.index();
            if (m_sides[maker] == Side::Host)
                onHost = maker;
            else if (m_sides[maker] == Side::Device)
                onDevice = maker;
        }
        if (onHost)
            staysInItsStage(invocation, *onHost);
        if (flat.layer->className == "InputLayer"sv)
            return Side::Device;
        if (flat.layer->className != "HostTransfer"sv) {
            if (onHost && onDevice)
                refuse(flat,
                       fmt::format("the layer {} reads {} on the host and {} on the device", flat.path,
                                   layer(*onHost).path, layer(*onDevice).path),
                       fmt::format("put a HostTransfer with the direction \"to_host\" between {} and it",
                                   layer(*onDevice).path));
            return onHost ? Side::Host : onDevice ? Side::Device : Side::Either;
        }
        const bool isToHost = flat.layer->config.value("direction", "to_host") != "from_host";
        if (isToHost && onHost)
            refuse(flat, fmt::format("{} takes to the host what is there already", flat.path),
                   R"(set its direction to "from_host", or remove it)");
        if (!isToHost && onDevice)
            refuse(flat, fmt::format("{} brings back from the host what never went there", flat.path),
                   "put a HostTransfer with the direction \"to_host\" before the layers that the host "
                   "computes, or remove it");
        return isToHost ? Side::Host : Side::Device;
    }

    void staysInItsStage(std::size_t invocation, std::size_t maker) const {
        if (m_stages.empty() || !m_stages[maker].isValid() || m_stages[invocation] == m_stages[maker])
            return;
        const FlattenedLayer& flat = layer(invocation);
        refuse(flat,
               fmt::format("the layer {} on stage {} reads {} on the host, which is of stage {}", flat.path,
                           m_stages[invocation].index(), layer(maker).path, m_stages[maker].index()),
               "put the layers from one HostTransfer to the next on one stage");
    }

    void refuse(const FlattenedLayer& flat, std::string message, std::string hint) const {
        m_context.refuse("value-error/host-transfer", flat.path, std::move(message), std::move(hint));
    }

    const RuleContext& m_context;
    const FlattenedModel& m_model;
    /// By invocation.
    std::vector<Side> m_sides;
    /// By invocation; empty without a pipeline.
    std::vector<StageId> m_stages;
};

void visitsToTheHostReturn(const RuleContext& context) {
    if (context.flattened != nullptr && std::ranges::any_of(context.flattened->layers, [](const auto& flat) {
            return flat.layer->className == "HostTransfer"sv;
        }))
        HostVisits(context).ask();
}

/// Boundaries of a piecewise constant rate lie between its values.
void piecewiseRatesMatch(const RuleContext& context) {
    const auto& optimizer = context.project.training.optimizer;
    if (!optimizer)
        return;
    const auto rate = optimizer->config.find("learning_rate");
    if (rate == optimizer->config.end() || !rate->is_object() ||
        rate->value("class_name", "") != "PiecewiseConstantDecay")
        return;
    const Json& config = rate->at("config");
    const std::size_t boundaries = config.at("boundaries").size();
    const std::size_t values = config.at("values").size();
    if (values != boundaries + 1)
        context.refuse(
            "value-error/learning-rate-boundaries", "/training/optimizer/config/learning_rate",
            fmt::format("{} boundaries need {} values, but there are {}", boundaries, boundaries + 1, values),
            "give one value more than boundaries");
}

/// Rates by epoch take the place of the optimizer's rate, which has to be a number then.
void ratesByEpochStandAlone(const RuleContext& context) {
    const TrainingOptions& training = context.project.training;
    for (std::size_t i = 0; i < training.callbacks.size(); ++i) {
        if (training.callbacks[i].className != "LearningRateScheduler")
            continue;
        const std::string place = fmt::format("/training/callbacks/{}/config/schedule", i);
        const Json& rates = training.callbacks[i].config.at("schedule");
        if (rates.empty() || std::ranges::any_of(rates, [](const Json& rate) { return rate <= 0; }))
            context.refuse("value-error/learning-rate-schedule", place,
                           "a learning-rate schedule is a rate above 0 for each epoch",
                           "give at least one rate; the last one stays for all further epochs");
        if (training.optimizer && training.optimizer->config.value("learning_rate", Json()).is_object())
            context.refuse("value-error/learning-rate-schedule", place,
                           "the learning rate of the optimizer is a schedule already",
                           "give the optimizer a number, or remove the callback");
    }
}

} // namespace

std::optional<BrokenReplicaGroup> brokenReplicaGroup(std::string_view className, const Json& config,
                                                     std::int64_t replicas) {
    struct Group {
        std::string_view className;
        std::string_view attribute;
        bool isWhole;
    };
    static constexpr std::array<Group, 5> groups{{
        {"CrossReplicaSum", "replica_group_size", false},
        {"CrossReplicaMean", "replica_group_size", false},
        {"ReduceScatter", "replication_factor", false},
        {"AllGather", "replication_factor", false},
        {"AllToAll", "number_of_replicas", true},
    }};
    const auto* const group = std::ranges::find(groups, className, &Group::className);
    if (group == groups.end() || replicas < 1)
        return std::nullopt;
    const auto value = config.find(group->attribute);
    if (value == config.end() || !value->is_number_integer())
        return std::nullopt;
    const auto size = value->get<std::int64_t>();
    if (size < 1 || (group->isWhole ? size == replicas : replicas % size == 0))
        return std::nullopt; // 0 means all; other sizes are findings of the attribute
    if (group->isWhole)
        return BrokenReplicaGroup{
            fmt::format("{} is {}, but the model has {} replicas", group->attribute, size, replicas),
            fmt::format("set {} to {}", group->attribute, replicas)};
    return BrokenReplicaGroup{fmt::format("{} replicas cannot be divided into groups of {}", replicas, size),
                              fmt::format("set {} to a divisor of {}", group->attribute, replicas)};
}

std::span<const ValidationRule> modelRules() {
    static constexpr ValidationRule rules[]{
        {"the model is sound and its shapes fit", modelFindings},
        {"the model computes something", somethingIsComputed},
        {"unknown layers are declared", opaqueLayersAreDeclared},
        {"declared layers exist", declaredOpaqueLayersExist},
        {"replica groups divide the replicas", replicaGroupsDivideTheReplicas},
        {"fused cells know their activations", fusedCellsKnowTheirActivations},
        {"visits to the host return", visitsToTheHostReturn},
        {"constants have the length of their weights", constantsHaveTheirLength},
        {"losses match the outputs", lossesMatchTheOutputs},
        {"learning rates by epoch stand alone", ratesByEpochStandAlone},
        {"piecewise learning rates match their boundaries", piecewiseRatesMatch},
    };
    return rules;
}

} // namespace core
