// Losses that a program computes by itself, as models of labels and predictions.
#include "core/interchange/python/apis/calls/loss_function.h"

#include "core/catalogue/losses.h"
#include "core/interchange/keras/keras_json.h"
#include "core/interchange/python/apis/calls/program_function.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/losses.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_functions.h"
#include "core/interchange/python/draft/tensor_shape.h"
#include "core/model/graph/infer_shapes.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

using ComputeLoss = std::function<PythonValue(const PythonTensor& labels, const PythonTensor& predictions)>;

namespace {

/// The function of an object that computes it; empty: the value is called itself, or is no such object.
const char* methodOf(const PythonValue& given) {
    const auto* object = given.as<PythonInstance>();
    if (object == nullptr)
        return "";
    if (isLossBase(object->definition->base) && object->definition->function("call") != nullptr)
        return "call";
    return object->definition->function("__call__") != nullptr ? "__call__" : "";
}

bool isOwnLoss(const PythonValue& given) {
    const auto* object = given.as<PythonLibraryObject>();
    const bool isMade = object != nullptr && (object->className == "functools.partial" ||
                                              object->className == pythonCompiledFunction);
    return given.is<PythonFunction>() || given.is<PythonMethod>() || isMade ||
           !std::string_view(methodOf(given)).empty();
}

/// What labels and predictions look like.
struct LossOperandShapes {
    Json labels;
    Json predictions;
    bool hasClasses = false;
};

/// The layers of a loss function, while it is followed.
class LossFunctionReader {
public:
    LossFunctionReader(const PythonApiCall& call, const ComputeLoss& compute)
        : m_call(call)
        , m_builder(call.builder)
        , m_compute(compute) {}

    PythonValue read(const LossShapes& shapes) {
        const Json known = shapes.predictions.is_array() ? shapes.predictions : Json::array({nullptr});
        m_areLabelsKnown =
            shapes.labels.is_array() && std::ranges::all_of(shapes.labels, &Json::is_number_integer);
        m_labelCount = shapes.labelCount;
        const PythonProgramBuilder::Names names = m_builder.names();
        PythonValue loss = follow({m_areLabelsKnown ? shapes.labels : known, known});
        const bool areClasses = takesClasses();
        forgetLayers(names);
        if (!areClasses)
            return loss;
        Json classes = m_areLabelsKnown ? shapes.labels : known;
        if (!classes.empty() && !m_areLabelsKnown)
            classes.erase(classes.size() - 1);
        loss = follow({std::move(classes), known, true});
        forgetLayers(names);
        return loss;
    }

private:
    /// The loss has its own; those of the program go on as if it had not been followed.
    void forgetLayers(const PythonProgramBuilder::Names& names) {
        m_builder.facts.draft.layers.resize(m_firstLayer);
        m_builder.setNames(names);
    }

    PythonTensor input(const char* name, const Json& shape, const char* type) {
        PythonArguments arguments{{}, {}, m_call.place()};
        arguments.keywords.emplace_back("shape", pythonConstant(shape));
        arguments.keywords.emplace_back("dtype", pythonText(type));
        if (m_labelCount && std::string_view(name) == "y_true")
            arguments.keywords.emplace_back("batch_size", pythonConstant(*m_labelCount));
        if (!m_builder.isUsed(name))
            arguments.keywords.emplace_back("name", pythonText(name));
        return makeInput(m_builder, arguments);
    }

