#include "core/interchange/python/apis/api_library.h"

#include "core/interchange/python/apis/api_catalogue.h"
#include "core/interchange/python/apis/call_signatures.h"
#include "core/interchange/python/apis/calls/configured_objects.h"
#include "core/interchange/python/apis/calls/element_expression.h"
#include "core/interchange/python/apis/calls/gradients.h"
#include "core/interchange/python/apis/calls/ipu_configuration.h"
#include "core/interchange/python/apis/calls/loss_computation.h"
#include "core/interchange/python/apis/calls/loss_function.h"
#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/data/data_methods.h"
#include "core/interchange/python/apis/data/dataset_functions.h"
#include "core/interchange/python/apis/graphs/pipeline_call.h"
#include "core/interchange/python/apis/models/device_operations.h"
#include "core/interchange/python/apis/models/model_methods.h"
#include "core/interchange/python/apis/models/model_objects.h"
#include "core/interchange/python/apis/models/program_variables.h"
#include "core/interchange/python/apis/older/graph_collections.h"
#include "core/interchange/python/apis/older/step_formulas.h"
#include "core/interchange/python/apis/optimizer_objects.h"
#include "core/interchange/python/apis/program_classes.h"
#include "core/interchange/python/apis/rates/set_rates.h"
#include "core/interchange/python/apis/weights/parameter_counts.h"
#include "core/interchange/python/apis/weights/program_weights.h"
#include "core/interchange/python/apis/weights/shared_weights.h"
#include "core/interchange/python/apis/weights/weight_penalty.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/losses.h"
#include "core/interchange/python/draft/models.h"
#include "core/interchange/python/draft/sample_computation.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_functions.h"
#include "core/interchange/python/draft/tensor_shape.h"

#include <algorithm>
#include <array>
#include <bit>
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
    PythonValue made =
        makeLoss(call.builder, object.json["class_name"], object.json["config"],
                 call.arguments.find("y_true", 0), call.arguments.find("y_pred", 1), call.place());
    if (auto* loss = std::get_if<PythonLoss>(&made.content))
        loss->isReduced = true;
    else if (auto* data = std::get_if<PythonData>(&made.content);
             data != nullptr && object.json["config"].value("reduction", Json()) != "none")
        data->shape = nullptr;
    return made;
}

bool holdsPartOfModel(const PythonValue& value) {
    if (value.is<PythonTensor>() || value.is<PythonOptions>())
        return true;
    return std::ranges::any_of(value.items(), holdsPartOfModel);
}

/// A function that is in another file: on tensors it is a part of the model that is not there; else it is
/// about data or the host.
PythonValue callForeign(const PythonApiCall& call) {
    const bool isPart = std::ranges::any_of(call.arguments.list, holdsPartOfModel) ||
                        std::ranges::any_of(call.arguments.keywords,
                                            [](const auto& entry) { return holdsPartOfModel(entry.second); });
    if (isPart)
        call.refuse("python/unsupported",
                    fmt::format("what {}() makes of this is not in the program", quotedName(call.path)),
                    {"put its file beside the program, or the function into it",
                     "build it from layers of tf.keras.layers"});
    call.warn(
        "python/foreign",
        fmt::format("{}() is not in the program: what it answers is taken for data", quotedName(call.path)),
        {"put it into this file where the model or its options depend on it"});
    PythonData answer = *samplesOfArguments(call.arguments).as<PythonData>();
    answer.origin = call.path + "()";
    return answer;
}

