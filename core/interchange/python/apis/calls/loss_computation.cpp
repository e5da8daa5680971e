// Losses that a loop of a program computes of labels and of what a model answers.
#include "core/interchange/python/apis/calls/loss_computation.h"

#include "core/interchange/python/apis/calls/loss_function.h"
#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/draft/losses.h"
#include "core/interchange/python/draft/sample_computation.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_functions.h"
#include "core/interchange/python/draft/tensor_shape.h"

#include <fmt/format.h>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace core {

namespace {

bool isOfRegularizers(const PythonValue& value) {
    const auto* data = value.as<PythonData>();
    return data != nullptr && data->model < 0 && data->origin == regularizers;
}

/// Parts of the samples that a loss is computed of.
struct LossParts {
    /// Null: none is known as labels.
    std::shared_ptr<const PythonValue> labels;
    /// Numbers of the parts that values of samples are multiplied by, and nothing else.
    std::set<std::int64_t> weights;
};

/// Whether a part has one number for each sample.
bool isPerSample(const PythonData& data) {
    return data.part >= 0 && data.model < 0 && data.shape.is_array() && !data.shape.empty() &&
           data.shape.size() <= 2 && (data.shape.size() == 1 || data.shape[1] == 1);
}

/// Axes of 1 that are put beside the numbers of samples, or taken away.
bool keepsNumbers(const PythonComputation& computation) {
    const std::string name = lastPart(computation.name);
    return computation.kind == PythonComputation::Kind::Element ||
           (computation.kind == PythonComputation::Kind::Function &&
            (name == "expand_dims" || name == "squeeze" || name == "reshape"));
}

bool isProduct(const PythonComputation& computation) {
    const bool isFunction =
        computation.kind == PythonComputation::Kind::Function && lastPart(computation.name) == "multiply";
    return (isFunction ||
            (computation.kind == PythonComputation::Kind::Operator && computation.name == "*")) &&
           computation.arguments.list.size() == 2;
}

/// The part whose numbers for each sample a value is; null: it is something else.
const PythonData* numbersOfSamples(const PythonValue& value) {
    const auto* data = value.as<PythonData>();
    while (data != nullptr && data->computed != nullptr && keepsNumbers(*data->computed) &&
           !data->computed->arguments.list.empty())
        data = data->computed->arguments.list[0].as<PythonData>();
    return data != nullptr && data->computed == nullptr && isPerSample(*data) ? data : nullptr;
}

/// Sorts the parts of the samples by what a loss makes of them.
class LossPartsReader {
public:
    LossPartsReader(const PythonProgramBuilder& builder, std::int64_t model)
        : m_builder(builder)
        , m_model(model) {}

    LossParts read(const PythonValue& loss) {
        look(loss, false);
        for (const std::int64_t part : m_factors)
            if (!m_others.contains(part) && !m_others.empty())
                m_parts.weights.insert(part);
        return m_parts;
    }

private:
    void look(const PythonValue& value, bool isFactor) {
        for (const PythonValue& item : value.items())
            look(item, false);
        if (const auto* loss = value.as<PythonLoss>(); loss != nullptr && loss->target != nullptr)
            look(*loss->target, false);
        const auto* data = value.as<PythonData>();
        if (isConstantBeside(m_builder, m_model, value))
            return;
        if (data == nullptr || data->model >= 0 || data->computed != nullptr) {
            if (data != nullptr && data->computed != nullptr && m_seen.insert(data->computed.get()).second)
                lookInto(*data->computed, isFactor);
            return;
        }
        if (isFactor && data->part >= 0) {
            m_factors.insert(data->part);
            return;
        }
        if (data->part >= 0)
            m_others.insert(data->part);
        if (m_parts.labels == nullptr && (data->part >= 0 || data->shape.is_array()))
            m_parts.labels = std::make_shared<const PythonValue>(value);
    }

    void lookInto(const PythonComputation& computation, bool isFactor) {
        for (const PythonValue& operand : computation.arguments.list) {
            const bool isNext = (isProduct(computation) || (isFactor && keepsNumbers(computation))) &&
                                numbersOfSamples(operand) != nullptr;
            look(operand, isNext);
        }
        for (const auto& entry : computation.arguments.keywords)
            look(entry.second, false);
    }