    PythonValue follow(const LossOperandShapes& shapes) {
        m_firstLayer = m_builder.facts.draft.layers.size();
        m_labels = input("y_true", shapes.labels, shapes.hasClasses ? "int32" : "float32");
        m_predictions = input("y_pred", shapes.predictions, "float32");
        const bool outer = std::exchange(m_builder.computesLoss, true);
        PythonValue result = m_compute(m_labels, m_predictions);
        if (const auto* loss = result.as<PythonLoss>(); loss != nullptr) {
            if (loss->label == m_labels && loss->prediction == m_predictions) {
                m_builder.computesLoss = outer;
                return PythonConfigured{loss->json, ""};
            }
            result = tensorOfLoss(m_builder, *loss, m_call.place());
        }
        m_builder.computesLoss = outer;
        const auto* tensor = result.as<PythonTensor>();
        if (tensor == nullptr)
            m_call.refuse("python/unsupported",
                          "this function returns no loss of its labels and predictions that is read",
                          {"compute it with functions of tf and tf.math of y_true and y_pred",
                           "use a loss of tf.keras.losses, such as MeanSquaredError()"});
        return PythonConfigured{{{"class_name", shapes.hasClasses ? "SparseLossFunction" : "LossFunction"},
                                 {"config", {{"model", modelOf(*tensor)}}}},
                                ""};
    }

    /// A model that computes its loss itself has labels that count nothing: no times their sum, which fits
    /// beside values of any shape.
    PythonTensor besideLabels(const PythonTensor& value) {
        PythonArguments numbers{{m_labels}, {{"dtype", pythonText("float32")}}, m_call.place()};
        PythonArguments all{{callOnTensors(m_builder, "cast", numbers)}, {}, m_call.place()};
        PythonArguments none{
            {callOnTensors(m_builder, "math.reduce_sum", all)}, {{"y", pythonConstant(0)}}, m_call.place()};
        PythonArguments sum{
            {value}, {{"y", callOnTensors(m_builder, "math.multiply", none)}}, m_call.place()};
        return *callOnTensors(m_builder, "math.add", sum).as<PythonTensor>();
    }

    Json modelOf(const PythonTensor& value) {
        PythonDraft& draft = m_builder.facts.draft;
        PythonModel model;
        model.name = "loss";
        model.outputs.push_back(value);
        const std::vector<std::int64_t> used = draft.layersOf(model);
        if (std::ranges::find(used, m_predictions.layer) == used.end())
            m_call.refuse("python/unsupported", "this loss does not depend on its predictions",
                          {"compute it of both, y_true and y_pred"});
        if (std::ranges::find(used, m_labels.layer) == used.end())
            model.outputs.front() = besideLabels(value);
        model.inputs = {m_labels, m_predictions};
        draft.models.push_back(std::move(model));
        Json json = draft.kerasJson(static_cast<std::int64_t>(draft.models.size()) - 1);
        draft.models.pop_back();
        checkShapes(json);
        return json;
    }

    /// Labels and predictions that the program says fit together, or a run refuses them.
    void checkShapes(const Json& json) const {
        if (!m_areLabelsKnown)
            return;
        Diagnostics warnings;
        const auto graph = readKerasModelText(toText(json), m_builder.file(), warnings);
        if (!graph)
            return;
        const InferredModel inferred = inferKnownShapes(*graph);
        if (!inferred.findings.empty())
            m_call.refuse(
                "python/shape",
                fmt::format("this loss does not fit the labels: {}", inferred.findings.front().message),
                {"compute it of labels and predictions of these shapes, or reshape them in it"});
    }

    /// Whether the labels are class numbers: that of a sparse loss, or made one-hot.
    [[nodiscard]] bool takesClasses() const {
        const std::vector<PythonLayer>& layers = m_builder.facts.draft.layers;
        for (std::size_t i = m_firstLayer; i < layers.size(); ++i) {
            const PythonLayer& layer = layers[i];
            bool isOfClasses =
                layer.config.value("function", Json()).dump().find("one_hot") != std::string::npos;
            if (layer.className == "LossValue") {
                const LossDefinition* loss = findLoss(layer.config["loss"]["class_name"].get<std::string>());
                isOfClasses = loss != nullptr && loss->target == TargetForm::Classes;
            }
            isOfClasses = isOfClasses || takesPlaces(layer);
            if (isOfClasses && !layer.calls.empty() && !layer.calls[0].tensors.empty() &&
                leadsToLabels(takesPlaces(layer) ? layer.calls[0].tensors.back()
                                                 : layer.calls[0].tensors.front()))
                return true;
        }
        return false;
    }

