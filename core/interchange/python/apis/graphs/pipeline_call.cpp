#include "core/interchange/python/apis/graphs/pipeline_call.h"

#include "core/interchange/python/apis/calls/gradients.h"
#include "core/interchange/python/apis/calls/loss_graph.h"
#include "core/interchange/python/apis/calls/model_elements.h"
#include "core/interchange/python/apis/calls/program_function.h"
#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/draft/layers.h"
#include "core/project/options/option_table.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace core {

namespace {

/// An argument of pipeline().
struct PipelineArgument {
    std::string_view name;
    std::size_t position = 0;
    /// The option of a project that it is; null: none, it is read here.
    const ProjectOption* option = nullptr;
};

/// Those that are read here, and the options that say at which place pipeline() takes them.
const std::vector<PipelineArgument>& pipelineArguments() {
    static const std::vector<PipelineArgument> arguments = [] {
        std::vector<PipelineArgument> list{{"computational_stages", 0},
                                           {"inputs", 5},
                                           {"infeed_queue", 6},
                                           {"outfeed_queue", 7},
                                           {"optimizer_function", 8}};
        for (const ProjectOption& option : projectOptions())
            if (option.python.pipelinePosition)
                list.push_back({option.olderKeyword(), *option.python.pipelinePosition, &option});
        std::ranges::sort(list, {}, &PipelineArgument::position);
        return list;
    }();
    return arguments;
}

/// An argument of pipeline() by its name, wherever it is; null where it is left out or None.
const PythonValue* givenArgument(const PythonApiCall& call, std::string_view name) {
    const auto row = std::ranges::find(pipelineArguments(), name, &PipelineArgument::name);
    return call.arguments.given(name, row->position);
}

const PythonQueue* givenQueue(const PythonApiCall& call, std::string_view name) {
    const PythonValue* value = givenArgument(call, name);
    const auto* queue = value == nullptr ? nullptr : value->as<PythonQueue>();
    if (value != nullptr && queue == nullptr)
        call.refuse("python/value", fmt::format("\"{}\" is no queue", name),
                    {"give an IPUInfeedQueue or an IPUOutfeedQueue"});
    return queue;
}

/// The definition of a stage; stageFunctions() has found it.
const PythonStatement& definitionOf(const PythonValue& function) {
    return *programFunction(function)->definition;
}

PythonValues stageFunctions(const PythonApiCall& call) {
    const PythonValue* stages = givenArgument(call, "computational_stages");
    const auto isList = [](const PythonValue& stage) { return stage.is<PythonList>(); };
    if (stages != nullptr && std::ranges::any_of(stages->items(), isList))
        call.refuse("python/unsupported",
                    "a list among the computational_stages is of stages that run side by side, which a "
                    "project does not hold",
                    {"write the functions of the list one after the other, as stages of their own",
                     "compute in one function what runs side by side"});
    const bool areFunctions = stages != nullptr && !stages->items().empty() &&
                              std::ranges::all_of(stages->items(), [](const PythonValue& stage) {
                                  return programFunction(stage).has_value();
                              });
    if (!areFunctions)
        call.refuse("python/value", "computational_stages is a list of functions of the program",
                    {"write each stage as a function with def"});
    if (stages->items().size() < 2)
        call.refuse("value-error/pipeline-stages",
                    fmt::format("a pipeline has at least two stages; this has {}", stages->items().size()),
                    {"split the function into two"});
    return stages->items();
}

/// What pipeline() calls an option that Keras' setters have under another name, or nearly so.
std::string cureOfArgument(const std::string& key) {
    std::vector<std::string> names;
    for (const PipelineArgument& argument : pipelineArguments()) {
        names.emplace_back(argument.name);
        if (argument.option != nullptr &&
            (argument.option->key() == key || argument.option->python.keyword == key))
            return fmt::format("write {}=…", argument.name);
    }
    const auto near = nearestName(key, names);
    return near ? fmt::format("write {}=…", *near) : "leave it out";
}

/// Options of the model, and the refusal of arguments that pipeline() does not have.
void takeOptions(const PythonApiCall& call, PythonModel& model) {
    for (const PipelineArgument& argument : pipelineArguments())
        if (const PythonValue* option = givenArgument(call, argument.name);
            option != nullptr && argument.option != nullptr) {
            const std::string_view key = argument.option->key();
            if (option->isText() && (key == "schedule" || key == "recomputation_mode"))
                call.refuse("type-error/schedule", fmt::format("the {} is a text", argument.name),
                            {fmt::format("write pipelining_ops.{}.{}",
                                         key == "schedule" ? "PipelineSchedule" : "RecomputationMode",
                                         option->constant().get<std::string>())});
            if (argument.option->type == ProjectOptionType::Integer && option->isNumber() &&
                !option->isWhole())
                call.refuse("type-error/count",
                            fmt::format("{} is a whole number, and {} is none", argument.name,
                                        option->constant().dump()),
                            {fmt::format("write {}={}", argument.name,
                                         std::llround(option->constant().get<double>()))});
            model.pipeline[std::string(argument.option->key())] =
                call.builder.json(typeOfVariables(call, argument.name, *option), call.place());
        }
    for (const auto& [key, value] : call.arguments.keywords) {
        const auto known = std::ranges::find(pipelineArguments(), key, &PipelineArgument::name);
        if (known == pipelineArguments().end() && key != "name")
            call.refuse("python/value", fmt::format("pipeline() has no argument \"{}\"", quotedName(key)),
                        {cureOfArgument(key)});
    }
}

/// Inputs of the model for what the first stage takes: what pipeline() passes, then the infeed's elements.
PythonValues firstStageArguments(const PythonApiCall& call, const PythonValue& stage,
                                 const PythonQueue* infeed) {
    const PythonValue* inputs = givenArgument(call, "inputs");
    PythonValues values = inputs == nullptr ? PythonValues() : outputsOf(*inputs);
    const PythonProgramFunction function = *programFunction(stage);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto* data = values[i].as<PythonData>();
        const bool isArray =
            data != nullptr && data->placeholder > 0 && data->shape.is_array() && !data->shape.empty();
        if (!isArray)
            continue;
        const Json shape = data->shape;
        values[i] = makeElement(call, i < function.open.size() ? function.open[i]->name : "input",
                                Json(shape.begin() + 1, shape.end()), shape[0], data);
    }
    if (infeed == nullptr)
        return values;
    takeInfeed(call.builder, 0, call.place());
    const PythonValues elements = makeElements(call, function, values.size(), infeed->dataset);
    values.insert(values.end(), elements.begin(), elements.end());
    return values;
}