    const PythonProgramBuilder& m_builder;
    std::int64_t m_model;
    LossParts m_parts;
    std::set<std::int64_t> m_factors;
    std::set<std::int64_t> m_others;
    std::set<const PythonComputation*> m_seen;
};

/// Computes on the tensors of labels and predictions what a program computed of samples.
class ComputationOnTensors {
public:
    ComputationOnTensors(const PythonApiCall& call, const PythonTensor& labels,
                         const PythonTensor& predictions, const LossParts& parts, std::int64_t model,
                         std::int64_t output)
        : m_call(call)
        , m_labels(labels)
        , m_predictions(predictions)
        , m_parts(parts)
        , m_model(model)
        , m_output(output) {}
    /// On the outputs of the model itself: without labels.
    ComputationOnTensors(const PythonApiCall& call, std::vector<PythonTensor> outputs, std::int64_t model)
        : m_call(call)
        , m_outputs(std::move(outputs))
        , m_model(model) {}

    PythonValue value(const PythonValue& given) {
        if (isConstantBeside(m_call.builder, m_model, given))
            return given;
        if (const auto* data = given.as<PythonData>())
            return data->computed == nullptr ? tensorOf(*data) : computed(data->computed);
        if (const auto* loss = given.as<PythonLoss>())
            return tensorOf(*loss);
        const auto* list = given.as<PythonList>();
        if (list == nullptr)
            return given;
        PythonValues items;
        for (const PythonValue& item : *list->items)
            items.push_back(value(item));
        return pythonList(std::move(items), list->isTuple);
    }

private:
    [[noreturn]] void refuse(const std::string& cause, const char* cure = nullptr) const {
        std::vector<std::string> cures{"compute it of the labels and of one output of one model",
                                       "train with model.compile() and model.fit()"};
        if (cure != nullptr)
            cures.insert(cures.begin(), cure);
        m_call.builder.refuse(
            m_place, "python/unsupported",
            fmt::format("the loss of these gradients {}, which a project does not hold", cause),
            std::move(cures));
    }

    [[noreturn]] void refuseOfTwoModels() const {
        refuse("is of what two models answer",
               "call both in one tf.keras.Model, with trainable = False of the one that stays as it is, and "
               "give what the loss says of both to its add_loss()");
    }

    PythonValue tensorOf(const PythonData& data) {
        if (data.model >= 0) {
            if (!m_call.builder.isWithin(data.model, m_model))
                refuseOfTwoModels();
            if (!m_outputs.empty())
                return m_outputs.at(static_cast<std::size_t>(data.output));
            if (data.output != m_output)
                refuse("is of several outputs of the model at once");
            return m_predictions;
        }
        if (data.part < 0 && (data.origin == modelWeights || data.origin.starts_with("tf.")))
            refuse(data.origin == modelWeights ? "depends on the weights of the model"
                                               : fmt::format("depends on {}", quotedName(data.origin)));
        const bool isMade = data.part < 0 && data.shape.is_array() && data.dataset.empty();
        if (isMade && !m_call.builder.fedWhole.contains(m_model)) // no label of the samples
            refuse(data.origin.empty() ? "depends on numbers that are not read"
                                       : fmt::format("depends on {}", quotedName(data.origin)));
        const bool isKnown = data.part >= 0 || data.shape.is_array() || !data.dataset.empty();
        takeLabels(isKnown, data.origin);
        takePart(data.part);
        return m_labels;
    }

    void takePart(std::int64_t part) {
        if (part >= 0 && m_part.value_or(part) != part)
            refuse("depends on several parts of the samples",
                   "make those beside the labels inputs of the model, and compute the loss in it: "
                   "model.add_loss()");
        if (part >= 0)
            m_part = part;
    }

    [[nodiscard]] bool isWeight(const PythonValue& value) const {
        const PythonData* numbers = numbersOfSamples(value);
        return numbers != nullptr && m_parts.weights.contains(numbers->part);
    }

    /// Values of samples times what each of them counts for: the dataset of a project says that.
    std::optional<PythonValue> weighed(const PythonComputation& computation) {
        if (!isProduct(computation))
            return std::nullopt;
        for (std::size_t i = 0; i < 2; ++i)
            if (isWeight(computation.arguments.list[i])) {
                const PythonValue counted = value(computation.arguments.list[1 - i]);
                const auto* tensor = counted.as<PythonTensor>();
                const Json shape = tensor == nullptr ? Json() : tensorShape(m_call.builder, *tensor);
                const PythonData weights = *computation.arguments.list[i].as<PythonData>();
                const auto* loss = counted.as<PythonLoss>();
                const bool isOfSamples =
                    loss == nullptr ? shape.is_array() && shape.size() == weights.shape.size()
                                    : !loss->isReduced && !loss->isElementwise && weights.shape.size() == 1;
                if (!isOfSamples)
                    refuse("multiplies its values by what samples count for, which are not of as many axes");
                leaveSampleWeightsOut(m_call.builder, m_place);
                return counted;
            }
        return std::nullopt;
    }

