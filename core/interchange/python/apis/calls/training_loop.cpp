// Programs that train in a loop of their own: tape, loss, gradients, optimizer.
#include "core/interchange/python/apis/calls/training_loop.h"

#include "core/catalogue/losses.h"
#include "core/interchange/python/apis/calls/gradients.h"
#include "core/interchange/python/apis/calls/loss_computation.h"
#include "core/interchange/python/apis/calls/loss_function.h"
#include "core/interchange/python/apis/rates/set_rates.h"
#include "core/interchange/python/draft/losses.h"
#include "core/interchange/python/draft/sample_computation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace core {

namespace {

/// Whether a factor makes a mean of a sum over the batch.
bool isMean(const PythonLoss& loss, double factor, const PythonProgramBuilder& builder) {
    const Json& training = builder.facts.draft.models[static_cast<std::size_t>(loss.model)].training;
    const Json batch = training.value("batch_size", Json());
    constexpr double exact = 1e-6;
    return loss.json["config"].value("reduction", Json()) == "sum" && batch.is_number_integer() &&
           std::abs(factor * batch.get<double>() - 1) < exact;
}

/// Weights are updated by the gradients of the loss alone, or of the loss that the program multiplied.
void takeFactor(const PythonApiCall& call, const PythonData* gradients, bool isClipped, Json& optimizer) {
    constexpr double exact = 1e-6;
    const PythonLoss loss = *call.builder.lastLoss;
    const std::optional<double> factor = gradients == nullptr ? loss.factor : gradients->factor;
    if (gradients != nullptr && takeReplicas(*gradients, isClipped, optimizer))
        return;
    if (factor && std::abs(*factor - 1) < exact) {
        scaleLoss(optimizer, loss.factor);
        return;
    }
    if (factor && std::abs(*factor - loss.factor) < exact) {
        call.builder.lastLoss = multipliedLoss(call, loss, loss.factor);
        if (isClipped)
            multiplyClipping(optimizer, loss.factor);
        return;
    }
    const bool isDescent = optimizer.is_object() && optimizer.value("class_name", Json()) == "SGD";
    if (isDescent && factor && multiplyGradients(optimizer, *factor))
        return;
    // Of replicas whose gradients are added up, their number makes a mean.
    if (divideByReplicas(factor, isClipped, optimizer))
        return;
    if (factor && multiplyGradients(optimizer, *factor))
        return;
    call.refuse(
        "python/unsupported",
        factor ? fmt::format("these gradients are multiplied by {} in all, which a project does not hold",
                             *factor)
               : "these gradients are computed further before they are applied, which a project does not "
                 "hold",
        {"apply the gradients of the loss itself, clipped by tf.clip_by_* where they should be",
         "multiply the learning rate instead, or accumulate with set_gradient_accumulation_options()"});
}

/// Whether it is an array, or holds one: no weights.
bool holdsArray(const PythonValue& value) {
    const auto* data = value.as<PythonData>();
    return (data != nullptr && data->shape.is_array() && !data->weights && data->weightOwners == nullptr &&
            !data->isGradient) ||
           std::ranges::any_of(value.items(), holdsArray);
}

/// Gradients of what a model answers by samples, or by what is computed of them: no training of its weights.
bool isOfInput(const PythonApiCall& call) {
    const PythonValue* sources = call.arguments.find("sources", 1);
    return sources != nullptr && (holdsParts(*sources) || holdsArray(*sources));
}

/// The one model that has these weights; −1: none, or several.
std::int64_t modelOfWeights(const PythonValue* weights) {
    const auto owners = weights == nullptr ? std::nullopt : weightOwners(*weights);
    const auto* model = owners && owners->size() == 1 ? owners->front().as<PythonModelName>() : nullptr;
    return model == nullptr ? -1 : model->model;
}

/// A loss that a project does not hold is left out; the model is the one whose weights are trained.
PythonValue withoutLoss(const PythonApiCall& call, PythonData gradients) {
    call.builder.warn(
        *call.builder.inputGradient, "python/ignored",
        "the loss of this training is left out: it depends on these derivatives of what a model "
        "answers by its input, which a project does not hold",
        {"set the loss in training.loss of the project; it has the optimizer and the steps"});
    gradients.isLeftOut = true;
    gradients.gradientsOf = modelOfWeights(call.arguments.find("sources", 1));
    return gradients;
}

/// What a loss of several models at once says of itself: a person chooses one of them.
void nameModels(const PythonProgramBuilder& builder, Diagnostic& refusal) {
    std::vector<std::string> names;
    std::map<std::string, int> counts;
    for (const PythonModel& model : builder.facts.draft.models)
        if (!model.isPart && !model.isSubclass) {
            const int count = ++counts[model.name];
            names.push_back(count == 1 ? model.name : fmt::format("{}-{}", model.name, count));
        }
    if (names.size() < 2) {
        refusal.hints.emplace_back(
            "take one of the models alone, without this training: import --model NAME");
        return;
    }
    std::string list;
    std::vector<std::string> cures;
    for (const std::string& name : names) {
        list += (list.empty() ? "" : ", ") + quotedName(name);
        cures.push_back(fmt::format(
            "`ipu-workbench import` with --model {} takes that model without this training", name));
    }
    refusal.message = fmt::format("these gradients are of a loss that is computed of several models, and the "
                                  "program makes {}; a project has one model: {}",
                                  names.size(), list);
    refusal.hints = std::move(cures);
}

} // namespace