    /// tf.gather(predictions, labels): what it takes at places.
    [[nodiscard]] static bool takesPlaces(const PythonLayer& layer) {
        return lastPart(layer.config.value("function", std::string())) == "gather" && !layer.calls.empty() &&
               layer.calls[0].tensors.size() == 2;
    }

    [[nodiscard]] bool leadsToLabels(PythonTensor tensor) const {
        const std::vector<PythonLayer>& layers = m_builder.facts.draft.layers;
        while (tensor != m_labels) {
            const auto& calls = layers[static_cast<std::size_t>(tensor.layer)].calls;
            const auto call = static_cast<std::size_t>(tensor.call);
            if (call >= calls.size() || calls[call].tensors.size() != 1)
                return false;
            tensor = calls[call].tensors.front();
        }
        return true;
    }

    const PythonApiCall& m_call;
    PythonProgramBuilder& m_builder;
    const ComputeLoss& m_compute;
    std::size_t m_firstLayer = 0;
    std::optional<std::int64_t> m_labelCount;
    bool m_areLabelsKnown = false;
    PythonTensor m_labels;
    PythonTensor m_predictions;
};

/// What fit() is given for an output: the labels themselves of the only one, else by place or by name.
const PythonValue* labelsOf(const PythonApiCall& call, PythonModelName model, std::size_t output,
                            const PythonValue* labels) {
    const auto* list = labels == nullptr ? nullptr : labels->as<PythonList>();
    const std::vector<PythonTensor>& outputs = call.builder.model(model.model).outputs;
    if (list != nullptr && outputs.size() > 1)
        return output < list->items->size() ? &(*list->items)[output] : nullptr;
    if (const auto* dictionary = labels == nullptr ? nullptr : labels->as<PythonDictionary>()) {
        for (const auto& [key, value] : *dictionary->entries)
            if (output < outputs.size() && key.constant() == call.builder.layer(outputs[output].layer).name)
                return &value;
        return nullptr;
    }
    return labels;
}

/// Keras gives labels that are one number for each sample an axis of 1, and takes it from them where a loss
/// function compares them with one number of each sample. Source: squeeze_or_expand_dimensions() of its
/// losses.
Json shapeOfLabels(const PythonValue* labels, const Json& predictions, bool isFunction) {
    Json shape = labels == nullptr ? Json() : shapeOf(*labels);
    if (!shape.is_array() || shape.empty())
        return nullptr;
    shape = withoutBatch(std::move(shape));
    if (isFunction && predictions.is_array() && predictions.empty() && shape == Json::array({1}))
        return predictions;
    return shape.empty() && !(isFunction && predictions == Json::array()) ? Json::array({1}) : shape;
}

/// Which output a name is of; `otherwise` where none has it.
std::size_t outputNamed(const PythonApiCall& call, PythonModelName model, const PythonValue& name,
                        std::size_t otherwise) {
    const std::vector<PythonTensor>& outputs = call.builder.model(model.model).outputs;
    const auto found = std::ranges::find_if(outputs, [&](const PythonTensor& output) {
        return name.constant() == call.builder.layer(output.layer).name;
    });
    return found == outputs.end() ? otherwise : static_cast<std::size_t>(found - outputs.begin());
}

/// Labels are as many as samples of a batch, where the model says that of its inputs and its output begins
/// with another axis.
std::optional<std::int64_t> labelCountOf(const PythonApiCall& call, PythonModelName model,
                                         const Json& predictions) {
    const std::vector<PythonTensor>& inputs = call.builder.model(model.model).inputs;
    return inputs.empty() ? std::nullopt
                          : labelCountBeside(tensorShape(call.builder, inputs.front()), predictions);
}

PythonValue lossOfOutput(const PythonApiCall& call, PythonModelName model, std::size_t output,
                         const PythonValue& given, const PythonValue* labels) {
    if (!isOwnLoss(given))
        return given;
    const std::string method = methodOf(given);
    const ComputeLoss compute = [&](const PythonTensor& truth, const PythonTensor& predictions) {
        PythonArguments both{{truth, predictions}, {}, call.place()};
        if (!method.empty())
            return call.interpreter.callOwn(*given.as<PythonInstance>(), method, both);
        return call.interpreter.call(given, both);
    };
    const Json predictions = outputShape(call.builder, model.model, output);
    const Json predicted = withoutBatch(predictions);
    return lossOfLabels(call,
                        {predicted,
                         shapeOfLabels(labelsOf(call, model, output, labels), predicted, method.empty()),
                         labelCountOf(call, model, predictions)},
                        compute);
}

} // namespace