/// What the last stage returns, after each stage was called with what the one before returned.
PythonValues callStages(const PythonApiCall& call, const PythonValues& stages, PythonValues values) {
    const PythonScope before = call.builder.scope;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const PythonProgramFunction stage = *programFunction(stages[i]);
        if (values.size() > stage.open.size() && !stage.takesAnyNumber())
            call.builder.refuse(stage.definition->place, "python/value",
                                fmt::format("{}() takes {} arguments and gets {}", stage.definition->text,
                                            stage.open.size(), values.size()),
                                {"give it a parameter for each output of the stage before"});
        PythonArguments passed{std::move(values), {}, call.place()};
        call.builder.scope.stage = static_cast<std::int64_t>(i);
        const std::vector<PythonTensor> given = tensorsOfElements(passed.list);
        call.builder.arrival = given.empty() ? std::nullopt : std::optional(given.front());
        values = outputsOf(call.interpreter.call(stages[i], passed));
    }
    call.builder.scope = before;
    call.builder.arrival.reset();
    return values;
}

void checkOutfeed(const PythonApiCall& call, const PythonModel& model, const PythonQueue* outfeed,
                  const std::string& lastStage, bool hasOutputs) {
    if (outfeed == nullptr && hasOutputs)
        call.refuse("value-error/no-outfeed-queue",
                    fmt::format("the last stage, {}(), has outputs but there is no outfeed queue", lastStage),
                    {"pass outfeed_queue=IPUOutfeedQueue()"});
    const bool keepsAll = outfeed != nullptr && !outfeed->keepsLastOnly;
    if (model.pipeline.value("accumulate_outfeed", Json()) == true && !keepsAll)
        call.refuse("value-error/accumulate-outfeed",
                    outfeed == nullptr
                        ? "accumulate_outfeed is set, but there is no outfeed queue"
                        : "accumulate_outfeed is set, but the outfeed queue keeps the last result only",
                    {"pass outfeed_queue=IPUOutfeedQueue(outfeed_mode=IPUOutfeedMode.ALL)"});
}

/// Whether a tensor is another one times a number.
bool isMultipleOf(const PythonProgramBuilder& builder, const PythonTensor& product,
                  const PythonTensor& factor) {
    const PythonLayer& layer = builder.facts.draft.layers[static_cast<std::size_t>(product.layer)];
    const auto& calls = layer.calls;
    return layer.config.value("function", "") == "math.multiply" &&
           static_cast<std::size_t>(product.call) < calls.size() &&
           calls[static_cast<std::size_t>(product.call)].tensors == std::vector{factor};
}