/// An Embedding of the places 0, 1, 2, … is a table that every sample gets.
std::optional<PythonValue> callOnPlaces(const PythonApiCall& call, PythonLayerName name) {
    const PythonLayer& layer = call.builder.layer(name.layer);
    const auto* places = call.arguments.list[0].as<PythonData>();
    const bool areKnown = places != nullptr && places->shape.is_array() && places->shape.size() == 1 &&
                          places->shape[0].is_number_integer() && places->dataset.empty();
    if (layer.className != "Embedding" || !areKnown || !layer.config.contains("output_dim"))
        return std::nullopt;
    std::optional<PythonTensor> beside = call.builder.anchor;
    const auto& layers = call.builder.facts.draft.layers;
    for (std::size_t i = 0; i < layers.size() && !beside; ++i)
        if (layers[i].className == "InputLayer")
            beside = PythonTensor{static_cast<std::int64_t>(i), 0, 0};
    if (!beside)
        return std::nullopt;
    // The table has a row for every place, whether it is there or not.
    const Json rows = layer.config.value("input_dim", places->shape[0]);
    const bool hasMore = rows.is_number_integer() && rows > places->shape[0];
    const Json shape = Json::array({hasMore ? rows : places->shape[0], layer.config["output_dim"]});
    const Json count = places->shape[0];
    PythonArguments arguments{
        {},
        {{"shape", pythonConstant(shape)},
         {"initializer", pythonConstant(layer.config.value("embeddings_initializer", Json("uniform")))}},
        call.place()};
    PythonArguments tensors{{*beside}, {}, call.place()};
    PythonValue table = callLayer(call.builder, makeLayer(call.builder, "Variable", arguments), tensors);
    if (!hasMore)
        return table;
    const PythonSlice first{std::make_shared<const PythonValues>(
        PythonValues{pythonConstant(0), pythonConstant(count), PythonValue()})};
    return sliceTensor(call.builder, *table.as<PythonTensor>(), first, call.place());
}

/// What a run only knows is called.
PythonValue callUnknown(const PythonApiCall& call, const PythonData& callee) {
    const bool isPart = std::ranges::any_of(call.arguments.list, holdsPartOfModel);
    if (isPart && !callee.origin.empty())
        call.refuse("python/unsupported",
                    fmt::format("what {} makes of this is not in the program", quotedName(callee.origin)),
                    {"put its file beside the program, or its class or function into it",
                     "build it from layers of tf.keras.layers"});
    return samplesFrom(callee.origin);
}

/// What a function that is left out answers: the tensor or function that it was given, else samples.
PythonValue leftOut(const PythonArguments& arguments) {
    for (const PythonValue& value : arguments.list)
        if (value.is<PythonTensor>() || value.is<PythonFunction>())
            return value;
    return samplesOfArguments(arguments);
}

/// x.set_shape(): of an input whose extents the program leaves open it says them; elsewhere it has to fit.
PythonValue setShape(const PythonApiCall& call, const PythonTensor& tensor, const PythonValue& shape) {
    const Json said = writtenShape(shape);
    const Json known = tensorShape(call.builder, tensor);
    if (!said.is_array() || !known.is_array())
        return {};
    bool fits = said.size() == known.size();
    for (std::size_t i = 0; fits && i < said.size(); ++i)
        fits = said[i].is_null() || known[i].is_null() || said[i] == known[i];
    if (!fits)
        call.refuse("value-error/shape",
                    fmt::format("set_shape() says {}, and the tensor has {}", said.dump(), known.dump()),
                    {"give the extents that the tensor has"});
    Json& config = call.builder.layer(tensor.layer).config;
    if (call.builder.layer(tensor.layer).className == "InputLayer")
        for (std::size_t i = 0; i < said.size() && config["batch_input_shape"].is_array(); ++i)
            if (Json& extent = config["batch_input_shape"][i]; extent.is_null())
                extent = said[i];
    return {};
}