    /// What nothing is known of are labels where nothing else is.
    void takeLabels(bool isKnown, const std::string& origin) {
        m_hasKnownLabels = m_hasKnownLabels || isKnown;
        m_hasUnknownLabels = m_hasUnknownLabels || !isKnown;
        if (m_hasKnownLabels && m_hasUnknownLabels)
            refuse(fmt::format("depends on {}", origin.empty() || origin == regularizers
                                                    ? "what only a run knows"
                                                    : quotedName(origin)));
    }

    PythonValue tensorOf(const PythonLoss& given) {
        if (!m_call.builder.isWithin(given.model, m_model))
            refuseOfTwoModels();
        if (given.output != m_output)
            refuse("is of several outputs of the model at once");
        takeLabels(true, "");
        PythonLoss loss = given;
        loss.prediction = m_predictions;
        loss.label = m_labels;
        const auto* target = given.target == nullptr ? nullptr : given.target->as<PythonData>();
        if (target != nullptr && target->computed == nullptr)
            takePart(target->part);
        else if (target != nullptr)
            if (const PythonValue made = value(*given.target); made.is<PythonTensor>())
                loss.label = *made.as<PythonTensor>();
        loss.model = -1;
        const double factor = std::exchange(loss.factor, 1);
        if (factor == 1)
            return loss;
        PythonArguments product{
            {tensorOfLoss(m_call.builder, loss, m_place)}, {{"y", pythonConstant(factor)}}, m_place};
        return callOnTensors(m_call.builder, "math.multiply", product);
    }

    PythonValue computed(const std::shared_ptr<const PythonComputation>& computation) {
        if (const auto known = m_computed.find(computation.get()); known != m_computed.end())
            return known->second;
        const PythonPlace outer = std::exchange(m_place, computation->arguments.place);
        PythonValue made = compute(*computation);
        m_place = outer;
        m_computed.emplace(computation.get(), made);
        return made;
    }

    PythonValue compute(const PythonComputation& computation) {
        PythonArguments arguments{{}, {}, computation.arguments.place};
        if (computation.name == "+")
            for (std::size_t i = 0; i < 2; ++i) // a project has the regularizers of its layers already
                if (isOfRegularizers(computation.arguments.list[i]))
                    return value(computation.arguments.list[1 - i]);
        if (auto counted = weighed(computation))
            return *counted;
        for (const PythonValue& one : computation.arguments.list)
            arguments.list.push_back(value(one));
        for (const auto& [name, one] : computation.arguments.keywords)
            arguments.keywords.emplace_back(name, value(one));
        PythonProgramBuilder& builder = m_call.builder;
        switch (computation.kind) {
        case PythonComputation::Kind::Function:
            return m_call.interpreter.call(PythonLibraryName{computation.name}, arguments);
        case PythonComputation::Kind::Negative:
            return callOnTensors(builder, "math.negative", asTensors(arguments));
        case PythonComputation::Kind::Element:
            if (!asTensors(arguments).list[0].is<PythonTensor>())
                refuse("takes numbers of the program at places that only a run knows");
            return sliceTensor(builder, *arguments.list[0].as<PythonTensor>(), arguments.list[1], m_place);
        case PythonComputation::Kind::Loss:
            return makeLoss(builder, computation.loss["class_name"], computation.loss["config"],
                            arguments.list.data(), &arguments.list[1], m_place,
                            computation.loss.value("elementwise", false));
        case PythonComputation::Kind::Operator:
            break;
        }
        asTensors(arguments);
        auto made = tensorOperation(builder, computation.name, arguments.list[0], arguments.list[1], m_place);
        if (!made)
            refuse(fmt::format("is computed by the operator {}", quotedName(computation.name)));
        return *made;
    }

    PythonArguments& asTensors(PythonArguments& arguments) {
        for (PythonValue& one : arguments.list)
            if (const auto* loss = one.as<PythonLoss>())
                one = tensorOfLoss(m_call.builder, PythonLoss(*loss), m_place);
        if (!arguments.list[0].is<PythonTensor>() &&
            (arguments.list.size() < 2 || !arguments.list[1].is<PythonTensor>()))
            refuse("is computed of what only a run knows");
        return arguments;
    }

