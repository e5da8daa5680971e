#include "core/interchange/python/apis/api_library.h"

#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/calls/data_methods.h"
#include "core/interchange/python/apis/calls/element_expression.h"
#include "core/interchange/python/apis/calls/ipu_configuration.h"
#include "core/interchange/python/apis/calls/model_methods.h"
#include "core/interchange/python/apis/calls/pipeline_call.h"
#include "core/interchange/python/apis/program_classes.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/losses.h"
#include "core/interchange/python/draft/models.h"
#include "core/interchange/python/draft/tensor_functions.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

namespace {

/// Where the names of Python itself are found.
const std::string builtinModule = "builtin.";

/// A loss object called on labels and predictions.
PythonValue callLossObject(const PythonApiCall& call, const PythonConfigured& object) {
    for (const auto& [name, value] : call.arguments.keywords)
        if (name != "y_true" && name != "y_pred")
            call.refuse("python/unsupported",
                        fmt::format("\"{}\" of this loss is not read", quotedName(name)),
                        {"use the loss of keras.losses that has it"});
    if (call.arguments.list.size() > 2)
        call.refuse("python/unsupported", "a third argument of this loss is not read",
                    {"use the loss of keras.losses that has it"});
    return makeLoss(call.builder, object.json["class_name"], object.json["config"],
                    call.arguments.find("y_true", 0), call.arguments.find("y_pred", 1), call.place());
}

/// What a function that is left out answers: the tensor or function that it was given, else samples.
PythonValue leftOut(const PythonArguments& arguments) {
    for (const PythonValue& value : arguments.list)
        if (value.is<PythonTensor>() || value.is<PythonFunction>())
            return value;
    return samplesOfArguments(arguments);
}

/// minimize(loss): what a loop or an estimator trains with.
PythonValue callOptimizerMethod(const PythonApiCall& call, const PythonConfigured& optimizer) {
    const PythonValue* loss = call.arguments.find("loss", 0);
    if (call.path == "minimize" && loss != nullptr && loss->is<PythonLoss>()) {
        call.builder.step = PythonTrainingStep{optimizer.json, std::make_shared<const PythonValue>(*loss),
                                               call.place().line, call.place().column};
        return *call.builder.step;
    }
    if (call.path == "minimize" && loss != nullptr && !loss->is<PythonData>())
        call.refuse("python/unsupported", "this loss is not among those that are read",
                    {"use a loss of keras.losses or tf.nn, and reduce_mean() or reduce_sum() of it"});
    return PythonData();
}

} // namespace

// ---- names ----------------------------------------------------------------------------------------------

std::string PythonApiLibrary::fullName(const std::string& path) const {
    return fullPythonName(path);
}

std::map<std::string, PythonValue> PythonApiLibrary::names() const {
    // Snippets leave the usual imports out.
    std::map<std::string, PythonValue> names;
    for (const PythonApiTable* api : pythonApis()) {
        for (const std::string_view assumed : api->assumed) {
            const std::string path(assumed);
            names[lastPart(path)] = PythonLibraryName{fullPythonName(path)};
        }
    }
    return names;
}

const PythonApiName* PythonApiLibrary::row(const std::string& path) const {
    const auto [entry, isNew] = m_rows.try_emplace(path, nullptr);
    if (isNew)
        entry->second = findPythonName(path);
    return entry->second;
}

std::optional<PythonValue> PythonApiLibrary::find(const std::string& name,
                                                  const std::vector<std::string>& stars) const {
    const PythonApiName* builtin = row(builtinModule + name);
    if (builtin != nullptr && builtin->pattern == builtinModule + name)
        return PythonLibraryName{builtinModule + name};
    if (stars.empty())
        return std::nullopt;
    return PythonLibraryName{*std::ranges::min_element(stars) + "." + name};
}

bool PythonApiLibrary::takesSamples(const PythonValue& callee) const {
    if (const auto* method = callee.as<PythonMethod>())
        return method->owner->is<PythonModelName>() && modelMethodTakesSamples(method->name);
    const auto* name = callee.as<PythonLibraryName>();
    const PythonApiName* known = name == nullptr ? nullptr : row(name->path);
    return known != nullptr && known->takesSamples;
}

// ---- calls ----------------------------------------------------------------------------------------------

