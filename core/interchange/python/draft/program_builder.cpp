#include "core/interchange/python/draft/program_builder.h"

#include "core/catalogue/optimizers.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/graph/layer_precision.h"
#include "core/model/layer_definition.h"
#include "core/text/text_case.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

/// A number of an optimizer that the program feeds when it runs.
constexpr const char* fedNumber = "$placeholder";

} // namespace

Json configuredNow(const PythonConfigured& object) {
    Json json = object.json;
    const bool isVariable =
        object.rate != nullptr && object.rate->variable != nullptr && !object.rate->variable->isOpen;
    if (object.rate == nullptr || (!object.rate->isSet && !isVariable))
        return json;
    optimizerOptions(json)["learning_rate"] =
        object.rate->isSet ? object.rate->now : Json(object.rate->variable->numbers.front());
    return json;
}

Json& optimizerOptions(Json& optimizer) {
    Json& within = scaledOptimizer(optimizer);
    return (within.is_object() ? within : optimizer)["config"];
}

PythonLayer& PythonProgramBuilder::layer(std::int64_t index) {
    return facts.draft.layers[static_cast<std::size_t>(index)];
}

PythonModel& PythonProgramBuilder::model(std::int64_t index) {
    return facts.draft.models[static_cast<std::size_t>(index)];
}

PythonConfiguration& PythonProgramBuilder::configuration(std::int64_t index) {
    return facts.configurations[static_cast<std::size_t>(index)];
}

PythonLayerName PythonProgramBuilder::addLayer(PythonLayer layer) {
    layer.variableName = scope.variables + "/" + layer.name;
    facts.draft.layers.push_back(std::move(layer));
    return {static_cast<std::int64_t>(facts.draft.layers.size()) - 1};
}

PythonModelName PythonProgramBuilder::addModel(PythonModel model) {
    model.isInStrategy = model.isInStrategy || scope.isStrategy;
    facts.draft.models.push_back(std::move(model));
    return {static_cast<std::int64_t>(facts.draft.models.size()) - 1};
}