namespace {

/// Which weights are trained is looked at when all models are built.
void rememberTrained(const PythonApiCall& call, const PythonValue* variables, std::int64_t model) {
    const auto owners = variables == nullptr ? std::nullopt : weightOwners(*variables);
    auto& known = call.builder.trainedWeights;
    const bool isKnown =
        std::ranges::find(known, call.place(), &PythonProgramBuilder::TrainedWeights::place) != known.end();
    if (owners && model >= 0 && !isKnown)
        known.push_back({model, *owners, call.place()});
}

} // namespace

PythonValue takeGradients(const PythonApiCall& call) {
    const PythonValue* target = call.arguments.find("target", 0);
    PythonData gradients;
    gradients.isGradient = true;
    if (isOfInput(call)) {
        call.builder.inputGradient = call.place();
        return gradients;
    }
    const PythonValue summed = target == nullptr ? PythonValue() : summedTarget(call, *target);
    target = target == nullptr ? nullptr : &summed;
    if (target != nullptr)
        PythonProgramBuilder::remember(call.builder.trainedLosses, *target, call.place());
    std::optional<PythonLoss> computed;
    try {
        computed = target == nullptr ? std::nullopt : lossOfComputation(call, *target);
    } catch (PythonRefusal& refusal) {
        if (call.builder.inputGradient)
            return withoutLoss(call, gradients);
        if (!call.builder.isModelChosen) {
            nameModels(call.builder, refusal.diagnostic);
            throw;
        }
        call.warn("python/ignored", "how this trains several models together is left out",
                  {"set loss and optimizer of the model in the project"});
        gradients.isLeftOut = true;
    }
    const auto* loss = computed ? &*computed : nullptr;
    if (loss == nullptr && call.builder.inputGradient)
        return withoutLoss(call, gradients);
    if (loss == nullptr)
        return gradients;
    rememberTrained(call, call.arguments.find("sources", 1), loss->model);
    call.builder.lastLoss = *loss;
    call.builder.clipping = Json::object();
    gradients.gradientsOf = loss->model;
    gradients.factor = loss->factor;
    gradients.lossTaken = static_cast<std::int64_t>(call.builder.takenLosses.size());
    call.builder.takenLosses.push_back({*loss, {}});
    return gradients;
}