    const PythonApiCall& m_call;
    PythonTensor m_labels = {};
    PythonTensor m_predictions = {};
    LossParts m_parts;
    std::vector<PythonTensor> m_outputs;
    std::int64_t m_model;
    std::int64_t m_output = 0;
    std::optional<std::int64_t> m_part;
    bool m_hasKnownLabels = false;
    bool m_hasUnknownLabels = false;
    PythonPlace m_place = m_call.place();
    std::map<const PythonComputation*, PythonValue> m_computed;
};

/// Of one output.
PythonLoss lossOf(const PythonApiCall& call, const PythonValue& target, std::int64_t model,
                  std::int64_t output) {
    const Json shape = withoutBatch(outputShape(call.builder, model, static_cast<std::size_t>(output)));
    const LossParts parts = LossPartsReader(call.builder, model).read(target);
    const Json whole = parts.labels == nullptr ? Json() : shapeOf(*parts.labels);
    const Json labelShape = whole.empty() ? Json() : withoutBatch(whole); // one number is not of samples
    const PythonValue made = lossOfLabels(
        call, {shape, labelShape}, [&](const PythonTensor& labels, const PythonTensor& predictions) {
            return ComputationOnTensors(call, labels, predictions, parts, model, output).value(target);
        });
    PythonLoss loss{made.as<PythonConfigured>()->json, {}, model};
    loss.output = output;
    return loss;
}

/// What is added up to a loss: which outputs of the model it is of, and whether of labels, too.
struct LossTerm {
    PythonValue value;
    std::set<std::int64_t> outputs;
    bool hasLabels = false;
};

LossTerm termOf(const PythonApiCall& call, const PythonValue& value, std::int64_t model) {
    LossTerm term{value, {}, false};
    visitOperands(value, [&](const PythonValue& operand) {
        const auto* loss = operand.as<PythonLoss>();
        const auto* data = operand.as<PythonData>();
        if (loss != nullptr)
            term.outputs.insert(loss->output);
        else if (data != nullptr && data->model >= 0)
            term.outputs.insert(data->output);
        term.hasLabels =
            term.hasLabels || loss != nullptr ||
            (data != nullptr && data->model < 0 && !isConstantBeside(call.builder, model, operand));
    });
    return term;
}

/// What a computation is the sum of; of the mean of a sum, the means. Nothing: it is no sum.
PythonValues summandsOf(const PythonApiCall& call, const PythonComputation& sum) {
    const bool isFunction = sum.kind == PythonComputation::Kind::Function;
    const bool isSum = sum.kind == PythonComputation::Kind::Operator && sum.name == "+";
    if (isSum || (isFunction && (sum.name == "tf.add" || sum.name == "tf.math.add")))
        return sum.arguments.list;
    const bool isMean = isFunction && lastPart(sum.name) == "reduce_mean" && sum.arguments.list.size() == 1 &&
                        sum.arguments.keywords.empty();
    const auto* inner = isMean ? sum.arguments.list[0].as<PythonData>() : nullptr;
    if (inner == nullptr || inner->computed == nullptr)
        return {};
    PythonValues means;
    for (const PythonValue& summand : summandsOf(call, *inner->computed)) {
        PythonValue mean = PythonData();
        rememberComputation(mean, {PythonComputation::Kind::Function, sum.name,
                                   PythonArguments{{summand}, {}, sum.arguments.place}});
        means.push_back(mean.as<PythonData>()->computed == nullptr ? summand : mean);
    }
    return means;
}

std::vector<LossTerm> termsOf(const PythonApiCall& call, const PythonValue& value, std::int64_t model) {
    constexpr std::size_t most = 1000; // a sum that is added to itself again and again has no end
    std::vector<LossTerm> terms;
    PythonValues open{value};
    for (std::size_t i = 0; i < open.size(); ++i) {
        const auto* data = open[i].as<PythonData>();
        PythonValues summands;
        if (data != nullptr && data->computed != nullptr && open.size() < most)
            summands = summandsOf(call, *data->computed);
        if (!summands.empty())
            open.insert(open.end(), summands.begin(), summands.end());
        else if (!isOfRegularizers(open[i]) && !open[i].isNumber())
            terms.push_back(termOf(call, open[i], model));
    }
    return terms;
}

/// A term without labels is one that the model adds to its loss by itself.
void addToModel(const PythonApiCall& call, const PythonValue& term, std::int64_t model) {
    const std::vector<PythonTensor> outputs = call.builder.model(model).outputs;
    const PythonValue made = ComputationOnTensors(call, outputs, model).value(term);
    PythonArguments terms{{made}, {}, call.place()};
    const PythonMethod add{std::make_shared<const PythonValue>(PythonModelName{model}), "add_loss"};
    static_cast<void>(call.interpreter.call(add, terms));
}

[[noreturn]] void refuseOfSeveral(const PythonApiCall& call) {
    call.refuse("python/unsupported",
                "the loss of these gradients is computed of several outputs of the model at once, which a "
                "project does not hold",
                {"add up losses that are each of one output"});
}

PythonValue sumOf(const PythonApiCall& call, const PythonValues& values) {
    PythonValue sum = values.front();
    for (std::size_t i = 1; i < values.size(); ++i) {
        PythonValue made = PythonData();
        rememberComputation(made, {PythonComputation::Kind::Operator, "+",
                                   PythonArguments{{sum, values[i]}, {}, call.place()}});
        sum = made;
    }
    return sum;
}

/// Of a model with several outputs: a loss of each that has labels, added up; what is computed of outputs
/// alone, the model adds itself, and outputs without a loss of their own are none of the model that is
/// trained.
PythonLoss lossOfOutputs(const PythonApiCall& call, const PythonValue& target, std::int64_t model) {
    const std::vector<LossTerm> terms = termsOf(call, target, model);
    const auto count = static_cast<std::int64_t>(call.builder.model(model).outputs.size());
    std::map<std::int64_t, PythonValues> own;
    for (const LossTerm& term : terms)
        if (term.hasLabels && term.outputs.size() == 1)
            own[*term.outputs.begin()].push_back(term.value);
        else if (term.outputs.empty())
            call.refuse("python/unsupported",
                        "the loss of these gradients depends on more than the model answers",
                        {"train with model.compile() and model.fit()"});
        else if (term.hasLabels)
            refuseOfSeveral(call);
    if (own.empty())
        refuseOfSeveral(call);
    std::set<std::int64_t>& left = call.builder.untrainedOutputs[model];
    const bool isFirst = call.builder.addedTerms.insert(model).second;
    for (const LossTerm& term : terms)
        if (!term.hasLabels && term.outputs.size() == 1 && own.contains(*term.outputs.begin()))
            own[*term.outputs.begin()].push_back(term.value);
        else if (!term.hasLabels && isFirst)
            addToModel(call, term.value, model);
    PythonLoss whole{Json::array(), {}, model};
    for (std::int64_t output = 0; output < count; ++output) {
        const auto found = own.find(output);
        if (found == own.end()) {
            left.insert(output);
            continue;
        }
        const PythonValue sum = sumOf(call, found->second);
        const auto* loss = sum.as<PythonLoss>();
        const bool isItself = loss != nullptr && loss->factor == 1;
        whole.json.push_back(isItself ? loss->json : lossOf(call, sum, model, output).json);
    }
    return whole;
}

} // namespace

