// Pipelines of stage functions: pipelining_ops.pipeline() with its queues, losses and optimizers.
#include "core/config/keras_catalogue.h"
#include "core/interchange/python/python_evaluator.h"
#include "core/model/layer_naming.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

namespace {

using Value = PythonValue;

/// The arguments of pipeline() in their order, and the options of a project that they are.
struct PipelineArgument {
    const char* name;
    /// Null: no option; read here.
    const char* option;
};
constexpr std::array<PipelineArgument, 26> pipelineArguments{{
    {"computational_stages", nullptr},
    {"gradient_accumulation_count", "gradient_accumulation_steps_per_replica"},
    {"gradient_accumulation_dtype", "gradient_accumulation_dtype"},
    {"repeat_count", "repeat_count"},
    {"batch_serialization_iterations", "batch_serialization_iterations"},
    {"inputs", nullptr},
    {"infeed_queue", nullptr},
    {"outfeed_queue", nullptr},
    {"optimizer_function", nullptr},
    {"device_mapping", "device_mapping"},
    {"pipeline_schedule", "schedule"},
    {"recomputation_mode", "recomputation_mode"},
    {"forward_propagation_stages_poplar_options", "forward_propagation_stages_poplar_options"},
    {"backward_propagation_stages_poplar_options", "backward_propagation_stages_poplar_options"},
    {"weight_update_poplar_options", "weight_update_poplar_options"},
    {"offload_weight_update_variables", "offload_weight_update_variables"},
    {"replicated_optimizer_state_sharding", "replicated_optimizer_state_sharding"},
    {"offload_activations", "offload_activations"},
    {"offload_gradient_accumulation_buffers", "offload_gradient_accumulation_buffers"},
    {"replicated_weight_sharding", "replicated_weight_sharding"},
    {"offload_weights", "offload_weights"},
    {"continuous_weight_updates", "continuous_weight_updates"},
    {"outfeed_loss", "outfeed_loss"},
    {"accumulate_outfeed", "accumulate_outfeed"},
    {"accumulate_outfeed_dtype", "accumulate_outfeed_dtype"},
    {"outfeed_mask", "outfeed_mask"},
}};
constexpr std::size_t stagesArgument = 0;
constexpr std::size_t inputsArgument = 5;
constexpr std::size_t infeedArgument = 6;
constexpr std::size_t outfeedArgument = 7;
constexpr std::size_t optimizerArgument = 8;

/// A loss function of TensorFlow: the class that computes the same, and what its operands are called.
struct OlderLoss {
    const char* name;
    const char* className;
    bool fromLogits;
    const char* target;
    const char* prediction;
};
constexpr std::array<OlderLoss, 8> olderLosses{{
    {"sparse_softmax_cross_entropy_with_logits", "SparseCategoricalCrossentropy", true, "labels", "logits"},
    {"softmax_cross_entropy_with_logits", "CategoricalCrossentropy", true, "labels", "logits"},
    {"softmax_cross_entropy_with_logits_v2", "CategoricalCrossentropy", true, "labels", "logits"},
    {"sigmoid_cross_entropy_with_logits", "BinaryCrossentropy", true, "labels", "logits"},
    {"sparse_softmax_cross_entropy", "SparseCategoricalCrossentropy", true, "labels", "logits"},
    {"softmax_cross_entropy", "CategoricalCrossentropy", true, "onehot_labels", "logits"},
    {"mean_squared_error", "MeanSquaredError", false, "labels", "predictions"},
    {"absolute_difference", "MeanAbsoluteError", false, "labels", "predictions"},
}};

/// An optimizer of tf.train: the Keras class that does the same, its arguments in order with Keras' names and
/// their defaults where those differ from Keras'. Source: the constructors' signatures in TensorFlow's
/// documentation.
struct OlderOptimizer {
    struct Argument {
        const char* name;
        const char* keras;
        const char* defaultText = nullptr;
    };
    const char* name;
    const char* className;
    std::vector<Argument> arguments;
};
const std::vector<OlderOptimizer>& olderOptimizers() {
    static const std::vector<OlderOptimizer> list{
        {"GradientDescentOptimizer", "SGD", {{"learning_rate", "learning_rate"}}},
        {"MomentumOptimizer",
         "SGD",
         {{"learning_rate", "learning_rate"},
          {"momentum", "momentum"},
          {"use_locking", nullptr},
          {"name", nullptr},
          {"use_nesterov", "nesterov"}}},
        {"AdamOptimizer",
         "Adam",
         {{"learning_rate", "learning_rate", "0.001"},
          {"beta1", "beta_1"},
          {"beta2", "beta_2"},
          {"epsilon", "epsilon", "1e-08"}}},
        {"RMSPropOptimizer",
         "RMSprop",
         {{"learning_rate", "learning_rate"},
          {"decay", "rho", "0.9"},
          {"momentum", "momentum"},
          {"epsilon", "epsilon", "1e-10"},
          {"use_locking", nullptr},
          {"centered", "centered"}}},
        {"AdagradOptimizer",
         "Adagrad",
         {{"learning_rate", "learning_rate"},
          {"initial_accumulator_value", "initial_accumulator_value", "0.1"}}},
        {"AdadeltaOptimizer",
         "Adadelta",
         {{"learning_rate", "learning_rate", "0.001"},
          {"rho", "rho", "0.95"},
          {"epsilon", "epsilon", "1e-08"}}},
    };
    return list;
}

/// A number of an optimizer that the program feeds when it runs.
constexpr const char* fedNumber = "$placeholder";

/// What a stage hands on: its outputs one by one.
std::vector<Value> outputsOf(const Value& result) {
    if (result.isNone())
        return {};
    return result.kind == Value::Kind::List ? result.items : std::vector<Value>{result};
}

} // namespace