void applyGradients(const PythonApiCall& call, const PythonConfigured& optimizer) {
    PythonProgramBuilder& builder = call.builder;
    const PythonValue* applied =
        call.path == "apply_gradients" ? call.arguments.find("grads_and_vars", 0) : nullptr;
    const PythonData* gradients = applied == nullptr ? nullptr : gradientsIn(*applied);
    if (gradients != nullptr && gradients->isLeftOut && gradients->gradientsOf >= 0) {
        PythonModel& model = builder.model(gradients->gradientsOf);
        Json json = configuredNow(optimizer);
        takeOptimizerOptions(model, json);
        model.training["optimizer"] = std::move(json);
        model.trainingPlace = call.place();
        model.use = 3;
        builder.useConfiguration(model);
        builder.tally.step(gradients->gradientsOf);
    }
    if (gradients != nullptr && gradients->isLeftOut)
        return;
    const bool isLost = applied != nullptr && gradients == nullptr && builder.lastLoss.has_value();
    const bool isUnknown =
        isLost || (gradients != nullptr && gradients->gradientsOf < 0 && !builder.facts.draft.models.empty());
    if (isUnknown)
        call.refuse("python/unsupported",
                    "these gradients are of a loss that is not read as computed of what a model answers",
                    {"compute the loss of the labels and of what the model answers, with functions of tf",
                     "train with model.compile() and model.fit()"});
    if (gradients != nullptr && gradients->lossTaken >= 0)
        builder.lastLoss =
            *builder.takenLosses[static_cast<std::size_t>(gradients->lossTaken)].loss.as<PythonLoss>();
    if (!builder.lastLoss || builder.lastLoss->model < 0)
        return;
    if (gradients == nullptr)
        rememberTrained(call, call.arguments.given("var_list", 1), builder.lastLoss->model);
    Json json = configuredNow(optimizer);
    const bool isClipped = builder.clipping.is_object() && !builder.clipping.empty();
    takeGradientOptions(call, gradients, json);
    takeFactor(call, gradients, isClipped, json);
    PythonModel& model = builder.model(builder.lastLoss->model);
    takeOptimizerOptions(model, json);
    builder.hasApplied = true;
    ++builder.appliedAt[{call.place().file, call.place().line, call.place().column}];
    if (optimizer.rate != nullptr)
        noteRate(builder, builder.lastLoss->model, json);
    model.training["optimizer"] = std::move(json);
    model.training["loss"] = builder.lastLoss->json;
    if (!builder.askedLosses.contains(builder.lastLoss->model))
        model.training.erase("loss_weights"); // of a loss that is not the compiled one
    model.trainingPlace = call.place();
    model.use = 3;
    builder.useConfiguration(model);
    builder.tally.step(builder.lastLoss->model);
}

namespace {

/// A class whose step trains a model of the models that it holds is that model.
void takeOver(PythonProgramBuilder& builder, std::int64_t model, std::int64_t trained) {
    PythonModel& made = builder.model(model);
    PythonModel& other = builder.model(trained);
    made.isSequential = other.isSequential;
    made.isSubclass = false;
    made.isBuilt = true;
    made.layers = other.layers;
    made.inputs = other.inputs;
    made.outputs = other.outputs;
    made.training["optimizer"] = other.training["optimizer"];
    made.training["loss"] = other.training["loss"];
    if (const auto left = builder.untrainedOutputs.find(trained); left != builder.untrainedOutputs.end())
        builder.untrainedOutputs[model] = left->second;
    builder.computed.erase(model);
    other.use = 0;
    other.training = Json::object();
}

/// Where gradients of the same weights are taken that others were taken of since, and which are applied at
/// another place; nothing: none are. An optimizer that applies parts of them at several places updates each
/// weight once.
std::optional<PythonPlace> secondUpdate(const PythonProgramBuilder& builder, std::size_t gradientsBefore) {
    const auto& taken = builder.trainedWeights;
    for (std::size_t i = gradientsBefore; i < taken.size() && builder.appliedAt.size() > 1; ++i)
        for (std::size_t other = i + 1; other < taken.size(); ++other)
            if (taken[i].model == taken[other].model &&
                areEqual(pythonList(taken[i].owners), pythonList(taken[other].owners)))
                return taken[other].place;
    return std::nullopt;
}

/// The same of a step, or whether it applied gradients at one place several times.
bool updatesTwice(const PythonProgramBuilder& builder, std::size_t gradientsBefore) {
    return secondUpdate(builder, gradientsBefore) ||
           std::ranges::any_of(builder.appliedAt, [](const auto& place) { return place.second > 1; });
}

} // namespace