std::string PythonProgramBuilder::loopAt(PythonPlace place) {
    return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

PythonOptions PythonProgramBuilder::addConfiguration() {
    facts.configurations.emplace_back();
    return {static_cast<std::int64_t>(facts.configurations.size()) - 1, ""};
}

std::string PythonProgramBuilder::freshName(const std::string& stem, bool startsAtOne) {
    while (true) {
        const std::int64_t count = m_counts[stem]++;
        std::string name =
            count == 0 && !startsAtOne ? stem : fmt::format("{}_{}", stem, count + (startsAtOne ? 1 : 0));
        if (m_usedNames.insert(name).second)
            return name;
    }
}

void PythonProgramBuilder::separateNames(const PythonModel& model) {
    std::set<std::string> known;
    for (const std::int64_t index : facts.draft.layersOf(model)) {
        PythonLayer& named = layer(index);
        if (known.insert(named.name).second)
            continue;
        if (named.ownName.empty())
            named.ownName = named.name;
        named.name = freshName(named.ownName);
        if (named.model < 0)
            named.config["name"] = named.name;
        known.insert(named.name);
    }
}

Json PythonProgramBuilder::json(const PythonValue& value, PythonPlace place) const {
    int count = 0;
    return json(value, place, 0, count);
}

Json PythonProgramBuilder::json(const PythonValue& value, PythonPlace place, int depth, int& count) const {
    constexpr int deepest = 64;
    constexpr int most = 2000000;
    if (depth > deepest || ++count > most)
        refuse(place, "python/endless", "this value is too large, or nested too deep",
               {"write it as one list of numbers"});
    const auto inner = [&](const PythonValue& part) { return json(part, place, depth + 1, count); };
    if (value.constant().is_number_float() && !std::isfinite(value.constant().get<double>()))
        refuse(place, "python/value", "this number is not finite", {"write a finite number"});
    if (value.is<PythonConstant>())
        return value.constant();
    if (const auto* object = value.as<PythonConfigured>())
        return configuredNow(*object);
    if (const auto* data = value.as<PythonData>();
        data != nullptr && data->array != nullptr && data->array->extents.empty() && !data->array->isOpen)
        return jsonOf(*data->array); // tf.constant(0.1)
    if (const auto* name = value.as<PythonLibraryName>();
        name != nullptr && name->path.starts_with("ipu.") && lastPart(name->path) == "gelu")
        return "gelu_tanh"; // approximate by default
    if (const auto* name = value.as<PythonLibraryName>())
        return name->path.find("losses.Reduction.") != std::string::npos ? lowerCase(lastPart(name->path))
                                                                         : lastPart(name->path);
    if (const auto* list = value.as<PythonList>()) {
        Json array = Json::array();
        for (const PythonValue& item : *list->items)
            array.push_back(inner(item));
        return array;
    }
    if (const auto* dictionary = value.as<PythonDictionary>()) {
        Json object = Json::object();
        for (const auto& [first, second] : *dictionary->entries) {
            const Json key = inner(first);
            object[key.is_string() ? key.get<std::string>() : key.dump()] = inner(second);
        }
        return object;
    }
    if (const auto* slice = value.as<PythonSlice>())
        return {{"start", inner(slice->bounds->at(0))},
                {"stop", inner(slice->bounds->at(1))},
                {"step", inner(slice->bounds->at(2))}};
    if (const auto* name = value.as<PythonLayerName>()) {
        const PythonLayer& layer = facts.draft.layers[static_cast<std::size_t>(name->layer)];
        if (layer.model < 0)
            return {{"class_name", layer.className}, {"config", layer.config}};
        return facts.draft.kerasJson(layer.model);
    }
    if (const auto* name = value.as<PythonModelName>())
        return facts.draft.kerasJson(name->model);
    if (value.is<PythonEllipsis>())
        return nullptr;
    // functools.partial(tf.nn.leaky_relu, alpha=0.1) is the layer LeakyReLU of these arguments.
    if (const auto* object = value.as<PythonLibraryObject>();
        object != nullptr && object->className == "functools.partial" &&
        object->attributes->contains("func") && object->attributes->at("func").is<PythonLibraryName>() &&
        object->attributes->at("args").items().empty()) {
        std::string function = lastPart(object->attributes->at("func").as<PythonLibraryName>()->path);
        std::erase(function, '_');
        for (const LayerDefinition& layer : layerCatalogue())
            if (layer.category == LayerCategory::Activation && lowerCase(layer.className) == function)
                return {{"class_name", layer.className},
                        {"config", inner(object->attributes->at("keywords"))}};
    }
    if (const auto* object = value.as<PythonLibraryObject>(); object != nullptr)
        if (const auto text = object->attributes->find(std::string(pythonTextFunction));
            text != object->attributes->end())
            return text->second.constant();
    if (const auto* object = value.as<PythonLibraryObject>(); // a policy stands for its types
        object != nullptr && object->className == "keras.mixed_precision.Policy")
        return object->attributes->at("name").constant();
    if (const auto* object = value.as<PythonInstance>(); // a member of an enumeration of texts is its text
        object != nullptr && object->definition->kind == PythonClassKind::Enumeration &&
        (object->definition->base.starts_with("builtin.") || object->definition->base == "enum.IntEnum" ||
         object->definition->base == "enum.StrEnum") &&
        object->attributes->contains("value"))
        return inner(object->attributes->at("value"));
    if (value.is<PythonFunction>())
        refuse(place, "python/unsupported", "what a function computes is not read here",
               {"call layers of tf.keras.layers instead"});
    const auto* data = value.as<PythonData>();
    const auto* part = value.as<PythonMethod>();
    const auto* owner = part == nullptr ? nullptr : part->owner->as<PythonLayerName>();
    if (owner != nullptr || (data != nullptr && (data->weights || data->weightOwners != nullptr)))
        refuse(
            place, "python/unsupported",
            owner != nullptr
                ? fmt::format("\"{}\" of the layer {} is not read as a value", quotedName(part->name),
                              quotedName(facts.draft.layers[static_cast<std::size_t>(owner->layer)].name))
                : "the weights of a layer are not read as a value outside of it",
            {"where two layers share a weight, write one layer of the program that makes it by add_weight() "
             "and computes both, and call it twice"});
    if (data != nullptr && !data->origin.empty())
        refuse(place, "python/value",
               fmt::format("this value depends on what {} answers, which is not in the program",
                           quotedName(data->origin)),
               data->cure.empty()
                   ? std::vector<std::string>{"write it as a number, a text or a list"}
                   : std::vector{data->cure, std::string("write it as a number, a text or a list")});
    if (const std::string* unread = unreadIn(value))
        refuse(
            place, "python/value",
            fmt::format("this value depends on what {} answers, which only a run knows", quotedName(*unread)),
            {"write it as a number, a text or a list",
             "compute it by functions that are followed: arithmetic, np.arange, np.clip and the like"});
    refuse(place, "python/value", "this value is not written in the program",
           {"write it as a number, a text or a list"});
}

Json PythonProgramBuilder::optimizerNumber(const PythonValue& value, PythonPlace place) const {
    const auto* data = value.as<PythonData>();
    const bool isFed = data != nullptr && data->placeholder > 0;
    return isFed ? Json{{fedNumber, data->placeholder}} : json(value, place);
}

PythonProgramBuilder::Collections PythonProgramBuilder::collections() const {
    return {names(),
            variables,
            layersOfStem,
            penalties,
            collected.size(),
            collectedLosses.size(),
            graphWeights.size(),
            handedOn.size()};
}

void PythonProgramBuilder::restore(const Collections& before) {
    setNames(before.names);
    variables = before.variables;
    layersOfStem = before.layersOfStem;
    penalties = before.penalties;
    collected.resize(before.collected);
    collectedLosses.resize(before.losses);
    graphWeights.resize(before.weights);
    handedOn.resize(before.handed);
    step.reset();
}

PythonData PythonProgramBuilder::addPlaceholder(Json shape) {
    PythonData placeholder;
    placeholder.placeholder = ++m_placeholders;
    placeholder.shape = std::move(shape);
    return placeholder;
}

void PythonProgramBuilder::feed(const PythonValue& dictionary) {
    const auto* given = dictionary.as<PythonDictionary>();
    if (given == nullptr)
        return;
    for (const auto& [key, value] : *given->entries) {
        const auto* data = key.as<PythonData>();
        const bool isOfRun = value.is<PythonData>(); // kept as null
        if (data != nullptr && data->placeholder > 0 && (value.is<PythonConstant>() || isOfRun))
            m_fed[data->placeholder].push_back(isOfRun ? Json() : value.constant());
    }
}

void PythonProgramBuilder::useConfiguration(PythonModel& model) const {
    if (const std::int64_t last = facts.lastApplied(); last >= 0)
        model.configuration = last;
}

void PythonProgramBuilder::applyConfiguration(std::int64_t index) {
    const std::int64_t last = facts.lastApplied();
    if (last != index)
        configuration(index).applied = last < 0 ? 1 : configuration(last).applied + 1;
}

std::size_t PythonProgramBuilder::countParts() const {
    std::size_t count = facts.draft.layers.size();
    for (const PythonLayer& layer : facts.draft.layers)
        count += layer.calls.size();
    return count;
}

std::string PythonProgramBuilder::state() const {
    std::string text = fmt::format("{} {}", countParts() - chainParts, facts.training.dump());
    for (const PythonModel& model : facts.draft.models) {
        if (model.isPart && model.use == 0) // a chain that is only looked at
            continue;
        for (const Json* part : {&model.config, &model.pipeline, &model.pipelining, &model.accumulation,
                                 &model.training, &model.stages})
            text += part->dump() + std::to_string(model.use);
    }
    for (const PythonConfiguration& configuration : facts.configurations)
        text += configuration.options.dump() + std::to_string(configuration.applied);
    for (const auto& [model, steps] : tally.steps())
        text += fmt::format(" {}:{}", model, steps.total);
    return text;
}

std::string PythonProgramBuilder::progress() const {
    std::string text = state();
    for (const auto& [model, runs] : launches.steps())
        text += fmt::format(" {}:{}", model, runs.total);
    return text;
}

std::vector<std::size_t> PythonProgramBuilder::callCounts() const {
    std::vector<std::size_t> counts;
    for (const PythonLayer& layer : facts.draft.layers)
        counts.push_back(layer.calls.size());
    return counts;
}

void PythonProgramBuilder::settleJoined() {
    for (const auto& [parts, joined] : joinedConvolutions)
        for (const std::int64_t part : parts)
            if (layer(part).calls.size() > layer(joined).calls.size())
                warn(layer(part).place, "python/ignored",
                     fmt::format("the convolution {} is called outside of its multi_conv as well, where the "
                                 "project gives it weights of its own",
                                 quotedName(layer(part).name)),
                     {"call it in the function only"});
}

namespace {

/// Epochs of a project are alike: where those of the program are not, all steps are one.
std::int64_t epochsAlike(const PythonSteps& steps) {
    return steps.total % steps.epochs == 0 ? steps.epochs : 1;
}

} // namespace

void PythonProgramBuilder::settleLoops() {
    for (const auto& [index, steps] : tally.steps()) {
        if (model(index).isTrainedByBatch && model(index).isFitted) // fit() says how long it trains
            continue;
        Json& training = model(index).training;
        const std::int64_t epochs = epochsAlike(steps);
        const std::int64_t perEpoch = std::max<std::int64_t>(steps.total / epochs, 1);
        // What compile() says stays where it fits.
        const Json told = training.value("steps_per_execution", Json());
        const bool isTold = model(index).isTrainedByBatch && told.is_number_integer() &&
                            told.get<std::int64_t>() > 0 && perEpoch % told.get<std::int64_t>() == 0;
        if (!isTold)
            training["steps_per_execution"] = steps.perExecution;
        training["steps_per_epoch"] = perEpoch;
        training["epochs"] = epochs;
        model(index).countsReplicaSteps = true;
    }
    for (const auto& [index, steps] : tally.answers()) {
        Json& training = model(index).training;
        if (tally.steps().contains(index) || training.contains("optimizer") || steps.perExecution < 2)
            continue;
        training["steps_per_execution"] = steps.perExecution;
        training["steps_per_epoch"] = std::max<std::int64_t>(steps.total / epochsAlike(steps), 1);
        model(index).countsReplicaSteps = true;
        model(index).use = std::max(model(index).use, 2); // it predicts
    }
    for (const auto& [index, runs] : launches.steps()) {
        Json& training = model(index).training;
        if (runs.areEpochsOpen)
            training.erase("epochs");
        else if (runs.areStepsOpen)
            training["epochs"] = runs.epochs;
        if (runs.areStepsOpen)
            training.erase("steps_per_epoch");
        const std::string cause = fmt::format(
            "how often the program runs this training is known only when it runs, and with it how "
            "many {}",
            runs.areStepsOpen ? "steps an epoch has" : "epochs it trains");
        if ((runs.areEpochsOpen || runs.areStepsOpen) && runs.endsByCondition)
            refuse(model(index).trainingPlace, "python/unknown-rounds", cause,
                   {"run it in a loop of a number of rounds, such as range(10)"});
        if (runs.areEpochsOpen || runs.areStepsOpen)
            warn(model(index).trainingPlace, "python/unknown-samples", cause,
                 {fmt::format("set training.{} in the project",
                              runs.areStepsOpen ? "steps_per_epoch" : "epochs"),
                  "put the files that it reads beside the program"});
        if (runs.areStepsOpen)
            continue;
        const Json steps = training.value("steps_per_execution", Json());
        if (!steps.is_number_integer() || runs.total < 2)
            continue;
        const std::int64_t epochs = runs.areEpochsOpen ? runs.epochs : epochsAlike(runs);
        const std::int64_t perEpoch = std::max<std::int64_t>(runs.total / epochs, 1);
        std::int64_t all = 0;
        if (__builtin_mul_overflow(steps.get<std::int64_t>(), perEpoch, &all))
            continue;
        training["steps_per_epoch"] = all;
        if (!runs.areEpochsOpen)
            training["epochs"] = epochs;
    }
}

void PythonProgramBuilder::remember(std::vector<Handed>& known, const PythonValue& values,
                                    PythonPlace place) {
    if (std::ranges::find(known, place, &Handed::place) == known.end())
        known.push_back({values, place});
}

namespace {

bool isSameLoss(const PythonValue& value, const PythonValue& loss) {
    const auto* data = value.as<PythonData>();
    const auto* other = loss.as<PythonData>();
    if (data != nullptr && other != nullptr)
        return data->computed != nullptr && data->computed == other->computed;
    const auto* tensor = value.as<PythonTensor>();
    if (tensor != nullptr && loss.is<PythonTensor>())
        return *tensor == *loss.as<PythonTensor>();
    return value.is<PythonLoss>() && loss.is<PythonLoss>();
}

/// What is handed to an outfeed at once, by its names, or its places from 1.
std::vector<std::pair<std::string, PythonValue>> partsOf(const PythonValue& handed) {
    std::vector<std::pair<std::string, PythonValue>> parts;
    if (const auto* dictionary = handed.as<PythonDictionary>())
        for (const auto& [key, value] : *dictionary->entries)
            parts.emplace_back(key.isText()
                                   ? fmt::format("\"{}\"", quotedName(key.constant().get<std::string>()))
                                   : fmt::format("value {}", parts.size() + 1),
                               value);
    for (const PythonValue& value : handed.items())
        parts.emplace_back(fmt::format("value {}", parts.size() + 1), value);
    std::erase_if(parts, [](const auto& part) {
        const PythonValue& value = part.second;
        return !value.is<PythonTensor>() && !value.is<PythonData>() && !value.is<PythonLoss>();
    });
    return parts;
}

} // namespace

void PythonProgramBuilder::settleOutfeeds() {
    for (const Handed& handed : handedOn) {
        const auto parts = partsOf(handed.values);
        std::string others;
        bool hasLoss = false;
        for (const auto& [name, value] : parts) {
            const bool isLoss = std::ranges::any_of(
                trainedLosses, [&](const Handed& loss) { return isSameLoss(value, loss.values); });
            hasLoss = hasLoss || isLoss;
            if (!isLoss)
                others += (others.empty() ? "" : ", ") + name;
        }
        if (hasLoss && !others.empty())
            warn(handed.place, "python/ignored",
                 fmt::format("what the outfeed is given beside the loss is left out: {}", others),
                 {"name what a run should measure in training.metrics of the project"});
        else if (isLeftOut(handed.values))
            warn(
                handed.place, "python/ignored",
                "what the outfeed is given here is left out: it is neither the loss that is trained nor what "
                "the model answers",
                {"name what a run should measure in training.metrics of the project"});
    }
}

bool PythonProgramBuilder::isLeftOut(const PythonValue& handed) const {
    const auto* tensor = handed.as<PythonTensor>();
    if (tensor == nullptr || trainedLosses.empty())
        return false;
    PythonTensor whole = *tensor; // of which it is the same in another type
    const auto layerOf = [&](const PythonTensor& of) -> const PythonLayer& {
        return facts.draft.layers[static_cast<std::size_t>(of.layer)];
    };
    while (layerOf(whole).config.value("function", "") == "cast" ||
           layerOf(whole).config.value("function", "") == "identity")
        whole = layerOf(whole).calls[static_cast<std::size_t>(whole.call)].tensors.front();
    const auto isAnswered = [&](const PythonModel& one) {
        return std::ranges::find(one.outputs, whole) != one.outputs.end() ||
               std::ranges::find(one.outputs, *tensor) != one.outputs.end();
    };
    return std::ranges::none_of(trainedLosses,
                                [&](const Handed& loss) { return isSameLoss(whole, loss.values); }) &&
           std::ranges::none_of(facts.draft.models, isAnswered);
}

void PythonProgramBuilder::settleWorkers() {
    const bool isSaid = std::ranges::any_of(facts.configurations, [](const PythonConfiguration& one) {
        return one.options.contains(pythonProcessCount);
    });
    if (!workerStrategy.first.empty() && facts.workers == 0 && !isSaid)
        warn(workerStrategy.second, "python/ignored",
             fmt::format("the program does not say on how many workers {} runs", workerStrategy.first),
             {fmt::format("set ipu_config.{} in the project", pythonProcessCount)});
}

namespace {

bool hasWeights(const PythonLayer& layer) {
    const LayerDefinition* definition = findLayerDefinition(layer.className);
    return layer.model >= 0 ||
           (definition != nullptr && std::ranges::any_of(definition->attributes, [](const auto& attribute) {
                return attribute.name.ends_with("initializer");
            }));
}

/// Layers that take what others answer before it is cast: weights of 16 bits there say that it has 16, too.
std::set<std::int64_t> layersAtWeights(const std::vector<PythonLayer>& layers) {
    std::set<std::int64_t> found;
    for (std::size_t at = layers.size(); at-- > 0;) { // a layer is called after those that it takes from
        const PythonLayer& layer = layers[at];
        const bool isCast = layer.config.value("function", Json()) == "cast";
        if (isCast || !(hasWeights(layer) || found.contains(static_cast<std::int64_t>(at))))
            continue;
        for (const PythonCall& call : layer.calls)
            for (const PythonTensor& tensor : call.tensors)
                found.insert(tensor.layer);
    }
    return found;
}

} // namespace

void PythonProgramBuilder::setPrecision(const Json& policy) {
    const Json before = facts.training.value("precision", Json("float32"));
    for (PythonLayer& layer : facts.draft.layers)
        if (policy != before && layer.model < 0 && layer.className != "InputLayer" &&
            !layer.config.contains("dtype"))
            layer.config["dtype"] = ownPrecision(before.get_ref<const std::string&>());
    facts.training["precision"] = policy;
}

void PythonProgramBuilder::settlePrecision() {
    if (facts.training.value("precision", Json("float32")) == "float32")
        for (PythonLayer& layer : facts.draft.layers)
            if (const auto type = layer.config.find("dtype");
                type != layer.config.end() && *type == ownPrecision("float32") && !computesInHalves)
                *type = "float32";
    if (!computesInHalves || facts.training.contains("precision"))
        return;
    const auto isWhole = [](const PythonLayer& layer) {
        return hasWeights(layer) && !layer.calls.empty() && layer.config.value("dtype", Json()) != "float16";
    };
    if (std::ranges::any_of(facts.draft.layers, isWhole))
        return;
    facts.training["precision"] = "float16";
    // What is fed is of 32 bits where the program says nothing else.
    const std::set<std::int64_t> ofWeights = layersAtWeights(facts.draft.layers);
    for (std::size_t i = 0; i < facts.draft.layers.size(); ++i) {
        PythonLayer& layer = facts.draft.layers[i];
        if (layer.className == "InputLayer" && !layer.config.contains("dtype") &&
            !ofWeights.contains(static_cast<std::int64_t>(i)))
            layer.config["dtype"] = "float32";
    }
}

namespace {

/// What is fed to one execution after the other: a number, or a schedule by the updates that each makes.
Json fedNumbers(const PythonModel& model, const std::vector<Json>& fed) {
    const auto countOf = [](const Json& from, const char* key) {
        const Json count = from.value(key, Json(1));
        return count.is_number_integer() ? std::max<std::int64_t>(count.get<std::int64_t>(), 1) : 1;
    };
    const std::int64_t updates =
        std::max<std::int64_t>(countOf(model.training, "steps_per_execution") /
                                   countOf(model.pipeline, "gradient_accumulation_steps_per_replica"),
                               1);
    Json values = Json::array({fed.front()});
    Json boundaries = Json::array();
    for (std::size_t i = 1; i < fed.size(); ++i) {
        if (!fed[i].is_number() || fed[i] == values.back())
            continue;
        // A rate holds up to its boundary, counted from 0.
        boundaries.push_back(static_cast<std::int64_t>(i) * updates - 1);
        values.push_back(fed[i]);
    }
    if (boundaries.empty())
        return fed.front();
    return {{"class_name", "PiecewiseConstantDecay"},
            {"config", {{"boundaries", std::move(boundaries)}, {"values", std::move(values)}}}};
}

} // namespace

void PythonProgramBuilder::settleFedNumbers() {
    for (PythonModel& entry : facts.draft.models) {
        if (!entry.training.contains("optimizer") || !entry.training["optimizer"].is_object())
            continue;
        Json& config = optimizerOptions(entry.training["optimizer"]);
        std::vector<std::string> unfed;
        for (auto& [key, value] : config.items()) {
            if (!value.is_object() || !value.contains(fedNumber))
                continue;
            const auto given = m_fed.find(value[fedNumber].get<std::int64_t>());
            if (const auto standing = m_fedByDefault.find(value[fedNumber].get<std::int64_t>());
                given == m_fed.end() && standing != m_fedByDefault.end()) {
                value = standing->second;
                continue;
            }
            if (given == m_fed.end()) {
                unfed.push_back(key);
                continue;
            }
            if (given->second.front().is_null()) {
                refuse(entry.trainingPlace, "python/fed",
                       fmt::format("what \"{}\" is fed is known only when the program runs", key),
                       {"write the number in the program"});
                continue;
            }
            value = key == "learning_rate" ? fedNumbers(entry, given->second) : given->second.front();
            if (std::ranges::any_of(given->second, &Json::is_null))
                refuse(entry.trainingPlace, "python/fed",
                       fmt::format("what \"{}\" is fed later is known only when the program runs", key),
                       {"compute it of the number of the step"});
        }
        // A listing that ends before anything is fed.
        for (const std::string& key : unfed) {
            config.erase(key);
            warn(entry.trainingPlace, "python/fed",
                 fmt::format("the program does not feed \"{}\": Keras' own default stands", key),
                 {"write the number in the program, or set it in the project"});
        }
    }
}

} // namespace core