/// minimize(loss): what a loop or an estimator trains with.
PythonValue callOptimizerMethod(const PythonApiCall& call, PythonConfigured optimizer) {
    const PythonValue* loss = call.arguments.find("loss", 0);
    const bool isGivenStep = call.arguments.given("global_step", 1) != nullptr;
    if (isGivenStep && (call.path == "minimize" || call.path == "apply_gradients"))
        call.builder.countsGlobalStep = true;
    if (call.path == "apply_gradients") {
        if (auto step = stepOfGradients(call, optimizer))
            return *step;
        applyGradients(call, optimizer);
        return PythonData();
    }
    // TensorFlow 1 has the global step before the variables.
    const bool isOlder =
        call.path == "minimize" &&
        (optimizer.json.contains(pythonOptimizerAlone) || optimizer.json.contains(pythonOptimizerAverages) ||
         (call.arguments.list.size() > 1 && isStepFormula(call.arguments.list[1])));
    if (isOlder && !isGivenStep && hasSchedule(optimizer.json))
        optimizer.json[pythonOptimizerStepless] = true;
    const PythonValue* variables = call.arguments.given("var_list", isOlder ? 2 : 1);
    const auto* weights = variables == nullptr ? nullptr : variables->as<PythonData>();
    const bool areAll = weights != nullptr && weights->weights && weights->weightKind.empty();
    const bool areSome = variables != nullptr && (variables->is<PythonData>() || variables->items().empty());
    const auto left =
        variables != nullptr && !areAll ? layersLeft(call.builder, call.place(), *variables) : std::nullopt;
    if (left && variables->items().empty() && variables->is<PythonList>())
        call.refuse("value-error/variables", fmt::format("{}() is given no variables to train", call.name()),
                    {"name a scope that has variables", "leave var_list out: all variables are trained"});
    if (areSome && !areAll && !left && (loss == nullptr || !loss->is<PythonFunction>()))
        call.warn("python/ignored",
                  fmt::format("which weights {}() trains is left out: all that are not frozen are trained",
                              call.name()),
                  {"set trainable=False of the layers that stay as they are"});
    PythonValue computed;
    if (loss != nullptr)
        PythonProgramBuilder::remember(call.builder.trainedLosses, *loss, call.place());
    if (call.path == "minimize" && loss != nullptr &&
        (loss->is<PythonFunction>() || loss->is<PythonMethod>())) { // a function of no arguments
        PythonArguments none{{}, {}, call.place()};
        computed = call.interpreter.call(*loss, none);
        loss = &computed;
    }
    const bool takesGradients = call.path == "minimize" || call.path == "compute_gradients";
    const PythonValue summed = loss == nullptr || !takesGradients ? PythonValue() : summedTarget(call, *loss);
    loss = loss == nullptr || !takesGradients ? loss : &summed;
    if (loss != nullptr)
        if (auto own = lossOfComputation(call, *loss)) {
            computed = std::move(*own);
            loss = &computed;
        }
    if (const auto* own = loss == nullptr ? nullptr : loss->as<PythonLoss>();
        own != nullptr && own->model >= 0) {
        if (call.path == "compute_gradients" || call.path == "minimize") {
            call.builder.lastLoss = *own;
            call.builder.clipping = Json::object();
        }
        if (call.path == "minimize")
            applyGradients(call, optimizer);
        return PythonData();
    }
    if (call.path == "compute_gradients" && loss != nullptr &&
        (loss->is<PythonLoss>() || loss->is<PythonTensor>()))
        return gradientsOfGraph(call, *loss, left ? variables->items() : graphVariableValues(call.builder),
                                left.value_or(std::vector<std::int64_t>()));
    if (call.path == "minimize" && loss != nullptr && (loss->is<PythonLoss>() || loss->is<PythonTensor>()))
        return stepBeside(
            call, trainingStep(call, optimizer.json, *loss, left.value_or(std::vector<std::int64_t>())));
    if (call.path == "minimize" && loss != nullptr && !loss->is<PythonData>())
        call.refuse("python/unsupported", "this loss is not among those that are read",
                    {"use a loss of keras.losses or tf.nn, and reduce_mean() or reduce_sum() of it"});
    return PythonData();
}

/// The name of a library's function as programs write it.
std::string writtenName(const std::string& path) {
    return path.starts_with(builtinModule) ? path.substr(builtinModule.size()) : path;
}