void followOwnStep(const PythonApiCall& call, PythonModelName model, const PythonValue& samples) {
    PythonProgramBuilder& builder = call.builder;
    const auto own = builder.ownSteps.find(model.model);
    const bool isPipelined = !builder.model(model.model).stages.is_null() ||
                             !builder.facts.draft.stagesByLayer(model.model).is_null();
    if (own == builder.ownSteps.end() || isPipelined) // a pipeline refuses it
        return;
    const PythonInstance object = *own->second.as<PythonInstance>();
    builder.ownSteps.erase(own); // once
    const Json compiled = builder.model(model.model).training;
    const PythonStepTally tally = builder.tally; // fit() says how often it does so
    const auto* dataset = samples.as<PythonData>();
    PythonArguments one{
        {dataset != nullptr && dataset->element != nullptr ? *dataset->element : samples}, {}, call.place()};
    builder.hasApplied = false;
    builder.appliedAt.clear();
    builder.askedLosses.erase(model.model);
    const std::size_t gradientsBefore = builder.trainedWeights.size();
    static_cast<void>(call.interpreter.callOwn(object, "train_step", one));
    builder.tally = tally;
    if (updatesTwice(builder, gradientsBefore))
        call.builder.refuse(
            object.definition->function("train_step")->definition->place, "python/unsupported",
            "this train_step() updates the same weights several times by one batch; a project "
            "updates them once for each batch",
            {"apply the gradients once", "train as many epochs more instead"});
    if (!std::exchange(builder.hasApplied, false))
        return;
    if (builder.lastLoss && builder.lastLoss->model != model.model && builder.lastLoss->model >= 0)
        takeOver(builder, model.model, builder.lastLoss->model);
    PythonModel& made = builder.model(model.model);
    const Json optimizer = made.training["optimizer"];
    const Json loss = made.training["loss"];
    made.training = compiled;
    made.training["optimizer"] = optimizer;
    made.training["loss"] = loss; // the step's own, which may be more than the compiled one
    if (!builder.askedLosses.contains(model.model))
        made.training.erase("loss_weights");
    made.overridden = {};
}

PythonValue compiledLoss(const PythonApiCall& call, PythonModelName model) {
    const bool takesSamples = call.path == "compute_loss";
    if (call.arguments.given("sample_weight", takesSamples ? 3 : 2) != nullptr)
        leaveSampleWeightsOut(call.builder, call.place());
    const Json loss = call.builder.model(model.model).training.value("loss", Json());
    call.builder.askedLosses.insert(model.model);
    if (!loss.is_string() && !loss.is_object())
        call.refuse("python/unsupported", "the model has no single loss here",
                    {"give compile() a loss", "compute a loss of tf.keras.losses in train_step()"});
    Json whole = loss.is_object() ? loss : Json{{"class_name", loss}, {"config", Json::object()}};
    if (const LossDefinition* known = findLoss(whole["class_name"].get<std::string>()))
        whole["class_name"] = known->className;
    const PythonValue* target = call.arguments.find(takesSamples ? "y" : "y_true", takesSamples ? 1 : 0);
    const PythonValue* prediction = call.arguments.find("y_pred", takesSamples ? 2 : 1);
    if (target != nullptr && prediction != nullptr &&
        (isAnswer(prediction) || isAnswer(target) || holdsParts(*prediction))) {
        PythonValue computed =
            makeLoss(call.builder, whole["class_name"], whole.value("config", Json::object()), target,
                     prediction, call.place());
        if (auto* one = std::get_if<PythonLoss>(&computed.content))
            one->isReduced = true;
        else if (auto* data = std::get_if<PythonData>(&computed.content))
            data->shape = nullptr;
        const auto* unread = computed.as<PythonData>();
        if (unread != nullptr && unread->computed == nullptr)
            call.refuse("python/value", "this loss is given samples as what the model answers",
                        {"give it the labels first, and what the model answers after them"});
        return computed;
    }
    PythonLoss made{whole, {}, model.model};
    made.isReduced = true;
    if (target != nullptr)
        made.target = std::make_shared<const PythonValue>(*target);
    call.builder.lastLoss = made;
    return made;
}