PythonValue PythonApiLibrary::call(PythonInterpreter& interpreter, const PythonValue& callee,
                                   PythonArguments& arguments) {
    if (const auto* name = callee.as<PythonLibraryName>())
        return callName(interpreter, name->path, arguments);
    if (callee.is<PythonLayerName>() || callee.is<PythonModelName>())
        return callLayer(m_builder, asLayer(m_builder, callee, arguments.place), arguments);
    if (const auto* method = callee.as<PythonMethod>())
        return callMethod(interpreter, *method, arguments);
    if (const auto* object = callee.as<PythonConfigured>();
        object != nullptr && object->path.find("losses") != std::string::npos) {
        return callLossObject({m_builder, interpreter, object->path, arguments}, *object);
    }
    if (const auto* object = callee.as<PythonLibraryObject>()) {
        const std::string function = object->className + ".__call__";
        if (const PythonApiName* known = row(function);
            known != nullptr && known->reading == PythonApiName::Reading::Read) {
            arguments.list.insert(arguments.list.begin(), callee);
            return callName(interpreter, function, arguments);
        }
    }
    if (callee.is<PythonData>())
        return PythonData();
    if (const auto* object = callee.as<PythonLibraryObject>();
        object != nullptr && object->className == "functools.partial")
        return callPartial(interpreter, *object, arguments);
    m_builder.refuse(arguments.place, "python/unsupported", "this cannot be called",
                     {"call a function, a layer or a model"});
}

PythonValue PythonApiLibrary::callName(PythonInterpreter& interpreter, const std::string& path,
                                       PythonArguments& arguments) {
    const PythonApiName* known = row(path);
    const PythonApiCall call{m_builder, interpreter, path, arguments};
    if (known == nullptr)
        call.refuse("python/unsupported", fmt::format("\"{}\" is not known", quotedName(path)),
                    {"names of Keras, TensorFlow, NumPy and the IPU extensions are"});
    switch (known->reading) {
    case PythonApiName::Reading::Read:
        return known->meaning(call);
    case PythonApiName::Reading::Host:
        return samplesOfArguments(arguments);
    case PythonApiName::Reading::Warned:
        call.warn("python/ignored", fmt::format("\"{}\" {}", quotedName(path), known->cause), {known->cure});
        return leftOut(arguments);
    case PythonApiName::Reading::Refused:
        break;
    }
    call.refuse("python/unsupported", fmt::format("\"{}\" {}", quotedName(path), known->cause),
                {known->cure});
}

PythonValue PythonApiLibrary::callMethod(PythonInterpreter& interpreter, const PythonMethod& method,
                                         PythonArguments& arguments) {
    const PythonValue& owner = *method.owner;
    const PythonApiCall call{m_builder, interpreter, method.name, arguments};
    if (const auto* model = owner.as<PythonModelName>())
        return callModelMethod(call, *model);
    if (const auto* data = owner.as<PythonData>())
        return callDataMethod(call, *data);
    if (const auto* queue = owner.as<PythonQueue>())
        return callQueueMethod(call, *queue);
    if (const auto* options = owner.as<PythonOptions>())
        return callConfigurationMethod(call, *options);
    if (owner.is<PythonScope>())
        return callScopeMethod(call);
    if (const auto* object = owner.as<PythonLibraryObject>()) {
        arguments.list.insert(arguments.list.begin(), owner);
        return callName(interpreter, object->className + "." + method.name, arguments);
    }
    if (owner.is<PythonMethod>() || owner.is<PythonLibraryName>())
        return PythonData();
    constexpr std::array<std::string_view, 4> optimizerMethods{"minimize", "compute_gradients",
                                                               "apply_gradients", "get_weights"};
    if (const auto* object = owner.as<PythonConfigured>();
        object != nullptr && std::ranges::find(optimizerMethods, method.name) != optimizerMethods.end())
        return callOptimizerMethod(call, *object);
    if (owner.is<PythonLayerName>() && (method.name == "build" || method.name == "summary"))
        return {};
    call.refuse("python/unsupported",
                fmt::format("the method \"{}\" is not read here", quotedName(method.name)),
                {"write what it answers"});
}

PythonValue PythonApiLibrary::callScopeMethod(const PythonApiCall& call) {
    if (call.path == "experimental_run_v2")
        return callWithList(call, "fn", "args");
    PythonScope scope;
    scope.isStrategy = true;
    return call.path == "scope" ? PythonValue(scope) : PythonValue(PythonData());
}