/// The call that an argument is made of of which nothing is known; empty: there is none.
std::string opaqueIn(const PythonArguments& arguments) {
    const auto callOf = [](const PythonValue& value) {
        const auto* data = value.as<PythonData>();
        const bool isOpaque =
            data != nullptr && data->array == nullptr && data->element == nullptr && data->dataset.empty() &&
            data->model < 0 && data->part < 0 && !data->isGradient && !data->weights &&
            std::ranges::none_of(data->shape, [](const Json& extent) { return extent.is_number(); });
        return isOpaque ? data->unread : std::string();
    };
    std::string found;
    for (const PythonValue& value : arguments.list)
        found = found.empty() ? callOf(value) : found;
    for (const auto& entry : arguments.keywords)
        found = found.empty() ? callOf(entry.second) : found;
    return found;
}

/// A refusal of a call says which of its arguments only a run knows.
void nameCause(PythonRefusal& refusal, const std::string& opaque, PythonPlace place) {
    Diagnostic& said = refusal.diagnostic;
    const bool isOfCall = said.location.place == fmt::format("{}:{}", place.line, place.column);
    if (!opaque.empty() && isOfCall && said.message.find(opaque) == std::string::npos)
        said.hints.push_back(fmt::format("write the value in place of {}: what that answers only a run knows",
                                         quotedName(opaque)));
}

} // namespace

PythonApiLibrary::PythonApiLibrary(PythonProgramBuilder& builder)
    : m_builder(builder) {
    builder.layersLeft = [&builder](PythonPlace place, const PythonValue& variables) {
        return core::layersLeft(builder, place, variables);
    };
}

// ---- names ----------------------------------------------------------------------------------------------

std::string PythonApiLibrary::fullName(const std::string& path) const {
    // As an import writes it: attributes of `tf` begin with that.
    if (path == "tensorflow.compat.v1")
        m_builder.importsOlderApi = true;
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
    PythonValue cause = PythonData();
    keepUnread(callee, cause);
    for (const PythonValue& value : arguments.list)
        keepUnread(value, cause);
    for (const auto& entry : arguments.keywords)
        keepUnread(entry.second, cause);
    const auto* name = callee.as<PythonLibraryName>();
    const auto* method = callee.as<PythonMethod>();
    const std::string called = name != nullptr     ? writtenName(name->path)
                               : method != nullptr ? method->name
                                                   : std::string();
    const std::string opaque = opaqueIn(arguments);
    const PythonPlace place = arguments.place;
    PythonValue made;
    try {
        made = answer(interpreter, callee, arguments);
    } catch (PythonRefusal& refusal) {
        nameCause(refusal, opaque, place);
        throw;
    }
    keepUnread(cause, made);
    if (auto* data = std::get_if<PythonData>(&made.content); data != nullptr && data->unread.empty() &&
                                                             data->array == nullptr &&
                                                             data->placeholder == 0 && !called.empty())
        data->unread = fmt::format("{}() at {}:{}", called, arguments.place.line, arguments.place.column);
    return made;
}