PythonValue compiledOptimizer(const PythonProgramBuilder& builder, PythonModelName model) {
    Json optimizer =
        builder.facts.draft.models[static_cast<std::size_t>(model.model)].training.value("optimizer", Json());
    if (optimizer.is_object()) {
        forgetRatesBefore(optimizer);
        return PythonConfigured{std::move(optimizer), "keras.optimizers", model.model};
    }
    if (optimizer.is_string())
        return PythonConfigured{
            {{"class_name", optimizer}, {"config", Json::object()}}, "keras.optimizers", model.model};
    return PythonData();
}

void takeTrainingStep(PythonProgramBuilder& builder, PythonModel& model, const PythonTrainingStep& step,
                      const std::vector<PythonLoss>& losses) {
    const PythonPlace place{step.line, step.column, step.file};
    const auto left = step.variables == nullptr ? std::nullopt : builder.layersLeft(place, *step.variables);
    for (const std::int64_t layer : left.value_or(step.untrained))
        builder.layer(layer).config["trainable"] = false;
    Json optimizer = step.optimizer;
    takeOptimizerOptions(model, optimizer);
    if (!optimizer.is_null()) // null: the loss is measured alone
        model.training["optimizer"] = std::move(optimizer);
    Json& whole = model.training["loss"] = losses.size() == 1 ? losses.front().json : Json::array();
    for (const PythonLoss& loss : losses) {
        if (losses.size() > 1)
            whole.push_back(loss.json);
        model.outputs.push_back(loss.prediction);
    }
}

std::optional<PythonValue> lossOperation(const PythonProgramBuilder& builder, const std::string& operation,
                                         const PythonValue& left, const PythonValue& right,
                                         PythonPlace place) {
    const auto* loss = left.as<PythonLoss>();
    const auto* other = right.as<PythonLoss>();
    if (loss == nullptr && other == nullptr)
        return std::nullopt;
    const bool scales = operation == "*" || operation == "/";
    if ((loss == nullptr || loss->model < 0) && (other == nullptr || other->model < 0))
        return std::nullopt;
    const auto remembered = [&] { // a loss only where gradients are taken of it
        PythonValue made = PythonData();
        rememberComputation(
            made, {PythonComputation::Kind::Operator, operation, PythonArguments{{left, right}, {}, place}});
        return made;
    };
    constexpr std::array<std::string_view, 4> arithmetic{"+", "-", "*", "/"};
    if (std::ranges::find(arithmetic, operation) == arithmetic.end())
        return remembered();
    const PythonValue& operand = loss != nullptr ? right : left;
    const bool isOrdered = loss != nullptr || operation == "+" || operation == "*";
    if (operand.is<PythonLoss>() || !isOrdered)
        return remembered();
    PythonLoss made = loss != nullptr ? *loss : *other;
    if (scales && operand.isNumber()) {
        const double number = operand.constant().get<double>();
        const double factor = operation == "*" ? number : 1 / number;
        if (isMean(made, factor, builder))
            made.json["config"].erase("reduction");
        else
            made.factor *= factor;
        return made;
    }
    const auto* term = operand.as<PythonData>();
    // A number that is added changes no gradient, and what replicas share no mean.
    const bool isSamples =
        term != nullptr && (term->model >= 0 || term->part >= 0 || term->computed != nullptr);
    const bool isRegularized = operation == "+" && term != nullptr && term->origin == regularizers;
    const bool isItself = scales ? !isSamples : isRegularized || operand.isNumber();
    return isItself ? PythonValue(made) : remembered();
}