std::optional<Value> PythonEvaluator::callPipelining(const std::string& path, Arguments& arguments) {
    const std::string last = lastPart(path);
    if (last == "IPUInfeedQueue" || last == "IPUOutfeedQueue")
        return makeQueue(last, arguments);
    if (last == "pipeline" && path.find("pipelining_ops") != std::string::npos)
        return callPipeline(arguments);
    if (last == "OptimizerFunctionOutput")
        return makeOptimizerOutput(arguments);
    if (last == "PipelineStageOptions")
        return makeStageOptions(arguments);
    if (last == "compile" && path.find("ipu_compiler") != std::string::npos)
        return callWithList("computation", "inputs", arguments);
    return std::nullopt;
}

Value PythonEvaluator::makeStageOptions(const Arguments& arguments) {
    Value options = Value::of(Value::Kind::Object);
    options.json = Json::object();
    constexpr std::array<const char*, 3> names{"convolution_options", "matmul_options", "slice_options"};
    for (std::size_t i = 0; i < names.size(); ++i)
        if (const Value* given = arguments.find(names[i], i); given != nullptr && !given->isNone())
            options.json[names[i]] = json(*given, arguments.place);
    return options;
}

// ---- queues ---------------------------------------------------------------------------------------------

Value PythonEvaluator::makeQueue(const std::string& className, Arguments& arguments) {
    Value queue = Value::of(Value::Kind::Queue);
    queue.text = className == "IPUInfeedQueue" ? "infeed" : "outfeed";
    queue.json = Json::object();
    // Names of queues have no meaning here; these are options of training.
    for (const auto& [name, value] : arguments.keywords) {
        if ((name == "prefetch_depth" || name == "buffer_depth") && !value.isNone())
            queue.json[name] = json(value, arguments.place);
        else if (name != "dataset" && name != "feed_name" && name != "outfeed_mode" && !value.isNone())
            warn(arguments.place, "python/ignored",
                 fmt::format("\"{}\" of {} is left out", name.substr(0, 60), className));
    }
    // Editions differ in what stands behind the dataset and the name.
    const std::size_t read = className == "IPUInfeedQueue" ? 2 : 1;
    if (arguments.list.size() > read)
        refuse(arguments.place, "python/unsupported",
               fmt::format("name the further arguments of {}", className));
    if (const Value* mode = arguments.keyword("outfeed_mode"); mode != nullptr && !mode->isNone()) {
        const Json name = json(*mode, arguments.place);
        queue.call = name == "LAST" ? 1 : 0;
    }
    if (queue.text == "infeed") {
        const Value* dataset = arguments.find("dataset", 0);
        if (dataset == nullptr || dataset->kind != Value::Kind::Data)
            refuse(arguments.place, "python/value", "IPUInfeedQueue() takes a dataset first");
        queue.items = {*dataset};
    }
    return queue;
}