PythonValue PythonApiLibrary::callQueueMethod(const PythonApiCall& call, const PythonQueue& queue) {
    if (call.path != "_dequeue" || !queue.isInfeed)
        return PythonData();
    if (!m_builder.scope.stage)
        call.refuse("python/unsupported", "an infeed queue is read by a stage",
                    {"give infeed_queue to pipeline()"});
    takeInfeed(m_builder, *m_builder.scope.stage, call.place());
    call.refuse("python/unsupported", "a stage that reads the infeed by itself is not read",
                {"give infeed_queue to pipeline(): the first stage gets its elements as arguments"});
}

/// Models and optimizers of the program are what their Keras class is, as long as that is all they are told;
/// what they override is kept for the pipeline, which refuses it in its own words.
std::optional<PythonValue> PythonApiLibrary::construct(PythonInterpreter& interpreter,
                                                       const PythonClass& made, PythonArguments& arguments) {
    const bool isPlain = made.base.empty() || made.base.starts_with("builtin.") ||
                         made.base.starts_with("abc.") || made.base.starts_with("typing.");
    if (isPlain || (isLayerBase(made.base) && !isWrittenLayer(made)))
        return std::nullopt;
    return constructKerasClass({m_builder, interpreter, made.base, arguments}, made);
}

PythonValue PythonApiLibrary::callDecorated(const std::string& function,
                                            const std::vector<PythonDecorator>& decorators, PythonPlace place,
                                            const std::function<PythonValue()>& run) {
    bool joins = false;
    for (const PythonDecorator& decorator : decorators)
        joins = decoratorJoins(m_builder, function, decorator) || joins;
    const std::size_t firstLayer = m_builder.facts.draft.layers.size();
    PythonValue result = run();
    if (joins)
        joinConvolutions(m_builder, firstLayer, result, place);
    return result;
}

std::optional<PythonClassKind> PythonApiLibrary::classKind(const std::string& path) const {
    constexpr std::array<std::pair<std::string_view, PythonClassKind>, 5> kinds{
        {{"dataclasses.dataclass", PythonClassKind::Record},
         {"typing.NamedTuple", PythonClassKind::NamedTuple},
         {"enum.Enum", PythonClassKind::Enumeration},
         {"enum.IntEnum", PythonClassKind::Enumeration},
         {"enum.StrEnum", PythonClassKind::Enumeration}}};
    for (const auto& [known, kind] : kinds)
        if (known == path)
            return kind;
    return std::nullopt;
}

bool PythonApiLibrary::isLayerBase(const std::string& base) const {
    return base == "keras.layers.Layer" || base == "keras.Layer";
}

/// A function with some of its arguments, and the others.
PythonValue PythonApiLibrary::callPartial(PythonInterpreter& interpreter, const PythonLibraryObject& partial,
                                          const PythonArguments& arguments) {
    PythonArguments all{partial.attributes->at("args").items(), arguments.keywords, arguments.place};
    all.list.insert(all.list.end(), arguments.list.begin(), arguments.list.end());
    for (const auto& [key, value] : *partial.attributes->at("keywords").as<PythonDictionary>()->entries)
        if (arguments.keyword(key.constant().get<std::string>()) == nullptr)
            all.keywords.emplace_back(key.constant().get<std::string>(), value);
    return interpreter.call(partial.attributes->at("func"), all);
}

// ---- values ---------------------------------------------------------------------------------------------