/// The outfeed of a pipeline that trains, as projects say it: of the loss and of what the model predicts.
/// What else the last stage hands on, such as a learning rate, is no output of a model.
void takeOutfeedMask(const PythonApiCall& call, PythonModel& model, const PythonValue& loss,
                     const PythonTensor& prediction, const PythonValues& outputs,
                     const std::string& lastStage) {
    const Json mask = model.pipeline.value("outfeed_mask", Json());
    if (model.pipeline.value("outfeed_loss", Json()) == true)
        return;
    if (mask.is_array() && mask.size() != outputs.size())
        call.refuse("value-error/outfeed-mask-length",
                    fmt::format("outfeed_mask has {} entries for the {} outputs of the last stage, {}()",
                                mask.size(), outputs.size(), lastStage),
                    {"give one True or False for each of them"});
    const auto isLoss = [&](const PythonValue& output) {
        const auto* one = output.as<PythonLoss>();
        const auto* whole = loss.as<PythonLoss>();
        const auto* tensor = output.as<PythonTensor>();
        const auto* computed = loss.as<PythonTensor>();
        if (tensor != nullptr && computed != nullptr && isMultipleOf(call.builder, *computed, *tensor))
            return true;
        const auto scaled = computed == nullptr
                                ? call.builder.multipliedLosses.end()
                                : std::ranges::find(call.builder.multipliedLosses, *computed,
                                                    &PythonProgramBuilder::MultipliedLoss::product);
        if (one != nullptr && scaled != call.builder.multipliedLosses.end())
            return true; // scaled for the optimizer alone
        return (one != nullptr && whole != nullptr) ||
               (tensor != nullptr && computed != nullptr && *tensor == *computed);
    };
    bool hidesLoss = true;
    bool hidesPrediction = true;
    PythonValues others;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const bool isHidden = mask.is_array() && mask[i] == true;
        const auto* tensor = outputs[i].as<PythonTensor>();
        others.emplace_back();
        if (isLoss(outputs[i])) {
            hidesLoss = isHidden;
            others.back() = isHidden ? PythonValue() : loss;
        } else if (tensor != nullptr && *tensor == prediction) {
            hidesPrediction = isHidden;
        } else if (!isHidden) {
            others.back() = outputs[i];
        }
    }
    PythonProgramBuilder::remember(call.builder.trainedLosses, loss, call.place());
    PythonProgramBuilder::remember(call.builder.handedOn, pythonList(std::move(others)), call.place());
    // What a program outfeeds beside either is no output of a project: its loss is measured all the same.
    const bool isNeither = !mask.is_array() && hidesLoss && hidesPrediction;
    const bool isUsual = isNeither || (!hidesLoss && hidesPrediction); // the loss alone
    if (isUsual)
        model.pipeline.erase("outfeed_mask");
    else
        model.pipeline["outfeed_mask"] = {hidesLoss, hidesPrediction};
}

/// The model's optimizer, loss and output, from what the optimizer function returns; the loss as the program
/// says it, and the prediction that it is of.
std::pair<PythonValue, PythonTensor> trainPipeline(const PythonApiCall& call, PythonModel& model,
                                                   const PythonValue& function, std::size_t stages,
                                                   const PythonValues& outputs,
                                                   const PythonValues& elements) {
    if (!programFunction(function))
        call.refuse("python/value", "optimizer_function is a function of the program",
                    {"write it as a function with def"});
    PythonArguments passed{outputs, {}, call.place()};
    // What it computes, it computes where the last stage does.
    const PythonScope before = call.builder.scope;
    call.builder.scope.stage = static_cast<std::int64_t>(stages) - 1;
    const PythonValue result = call.interpreter.call(function, passed);
    call.builder.scope = before;
    const auto* step = result.as<PythonTrainingStep>();
    if (step == nullptr)
        call.builder.refuse(
            definitionOf(function).place, "python/value",
            "an optimizer function returns pipelining_ops.OptimizerFunctionOutput(optimizer, loss)",
            {"return that"});
    if (step->optimizer.is_object() && step->optimizer.contains(pythonOptimizerOptions))
        call.builder.refuse({step->line, step->column, step->file}, "value-error/gradient-accumulation",
                            "a pipeline accumulates gradients itself: its optimizer is not to do so as well",
                            {"give the pipeline gradient_accumulation_count and the plain optimizer"});
    const std::vector<PythonLoss> losses = lossesOfStep(call, *step, elements);
    takeTrainingStep(call.builder, model, *step, losses);
    return {*step->loss, losses.front().prediction};
}