Value PythonEvaluator::callQueueMethod(const std::string& name, const Value& queue, PythonPlace place) {
    if (name != "_dequeue" || queue.text != "infeed")
        return Value::of(Value::Kind::Data);
    if (!m_stage)
        refuse(place, "python/unsupported", "an infeed queue is read by a stage");
    refuseSecondInfeed(*m_stage, place);
    refuse(place, "python/unsupported", "a stage that reads the infeed by itself is not read",
           {"give infeed_queue to pipeline(): the first stage gets its elements as arguments"});
}

void PythonEvaluator::refuseSecondInfeed(std::int64_t stage, PythonPlace place) {
    if (m_infeedStage && *m_infeedStage != stage)
        refuse(place, "unimplemented/infeed-in-several-stages",
               fmt::format("the infeed is used by stages {} and {}", *m_infeedStage, stage),
               {fmt::format("take everything from the infeed in stage {} and hand it on from stage to stage",
                            *m_infeedStage)});
    m_infeedStage = stage;
}

// ---- losses and optimizers ------------------------------------------------------------------------------

void PythonEvaluator::refuseFurtherArguments(const Arguments& arguments,
                                             const std::set<std::string_view>& read) {
    constexpr std::size_t operands = 2;
    for (const auto& [name, value] : arguments.keywords)
        if (!read.contains(name))
            refuse(arguments.place, "python/unsupported",
                   fmt::format("\"{}\" of this loss is not read", name.substr(0, 60)),
                   {"use the loss of keras.losses that has it"});
    if (arguments.list.size() > operands)
        refuse(arguments.place, "python/unsupported", "a third argument of this loss is not read",
               {"use the loss of keras.losses that has it"});
}

Value PythonEvaluator::makeLoss(const std::string& className, Json config, const Value* target,
                                const Value* prediction, PythonPlace place) {
    const auto* output =
        prediction != nullptr && prediction->kind == Value::Kind::Tensor ? prediction : nullptr;
    if (output == nullptr || target == nullptr || target->kind != Value::Kind::Tensor)
        refuse(place, "python/value", "a loss is computed from labels and predictions, tensors of a stage");
    // A cast changes no label.
    const auto& layers = m_facts.draft.layers;
    PythonTensor label{target->index, target->call, target->output};
    while (layers[static_cast<std::size_t>(label.layer)].config.value("function", "") == "cast")
        label = layers[static_cast<std::size_t>(label.layer)]
                    .calls[static_cast<std::size_t>(label.call)]
                    .tensors.front();
    if (layers[static_cast<std::size_t>(label.layer)].className != "InputLayer")
        refuse(place, "python/unsupported", "labels that are computed are not read",
               {"prepare the labels in the dataset"});
    Value loss = Value::of(Value::Kind::Loss);
    loss.place = place;
    loss.json = {{"class_name", className}, {"config", std::move(config)}};
    loss.items = {*output};
    return loss;
}

std::optional<Value> PythonEvaluator::callLoss(const std::string& path, Arguments& arguments) {
    const std::string last = lastPart(path);
    const auto isLoss = [](const Value& value) { return value.kind == Value::Kind::Loss; };
    if (!arguments.list.empty() && isLoss(arguments.list.front())) {
        Value loss = arguments.list.front();
        if (last == "reduce_sum")
            loss.json["config"]["reduction"] = "sum";
        else if (last != "reduce_mean" && last != "compute_average_loss" && last != "identity")
            refuse(arguments.place, "python/unsupported",
                   fmt::format("\"{}\" of a loss is not read", last.substr(0, 60)),
                   {"reduce_mean() and reduce_sum() are"});
        return loss;
    }
    if (path.starts_with("keras.losses.")) {
        for (const KerasClass& known : lossCatalogue().classes) {
            if (snakeCase(known.className) != last)
                continue;
            Json config = Json::object();
            for (const auto& [name, value] : arguments.keywords)
                if (name != "y_true" && name != "y_pred")
                    config[name] = json(value, arguments.place);
            if (arguments.list.size() > 2)
                refuse(arguments.place, "python/unsupported",
                       fmt::format("name the further arguments of {}", last));
            return makeLoss(std::string(known.className), std::move(config), arguments.find("y_true", 0),
                            arguments.find("y_pred", 1), arguments.place);
        }
    }
    const bool isOfTensorFlow = path.starts_with("tf.nn.") || path.starts_with("tf.losses.");
    for (const OlderLoss& known : olderLosses) {
        if (!isOfTensorFlow || last != known.name)
            continue;
        refuseFurtherArguments(arguments, {known.target, known.prediction, "name"});
        // Those of tf.nn want their operands by name.
        const bool hasOrder = path.starts_with("tf.losses.");
        constexpr std::size_t nowhere = 1000;
        return makeLoss(known.className,
                        known.fromLogits ? Json{{"from_logits", true}} : Json(Json::object()),
                        arguments.find(known.target, hasOrder ? 0 : nowhere),
                        arguments.find(known.prediction, hasOrder ? 1 : nowhere), arguments.place);
    }
    return std::nullopt;
}