bool holdsOwnLoss(const PythonValue& given) {
    if (const auto* dictionary = given.as<PythonDictionary>())
        return std::ranges::any_of(*dictionary->entries,
                                   [](const auto& entry) { return isOwnLoss(entry.second); });
    return isOwnLoss(given) || std::ranges::any_of(given.items(), isOwnLoss);
}

std::optional<std::int64_t> labelCountBeside(const Json& labels, const Json& predictions) {
    const auto isKnown = [](const Json& shape) {
        return shape.is_array() && !shape.empty() && shape[0].is_number_integer();
    };
    return isKnown(labels) && isKnown(predictions) && labels[0] != predictions[0]
               ? std::optional(labels[0].get<std::int64_t>())
               : std::nullopt;
}

PythonValue lossOfLabels(const PythonApiCall& call, const LossShapes& shapes, const ComputeLoss& compute) {
    return LossFunctionReader(call, compute).read(shapes);
}

void leaveSampleWeightsOut(PythonProgramBuilder& builder, PythonPlace place) {
    builder.warn(place, "python/ignored", "what the samples count for in this loss is left out",
                 {"set sample_weights of the dataset in the project"});
}

bool isLossBase(const std::string& base) {
    return base.starts_with("keras.") && base.ends_with("losses.Loss");
}

PythonValue lossOfProgram(const PythonApiCall& call, PythonModelName model, const PythonValue& given,
                          const PythonValue* labels) {
    if (given.is<PythonList>()) {
        PythonValues losses;
        for (const PythonValue& item : given.items())
            losses.push_back(lossOfOutput(call, model, losses.size(), item, labels));
        return pythonList(std::move(losses));
    }
    if (const auto* dictionary = given.as<PythonDictionary>()) {
        std::vector<std::pair<PythonValue, PythonValue>> losses;
        for (const auto& [key, value] : *dictionary->entries)
            losses.emplace_back(
                key, lossOfOutput(call, model, outputNamed(call, model, key, losses.size()), value, labels));
        return pythonDictionary(std::move(losses));
    }
    return lossOfOutput(call, model, 0, given, labels);
}

PythonTensor tensorOfLoss(PythonProgramBuilder& builder, const PythonLoss& loss, PythonPlace place) {
    PythonLayer layer;
    layer.className = "LossValue";
    layer.name = builder.freshName("loss_value");
    Json values = loss.json;
    values["config"].erase("reduction");
    layer.config = {{"loss", std::move(values)}};
    layer.place = place;
    PythonArguments operands{{pythonList({loss.label, loss.prediction})}, {}, place};
    PythonValue tensor = callLayer(builder, builder.addLayer(std::move(layer)), operands);
    const Json reduction = loss.json["config"].value("reduction", Json());
    if (loss.isReduced && reduction != "none") {
        PythonArguments one{{tensor}, {}, place};
        tensor = callOnTensors(builder, reduction == "sum" ? "reduce_sum" : "reduce_mean", one);
    }
    return *tensor.as<PythonTensor>();
}

