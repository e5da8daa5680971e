// What calls of library functions and methods mean.
#include "core/config/ipu_config/ipu_config_table.h"
#include "core/config/keras_catalogue.h"
#include "core/interchange/python/python_evaluator.h"
#include "core/model/graph/layer_catalogue.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

using Value = PythonValue;

bool contains(const std::string& path, std::string_view part) {
    return path.find(part) != std::string::npos;
}

} // namespace

const Value* PythonEvaluator::Arguments::keyword(std::string_view name) const {
    const auto found = std::find_if(keywords.begin(), keywords.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    return found == keywords.end() ? nullptr : &found->second;
}

const Value* PythonEvaluator::Arguments::find(std::string_view name, std::size_t position) const {
    const Value* named = keyword(name);
    return named != nullptr ? named : position < list.size() ? &list[position] : nullptr;
}

Value PythonEvaluator::call(const PythonExpression& expression) {
    const Value callee = evaluate(expression.children.at(0));
    Arguments arguments;
    arguments.place = expression.place;
    // A dataset that the snippet does not define is data all the same.
    const bool takesData =
        (callee.kind == Value::Kind::Method && callee.items[0].kind == Value::Kind::Model &&
         (callee.text == "fit" || callee.text == "evaluate" || callee.text == "predict")) ||
        (callee.kind == Value::Kind::Symbol && callee.text.ends_with(".IPUInfeedQueue"));
    const auto argument = [&](const PythonExpression& given) {
        const bool isFree = takesData && given.kind == PythonExpression::Kind::Name &&
                            !m_globals.contains(given.text) &&
                            (m_locals.empty() || !m_locals.back().contains(given.text));
        return isFree ? Value::of(Value::Kind::Data) : evaluate(given);
    };
    for (std::size_t i = 1; i < expression.children.size(); ++i) {
        if (expression.children[i].kind == PythonExpression::Kind::Starred)
            refuse(expression.children[i].place, "python/unsupported", "unpacked arguments are not read",
                   {"write the arguments one by one"});
        arguments.list.push_back(argument(expression.children[i]));
    }
    for (const auto& [name, value] : expression.keywords)
        arguments.keywords.emplace_back(name, argument(value));
    return callValue(callee, arguments);
}

Value PythonEvaluator::callValue(const Value& callee, Arguments& arguments) {
    switch (callee.kind) {
    case Value::Kind::Function:
        return callFunction(callee, arguments);
    case Value::Kind::Symbol:
        return callSymbol(callee.text, arguments);
    case Value::Kind::Layer:
        return callLayer(callee.index, arguments);
    case Value::Kind::Model:
        return callLayer(asLayer(callee, arguments.place), arguments);
    case Value::Kind::Method:
        return callMethod(callee, arguments);
    case Value::Kind::Object:
        if (contains(callee.text, "losses")) {
            refuseFurtherArguments(arguments, {"y_true", "y_pred"});
            return makeLoss(callee.json["class_name"], callee.json["config"], arguments.find("y_true", 0),
                            arguments.find("y_pred", 1), arguments.place);
        }
        refuse(arguments.place, "python/unsupported", "this cannot be called");
    case Value::Kind::Data:
    case Value::Kind::Lambda:
        return Value::of(Value::Kind::Data);
    default:
        refuse(arguments.place, "python/unsupported", "this cannot be called");
    }
}

Value PythonEvaluator::callFunction(const Value& function, Arguments& arguments) {
    constexpr int deepest = 60;
    if (m_depth > deepest)
        refuse(arguments.place, "python/endless", "functions call one another without end");
    const PythonStatement& definition = *function.function;
    Names names;
    for (std::size_t i = 0; i < definition.parameters.size(); ++i) {
        const PythonParameter& parameter = definition.parameters[i];
        if (const Value* given = arguments.find(parameter.name, i))
            names[parameter.name] = *given;
        else if (parameter.hasDefault)
            names[parameter.name] = evaluate(parameter.value);
        else
            refuse(arguments.place, "python/name",
                   fmt::format("{}() lacks its argument \"{}\"", definition.text, parameter.name));
    }
    const bool joins = joinsConvolutions(definition);
    const std::size_t firstLayer = m_facts.draft.layers.size();
    ++m_depth;
    m_locals.push_back(std::move(names));
    auto result = block(definition.body);
    m_locals.pop_back();
    --m_depth;
    if (result && joins)
        joinConvolutions(firstLayer, *result, arguments.place);
    return result ? std::move(*result) : Value::plain(nullptr);
}

Value PythonEvaluator::callSymbol(const std::string& path, Arguments& arguments) {
    const std::string last = lastPart(path);
    if (path.starts_with("class "))
        return callClass(path.substr(6), arguments);
    bool isKnown = true;
    if (path.starts_with("builtin.")) {
        Value value = callBuiltin(last, arguments, isKnown);
        if (isKnown)
            return value;
    }
    if (path.starts_with("ipu."))
        return callIpu(path, last, arguments);
    if (path.starts_with("keras."))
        return callKeras(path, last, arguments);
    if (path.starts_with("tf."))
        return callTensorFlow(path, arguments);
    for (const char* module : {"np.", "os.", "sys.", "time.", "math.", "random.", "argparse.", "pathlib.",
                               "gzip.", "struct.", "logging.", "datetime.", "json.", "builtin."}) {
        if (path.starts_with(module))
            return Value::of(Value::Kind::Data);
    }
    refuse(arguments.place, "python/unsupported", fmt::format("\"{}\" is not known", path.substr(0, 80)),
           {"names of Keras, TensorFlow, NumPy and the IPU extensions are"});
}

/// An object of a class of the program. Models and optimizers are what their Keras class is, as long as that
/// is all they are told; what they override is kept for whoever asks for it.
Value PythonEvaluator::callClass(const std::string& name, Arguments& arguments) {
    const Class& made = m_classes[name];
    const std::string base = lastPart(made.base);
    const bool isKeras = made.base.starts_with("keras.");
    const bool isModel = isKeras && (base == "Model" || base == "Functional" || base == "Sequential");
    const bool isOptimizer = isKeras && contains(made.base, "optimizers");
    if (isKeras && contains(made.base, "callbacks"))
        return makeCallback(name, arguments);
    const bool isSubclass =
        isModel && base != "Sequential" &&
        (arguments.find("inputs", 0) == nullptr || arguments.find("outputs", 1) == nullptr);
    if (isSubclass) {
        PythonModel model;
        model.place = arguments.place;
        model.name = name;
        model.isSubclass = true;
        m_facts.draft.models.push_back(std::move(model));
        return Value::of(Value::Kind::Model, static_cast<std::int64_t>(m_facts.draft.models.size()) - 1);
    }
    if ((!isModel && !isOptimizer) || made.functions.contains("__init__"))
        refuse(arguments.place, "python/unsupported",
               fmt::format("{} is a class of the program; what it does is not read", name.substr(0, 60)),
               {"build the model from Keras layers with the functional API"});
    Value value = callKeras(made.base, base, arguments);
    if (isOptimizer) {
        if (const auto minimize = made.functions.find("minimize"); minimize != made.functions.end())
            value.json[pythonOptimizerOverride] = {minimize->first, minimize->second.line,
                                                   minimize->second.column};
        return value;
    }
    for (const char* function : {"call", "train_step", "test_step", "predict_step", "make_train_function",
                                 "make_test_function", "make_predict_function"})
        if (const auto found = made.functions.find(function); found != made.functions.end()) {
            m_facts.draft.models.back().overridden = {found->first, found->second};
            break;
        }
    return value;
}

std::int64_t PythonEvaluator::wholeArgument(const std::string& name, const Arguments& arguments,
                                            std::size_t position) {
    const bool isOne = position < arguments.list.size() &&
                       arguments.list[position].kind == Value::Kind::Plain &&
                       arguments.list[position].json.is_number();
    if (!isOne)
        refuse(arguments.place, "python/value", fmt::format("{}() takes a number here", name));
    return static_cast<std::int64_t>(arguments.list[position].json.get<double>());
}

Value PythonEvaluator::rangeList(const Arguments& arguments) {
    const auto number = [&](std::size_t position) { return wholeArgument("range", arguments, position); };
    const bool hasStart = arguments.list.size() > 1;
    const std::int64_t start = hasStart ? number(0) : 0;
    const std::int64_t stop = number(hasStart ? 1 : 0);
    const std::int64_t step = arguments.list.size() > 2 ? number(2) : 1;
    Value list = Value::of(Value::Kind::List);
    constexpr std::size_t longest = 100000;
    for (std::int64_t i = start; step != 0 && (step > 0 ? i < stop : i > stop) && list.items.size() < longest;
         i += step)
        list.items.push_back(Value::plain(i));
    return list;
}

/// zip() and enumerate().
Value PythonEvaluator::zippedList(const std::string& name, const Arguments& arguments) {
    std::size_t count = 100000;
    for (const Value& part : arguments.list) {
        if (part.kind != Value::Kind::List)
            refuse(arguments.place, "python/unsupported", fmt::format("{}() takes lists here", name));
        count = std::min(count, part.items.size());
    }
    Value list = Value::of(Value::Kind::List);
    for (std::size_t i = 0; i < count && !arguments.list.empty(); ++i) {
        Value row = Value::of(Value::Kind::List);
        if (name == "enumerate")
            row.items.push_back(Value::plain(static_cast<std::int64_t>(i)));
        for (const Value& part : arguments.list)
            row.items.push_back(part.items[i]);
        list.items.push_back(std::move(row));
    }
    return list;
}

Value PythonEvaluator::callBuiltin(const std::string& name, Arguments& arguments, bool& isKnown) {
    if (name == "range" || name == "zip" || name == "enumerate")
        return name == "range" ? rangeList(arguments) : zippedList(name, arguments);
    Value list = Value::of(Value::Kind::List);
    const bool hasList = !arguments.list.empty() && arguments.list[0].kind == Value::Kind::List;
    if (name == "len" && hasList)
        return Value::plain(static_cast<std::int64_t>(arguments.list[0].items.size()));
    if ((name == "list" || name == "tuple") && hasList)
        return arguments.list[0];
    if (name == "list" || name == "tuple")
        return list;
    if (name == "dict") {
        Value dictionary = Value::of(Value::Kind::Dictionary);
        for (const auto& [key, value] : arguments.keywords) {
            dictionary.items.push_back(Value::plain(key));
            dictionary.items.push_back(value);
        }
        return dictionary;
    }
    if (name == "print")
        return Value::plain(nullptr);
    if (name == "int" && !arguments.list.empty() && arguments.list[0].json.is_number())
        return Value::plain(wholeArgument(name, arguments, 0));
    if ((name == "str" || name == "float" || name == "bool") && !arguments.list.empty() &&
        arguments.list[0].kind == Value::Kind::Plain)
        return name == "str" && !arguments.list[0].json.is_string()
                   ? Value::plain(arguments.list[0].json.dump())
                   : arguments.list[0];
    isKnown = false;
    return {};
}

/// Positional arguments of a Keras object, by the order of its constructor's parameters.
void PythonEvaluator::namePositional(const std::string& path, const std::string& className,
                                     const Arguments& arguments, Json& config) {
    const KerasCatalogue* catalogue = contains(path, "schedules")    ? &learningRateScheduleCatalogue()
                                      : contains(path, "optimizers") ? &optimizerCatalogue()
                                      : contains(path, "losses")     ? &lossCatalogue()
                                      : contains(path, "metrics")    ? &metricCatalogue()
                                                                     : nullptr;
    const KerasClass* known = catalogue == nullptr ? nullptr : catalogue->find(className);
    if (known == nullptr || arguments.list.size() > known->parameters.size())
        refuse(arguments.place, "python/unsupported", fmt::format("name the arguments of {}", className));
    for (std::size_t i = 0; i < arguments.list.size(); ++i)
        config[std::string(known->parameters[i].name)] = json(arguments.list[i], arguments.place);
}

/// Something with a configuration, such as an optimizer or a loss.
Value PythonEvaluator::makeKerasObject(const std::string& path, const std::string& className,
                                       Arguments& arguments) {
    Value value = Value::of(Value::Kind::Object);
    value.text = path;
    value.json = {{"class_name", className}, {"config", Json::object()}};
    const bool isOptimizer = contains(path, "optimizers") && !contains(path, "schedules");
    for (const auto& [key, given] : arguments.keywords)
        value.json["config"][key] =
            isOptimizer ? optimizerNumber(given, arguments.place) : json(given, arguments.place);
    const bool isRegularizer = contains(path, "regularizers");
    if (isRegularizer && (className == "l1" || className == "l2"))
        value.json["class_name"] = className == "l1" ? "L1" : "L2";
    if ((isOptimizer || isRegularizer) && arguments.list.size() == 1)
        value.json["config"][isOptimizer ? "learning_rate" : className] =
            isOptimizer ? optimizerNumber(arguments.list[0], arguments.place)
                        : json(arguments.list[0], arguments.place);
    else if (!arguments.list.empty())
        namePositional(path, className, arguments, value.json["config"]);
    return value;
}

Value PythonEvaluator::deserializeLayer(Arguments& arguments) {
    const Value* config = arguments.find("config", 0);
    const Json entry = config == nullptr ? Json() : json(*config, arguments.place);
    const bool isEntry = entry.is_object() && entry.contains("class_name") &&
                         entry["class_name"].is_string() && entry.contains("config") &&
                         entry["config"].is_object();
    if (!isEntry)
        refuse(arguments.place, "python/value", "deserialize() takes {\"class_name\", \"config\"}");
    PythonLayer layer{entry["class_name"].get<std::string>(), "", entry["config"], {}, -1, arguments.place};
    layer.name = layer.config.value("name", Json()).is_string() ? layer.config["name"].get<std::string>()
                                                                : freshName("layer");
    m_facts.draft.layers.push_back(std::move(layer));
    return Value::of(Value::Kind::Layer, static_cast<std::int64_t>(m_facts.draft.layers.size()) - 1);
}

Value PythonEvaluator::callLayerClass(const std::string& last, Arguments& arguments) {
    if (last == "deserialize")
        return deserializeLayer(arguments);
    // layers.concatenate([a, b]) and the like call the layer of that name at once.
    const bool isFunction = !last.empty() && last[0] >= 'a' && last[0] <= 'z';
    std::string merging = last;
    if (isFunction)
        merging[0] = static_cast<char>(merging[0] - 'a' + 'A');
    const LayerDefinition* definition = isFunction ? findLayerDefinition(merging) : nullptr;
    if (definition != nullptr && definition->category == LayerCategory::Merging && !arguments.list.empty()) {
        Arguments call{{arguments.list.front()}, {}, arguments.place};
        arguments.list.erase(arguments.list.begin());
        return callLayer(makeLayer(merging, arguments).index, call);
    }
    return makeLayer(last, arguments);
}

Value PythonEvaluator::callKeras(const std::string& path, const std::string& last, Arguments& arguments) {
    if (auto loss = callLoss(path, arguments))
        return *loss;
    if (last == "Input")
        return makeInput(arguments);
    if (last == "Sequential" || last == "Model" || last == "Functional")
        return makeModel(last, arguments);
    if (contains(path, ".layers") || contains(path, "keras.layers"))
        return callLayerClass(last, arguments);
    if (contains(path, "applications")) {
        if (last == "preprocess_input" || last == "decode_predictions")
            return Value::of(Value::Kind::Data);
        return makeApplication(last, arguments);
    }
    for (const char* family :
         {"optimizers", "losses", "metrics", "initializers", "regularizers", "constraints"}) {
        if (contains(path, family))
            return makeKerasObject(path, last, arguments);
    }
    if (last == "set_floatx" || last == "set_policy" || last == "set_global_policy") {
        if (const Value* policy = arguments.find("policy", 0); policy != nullptr && policy->isText())
            m_facts.training["precision"] = policy->json;
        return Value::plain(nullptr);
    }
    if (contains(path, "callbacks"))
        return makeCallback(last, arguments);
    if (last == "LossScaleOptimizer")
        return makeLossScaleOptimizer(arguments);
    if (contains(path, "datasets.") && last == "load_data") {
        Value data = Value::of(Value::Kind::Data);
        const std::string module = path.substr(0, path.rfind('.'));
        data.text = lastPart(module);
        return data;
    }
    for (const char* module : {"datasets", "utils", "preprocessing", "backend", "mixed_precision"}) {
        if (contains(path, module))
            return Value::of(Value::Kind::Data);
    }
    if (findLayerDefinition(last) != nullptr)
        return makeLayer(last, arguments);
    refuse(arguments.place, "python/unsupported", fmt::format("\"{}\" is not read", path.substr(0, 80)),
           {"build the model from layers in the program itself"});
}

/// A callback with what is known of it; others are left out.
Value PythonEvaluator::makeCallback(const std::string& className, Arguments& arguments) {
    const KerasCatalogue& catalogue = callbackCatalogue();
    const KerasClass* known = catalogue.find(className);
    const auto leaveOut = [&] {
        warn(arguments.place, "python/callback",
             fmt::format("the callback {} is left out", className.substr(0, 60)));
        return Value::of(Value::Kind::Data);
    };
    if (known == nullptr || arguments.list.size() > known->parameters.size())
        return leaveOut();
    for (std::size_t i = 0; i < arguments.list.size(); ++i)
        arguments.keywords.emplace_back(std::string(known->parameters[i].name), arguments.list[i]);
    Value callback = Value::of(Value::Kind::Object);
    callback.json = {{"class_name", className}, {"config", Json::object()}};
    for (const auto& entry : arguments.keywords) {
        const std::string& name = entry.first;
        const Value& value = entry.second;
        if (value.kind != Value::Kind::Plain)
            return leaveOut();
        const auto isNamed = [&](const KerasParameter& parameter) { return parameter.name == name; };
        if (std::ranges::any_of(known->parameters, isNamed) || std::ranges::any_of(catalogue.common, isNamed))
            callback.json["config"][name] = value.json;
        else
            warn(arguments.place, "python/callback",
                 fmt::format("\"{}\" of the callback {} is left out", name.substr(0, 60), className));
    }
    return callback;
}

/// An optimizer that multiplies the loss: today's arguments, or the scale as TensorFlow 2.1 takes it.
Value PythonEvaluator::makeLossScaleOptimizer(Arguments& arguments) {
    const Value* inner = arguments.find("inner_optimizer", 0);
    inner = inner == nullptr ? arguments.keyword("optimizer") : inner;
    if (inner == nullptr || (inner->kind != Value::Kind::Object && !inner->isText()))
        refuse(arguments.place, "python/value", "LossScaleOptimizer takes an optimizer first");
    Value result = Value::of(Value::Kind::Object);
    Json config{{"inner_optimizer", json(*inner, arguments.place)}};
    for (const char* name : {"dynamic", "initial_scale", "dynamic_growth_steps"})
        if (const Value* given = arguments.keyword(name); given != nullptr && !given->isNone())
            config[name] = json(*given, arguments.place);
    const Value* scale = arguments.keyword("loss_scale");
    if (scale == nullptr && arguments.list.size() > 1)
        scale = &arguments.list[1];
    if (scale != nullptr && scale->kind == Value::Kind::Object) {
        const Json& given = scale->json["config"];
        if (given.contains("initial_loss_scale"))
            config["initial_scale"] = given["initial_loss_scale"];
        if (given.contains("increment_period"))
            config["dynamic_growth_steps"] = given["increment_period"];
    } else if (scale != nullptr && scale->json.is_number()) {
        config["dynamic"] = false;
        config["initial_scale"] = scale->json;
    } else if (scale != nullptr && scale->json.is_boolean()) {
        config["dynamic"] = scale->json;
    } else if (scale != nullptr && scale->json != "dynamic") {
        refuse(arguments.place, "python/value", "a loss scale is a number or \"dynamic\"");
    }
    result.json = {{"class_name", "LossScaleOptimizer"}, {"config", std::move(config)}};
    return result;
}

/// The scope of a pipeline stage or of an IPU.
Value PythonEvaluator::makeNumberedScope(const std::string& name, const Arguments& arguments) {
    const bool isStage = name == "PipelineStage";
    const Value* number = arguments.find(isStage ? "stage" : "index", 0);
    if (number == nullptr || !number->json.is_number_integer())
        refuse(arguments.place, "python/value",
               fmt::format("{}() takes the number of {}", name, isStage ? "a stage" : "an IPU"));
    return Value::of(isStage ? Value::Kind::Stage : Value::Kind::Shard, number->json.get<std::int64_t>());
}

Value PythonEvaluator::callIpu(const std::string& path, const std::string& last, Arguments& arguments) {
    if (last == "IPUHorovodStrategy" || last == "IPUMultiWorkerStrategy")
        warn(arguments.place, "python/ignored",
             fmt::format("the program does not say on how many workers {} runs", last),
             {"set ipu_config.experimental.multi_replica_distribution.process_count in the project"});
    if (contains(path, "ipu_strategy") || last == "IPUStrategy" || last == "IPUStrategyV1" ||
        last == "IPUHorovodStrategy" || last == "IPUMultiWorkerStrategy" || last == "ipu_scope")
        return Value::of(Value::Kind::Scope);
    if (auto value = callPipelining(path, arguments))
        return *value;
    if (last == "IPUConfig") {
        m_facts.configurations.emplace_back();
        return Value::of(Value::Kind::Configuration,
                         static_cast<std::int64_t>(m_facts.configurations.size()) - 1);
    }
    if (last == "PipelineStage" || last == "ipu_shard")
        return makeNumberedScope(last, arguments);
    if (contains(path, "keras.layers"))
        return makeLayer(last, arguments);
    if (contains(path, "optimizer"))
        return wrapOptimizer(last, arguments);
    if (last == "Model" || last == "Sequential" || last == "IPUModel" || last == "IPUSequential" ||
        last == "PipelineModel" || last == "PipelineSequential" || last == "SequentialPipelineModel") {
        warn(arguments.place, "python/older-api", fmt::format("ipu.keras.{} is of TensorFlow 2.1", last),
             {last.find("Sequential") != std::string::npos
                  ? "today: tensorflow.keras.Sequential and set_pipeline_stage_assignment()"
                  : "today: tensorflow.keras.Model and ipu.keras.PipelineStage"});
        return makeModel(last, arguments);
    }
    if (contains(path, "ipu.utils.") || contains(path, "ipu.config.")) {
        if (last == "configure_ipu_system") {
            if (const Value* config = arguments.find("config", 0);
                config != nullptr && config->kind == Value::Kind::Configuration)
                m_facts.configurations[static_cast<std::size_t>(config->index)].isApplied = true;
            return Value::plain(nullptr);
        }
        if (last == "reset_ipu_seed" || last == "get_ipu_config")
            return Value::of(Value::Kind::Data);
        return olderConfig(last, arguments);
    }
    if (contains(path, "horovod") || contains(path, "ipu.loops") || contains(path, "ipu_compiler"))
        refuse(arguments.place, "python/unsupported", fmt::format("\"{}\" is not read", path.substr(0, 80)),
               {"a model and its fit() are"});
    refuse(arguments.place, "python/unsupported", fmt::format("\"{}\" is not read", path.substr(0, 80)));
}

/// The optimizers of the IPU that wrap another one: what they add are options of the pipeline. Gradients are
/// summed over replicas whether or not an optimizer says so.
Value PythonEvaluator::wrapOptimizer(const std::string& className, Arguments& arguments) {
    const bool accumulates = className.find("GradientAccumulationOptimizer") != std::string::npos;
    const bool onlyWraps = className == "CrossReplicaOptimizer" || className == "ShardedOptimizer";
    if (!accumulates && !onlyWraps)
        refuse(arguments.place, "python/unsupported",
               fmt::format("the optimizer {} is not read", className.substr(0, 60)),
               {"a function on gradients has no place in a project: use clipnorm or clipvalue of a Keras "
                "optimizer"});
    const Value* wrapped = arguments.find(className == "ShardedOptimizer" ? "optimizer" : "opt", 0);
    if (wrapped == nullptr || wrapped->kind != Value::Kind::Object)
        refuse(arguments.place, "python/value", fmt::format("{}() takes an optimizer first", className));
    Value optimizer = *wrapped;
    if (!accumulates)
        return optimizer;
    Json& options = optimizer.json[pythonOptimizerOptions];
    options = Json::object();
    if (const Value* count = arguments.find("num_mini_batches", 1))
        options["gradient_accumulation_steps_per_replica"] = json(*count, arguments.place);
    if (className.ends_with("V2")) {
        constexpr const char* names[]{"offload_weight_update_variables",
                                      "replicated_optimizer_state_sharding"};
        for (std::size_t i = 0; i < std::size(names); ++i)
            if (const Value* given = arguments.find(names[i], 2 + i); given != nullptr && !given->isNone())
                options[names[i]] = json(*given, arguments.place);
        if (const Value* type = arguments.find("dtype", 4); type != nullptr && !type->isNone())
            options["gradient_accumulation_dtype"] = json(*type, arguments.place);
    }
    return optimizer;
}

/// A function of the API before IPUConfig: the options that replace its arguments.
Value PythonEvaluator::olderConfig(const std::string& name, Arguments& arguments) {
    const OlderConfigFunction* function = findOlderConfigFunction(name);
    if (function == nullptr)
        refuse(arguments.place, "python/unsupported", fmt::format("\"{}\" is not known", name.substr(0, 60)));
    Value config = Value::of(Value::Kind::Configuration);
    std::size_t first = 0;
    if (name == "create_ipu_config") {
        m_facts.configurations.emplace_back();
        config.index = static_cast<std::int64_t>(m_facts.configurations.size()) - 1;
    } else {
        const Value* given = arguments.find("opts", 0);
        if (given == nullptr || given->kind != Value::Kind::Configuration)
            refuse(arguments.place, "python/value", fmt::format("{}() takes a configuration first", name));
        config = *given;
        first = arguments.keyword("opts") != nullptr ? 0 : 1;
    }
    warn(arguments.place, "python/older-api", fmt::format("{}() is of an older API", name),
         {std::string(function->replacement)});
    PythonConfiguration& options = m_facts.configurations[static_cast<std::size_t>(config.index)];
    bool hasAny = false;
    for (std::size_t i = 0; i < function->arguments.size(); ++i) {
        const auto& [argument, option] = function->arguments[i];
        const Value* given = arguments.find(argument, first + i);
        if (given == nullptr)
            continue;
        hasAny = true;
        Json value = json(*given, arguments.place);
        if (argument == "disable_graph_outlining" && value.is_boolean())
            value = !value.get<bool>();
        if (!option.empty() && !value.is_null())
            options.options[std::string(option)] = std::move(value);
        options.places[std::string(option)] = arguments.place;
    }
    if (name == "set_floating_point_behaviour_options" && !hasAny)
        options.options["floating_point_behaviour.set_all"] = true;
    for (const auto& entry : arguments.keywords) {
        const std::string& key = entry.first;
        const bool isKnown =
            key == "opts" || std::ranges::any_of(function->arguments,
                                                 [&](const auto& argument) { return argument.name == key; });
        if (!isKnown)
            refuse(arguments.place, "python/value",
                   fmt::format("{}() has no argument \"{}\"", name, key.substr(0, 60)));
    }
    return config;
}

Value PythonEvaluator::callTensorFlow(const std::string& path, Arguments& arguments) {
    const auto isTensor = [](const Value& value) {
        return value.kind == Value::Kind::Tensor ||
               (value.kind == Value::Kind::List && std::ranges::any_of(value.items, [](const Value& item) {
                    return item.kind == Value::Kind::Tensor;
                }));
    };
    if (auto loss = callLoss(path, arguments))
        return *loss;
    if (auto optimizer = makeOlderOptimizer(path, arguments))
        return *optimizer;
    if (path.ends_with(".placeholder"))
        return makePlaceholder(arguments);
    const bool hasTensor =
        std::ranges::any_of(arguments.list, isTensor) ||
        std::ranges::any_of(arguments.keywords, [&](const auto& entry) { return isTensor(entry.second); });
    if (hasTensor)
        return callOnTensors(path.substr(3), arguments);
    if (path.ends_with(".DynamicLossScale")) {
        Value scale = Value::of(Value::Kind::Object);
        scale.json = {{"class_name", "DynamicLossScale"}, {"config", Json::object()}};
        for (const auto& [name, value] : arguments.keywords)
            scale.json["config"][name] = json(value, arguments.place);
        return scale;
    }
    if (path == "tf.random.set_seed" || path == "tf.set_random_seed") {
        if (const Value* seed = arguments.find("seed", 0); seed != nullptr && seed->json.is_number_integer())
            m_facts.training["seed"] = seed->json;
        return Value::plain(nullptr);
    }
    return madeOf(arguments);
}

/// Samples made of other samples keep what is known of them.
Value PythonEvaluator::madeOf(const Arguments& arguments) {
    Value result = Value::of(Value::Kind::Data);
    for (const Value& argument : arguments.list) {
        const Value& first =
            argument.kind == Value::Kind::List && !argument.items.empty() ? argument.items[0] : argument;
        if (first.kind == Value::Kind::Data && result.text.empty()) {
            result.text = first.text;
            result.index = first.index;
        }
    }
    return result;
}

Value PythonEvaluator::callMethod(const Value& method, Arguments& arguments) {
    const Value& base = method.items.at(0);
    const std::string& name = method.text;
    if (base.kind == Value::Kind::Model)
        return callModelMethod(base, name, arguments);
    if (base.kind == Value::Kind::Data)
        return callDataMethod(base, name, arguments);
    if (base.kind == Value::Kind::Queue)
        return callQueueMethod(name, base, arguments.place);
    if (base.kind == Value::Kind::Scope && name == "experimental_run_v2")
        return callWithList("fn", "args", arguments);
    if (base.kind == Value::Kind::Scope)
        return name == "scope" ? Value::of(Value::Kind::Scope) : Value::of(Value::Kind::Data);
    if (base.kind == Value::Kind::Configuration && name == "configure_ipu_system") {
        m_facts.configurations[static_cast<std::size_t>(base.index)].isApplied = true;
        return Value::plain(nullptr);
    }
    if (base.isText() && (name == "startswith" || name == "endswith") && !arguments.list.empty() &&
        arguments.list[0].isText()) {
        const auto& text = base.json.get_ref<const std::string&>();
        const auto& part = arguments.list[0].json.get_ref<const std::string&>();
        return Value::plain(name == "startswith" ? text.starts_with(part) : text.ends_with(part));
    }
    if (base.isText())
        return base; // format and the like: only names of things
    if (base.kind == Value::Kind::Layer && (name == "build" || name == "summary"))
        return Value::plain(nullptr);
    refuse(arguments.place, "python/unsupported",
           fmt::format("the method \"{}\" is not read here", name.substr(0, 60)));
}

Value PythonEvaluator::callDataMethod(const Value& data, const std::string& name, Arguments& arguments) {
    Value result = data;
    result.call = 0;
    if (name == "batch") {
        if (const Value* size = arguments.find("batch_size", 0);
            size != nullptr && size->kind == Value::Kind::Plain && size->json.is_number_integer())
            result.index = size->json.get<std::int64_t>();
    } else if (name == "run") {
        feed(arguments);
    } else if (name == "reshape" || name == "flatten") {
        result.text.clear();
    }
    return result;
}

} // namespace core