std::optional<Value> PythonEvaluator::makeOlderOptimizer(const std::string& path, Arguments& arguments) {
    const std::string last = lastPart(path);
    const auto known = std::ranges::find(olderOptimizers(), last, &OlderOptimizer::name);
    if (known == olderOptimizers().end())
        return std::nullopt;
    Value optimizer = Value::of(Value::Kind::Object);
    optimizer.text = path;
    Json config = Json::object();
    if (arguments.list.size() > known->arguments.size())
        refuse(arguments.place, "python/unsupported", fmt::format("name the arguments of {}", last));
    for (std::size_t i = 0; i < known->arguments.size(); ++i) {
        const OlderOptimizer::Argument& argument = known->arguments[i];
        const Value* given = arguments.find(argument.name, i);
        if (argument.keras == nullptr)
            continue;
        if (given != nullptr)
            config[argument.keras] = optimizerNumber(*given, arguments.place);
        else if (argument.defaultText != nullptr)
            config[argument.keras] = Json::parse(argument.defaultText);
        else if (i == 0)
            refuse(arguments.place, "python/name", fmt::format("{}() lacks its learning rate", last));
    }
    for (const auto& entry : arguments.keywords) {
        const std::string& name = entry.first;
        const bool isKnown =
            std::ranges::any_of(known->arguments, [&](const OlderOptimizer::Argument& argument) {
                return name == argument.name;
            });
        if (!isKnown && name != "name" && name != "use_locking")
            refuse(arguments.place, "python/value",
                   fmt::format("{}() has no argument \"{}\"", last, name.substr(0, 60)));
    }
    optimizer.json = {{"class_name", known->className}, {"config", std::move(config)}};
    return optimizer;
}

// ---- values that are fed --------------------------------------------------------------------------------

Value PythonEvaluator::makePlaceholder(Arguments& arguments) {
    Value placeholder = Value::of(Value::Kind::Data);
    placeholder.call = ++m_placeholders;
    if (const Value* shape = arguments.find("shape", 1); shape != nullptr && !shape->isNone())
        placeholder.json = json(*shape, arguments.place);
    return placeholder;
}

Json PythonEvaluator::optimizerNumber(const Value& value, PythonPlace place) {
    const bool isFed = value.kind == Value::Kind::Data && value.call > 0;
    return isFed ? Json{{fedNumber, value.call}} : json(value, place);
}

void PythonEvaluator::feed(const Arguments& arguments) {
    const auto take = [&](const Value& given) {
        for (std::size_t i = 0; given.kind == Value::Kind::Dictionary && i + 1 < given.items.size(); i += 2) {
            const Value& value = given.items[i + 1];
            if (given.items[i].kind == Value::Kind::Data && given.items[i].call > 0 &&
                value.kind == Value::Kind::Plain)
                m_fed.try_emplace(given.items[i].call, value.json);
        }
    };
    std::ranges::for_each(arguments.list, take);
    for (const auto& entry : arguments.keywords)
        take(entry.second);
}