/// The loss among what the last stage of an evaluation hands on is the model's; where it hands on none, the
/// model answers what it hands on.
void takeAnswers(const PythonApiCall& call, PythonModel& model, const PythonValues& outputs,
                 const PythonValues& elements) {
    const auto loss =
        std::ranges::find_if(outputs, [](const auto& one) { return one.template is<PythonLoss>(); });
    if (loss != outputs.end()) {
        const PythonTrainingStep step = trainingStep(call, nullptr, *loss);
        takeTrainingStep(call.builder, model, step, lossesOfStep(call, step, elements));
        return;
    }
    for (const PythonValue& output : outputs)
        if (const auto* tensor = output.as<PythonTensor>())
            model.outputs.push_back(*tensor);
}

/// Options of the outfeed that pipeline() takes with an optimizer_function only.
void refuseOptionsOfTraining(const PythonApiCall& call, const PythonModel& model) {
    for (const char* option : {"outfeed_mask", "outfeed_loss"})
        if (const Json given = model.pipeline.value(option, Json());
            given == true || (given.is_array() && !given.empty()))
            call.refuse("value-error/outfeed-without-optimizer",
                        fmt::format("{} is set, but there is no optimizer_function", option),
                        {fmt::format("leave {} out: what is not trained has no loss", option),
                         "pass the optimizer_function of the training"});
}

void checkStages(const PythonApiCall& call, const PythonValues& stages,
                 const std::vector<std::int64_t>& used) {
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const bool hasLayer = std::ranges::any_of(used, [&](std::int64_t at) {
            return std::ranges::any_of(call.builder.layer(at).calls, [&](const PythonCall& one) {
                return one.stage == static_cast<std::int64_t>(i);
            });
        });
        if (!hasLayer)
            call.builder.refuse(definitionOf(stages[i]).place, "python/unsupported",
                                fmt::format("stage {}, {}(), has no layer on the way to the model's outputs",
                                            i, definitionOf(stages[i]).text),
                                {"move a layer into it, or join it with the stage before: the loss needs no "
                                 "stage of its own"});
    }
}

/// What the queues say, and how often one call of a session runs the pipeline.
void takeCounts(PythonModel& model, const PythonQueue* infeed, const PythonQueue* outfeed) {
    if (infeed != nullptr) {
        if (infeed->dataset.batchSize > 0)
            model.training["batch_size"] = infeed->dataset.batchSize;
        if (!infeed->options.empty())
            model.training["infeed"] = infeed->options;
    }
    if (outfeed != nullptr && !outfeed->options.empty())
        model.training["outfeed"] = outfeed->options;
    if (outfeed != nullptr && outfeed->keepsLastOnly)
        model.training["outfeed_mode"] = "LAST";
    const Json count = model.pipeline.value("gradient_accumulation_steps_per_replica", Json());
    const Json repeats = model.pipeline.value("repeat_count", Json(1));
    constexpr std::int64_t most = std::int64_t{1} << 31; // what is beyond it, validation refuses
    const auto isCount = [](const Json& value) {
        return value.is_number_integer() && value.get<std::int64_t>() > 0 && value.get<std::int64_t>() < most;
    };
    if (!isCount(count) || !isCount(repeats))
        return;
    const std::int64_t steps = count.get<std::int64_t>() * repeats.get<std::int64_t>();
    model.training["steps_per_execution"] = steps;
    model.training["steps_per_epoch"] = steps;
    model.countsReplicaSteps = true;
    // Without weight updates only it says how often an execution fills the pipeline and empties it.
    if (model.training.contains("loss") || repeats == 1)
        model.pipeline.erase("repeat_count");
}

/// A call of the same functions at the same place, as a compiled function makes each time that it is called:
/// one execution more of the pipeline that is there. Functions that are defined anew make another one.
bool runsAgain(const PythonApiCall& call, const PythonValues& stages, const PythonValue* optimizer) {
    for (const PythonProgramBuilder::MadePipeline& known : call.builder.pipelines) {
        const bool isSame = known.place == call.place() &&
                            std::ranges::equal(known.stages, stages, areEqual) &&
                            areEqual(known.optimizer, optimizer == nullptr ? PythonValue() : *optimizer);
        if (!isSame)
            continue;
        PythonModel& model = call.builder.model(known.model);
        const Json steps = model.training.value("steps_per_execution", Json());
        if (steps.is_number_integer())
            model.training["steps_per_epoch"] =
                model.training["steps_per_epoch"].get<std::int64_t>() + steps.get<std::int64_t>();
        return true;
    }
    return false;
}

} // namespace

void useQueue(PythonProgramBuilder& builder, const PythonQueue& queue) {
    const char* const option = queue.isInfeed ? "infeed" : "outfeed";
    if (!queue.options.empty() && !builder.facts.training.contains(option))
        builder.facts.training[option] = queue.options;
}