PythonValue PythonApiLibrary::answer(PythonInterpreter& interpreter, const PythonValue& callee,
                                     PythonArguments& arguments) {
    if (const auto* name = callee.as<PythonLibraryName>())
        return callName(interpreter, name->path, arguments);
    const PythonApiCall whole{m_builder, interpreter, builtinModule, arguments};
    if (const auto* model = callee.as<PythonModelName>()) {
        const bool isOnSamples = !arguments.list.empty() && firstSamples(arguments.list[0]) != nullptr;
        if (isOnSamples)
            return callModelOnSamples(whole, *model);
        if (const auto found = m_builder.computed.find(model->model); found != m_builder.computed.end()) {
            PythonValue result = arguments.list.empty() ? PythonValue() : arguments.list[0];
            for (const PythonValue& layer : PythonValues(found->second.items())) {
                PythonArguments one{{result}, {}, arguments.place};
                result = layer.is<PythonTensor>() ? result : interpreter.call(layer, one);
            }
            return result;
        }
    }
    if (callee.is<PythonLayerName>() && !arguments.list.empty())
        if (auto table = callOnPlaces(whole, *callee.as<PythonLayerName>()))
            return std::move(*table);
    if (callee.is<PythonLayerName>() && !arguments.list.empty() && !m_builder.scope.stage) {
        const auto* data = arguments.list[0].as<PythonData>(); // samples that are prepared
        if (data != nullptr && (data->shape.is_array() || !data->dataset.empty()))
            return samplesOfArguments(arguments);
    }
    if (callee.is<PythonLayerName>())
        if (auto shared = callOnSharedWeights(whole, *callee.as<PythonLayerName>()))
            return std::move(*shared);
    if (callee.is<PythonLayerName>() || callee.is<PythonModelName>())
        return callLayer(m_builder, asLayer(m_builder, callee, arguments.place), arguments);
    if (const auto* method = callee.as<PythonMethod>())
        return callMethod(interpreter, *method, arguments);
    if (const auto* option = callee.as<PythonOptions>(); option != nullptr && !option->path.empty()) {
        const std::size_t last = option->path.rfind('.');
        const std::string name = option->path.substr(last + 1);
        return callConfigurationMethod(
            {m_builder, interpreter, name, arguments},
            {option->configuration, last == std::string::npos ? "" : option->path.substr(0, last)});
    }
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
    if (const auto* data = callee.as<PythonData>())
        return callUnknown(whole, *data);
    if (const auto* object = callee.as<PythonConfigured>();
        object != nullptr && object->path.find("nitializer") != std::string::npos)
        return callInitializer(whole, *object);
    if (const auto* object = callee.as<PythonConfigured>();
        object != nullptr && arguments.list.size() == 1 && arguments.list.front().isNumber())
        if (const auto rate = rateOfSchedule(object->json, arguments.list.front().constant().get<double>()))
            return pythonConstant(*rate);
    if (callee.is<PythonConfigured>() && arguments.list.size() == 1 && isStepFormula(arguments.list.front()))
        return callee;                 // a schedule of the global step
    if (callee.is<PythonConfigured>()) // a metric, an initializer, a schedule: values of a run
        return samplesOfArguments(arguments);
    if (const auto* object = callee.as<PythonLibraryObject>();
        object != nullptr && object->className == "functools.partial")
        return callPartial(interpreter, *object, arguments);
    m_builder.refuse(arguments.place, "python/unsupported", "this cannot be called",
                     {"call a function, a layer or a model"});
}

namespace {

/// Names ask for the kinds of their arguments as far as programs have them; whatever else comes has one
/// answer.
PythonValue meaningOf(const PythonApiCall& call, const PythonApiName& known) {
    try { // the library's only way to say that a value is of another kind
        return known.meaning(call);
    } catch (const Json::exception&) {
        call.refuse("python/value",
                    fmt::format("{}() is given a value of another kind than it takes", call.name()),
                    {fmt::format("look at the arguments of {}()", call.name())});
    }
}

/// What it computes of samples is remembered: it may be a part of a loss.
PythonValue callReadName(const PythonApiCall& call, const PythonApiName& known) {
    if (!areOfSamples(call.arguments)) {
        if (!call.path.starts_with("tf.") || !isEager(call.builder, call.arguments))
            return meaningOf(call, known);
        PythonComputation eager{PythonComputation::Kind::Function, call.path, call.arguments};
        PythonValue made = meaningOf(call, known);
        rememberEager(call.builder, std::move(eager), made);
        return made;
    }
    PythonComputation computation{PythonComputation::Kind::Function, call.path, call.arguments};
    PythonValue made = meaningOf(call, known);
    const auto* data = made.as<PythonData>();
    // Losses remember themselves.
    if (data != nullptr && (data->computed == nullptr || isHandedOn(*data, computation.arguments)))
        rememberComputation(made, std::move(computation));
    return made;
}

} // namespace