/// Puts what was fed where it belongs.
void PythonEvaluator::settleFedNumbers() {
    for (PythonModel& model : m_facts.draft.models) {
        if (!model.training.contains("optimizer") || !model.training["optimizer"].is_object())
            continue;
        Json& config = model.training["optimizer"]["config"];
        std::vector<std::string> unknown;
        for (auto& [key, value] : config.items()) {
            if (!value.is_object() || !value.contains(fedNumber))
                continue;
            const auto given = m_fed.find(value[fedNumber].get<std::int64_t>());
            if (given != m_fed.end())
                value = Json(given->second);
            else
                unknown.push_back(key);
        }
        for (const std::string& key : unknown) {
            config.erase(key);
            warn(model.trainingPlace, "python/fed",
                 fmt::format("the program does not say what \"{}\" is fed: Keras' own default stands", key),
                 {"write the number in the program, or set it in the project"});
        }
    }
}

// ---- the pipeline ---------------------------------------------------------------------------------------

/// Inputs of the model for what the first stage takes: what pipeline() passes, then the infeed's elements.
std::vector<Value> PythonEvaluator::firstStageArguments(const Value& stage, const Value* inputs,
                                                        const Value* infeed, PythonPlace place) {
    std::vector<Value> values = inputs == nullptr ? std::vector<Value>() : outputsOf(*inputs);
    const auto& parameters = stage.function->parameters;
    const auto makeElement = [&](const std::string& name, Json shape, Json batch) {
        Arguments arguments{{}, {}, place};
        const auto say = [&](const char* keyword, Json value) {
            Value given;
            given.json = std::move(value);
            arguments.keywords.emplace_back(keyword, std::move(given));
        };
        say("shape", std::move(shape));
        say("batch_size", std::move(batch));
        if (!m_usedNames.contains(name))
            say("name", name);
        return makeInput(arguments);
    };
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool isArray = values[i].kind == Value::Kind::Data && values[i].call > 0 &&
                             values[i].json.is_array() && !values[i].json.empty();
        if (isArray)
            values[i] =
                makeElement(i < parameters.size() ? parameters[i].name : "input",
                            Json(values[i].json.begin() + 1, values[i].json.end()), values[i].json[0]);
    }
    if (infeed == nullptr)
        return values;
    refuseSecondInfeed(0, place);
    const Value& dataset = infeed->items.front();
    const Json batch = dataset.index > 0 ? Json(dataset.index) : Json();
    for (std::size_t i = values.size(); i < parameters.size() && !parameters[i].hasDefault; ++i)
        values.push_back(makeElement(parameters[i].name, datasetShape(dataset.text), batch));
    return values;
}