std::optional<PythonLoss> lossOfComputation(const PythonApiCall& call, const PythonValue& target) {
    const auto* loss = target.as<PythonLoss>();
    const auto* data = target.as<PythonData>();
    const std::int64_t model = loss != nullptr ? loss->model : data != nullptr ? data->model : -1;
    if (model < 0)
        return loss == nullptr ? std::nullopt : std::optional(*loss);
    if (data != nullptr && data->isChained)
        call.refuse("python/unsupported",
                    "these gradients are of a model that is called on what another model answers, which a "
                    "project does not hold",
                    {"make one model of both: tf.keras.Model(inputs, second(first(inputs)))"});
    const bool hasSeveral =
        call.builder.model(model).outputs.size() > 1 && !(loss != nullptr && loss->json.is_array());
    if (hasSeveral)
        return lossOfOutputs(call, target, model);
    return loss != nullptr ? *loss : lossOf(call, target, model, 0);
}

PythonValue computedOfAnswers(const PythonApiCall& call, const PythonValue& value,
                              const std::vector<PythonTensor>& answers, std::int64_t model) {
    return ComputationOnTensors(call, answers, model).value(value);
}

PythonLoss multipliedLoss(const PythonApiCall& call, const PythonLoss& loss, double factor) {
    PythonLoss multiplied = loss;
    multiplied.factor = factor;
    return lossOf(call, multiplied, loss.model, loss.output);
}

} // namespace core