std::optional<PythonValue> operationOnLosses(PythonProgramBuilder& builder, const std::string& operation,
                                             const PythonValue& left, const PythonValue& right,
                                             PythonPlace place) {
    const auto* first = left.as<PythonLoss>();
    const auto* second = right.as<PythonLoss>();
    const auto isOfSamples = [](const PythonLoss* loss) { return loss != nullptr && loss->model >= 0; };
    if ((first == nullptr && second == nullptr) || isOfSamples(first) || isOfSamples(second))
        return std::nullopt;
    auto made = tensorOperation(
        builder, operation, first == nullptr ? left : PythonValue(tensorOfLoss(builder, *first, place)),
        second == nullptr ? right : PythonValue(tensorOfLoss(builder, *second, place)), place);
    const PythonValue& number = first == nullptr ? left : right;
    const auto* product = made ? made->as<PythonTensor>() : nullptr;
    if (product != nullptr && operation == "*" && number.isNumber())
        builder.multipliedLosses.push_back(
            {*product, first == nullptr ? *second : *first, number.constant().get<double>()});
    return made;
}

PythonValue summedTarget(const PythonApiCall& call, const PythonValue& target) {
    const auto isSeveral = [](const Json& shape) { return shape.is_array() && !shape.empty(); };
    bool isOfSamples = false;
    if (const auto* loss = target.as<PythonLoss>())
        isOfSamples = loss->json.is_object() && !isOneValue(*loss);
    else if (const auto* tensor = target.as<PythonTensor>())
        isOfSamples = isSeveral(tensorShape(call.builder, *tensor));
    else if (const auto* data = target.as<PythonData>())
        isOfSamples = data->computed != nullptr && isSeveral(data->shape);
    if (!isOfSamples)
        return target;
    PythonArguments one{{target}, {}, call.place()};
    return call.interpreter.call(PythonLibraryName{"tf.reduce_sum"}, one);
}

std::optional<PythonValue> summedLoss(const PythonApiCall& call, const PythonLoss& loss) {
    const PythonValue* axis = call.arguments.given("axis", 1);
    if (isOneValue(loss))
        return std::nullopt;
    if (call.name() != "reduce_sum" || (axis == nullptr && !loss.isElementwise))
        return std::nullopt;
    Json extents = loss.model >= 0
                       ? outputShape(call.builder, loss.model, static_cast<std::size_t>(loss.output))
                       : tensorShape(call.builder, loss.prediction);
    if (!extents.is_array() || extents.empty())
        return std::nullopt;
    if (!loss.isElementwise)
        extents.erase(extents.size() - 1);
    const auto rank = static_cast<std::int64_t>(extents.size());
    std::vector<std::int64_t> axes{rank - 1}; // of all, samples are summed by the loss itself
    if (axis != nullptr) {
        axes.clear();
        for (const PythonValue& one : axis->is<PythonList>() ? axis->items() : PythonValues{*axis}) {
            const std::int64_t at = one.isWhole() ? one.constant().get<std::int64_t>() : 0;
            axes.push_back(at < 0 ? at + rank : at);
        }
    }
    std::int64_t count = 1;
    for (const std::int64_t at : axes) {
        if (at < 1 || at >= rank || !extents[static_cast<std::size_t>(at)].is_number_integer())
            return std::nullopt;
        count *= extents[static_cast<std::size_t>(at)].get<std::int64_t>();
    }
    PythonLoss summed = loss;
    if (axis == nullptr) {
        summed.isReduced = true;
        summed.json["config"]["reduction"] = "sum";
    }
    summed.isElementwise = false;
    summed.factor *= static_cast<double>(count);
    if (loss.model >= 0 || count == 1)
        return summed;
    summed.factor = loss.factor;
    PythonArguments product{{tensorOfLoss(call.builder, summed, call.place())},
                            {{"y", pythonConstant(static_cast<double>(count))}},
                            call.place()};
    return callOnTensors(call.builder, "math.multiply", product);
}

} // namespace core