namespace {

/// str.lower(text), Schedule.__getitem__(name): a method of a class, called with its object.
std::optional<PythonValue> callOfClass(const PythonApiCall& call) {
    constexpr std::array<std::string_view, 4> classes{"builtin.str.", "builtin.list.", "builtin.dict.",
                                                      "builtin.set."};
    constexpr std::array<std::string_view, 2> ofClassAlone{"fromkeys", "maketrans"};
    const std::string name = call.name();
    PythonValues& values = call.arguments.list;
    if (values.empty())
        return std::nullopt;
    if (name == "__getitem__" && values[0].isText()) // a member of an enumeration
        return PythonLibraryName{call.path.substr(0, call.path.rfind('.') + 1) +
                                 values[0].constant().get<std::string>()};
    const bool isMethod =
        std::ranges::any_of(classes, [&](std::string_view one) { return call.path.starts_with(one); });
    if (!isMethod || std::ranges::find(ofClassAlone, name) != ofClassAlone.end())
        return std::nullopt;
    const PythonMethod method{std::make_shared<const PythonValue>(values[0]), name};
    PythonArguments others{{values.begin() + 1, values.end()}, call.arguments.keywords, call.place()};
    return call.interpreter.call(method, others);
}

} // namespace

namespace {

/// `initializer=tf.zeros_initializer`: TensorFlow makes an object of a class that stands for one.
void makeInitializers(PythonInterpreter& interpreter, PythonArguments& arguments) {
    for (auto& [keyword, value] : arguments.keywords) {
        const auto* name = keyword.ends_with("initializer") ? value.as<PythonLibraryName>() : nullptr;
        if (name == nullptr || !name->path.ends_with("_initializer"))
            continue;
        PythonArguments none{{}, {}, arguments.place};
        const PythonValue given = value;
        value = interpreter.call(given, none);
    }
}

} // namespace