Value PythonEvaluator::callPipeline(Arguments& arguments) {
    const PythonPlace place = arguments.place;
    const auto given = [&](std::size_t position) {
        const Value* value = arguments.find(pipelineArguments[position].name, position);
        return value == nullptr || value->isNone() ? nullptr : value;
    };
    const auto queue = [&](std::size_t position) {
        const Value* value = given(position);
        if (value != nullptr && value->kind != Value::Kind::Queue)
            refuse(place, "python/value",
                   fmt::format("\"{}\" is no queue", pipelineArguments[position].name));
        return value;
    };
    const Value* stages = given(stagesArgument);
    const bool areFunctions =
        stages != nullptr && stages->kind == Value::Kind::List && !stages->items.empty() &&
        std::ranges::all_of(stages->items,
                            [](const Value& stage) { return stage.kind == Value::Kind::Function; });
    if (!areFunctions)
        refuse(place, "python/value", "computational_stages is a list of functions of the program",
               {"write each stage as a function with def"});
    const std::size_t count = stages->items.size();
    if (count < 2)
        refuse(place, "value-error/pipeline-stages",
               fmt::format("a pipeline has at least two stages; this has {}", count),
               {"split the function into two"});
    const Value* infeed = queue(infeedArgument);
    const Value* outfeed = queue(outfeedArgument);

    PythonModel model;
    model.place = model.pipelinePlace = model.trainingPlace = place;
    const Value* name = arguments.keyword("name");
    model.name = name != nullptr && name->isText() ? name->json.get<std::string>() : freshName("pipeline");
    for (std::size_t i = 0; i < pipelineArguments.size(); ++i) {
        if (const Value* option = given(i); option != nullptr && pipelineArguments[i].option != nullptr)
            model.pipeline[pipelineArguments[i].option] = json(*option, place);
    }
    for (const auto& [key, value] : arguments.keywords) {
        const auto known = std::ranges::find(pipelineArguments, key,
                                             [](const auto& entry) { return std::string_view(entry.name); });
        if (known == pipelineArguments.end() && key != "name")
            refuse(place, "python/value",
                   fmt::format("pipeline() has no argument \"{}\"", key.substr(0, 60)));
    }

    std::vector<Value> values =
        firstStageArguments(stages->items.front(), given(inputsArgument), infeed, place);
    const std::vector<Value> elements = values;
    const std::optional<std::int64_t> stageBefore = m_stage;
    for (std::size_t i = 0; i < count; ++i) {
        Arguments passed{values, {}, place};
        const auto& parameters = stages->items[i].function->parameters;
        if (values.size() > parameters.size())
            refuse(stages->items[i].function->place, "python/value",
                   fmt::format("{}() takes {} arguments and gets {}", stages->items[i].text,
                               parameters.size(), values.size()));
        m_stage = static_cast<std::int64_t>(i);
        values = outputsOf(callFunction(stages->items[i], passed));
    }
    m_stage = stageBefore;
    if (outfeed == nullptr && !values.empty())
        refuse(place, "value-error/no-outfeed-queue",
               fmt::format("the last stage, {}(), has outputs but there is no outfeed queue",
                           stages->items.back().text),
               {"pass outfeed_queue=IPUOutfeedQueue()"});
    if (model.pipeline.value("accumulate_outfeed", Json()) == true &&
        (outfeed == nullptr || outfeed->call != 0))
        refuse(place, "value-error/accumulate-outfeed",
               outfeed == nullptr
                   ? "accumulate_outfeed is set, but there is no outfeed queue"
                   : "accumulate_outfeed is set, but the outfeed queue keeps the last result only",
               {"pass outfeed_queue=IPUOutfeedQueue(outfeed_mode=IPUOutfeedMode.ALL)"});
    if (outfeed != nullptr && outfeed->call != 0)
        warn(place, "python/ignored", "the outfeed's mode LAST is left out: a project keeps all results");
    if (const Value* function = given(optimizerArgument))
        trainPipeline(model, *function, values, place);
    else
        for (const Value& value : values)
            if (value.kind == Value::Kind::Tensor)
                model.outputs.push_back({value.index, value.call, value.output});
    if (model.outputs.empty())
        refuse(place, "python/value", "the last stage returns no tensor of the model",
               {"return the loss, or what the model predicts"});
    finishPipeline(model, elements, *stages, infeed, outfeed);
    m_facts.draft.models.push_back(std::move(model));
    // What dequeue() and run() answer is data.
    return Value::of(Value::Kind::Data);
}

Value PythonEvaluator::makeOptimizerOutput(Arguments& arguments) {
    const Value* optimizer = arguments.find("opt", 0);
    const Value* loss = arguments.find("loss", 1);
    if (optimizer == nullptr || optimizer->kind != Value::Kind::Object || loss == nullptr)
        refuse(arguments.place, "python/value", "OptimizerFunctionOutput() takes an optimizer and a loss");
    constexpr std::size_t read = 2;
    if (arguments.list.size() > read || std::ranges::any_of(arguments.keywords, [](const auto& entry) {
            return entry.first.find("gradients") != std::string::npos;
        }))
        warn(arguments.place, "python/ignored",
             "the arguments for computing and applying gradients are left out");
    Value output = Value::of(Value::Kind::List);
    output.text = "OptimizerFunctionOutput";
    output.items = {*optimizer, *loss};
    output.items[1].place = arguments.place;
    return output;
}

Value PythonEvaluator::callWithList(const char* function, const char* list, Arguments& arguments) {
    const Value* callee = arguments.find(function, 0);
    const Value* inputs = arguments.find(list, 1);
    if (callee == nullptr || callee->kind != Value::Kind::Function)
        refuse(arguments.place, "python/unsupported", "this takes a function of the program");
    Arguments passed{inputs == nullptr ? std::vector<Value>() : outputsOf(*inputs), {}, arguments.place};
    return callFunction(*callee, passed);
}