void takeInfeed(PythonProgramBuilder& builder, std::int64_t stage, PythonPlace place) {
    if (builder.infeedStage && *builder.infeedStage != stage)
        builder.refuse(
            place, "unimplemented/infeed-in-several-stages",
            fmt::format("the infeed is used by stages {} and {}", *builder.infeedStage, stage),
            {fmt::format("take everything from the infeed in stage {} and hand it on from stage to "
                         "stage",
                         *builder.infeedStage)});
    builder.infeedStage = stage;
}

PythonValue callWithList(const PythonApiCall& call, const char* function, const char* list) {
    const PythonValue* callee = call.arguments.find(function, 0);
    const PythonValue* inputs = call.arguments.find(list, 1);
    if (callee == nullptr || !programFunction(*callee))
        call.refuse("python/unsupported", "this takes a function of the program",
                    {"write the function with def and give its name"});
    PythonArguments passed{inputs == nullptr ? PythonValues() : outputsOf(*inputs), {}, call.place()};
    return call.interpreter.call(*callee, passed);
}

PythonValue typeOfVariables(const PythonApiCall& call, std::string_view argument, const PythonValue& value) {
    if (!argument.ends_with("dtype") || !value.is<PythonFunction>())
        return value;
    PythonArguments variable{{PythonData()}, {}, call.place()};
    return call.interpreter.call(value, variable);
}

namespace {

/// Answers what the last stage returns. `measures`: without an optimizer, its loss is measured.
PythonValues makePipeline(const PythonApiCall& call, bool measures) {
    const PythonValues stages = stageFunctions(call);
    const PythonValue* optimizer = givenArgument(call, "optimizer_function");
    // Source: more than one pipeline in a compiled program is a failed precondition (pipeline_util.cc).
    if (call.builder.compiledPipelines && ++*call.builder.compiledPipelines > 1)
        call.refuse("failed-precondition/several-pipelines",
                    "a program that is compiled has one pipeline, and this is the second one",
                    {"compile each of them by an ipu_compiler.compile() of its own",
                     "join their stages into one list"});
    if (runsAgain(call, stages, optimizer))
        return {};
    const PythonQueue* infeed = givenQueue(call, "infeed_queue");
    const PythonQueue* outfeed = givenQueue(call, "outfeed_queue");
    PythonModel model;
    model.place = model.pipelinePlace = model.trainingPlace = call.place();
    model.pipelineCall = "pipeline()";
    const PythonValue* name = call.arguments.keyword("name");
    model.name = name != nullptr && name->isText() ? name->constant().get<std::string>()
                                                   : call.builder.freshName("pipeline");
    takeOptions(call, model);
    const PythonValues elements = firstStageArguments(call, stages.front(), infeed);
    const PythonValues outputs = callStages(call, stages, elements);
    checkOutfeed(call, model, outfeed, definitionOf(stages.back()).text, !outputs.empty());
    if (optimizer != nullptr) {
        const auto [loss, prediction] =
            trainPipeline(call, model, *optimizer, stages.size(), outputs, elements);
        takeOutfeedMask(call, model, loss, prediction, outputs, definitionOf(stages.back()).text);
    } else {
        refuseOptionsOfTraining(call, model);
        const auto isLoss = [](const PythonValue& output) { return output.is<PythonLoss>(); };
        PythonValues answers = outputs;
        if (!measures)
            std::erase_if(answers, isLoss);
        takeAnswers(call, model, answers, elements);
    }
    if (model.outputs.empty())
        call.refuse("python/value", "the last stage returns no tensor of the model",
                    {"return the loss, or what the model predicts"});
    const std::vector<std::int64_t> used = call.builder.facts.draft.layersOf(model);
    takeInputs(call, model, elements, used);
    checkStages(call, stages, used);
    call.builder.separateNames(model);
    takeCounts(model, infeed, outfeed);
    // An inference pipeline is one that was used, too; a trained one comes before it.
    model.use = optimizer != nullptr ? 3 : 2;
    const PythonModelName made = call.builder.addModel(std::move(model));
    call.builder.pipelines.push_back(
        {call.place(), stages, optimizer == nullptr ? PythonValue() : *optimizer, made.model});
    return outputs;
}

} // namespace

PythonValue callPipeline(const PythonApiCall& call) {
    static_cast<void>(makePipeline(call, false));
    return PythonData(); // what dequeue() and run() answer
}

PythonValue evaluatePipeline(const PythonApiCall& call) {
    return pythonList(makePipeline(call, true), true);
}

} // namespace core