PythonValue PythonApiLibrary::callName(PythonInterpreter& interpreter, const std::string& path,
                                       PythonArguments& arguments) {
    const PythonApiName* known = row(path);
    makeInitializers(interpreter, arguments);
    const PythonApiCall call{m_builder, interpreter, path, arguments};
    if (auto penalty = penaltyFunction(call))
        return *penalty;
    if (auto formula = stepFunction(call))
        return *formula;
    if (auto answer = callOfClass(call))
        return std::move(*answer);
    if (known == nullptr)
        return callForeign(call);
    checkSignature(call);
    switch (known->reading) {
    case PythonApiName::Reading::Read:
        return callReadName(call, *known);
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
    const bool changes = method.name.starts_with("assign") && !arguments.list.empty() &&
                         gradientsIn(arguments.list.front()) != nullptr;
    if (owner.is<PythonMethod>() && changes) // layer.kernel.assign_sub(…)
        return updateByHand(call, owner, arguments.list.data());
    if (owner.is<PythonMethod>() || owner.is<PythonLibraryName>())
        return PythonData();
    constexpr std::array<std::string_view, 4> optimizerMethods{"minimize", "compute_gradients",
                                                               "apply_gradients", "get_weights"};
    if (owner.is<PythonConfigured>())
        if (auto answer = askedRule(m_builder, method.name, arguments))
            return *answer;
    if (const auto* object = owner.as<PythonConfigured>();
        object != nullptr && std::ranges::find(optimizerMethods, method.name) != optimizerMethods.end())
        return callOptimizerMethod(call, *object);
    if (owner.is<PythonConfigured>() &&
        (method.name == "get_scaled_loss" || method.name == "get_unscaled_gradients") &&
        !arguments.list.empty())
        return arguments.list[0];
    if (const auto* object = owner.as<PythonConfigured>();
        object != nullptr && method.name == "get_config" && object->json["config"].is_object())
        return pythonFromJson(call, object->json["config"]);
    if (owner.is<PythonConfigured>() || owner.is<PythonLoss>())
        return PythonData();
    if (owner.isText() && method.name == "encode")
        return bytesOfText(owner.constant().get_ref<const std::string&>());
    const bool assigns =
        method.name == "assign" || method.name == "assign_add" || method.name == "assign_sub";
    if (owner.isNumber() && assigns && !m_builder.assignsNumbers)
        m_builder.refuse(arguments.place, pythonAssignedNumber,
                         "a variable that is a number is assigned another", {});
    const bool isItself = method.name == "numpy" || method.name == "item" || method.name == "copy";
    if (owner.is<PythonConstant>() && isItself)
        return owner;
    const bool asksForShape = method.name == "get_shape" || method.name == "as_list";
    if (asksForShape && (owner.is<PythonTensor>() || owner.is<PythonList>())) {
        PythonValue shape = owner.is<PythonTensor>() ? interpreter.attributeOf(owner, "shape") : owner;
        return method.name == "as_list" && shape.is<PythonList>() ? pythonList(shape.items()) : shape;
    }
    if (const auto* tensor = owner.as<PythonTensor>();
        tensor != nullptr && method.name == "set_shape" && !arguments.list.empty())
        return setShape(call, *tensor, arguments.list[0]);
    if (owner.isWhole() && method.name == "bit_length") {
        const std::int64_t number = owner.constant().get<std::int64_t>();
        return pythonConstant(
            std::bit_width(static_cast<std::uint64_t>(number < 0 ? -(number + 1) : number)) +
            (number < 0 && (number & (number - 1)) == 0 ? 1 : 0));
    }
    if (const auto* layer = owner.as<PythonLayerName>(); layer != nullptr && method.name == "count_params")
        return parametersOf(m_builder, *layer);
    if (const auto* entry = owner.as<PythonStageEntry>(); entry != nullptr && method.name == "count_params")
        return parametersOf(m_builder, entry->model, entry->layer);
    if (owner.is<PythonLayerName>() && method.name == "adapt") {
        call.warn(
            "python/ignored",
            fmt::format("what {} learns of samples by adapt() is left out: a project holds no values of "
                        "weights",
                        quotedName(m_builder.layer(owner.as<PythonLayerName>()->layer).name)),
            {"times and memory do not depend on it; give the layer its mean and variance where they "
             "should count"});
        return {};
    }
    if (owner.is<PythonLayerName>() && method.name == "set_weights") {
        call.warn("python/ignored", "the weights that set_weights() gives are left out",
                  {"give the layer initializers: tf.constant_initializer(array)",
                   "save them to a file of weights, and name it in training.weights of the project"});
        return {};
    }
    constexpr std::array<std::string_view, 5> ofLayers{"build", "summary", "count_params", "get_config",
                                                       "get_weights"};
    if (owner.is<PythonLayerName>() && std::ranges::find(ofLayers, method.name) != ofLayers.end())
        return PythonData();
    const bool keepsGradient = method.name.starts_with("assign") && !arguments.list.empty() &&
                               arguments.list.front().is<PythonData>() &&
                               arguments.list.front().as<PythonData>()->isGradient;
    if (keepsGradient)
        call.refuse("python/unsupported",
                    "the program adds up gradients in variables of its own, which no project holds: the "
                    "system accumulates them by itself",
                    {"apply the gradients of each batch, and accumulate by "
                     "model.set_gradient_accumulation_options(gradient_accumulation_steps_per_replica=N) in "
                     "fit(), or by ipu.optimizers.GradientAccumulationOptimizerV2"});
    call.refuse("python/unsupported",
                fmt::format("the method \"{}\" is not read here", quotedName(method.name)),
                {"write what it answers"});
}

PythonValue PythonApiLibrary::callScopeMethod(const PythonApiCall& call) {
    if (call.path == "experimental_run_v2" || call.path == "run")
        return runOnDevice(call);
    PythonScope scope;
    scope.isStrategy = true;
    if (call.path == "scope")
        return scope;
    return !call.arguments.list.empty() && call.arguments.list[0].is<PythonData>()
               ? call.arguments.list[0] // experimental_distribute_dataset(dataset)
               : PythonValue(PythonData());
}

namespace {

void collectEnqueued(const PythonValue& value, std::vector<PythonTensor>& tensors) {
    if (const auto* tensor = value.as<PythonTensor>())
        tensors.push_back(*tensor);
    for (const PythonValue& item : value.items())
        collectEnqueued(item, tensors);
    if (const auto* entries = value.as<PythonDictionary>())
        for (const auto& entry : *entries->entries)
            collectEnqueued(entry.second, tensors);
}

} // namespace

PythonValue PythonApiLibrary::callQueueMethod(const PythonApiCall& call, const PythonQueue& queue) {
    if (call.path == "enqueue" || call.path == "_dequeue")
        useQueue(m_builder, queue);
    if (call.path == "enqueue" && !call.arguments.list.empty()) {
        collectEnqueued(call.arguments.list[0], m_builder.enqueued);
        PythonProgramBuilder::remember(m_builder.handedOn, call.arguments.list[0], call.place());
    }
    const PythonData* answered = call.path == "enqueue" && !call.arguments.list.empty()
                                     ? firstSamples(call.arguments.list[0])
                                     : nullptr;
    if (answered != nullptr && answered->model >= 0 && m_builder.tally.isInExecution())
        m_builder.tally.answer(answered->model);
    if (call.path == "enqueue" && queue.keepsLastOnly)
        m_builder.facts.training["outfeed_mode"] = "LAST";
    if (call.path == "enqueue") // an operation, which is there whatever the samples are
        return pythonObject("tf.Operation");
    if (call.path != "_dequeue" || !queue.isInfeed)
        return PythonData();
    if (!m_builder.scope.stage && m_builder.tally.isInExecution() && queue.dataset.element != nullptr)
        return *queue.dataset.element; // a loop of the program that feeds itself
    if (!m_builder.scope.stage)
        call.refuse("python/unsupported", "an infeed queue is read by a stage",
                    {"give infeed_queue to pipeline()"});
    takeInfeed(m_builder, *m_builder.scope.stage, call.place());
    call.refuse("python/unsupported", "a stage that reads the infeed by itself is not read",
                {"give infeed_queue to pipeline(): the first stage gets its elements as arguments"});
}

PythonValue PythonApiLibrary::callDecorated(const std::string& function,
                                            const std::vector<PythonDecorator>& decorators, PythonPlace place,
                                            const std::function<PythonValue()>& run) {
    bool joins = false;
    std::optional<PythonExecution> execution;
    for (const PythonDecorator& decorator : decorators)
        if (fitsPattern("tf.function", decorator.path))
            execution.emplace(m_builder);
    for (const PythonDecorator& decorator : decorators)
        joins = decoratorJoins(m_builder, function, decorator) || joins;
    const std::vector<std::size_t> before = joins ? m_builder.callCounts() : std::vector<std::size_t>();
    PythonValue result = run();
    if (joins)
        joinConvolutions(m_builder, before, result, place);
    return result;
}

void PythonApiLibrary::settle(PythonInterpreter& interpreter) {
    settleModels(interpreter, m_builder);
}

bool PythonApiLibrary::replacesFunction(const std::string& path) const {
    const PythonApiName* known = path.empty() ? nullptr : row(path);
    return known != nullptr && known->decorates;
}

/// A function with some of its arguments, and the others.
PythonValue PythonApiLibrary::callPartial(PythonInterpreter& interpreter, const PythonLibraryObject& partial,
                                          const PythonArguments& arguments) {
    PythonArguments all{partial.attributes->at("args").items(), arguments.keywords, arguments.place};
    all.list.insert(all.list.end(), arguments.list.begin(), arguments.list.end());
    for (const auto& [key, value] : *partial.attributes->at("keywords").as<PythonDictionary>()->entries)
        if (key.isText() && arguments.keyword(key.constant().get<std::string>()) == nullptr)
            all.keywords.emplace_back(key.constant().get<std::string>(), value);
    return interpreter.call(partial.attributes->at("func"), all);
}

} // namespace core