void PythonEvaluator::trainPipeline(PythonModel& model, const Value& function,
                                    const std::vector<Value>& outputs, PythonPlace place) {
    if (function.kind != Value::Kind::Function)
        refuse(place, "python/value", "optimizer_function is a function of the program");
    Arguments passed{outputs, {}, place};
    const Value result = callFunction(function, passed);
    const bool isOutput = result.kind == Value::Kind::List && result.text == "OptimizerFunctionOutput";
    if (!isOutput)
        refuse(function.function->place, "python/value",
               "an optimizer function returns pipelining_ops.OptimizerFunctionOutput(optimizer, loss)");
    const Value& loss = result.items[1];
    if (loss.kind != Value::Kind::Loss)
        refuse(loss.place.line > 0 ? loss.place : function.function->place, "python/unsupported",
               "this loss is not among those that are read",
               {"use a loss of keras.losses or tf.nn, and reduce_mean() or reduce_sum() of it"});
    Json optimizer = result.items[0].json;
    if (optimizer.contains(pythonOptimizerOptions)) {
        model.pipeline.update(optimizer[pythonOptimizerOptions]);
        optimizer.erase(pythonOptimizerOptions);
    }
    model.training["optimizer"] = std::move(optimizer);
    model.training["loss"] = loss.json;
    const Value& prediction = loss.items.front();
    model.outputs.push_back({prediction.index, prediction.call, prediction.output});
}

/// The model's inputs, its stages and what its queues say.
void PythonEvaluator::finishPipeline(PythonModel& model, const std::vector<Value>& elements,
                                     const Value& stages, const Value* infeed, const Value* outfeed) {
    const PythonDraft& draft = m_facts.draft;
    const std::vector<std::int64_t> used = draft.layersOf(model);
    for (const Value& element : elements) {
        const bool isInput =
            element.kind == Value::Kind::Tensor && std::ranges::find(used, element.index) != used.end();
        if (!isInput)
            continue;
        model.inputs.push_back({element.index, element.call, element.output});
        const PythonLayer& layer = draft.layers[static_cast<std::size_t>(element.index)];
        const Json& shape = layer.config["batch_input_shape"];
        if (std::ranges::any_of(shape.begin() + 1, shape.end(),
                                [](const Json& one) { return one.is_null(); }))
            warn(layer.place, "python/shape",
                 fmt::format("the program does not say what shape \"{}\" has", layer.name),
                 {fmt::format("set the shape of the layer {} in the project", layer.name)});
    }
    for (std::size_t i = 0; i < stages.items.size(); ++i) {
        const bool hasLayer = std::ranges::any_of(used, [&](std::int64_t at) {
            const auto& calls = draft.layers[static_cast<std::size_t>(at)].calls;
            return std::ranges::any_of(
                calls, [&](const PythonCall& call) { return call.stage == static_cast<std::int64_t>(i); });
        });
        if (!hasLayer)
            refuse(stages.items[i].function->place, "python/unsupported",
                   fmt::format("stage {}, {}(), has no layer on the way to the model's outputs", i,
                               stages.items[i].text),
                   {"move a layer into it, or join it with the stage before: the loss needs no stage of its "
                    "own"});
    }
    if (infeed != nullptr) {
        if (infeed->items.front().index > 0)
            model.training["batch_size"] = infeed->items.front().index;
        if (!infeed->json.empty())
            model.training["infeed"] = infeed->json;
    }
    if (outfeed != nullptr && !outfeed->json.empty())
        model.training["outfeed"] = outfeed->json;
    // One call of a session runs the pipeline as often as it is repeated.
    const Json count = model.pipeline.value("gradient_accumulation_steps_per_replica", Json());
    const Json repeats = model.pipeline.value("repeat_count", Json(1));
    constexpr std::int64_t most = std::int64_t{1} << 31; // what is beyond it, validation refuses
    const auto isCount = [](const Json& value) {
        return value.is_number_integer() && value.get<std::int64_t>() > 0 && value.get<std::int64_t>() < most;
    };
    if (isCount(count) && isCount(repeats)) {
        const std::int64_t steps = count.get<std::int64_t>() * repeats.get<std::int64_t>();
        model.training["steps_per_execution"] = steps;
        model.training["steps_per_epoch"] = steps;
        model.pipeline.erase("repeat_count");
    }
    // An inference pipeline is one that was used, too; a trained one comes before it.
    model.use = model.training.contains("loss") ? 3 : 2;
}

} // namespace core