std::optional<PythonValue> lossArithmetic(const PythonApiCall& call) {
    const auto two = arithmeticOf(call);
    if (!two || (!two->x.is<PythonLoss>() && !two->y.is<PythonLoss>()))
        return std::nullopt;
    return call.interpreter.operation(two->operation, two->x, two->y, call.place());
}

namespace {

/// Numbers that were drawn before a step and are given to it are its samples.
PythonValue asSamples(PythonValue value) {
    if (auto* data = std::get_if<PythonData>(&value.content);
        data != nullptr && data->model < 0 && data->shape.is_array() && data->origin.starts_with("tf.random"))
        data->origin.clear();
    return value;
}

/// Updates of weights, and answers, that loops of the program made.
std::int64_t stepsInAll(const PythonProgramBuilder& builder) {
    std::int64_t all = 0;
    for (const auto* counted : {&builder.tally.steps(), &builder.tally.answers()})
        for (const auto& entry : *counted)
            all += entry.second.total;
    return all;
}

} // namespace

PythonValue runOnDevice(const PythonApiCall& call) {
    const PythonValue* function = call.arguments.find("fn", 0);
    if (function == nullptr || function->is<PythonData>() || function->is<PythonLibraryName>())
        return PythonData();
    const PythonValue callee = *function;
    PythonArguments passed{{}, {}, call.place()};
    if (const PythonValue* list = call.arguments.given("args", 1))
        passed.list = list->is<PythonList>() ? list->items() : PythonValues{*list};
    constexpr std::size_t keywordsAt = 2;
    const PythonValue* keywords = call.arguments.given("kwargs", keywordsAt);
    if (const auto* dictionary = keywords == nullptr ? nullptr : keywords->as<PythonDictionary>())
        for (const auto& [key, value] : *dictionary->entries)
            if (key.isText())
                passed.keywords.emplace_back(key.constant().get<std::string>(), value);
    for (PythonValue& value : passed.list)
        value = asSamples(std::move(value));
    for (auto& entry : passed.keywords)
        entry.second = asSamples(std::move(entry.second));
    PythonProgramBuilder& builder = call.builder;
    builder.deviceCall = {callee, passed};
    const bool isInside = builder.tally.isInExecution();
    const std::size_t gradientsBefore = builder.trainedWeights.size();
    if (!isInside)
        builder.appliedAt.clear();
    const std::size_t models = builder.facts.draft.models.size();
    const PythonProgramBuilder::Collections before = builder.collections();
    const std::int64_t trained = stepsInAll(builder);
    builder.hasOwnDeviceLoop = false;
    PythonValue result;
    const auto refusal = call.interpreter.attempt([&] {
        const PythonExecution execution(builder);
        PythonArguments one = passed;
        result = call.interpreter.call(callee, one);
    });
    if (refusal && (isInside || !builder.hasOwnDeviceLoop || models != builder.facts.draft.models.size()))
        throw PythonRefusal(*refusal);
    // A loop on the device that trained nothing of its own is one of a graph.
    if (!isInside && builder.hasOwnDeviceLoop && models == builder.facts.draft.models.size() &&
        trained == stepsInAll(builder)) {
        builder.restore(before);
        result = call.interpreter.call(callee, passed);
        const auto* run = result.as<PythonData>();
        if (builder.facts.draft.models.size() > models && (run == nullptr || run->compiled < 0)) {
            PythonData compiled;
            compiled.compiled = static_cast<std::int64_t>(builder.facts.draft.models.size()) - 1;
            result = compiled;
        }
    }
    if (const auto second = isInside ? std::nullopt : secondUpdate(builder, gradientsBefore))
        builder.refuse(*second, "python/unsupported",
                       "the same weights are updated by gradients of two losses; a project has one loss, and "
                       "updates the weights once for each batch",
                       {"take the gradients of the sum of the losses", "apply one of them alone"});
    return result;
}

} // namespace core