std::optional<PythonValue> PythonApiLibrary::attribute(const PythonValue& owner, const std::string& name) {
    if (const auto* object = owner.as<PythonLibraryObject>()) {
        const auto found = object->attributes->find(name);
        return found == object->attributes->end() ? std::nullopt : std::optional(found->second);
    }
    if (const auto* module = owner.as<PythonLibraryName>())
        return standardConstant(module->path + "." + name);
    if (const auto* options = owner.as<PythonOptions>(); options != nullptr && name != "configure_ipu_system")
        return PythonOptions{options->configuration,
                             options->path.empty() ? name : options->path + "." + name};
    if (const auto* entry = owner.as<PythonStageEntry>()) {
        if (name == "layer")
            return PythonStageEntry{entry->model, entry->call, entry->layer, true};
        if (name == "name")
            return pythonText(entry->layer);
        if (name == "pipeline_stage")
            return pythonConstant(
                m_builder.model(entry->model).stages[static_cast<std::size_t>(entry->call)]);
    }
    if (const auto* layer = owner.as<PythonLayerName>()) {
        if (name == "name")
            return pythonText(m_builder.layer(layer->layer).name);
        if (name == "output")
            return PythonTensor{layer->layer, 0, 0};
    }
    if (const auto* model = owner.as<PythonModelName>()) {
        if (name == "name")
            return pythonText(m_builder.model(model->model).name);
        const bool areInputs = name == "input" || name == "inputs";
        if (areInputs || name == "output" || name == "outputs") {
            PythonValues list;
            const PythonModel& draft = m_builder.model(model->model);
            for (const PythonTensor& tensor : areInputs ? draft.inputs : draft.outputs)
                list.emplace_back(tensor);
            const bool isOne = (name == "input" || name == "output") && list.size() == 1;
            return isOne ? list[0] : pythonList(std::move(list));
        }
    }
    if (owner.is<PythonTensor>() && (name == "shape" || name == "dtype"))
        return PythonData();
    return std::nullopt;
}

bool PythonApiLibrary::setAttribute(const PythonValue& owner, const std::string& name,
                                    const PythonValue& value, PythonPlace place) {
    if (const auto* options = owner.as<PythonOptions>()) {
        PythonConfiguration& configuration = m_builder.configuration(options->configuration);
        const std::string path = options->path.empty() ? name : options->path + "." + name;
        setConfigurationOption(m_builder, configuration, path, m_builder.json(value, place), place);
        return true;
    }
    if (const auto* layer = owner.as<PythonLayerName>()) {
        Json json = m_builder.json(value, place);
        m_builder.layer(layer->layer).config[name] = std::move(json);
        return true;
    }
    if (const auto* model = owner.as<PythonModelName>(); model != nullptr && name == "trainable") {
        m_builder.model(model->model).config[name] = m_builder.json(value, place);
        return true;
    }
    if (const auto* entry = owner.as<PythonStageEntry>(); entry != nullptr && name == "pipeline_stage") {
        m_builder.model(entry->model).stages[static_cast<std::size_t>(entry->call)] =
            m_builder.json(value, place);
        return true;
    }
    if (const auto* object = owner.as<PythonLibraryObject>();
        object != nullptr && canHold(object->attributes.get(), value)) {
        (*object->attributes)[name] = value;
        return true;
    }
    return false;
}

std::optional<PythonValue> PythonApiLibrary::element(const PythonValue& owner, const PythonValue& index,
                                                     PythonPlace place) {
    const auto* tensor = owner.as<PythonTensor>();
    return tensor == nullptr ? std::nullopt : std::optional(sliceTensor(m_builder, *tensor, index, place));
}

std::optional<PythonValues> PythonApiLibrary::unpack(const PythonValue& value, std::size_t count) {
    if (value.is<PythonData>())
        return PythonValues(count, value);
    if (const auto* tensor = value.as<PythonTensor>()) { // a layer with several outputs
        PythonValues parts;
        for (std::size_t i = 0; i < count; ++i)
            parts.emplace_back(PythonTensor{tensor->layer, tensor->call, static_cast<std::int64_t>(i)});
        return parts;
    }
    return std::nullopt;
}

std::optional<PythonValue> PythonApiLibrary::negative(const PythonValue& value, PythonPlace place) {
    if (!value.is<PythonTensor>())
        return std::nullopt;
    PythonArguments arguments{{value}, {}, place};
    return callOnTensors(m_builder, "math.negative", arguments);
}

std::optional<PythonValue> PythonApiLibrary::binary(const std::string& operation, const PythonValue& left,
                                                    const PythonValue& right, PythonPlace place) {
    if (auto formula = elementOperation(operation, left, right))
        return formula;
    return tensorOperation(m_builder, operation, left, right, place);
}

PythonScope PythonApiLibrary::enter(const PythonScope& scope) {
    const PythonScope before = m_builder.scope;
    if (scope.stage)
        m_builder.scope.stage = scope.stage;
    if (scope.shard)
        m_builder.scope.shard = scope.shard;
    m_builder.scope.isStrategy = before.isStrategy || scope.isStrategy;
    return before;
}

} // namespace core
