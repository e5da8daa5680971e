// Estimators: models that a model function of the program computes.
#include "core/interchange/python/apis/graphs/estimators.h"

#include "core/interchange/python/apis/calls/gradients.h"
#include "core/interchange/python/apis/calls/model_elements.h"
#include "core/interchange/python/apis/data/fed_samples.h"
#include "core/interchange/python/apis/graphs/function_model.h"
#include "core/interchange/python/apis/graphs/pipeline_call.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/own_schedules.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace core {

namespace {

constexpr const char* estimatorSpec = "ipu.ipu_estimator.IPUEstimatorSpec";
constexpr const char* pipelineSpec = "ipu.ipu_pipeline_estimator.IPUPipelineEstimatorSpec";

PythonValue keepArguments(const PythonApiCall& call, const std::string& path,
                          std::initializer_list<const char*> names) {
    PythonLibraryObject object = pythonObject(path);
    std::size_t position = 0;
    for (const char* name : names)
        if (const PythonValue* given = call.arguments.find(name, position++))
            (*object.attributes)[name] = *given;
    for (const auto& [name, value] : call.arguments.keywords)
        (*object.attributes)[name] = value;
    return object;
}

const PythonValue* kept(const PythonLibraryObject& object, const char* name) {
    const auto found = object.attributes->find(name);
    return found == object.attributes->end() || found->second.isNone() ? nullptr : &found->second;
}

/// What an estimator is told that a project has no place for.
struct LeftOutArgument {
    const char* name;
    const char* cause;
    const char* cure;
};

constexpr const char* summaries = "a run writes its own report";
constexpr const char* database = "run the project with --profile and look at its database";
constexpr const char* noCheckpoints = "a run saves checkpoints only where a callback says so";
constexpr const char* checkpoint = "add ModelCheckpoint to training.callbacks";
constexpr const char* noSession = "a run has no session of TensorFlow";
constexpr const char* removeIt = "remove it";

constexpr LeftOutArgument leftOutArguments[]{
    {"model_dir", noCheckpoints, checkpoint},
    {"warm_start_from", "the weights of a checkpoint of TensorFlow are not read",
     "save them by save_weights(\"weights.h5\") and set training.weights to the file"},
    {"master", noSession, removeIt},
    {"session_config", noSession, removeIt},
    {"device_fn", noSession, removeIt},
    {"protocol", noSession, removeIt},
    {"session_creation_timeout_secs", noSession, removeIt},
    {"experimental_max_worker_delay_secs", "the simulated processes start together", removeIt},
    {"save_checkpoints_steps", noCheckpoints, checkpoint},
    {"save_checkpoints_secs", noCheckpoints, checkpoint},
    {"keep_checkpoint_max", noCheckpoints, checkpoint},
    {"keep_checkpoint_every_n_hours", noCheckpoints, checkpoint},
    {"checkpoint_save_graph_def", noCheckpoints, checkpoint},
    {"save_summary_steps", summaries, database},
    {"log_step_count_steps", summaries, database},
    {"compile_summary", summaries, database},
    {"training_hooks", "hooks of a session do not run", "use training.callbacks"},
    {"evaluation_hooks", "hooks of a session do not run", "use training.callbacks"},
    {"prediction_hooks", "hooks of a session do not run", "use training.callbacks"},
};

/// The same, each of them named at its line.
PythonValue keepEstimatorArguments(const PythonApiCall& call, const std::string& path,
                                   std::initializer_list<const char*> names) {
    const PythonValue made = keepArguments(call, path, names);
    for (const LeftOutArgument& argument : leftOutArguments) {
        const PythonValue* given = kept(*made.as<PythonLibraryObject>(), argument.name);
        const bool saysNothing = given == nullptr || given->constant() == false || given->constant() == 0 ||
                                 given->constant() == "" ||
                                 (given->is<PythonList>() && given->items().empty());
        if (!saysNothing)
            call.warn("python/ignored",
                      fmt::format("\"{}\" of {} is left out: {}", argument.name, call.name(), argument.cause),
                      {argument.cure});
    }
    return made;
}

PythonValue makeEstimator(const PythonApiCall& call) {
    return keepEstimatorArguments(call, call.path,
                                  {"model_fn", "model_dir", "config", "params", "warm_start_from",
                                   "train_batch_size", "eval_batch_size", "predict_batch_size"});
}

PythonValue makeEstimatorSpec(const PythonApiCall& call) {
    const auto isGiven = [&](const char* name) {
        const PythonValue* given = call.arguments.keyword(name);
        return given != nullptr && !given->isNone();
    };
    const bool isOfIpu = call.name() == "IPUEstimatorSpec";
    if (isGiven("eval_metrics") && isGiven("eval_metric_ops"))
        call.refuse("value-error/eval-metrics", "eval_metrics and eval_metric_ops are both given",
                    {"give one of the two: eval_metrics takes a function and its tensors"});
    if (const PythonValue* mode = call.arguments.given("mode", 0);
        isOfIpu && mode != nullptr && mode->constant() == "eval" && !isGiven("eval_metrics") &&
        !isGiven("eval_metric_ops"))
        call.refuse("value-error/eval-metrics",
                    "an evaluation needs eval_metrics or eval_metric_ops, and neither is given",
                    {"give one of the two", "return a tf.estimator.EstimatorSpec where none is needed"});
    return keepEstimatorArguments(call, estimatorSpec,
                                  {"mode", "predictions", "loss", "train_op", "eval_metric_ops",
                                   "eval_metrics", "host_call", "training_hooks", "evaluation_hooks",
                                   "prediction_hooks"});
}

PythonValue makePipelineSpec(const PythonApiCall& call) {
    if (call.arguments.keyword("accumulate_outfeed") != nullptr)
        call.refuse("value-error/accumulate-outfeed",
                    "accumulate_outfeed cannot be given to IPUPipelineEstimatorSpec",
                    {"leave it out: the estimator reads the outfeed itself"});
    return keepArguments(call, pipelineSpec,
                         {"mode", "computational_stages", "gradient_accumulation_count", "eval_metrics_fn",
                          "optimizer_function", "device_mapping", "loss_accumulator_dtype"});
}

PythonValue makeRunConfig(const PythonApiCall& call) {
    const PythonValue* steps = call.arguments.keyword("save_checkpoints_steps");
    const PythonValue* seconds = call.arguments.keyword("save_checkpoints_secs");
    if (steps != nullptr && seconds != nullptr && !steps->isNone() && !seconds->isNone())
        call.refuse("value-error/save-checkpoints",
                    "save_checkpoints_steps and save_checkpoints_secs are both given",
                    {"give one of the two"});
    return keepEstimatorArguments(call, call.path, {"ipu_run_config", "master"});
}

PythonValue makeIpuRunConfig(const PythonApiCall& call) {
    return keepEstimatorArguments(call, call.path,
                                  {"iterations_per_loop", "ipu_options", "compile_summary", "num_replicas",
                                   "num_shards", "ordinal", "prefetch_depth"});
}

/// What the run configuration says of the system and of the loop.
Json takeRunConfig(const PythonApiCall& call, const PythonLibraryObject& estimator, std::int64_t& replicas) {
    Json training = Json::object();
    const PythonValue* config = kept(estimator, "config");
    const auto* whole = config == nullptr ? nullptr : config->as<PythonLibraryObject>();
    const PythonValue* own = whole == nullptr ? nullptr : kept(*whole, "ipu_run_config");
    const auto* ipu = own == nullptr ? nullptr : own->as<PythonLibraryObject>();
    if (const PythonValue* seed = whole == nullptr ? nullptr : kept(*whole, "tf_random_seed");
        seed != nullptr && seed->isWhole())
        call.builder.facts.training["seed"] = seed->constant();
    if (ipu == nullptr)
        return training;
    for (const char* count : {"iterations_per_loop", "num_replicas", "num_shards"})
        if (const PythonValue* given = kept(*ipu, count); given != nullptr && given->is<PythonData>())
            refuseOpenNumber(call, fmt::format("\"{}\" of IPURunConfig", count));
    if (const PythonValue* place = kept(*ipu, "ordinal"); place != nullptr && place->isWhole())
        call.builder.facts.device = {place->constant().get<std::int64_t>(), call.place()};
    if (const PythonValue* loop = kept(*ipu, "iterations_per_loop"); loop != nullptr && loop->isWhole()) {
        training["steps_per_execution"] = loop->constant();
        training["steps_per_epoch"] = loop->constant();
    }
    if (const PythonValue* depth = kept(*ipu, "prefetch_depth"); depth != nullptr && depth->isWhole())
        training["infeed"] = {{"prefetch_depth", depth->constant()}};
    if (const PythonValue* count = kept(*ipu, "num_replicas"); count != nullptr && count->isWhole())
        replicas = count->constant().get<std::int64_t>();
    const PythonValue* options = kept(*ipu, "ipu_options");
    if (const auto* chosen = options == nullptr ? nullptr : options->as<PythonOptions>())
        call.builder.applyConfiguration(chosen->configuration);
    const PythonValue* shards = kept(*ipu, "num_shards");
    const std::int64_t each =
        shards != nullptr && shards->isWhole() ? shards->constant().get<std::int64_t>() : 1;
    constexpr std::int64_t most = 1 << 16;
    if (options == nullptr && call.builder.facts.configurations.empty() && replicas > 0 && each > 0 &&
        replicas < most && each < most && replicas * each > 1) { // as many as it asks for
        const PythonOptions made = call.builder.addConfiguration();
        call.builder.configuration(made.configuration).options["auto_select_ipus"] = replicas * each;
        call.builder.applyConfiguration(made.configuration);
    }
    return training;
}

/// The queue and the arguments that an estimator makes of its specification. Only train() trains.
PythonValue pipelineOf(const PythonApiCall& call, const PythonLibraryObject& spec,
                       const PythonData& dataset) {
    PythonQueue infeed;
    infeed.dataset = dataset;
    PythonQueue outfeed;
    outfeed.isInfeed = false;
    PythonArguments arguments{{}, {}, call.place()};
    for (const auto& [name, value] : *spec.attributes)
        if (name != "mode" && name != "eval_metrics_fn" && name != "loss_accumulator_dtype" &&
            (name != "optimizer_function" || call.name() == "train"))
            arguments.keywords.emplace_back(name, value);
    arguments.keywords.emplace_back("infeed_queue", infeed);
    arguments.keywords.emplace_back("outfeed_queue", outfeed);
    const std::string path = "ipu.ops.pipelining_ops.pipeline";
    const PythonApiCall made{call.builder, call.interpreter, path, arguments};
    return call.name() == "evaluate" ? evaluatePipeline(made) : callPipeline(made);
}

/// A part of what a dataset answers; null: it is not known.
const PythonData* samplesOfPart(const PythonData& dataset, std::size_t part) {
    if (dataset.element == nullptr)
        return nullptr;
    const auto* list = dataset.element->as<PythonList>();
    if (list == nullptr)
        return part == 0 ? dataset.element->as<PythonData>() : nullptr;
    return part < list->items->size() ? (*list->items)[part].as<PythonData>() : nullptr;
}

/// Extents of a sample of them, without the batch axis; null where they are not known.
Json sampleExtents(const PythonData* samples) {
    if (samples == nullptr || !samples->shape.is_array() || samples->shape.empty())
        return nullptr;
    return Json(samples->shape.begin() + 1, samples->shape.end());
}

/// Whether its configuration names a strategy for what it does.
bool isDistributed(const PythonApiCall& call, const PythonLibraryObject& estimator) {
    const PythonValue* config = kept(estimator, "config");
    const auto* whole = config == nullptr ? nullptr : config->as<PythonLibraryObject>();
    const char* const strategy = call.name() == "train"      ? "train_distribute"
                                 : call.name() == "evaluate" ? "eval_distribute"
                                                             : "predict_distribute";
    return whole != nullptr && kept(*whole, strategy) != nullptr;
}

/// Among how many the samples of a use of an estimator are shared: the replicas of all workers that its
/// configuration distributes it over.
std::int64_t sharesOf(const PythonApiCall& call, const PythonLibraryObject& estimator,
                      std::int64_t replicas) {
    const std::int64_t workers = isDistributed(call, estimator) ? call.builder.facts.workers : 1;
    return std::max<std::int64_t>(replicas, 1) * std::max<std::int64_t>(workers, 1);
}

/// `params` of its functions: those that it was made with, and the batch of a replica.
PythonValue paramsOf(const PythonApiCall& call, const PythonLibraryObject& estimator, const std::string& use,
                     std::int64_t replicas) {
    const PythonValue* given = kept(estimator, "params");
    const auto* entries = given == nullptr ? nullptr : given->as<PythonDictionary>();
    auto values = entries == nullptr ? std::vector<std::pair<PythonValue, PythonValue>>() : *entries->entries;
    const char* const size = use == "evaluate"  ? "eval_batch_size"
                             : use == "predict" ? "predict_batch_size"
                                                : "train_batch_size";
    const PythonValue* batch = kept(estimator, size);
    if (batch == nullptr || !batch->isWhole())
        return pythonDictionary(std::move(values));
    const std::int64_t shares = sharesOf(call, estimator, replicas);
    const auto whole = batch->constant().get<std::int64_t>();
    if (whole % shares != 0)
        call.refuse("value-error/batch-size",
                    shares == replicas
                        ? fmt::format("{} {} is not divisible by the {} replicas", size, whole, replicas)
                        : fmt::format("{} {} is not divisible by the {} replicas of all workers", size, whole,
                                      shares),
                    {fmt::format("make {} a multiple of {}", size, shares)});
    values.emplace_back(pythonText("batch_size"), pythonConstant(whole / shares));
    return pythonDictionary(std::move(values));
}

/// train(input_fn, hooks, steps, max_steps): how long it trains.
void takeSteps(const PythonApiCall& call, Json& training) {
    if (call.name() != "train")
        return;
    constexpr std::size_t stepsAt = 3;
    const PythonValue* steps = call.arguments.given("steps", stepsAt);
    const PythonValue* most = call.arguments.given("max_steps", stepsAt + 1);
    if (steps != nullptr && most != nullptr)
        call.refuse("value-error/steps", "train() is given both steps and max_steps",
                    {"give steps=N alone", "give max_steps=N alone"});
    if (steps == nullptr)
        steps = most;
    if (steps != nullptr && steps->isWhole() && steps->constant().get<std::int64_t>() <= 0)
        call.refuse("value-error/steps", "train() is given no steps to train",
                    {"give it a number above 0, or leave it out"});
    if (steps != nullptr && steps->isWhole() && steps->constant().get<std::int64_t>() > 0)
        training["steps_per_epoch"] = steps->constant();
}

/// evaluate(input_fn, steps), and predict(input_fn, num_predictions=N) of an estimator that was not trained.
void takeAskedSteps(const PythonApiCall& call, const PythonData& dataset, std::int64_t replicas,
                    Json& training) {
    constexpr std::size_t stepsAt = 2;
    const PythonValue* steps = call.name() == "evaluate" ? call.arguments.given("steps", stepsAt) : nullptr;
    const PythonValue* samples = call.arguments.keyword("num_predictions");
    const std::int64_t each = dataset.batchSize * std::max<std::int64_t>(replicas, 1);
    if (steps != nullptr && steps->isWhole() && steps->constant().get<std::int64_t>() > 0)
        training["steps_per_epoch"] = steps->constant();
    else if (call.name() == "predict" && samples != nullptr && samples->isWhole() && each > 0 &&
             samples->constant().get<std::int64_t>() > 0)
        training["steps_per_epoch"] = (samples->constant().get<std::int64_t>() + each - 1) / each;
}

/// An estimator runs until it has at least its steps: as many more as the last execution does.
void runWholeExecutions(const PythonApiCall& call, Json& training) {
    const Json steps = training.value("steps_per_epoch", Json());
    const Json atOnce = training.value("steps_per_execution", Json());
    if (!steps.is_number_integer() || !atOnce.is_number_integer() || atOnce.get<std::int64_t>() < 1)
        return;
    const std::int64_t size = atOnce.get<std::int64_t>();
    const std::int64_t more = steps.get<std::int64_t>() % size;
    if (more == 0)
        return;
    const std::int64_t all = steps.get<std::int64_t>() - more + size;
    training["steps_per_epoch"] = all;
    call.warn("python/replaced",
              fmt::format("{}() is told {} steps and makes {}: whole executions of {}", call.name(),
                          steps.get<std::int64_t>(), all, size),
              {"make the steps a multiple of iterations_per_loop"});
}

/// train() without steps goes on to the end of what it is fed.
void takeFedSteps(const PythonApiCall& call, const PythonData& dataset, std::int64_t replicas,
                  Json& training) {
    constexpr std::size_t stepsAt = 3;
    const PythonValue* steps = call.arguments.given("steps", stepsAt);
    if (steps == nullptr)
        steps = call.arguments.given("max_steps", stepsAt + 1);
    if (call.name() != "train" || (steps != nullptr && steps->isWhole()))
        return;
    const std::int64_t atOnce = training.value("steps_per_execution", std::int64_t{1});
    const std::int64_t fed = steps == nullptr && dataset.element != nullptr && dataset.count > 0
                                 ? dataset.count / std::max<std::int64_t>(replicas, 1)
                                 : 0;
    if (fed >= atOnce && atOnce > 0) { // an execution whose samples end before it does is none
        training["steps_per_epoch"] = fed - fed % atOnce;
        return;
    }
    training.erase("steps_per_epoch");
    if (steps != nullptr)
        refuseOpenNumber(call, "how many steps train() makes",
                         "write train(input_fn, steps=N) with a number");
    call.warn("python/unknown-samples",
              dataset.count == PythonData::endless && steps == nullptr
                  ? "train() is told no steps and its dataset repeats for ever: it trains until it is stopped"
                  : "how many steps train() makes is known only when the program runs",
              {"write train(input_fn, steps=N)", "set training.steps_per_epoch in the project"});
}

/// Samples by their names, where a part of what a dataset answers is a dictionary; null: it is not.
const PythonDictionary* partsOf(const PythonData& dataset, std::size_t part) {
    const auto* list = dataset.element == nullptr ? nullptr : dataset.element->as<PythonList>();
    if (list == nullptr)
        return part == 0 && dataset.element != nullptr ? dataset.element->as<PythonDictionary>() : nullptr;
    return part < list->items->size() ? (*list->items)[part].as<PythonDictionary>() : nullptr;
}

/// The folder of the model stands in one place, or is the same in both.
void checkFolders(const PythonApiCall& call, const PythonLibraryObject& estimator) {
    const PythonValue* own = kept(estimator, "model_dir");
    const PythonValue* config = kept(estimator, "config");
    const auto* whole = config == nullptr ? nullptr : config->as<PythonLibraryObject>();
    const PythonValue* other = whole == nullptr ? nullptr : kept(*whole, "model_dir");
    if (own != nullptr && other != nullptr && own->isText() && other->isText() &&
        own->constant() != other->constant())
        call.refuse("value-error/model-dir",
                    fmt::format("the estimator has model_dir {} and its configuration has {}",
                                own->constant().dump(), other->constant().dump()),
                    {"give model_dir once"});
}

/// The model that an estimator trained: what it evaluates is that.
constexpr const char* wasTrained = "$trained";

void keepTrained(const PythonApiCall& call, const PythonLibraryObject& estimator) {
    if (call.name() == "train")
        (*estimator.attributes)[wasTrained] =
            pythonConstant(static_cast<std::int64_t>(call.builder.facts.draft.models.size()) - 1);
}

/// host_call=(function, tensors): the host applies the gradients that the device computed.
void applyOnHost(const PythonApiCall& call, const PythonLibraryObject& spec) {
    const PythonValue* given = kept(spec, "host_call");
    if (given == nullptr || call.name() != "train")
        return;
    const PythonValues pair = given->items();
    if (pair.size() != 2 || !pair.back().is<PythonList>())
        call.refuse("value-error/host-call", "host_call is a function and the list of what it is given",
                    {"write host_call=(function, gradients)"});
    PythonArguments passed{pair.back().items(), {}, call.place()};
    const bool trained = call.builder.step.has_value();
    const PythonValue function = pair.front();
    static_cast<void>(call.interpreter.call(function, passed));
    if (!trained && call.builder.step)
        call.warn("python/ignored",
                  "the gradients that host_call applies on the host are applied on the device in the project",
                  {"set training.optimizer of the project to what it should apply"});
}

/// The global step of an estimator counts what is fed, schedules of a project the updates of the weights.
void countUpdatesOf(PythonProgramBuilder& builder, PythonModel& model) {
    const Json each = model.pipeline.value("gradient_accumulation_steps_per_replica", Json());
    if (each.is_number_integer() && model.training.contains("optimizer"))
        countUpdates(builder, model.training["optimizer"], each.get<std::int64_t>());
}

/// train() again goes on with the model that it trained before.
PythonValue trainOn(const PythonApiCall& call, std::int64_t index, Json more, const PythonData& dataset) {
    PythonModel& model = call.builder.model(index);
    runWholeExecutions(call, more);
    const Json before = model.training.value("steps_per_epoch", Json());
    const Json steps = more.value("steps_per_epoch", Json());
    const bool isTotal = call.arguments.given("max_steps", 4) != nullptr;
    if (before.is_number_integer() && steps.is_number_integer())
        model.training["steps_per_epoch"] =
            isTotal ? std::max(before.get<std::int64_t>(), steps.get<std::int64_t>())
                    : before.get<std::int64_t>() + steps.get<std::int64_t>();
    const Json batch = model.training.value("batch_size", Json());
    if (dataset.batchSize > 0 && batch.is_number_integer() && batch != dataset.batchSize)
        call.warn("python/ignored",
                  fmt::format("this training feeds {} samples at a time, and the project {}",
                              dataset.batchSize, batch.get<std::int64_t>()),
                  {"feed as many samples at a time in each call of train()"});
    return PythonData();
}

/// The labels and predictions that an estimator measures, as metrics of a project.
Json metricJson(const PythonLibraryObject& metric, const Json& loss) {
    const std::string name = kept(metric, "name")->constant().get<std::string>();
    const std::string lossClass = loss.is_object() ? loss.value("class_name", std::string()) : "";
    const Json config = loss.is_object() ? loss.value("config", Json::object()) : Json::object();
    const bool isOfLogits = config.value("from_logits", Json()) == true;
    const bool isBinary = lossClass == "BinaryCrossentropy";
    const auto ofClass = [](const char* className, Json settings) {
        return Json{{"class_name", className}, {"config", std::move(settings)}};
    };
    constexpr double half = 0.5;
    const double threshold = isOfLogits ? 0.0 : half;
    if (const PythonValue* places = kept(metric, "k"); name == "in_top_k" && places != nullptr)
        return ofClass(lossClass == "CategoricalCrossentropy" ? "TopKCategoricalAccuracy"
                                                              : "SparseTopKCategoricalAccuracy",
                       {{"k", places->constant()}});
    if (name == "accuracy")
        return isBinary ? ofClass("BinaryAccuracy", {{"threshold", threshold}}) : Json("accuracy");
    constexpr std::array<std::pair<const char*, const char*>, 3> errors{
        {{"mean_squared_error", "MeanSquaredError"},
         {"mean_absolute_error", "MeanAbsoluteError"},
         {"root_mean_squared_error", "RootMeanSquaredError"}}};
    for (const auto& [known, className] : errors)
        if (name == known)
            return ofClass(className, Json::object());
    if (isBinary && name == "auc")
        return ofClass("AUC", {{"from_logits", isOfLogits}});
    if (isBinary && (name == "precision" || name == "recall"))
        return ofClass(name == "recall" ? "Recall" : "Precision", {{"thresholds", threshold}});
    return nullptr;
}

/// Metrics by their names, as the functions of an estimator answer them.
void keepMetrics(const PythonApiCall& call, const PythonValue& measured, std::int64_t index) {
    const auto* entries = measured.as<PythonDictionary>();
    if (entries == nullptr || call.builder.model(index).training.contains("metrics"))
        return;
    Json metrics = Json::array();
    for (const auto& [key, value] : *entries->entries) {
        const PythonValue& first = value.items().empty() ? value : value.items().front();
        if (first.is<PythonLoss>()) // a run measures it by itself
            continue;
        const auto* metric = first.as<PythonLibraryObject>();
        const Json made = metric != nullptr && metric->className == pythonGraphMetric
                              ? metricJson(*metric, call.builder.model(index).training.value("loss", Json()))
                              : Json();
        if (made.is_null())
            call.warn("python/ignored",
                      fmt::format("the metric \"{}\" of the estimator is left out",
                                  quotedName(call.interpreter.text(key, call.place()))),
                      {"name what a run should measure in training.metrics of the project"});
        else
            metrics.push_back(made);
    }
    if (!metrics.empty())
        call.builder.model(index).training["metrics"] = std::move(metrics);
}

/// eval_metric_ops and eval_metrics of a specification: what evaluating it measures.
void takeMetrics(const PythonApiCall& call, const PythonLibraryObject& spec, std::int64_t index) {
    PythonValue measured;
    if (const PythonValue* operations = kept(spec, "eval_metric_ops"))
        measured = *operations;
    const PythonValue* pair = kept(spec, "eval_metrics");
    if (pair != nullptr && pair->items().size() == 2) {
        const PythonValue function = pair->items().front();
        PythonArguments passed{{}, {}, call.place()};
        if (const auto* named = pair->items().back().as<PythonDictionary>())
            for (const auto& [key, value] : *named->entries)
                passed.keywords.emplace_back(key.constant().get<std::string>(), value);
        else
            passed.list = pair->items().back().items();
        measured = call.interpreter.call(function, passed);
    }
    keepMetrics(call, measured, index);
}

/// tf.estimator.ModeKeys of what the estimator does.
PythonValue modeOf(const PythonApiCall& call) {
    return pythonText(call.name() == "evaluate" ? "eval" : call.name() == "predict" ? "infer" : "train");
}

/// What a model that an estimator made is used for.
void noteUse(const PythonApiCall& call, PythonModel& model, std::int64_t replicas) {
    model.wantedReplicas = replicas;
    model.executionSteps = "iterations_per_loop";
    model.isEvaluated = call.name() == "evaluate";
    model.isPredicted = call.name() == "predict";
}

/// What predictions={"name": tensor} and predictions=tensor answer.
PythonValues predictedOf(const PythonValue& predictions) {
    const auto* named = predictions.as<PythonDictionary>();
    if (named == nullptr)
        return outputsOf(predictions);
    PythonValues outputs;
    for (const auto& [name, output] : *named->entries)
        outputs.push_back(output);
    return outputs;
}

/// The loss that evaluate() measures, as a step that trains nothing.
std::optional<PythonTrainingStep> measuredStep(const PythonApiCall& call, const PythonLibraryObject& spec) {
    const PythonValue* loss = kept(spec, "loss");
    if (call.name() != "evaluate" || loss == nullptr)
        return std::nullopt;
    return trainingStep(call, nullptr, *loss);
}

void needMetrics(const PythonApiCall& call, const PythonLibraryObject& spec) {
    if (kept(spec, "eval_metrics_fn") == nullptr)
        call.refuse("value-error/eval-metrics",
                    "the specification of the pipeline has no eval_metrics_fn, which evaluating needs",
                    {"give IPUPipelineEstimatorSpec an eval_metrics_fn"});
}

/// What evaluating a pipeline that was trained measures: the pipeline of the evaluation says it, and is no
/// model of its own.
void measurePipeline(const PythonApiCall& call, const PythonLibraryObject& spec, const PythonData& dataset,
                     std::int64_t trained) {
    needMetrics(call, spec);
    auto& models = call.builder.facts.draft.models;
    const std::size_t modelsBefore = models.size();
    const std::size_t pipelinesBefore = call.builder.pipelines.size();
    const auto refusal = call.interpreter.attempt([&] {
        PythonArguments measured{pipelineOf(call, spec, dataset).items(), {}, call.place()};
        keepMetrics(call, call.interpreter.call(*kept(spec, "eval_metrics_fn"), measured), trained);
    });
    models.resize(std::min(models.size(), modelsBefore));
    auto& pipelines = call.builder.pipelines;
    pipelines.erase(pipelines.begin() + static_cast<std::ptrdiff_t>(pipelinesBefore), pipelines.end());
    if (refusal)
        call.warn("python/ignored", "what the evaluation of this pipeline measures is left out",
                  {"name what a run should measure in training.metrics of the project"});
}

/// estimator.train(input_fn, …): the model that model_fn computes of what input_fn feeds.
PythonValue useEstimator(const PythonApiCall& call) {
    const PythonLibraryObject estimator = *call.arguments.list.at(0).as<PythonLibraryObject>();
    checkFolders(call, estimator);
    const PythonValue* const last = kept(estimator, wasTrained);
    const PythonValue* const trained = call.name() == "train" ? nullptr : last;
    const bool isPipelined = estimator.className.find("Pipeline") != std::string::npos;
    if (trained != nullptr) {
        PythonModel& model = call.builder.model(trained->constant().get<std::int64_t>());
        (call.name() == "evaluate" ? model.isEvaluated : model.isPredicted) = true;
    }
    if (trained != nullptr && call.name() == "predict")
        return PythonData();
    // Source: IPUMultiWorkerStrategy in the API reference, "Compatibility".
    if (isPipelined && call.builder.hasVariablesOnHost && isDistributed(call, estimator))
        call.builder.refuse(call.builder.workerStrategy.second, "not-implemented/variables-on-host",
                            "an IPUPipelineEstimator does not place variables on the host",
                            {"leave variables_on_host out", "train with an IPUEstimator"});
    const PythonValue* inputs = call.arguments.given("input_fn", 1);
    PythonData dataset;
    std::int64_t replicas = 1;
    Json training = takeRunConfig(call, estimator, replicas);
    takeSteps(call, training);
    if (inputs != nullptr && !inputs->is<PythonData>()) {
        const PythonValue feeds = *inputs;
        PythonArguments given{{}, {}, call.place()};
        if (const auto own = programFunction(feeds)) {
            for (const PythonParameter* parameter : own->open) {
                if (parameter->name == "params")
                    given.keywords.emplace_back(parameter->name,
                                                paramsOf(call, estimator, call.name(), replicas));
                else if (parameter->name == "mode")
                    given.keywords.emplace_back(parameter->name, modeOf(call));
                else if (parameter->name == "config")
                    given.keywords.emplace_back(parameter->name, PythonData());
            }
        }
        const PythonValue fed = call.interpreter.call(feeds, given);
        if (const auto* data = (fed.items().empty() ? fed : fed.items().front()).as<PythonData>())
            dataset = *data;
    }
    takeFedSteps(call, dataset, replicas, training);
    if (call.name() != "train")
        takeAskedSteps(call, dataset, replicas, training);
    if (last != nullptr && trained == nullptr)
        return trainOn(call, last->constant().get<std::int64_t>(), std::move(training), dataset);
    const PythonValue* function = kept(estimator, "model_fn");
    const PythonProgramFunction computes = functionOf(call, function, "model_fn");
    PythonArguments passed{{}, {}, call.place()};
    PythonValues elements;
    for (const PythonParameter* open : computes.open) {
        const PythonParameter& parameter = *open;
        if (parameter.name == "mode") {
            passed.keywords.emplace_back(parameter.name, modeOf(call));
        } else if (parameter.name == "params") {
            passed.keywords.emplace_back(parameter.name, paramsOf(call, estimator, call.name(), replicas));
        } else if (parameter.name == "config") {
            passed.keywords.emplace_back(parameter.name, PythonData());
        } else if (isPipelined) {
            passed.keywords.emplace_back(parameter.name, PythonData());
        } else if (const PythonDictionary* parts = partsOf(dataset, parameter.name == "labels" ? 1 : 0);
                   parts != nullptr && (parameter.name == "features" || parameter.name == "labels")) {
            passed.keywords.emplace_back(parameter.name, namedElements(call, *parts, dataset, elements));
        } else if (parameter.name == "features" || parameter.name == "labels") {
            const bool isLabel = parameter.name == "labels";
            const PythonData* samples = samplesOfPart(dataset, isLabel ? 1 : 0);
            const Json fed = sampleExtents(samples);
            elements.push_back(makeElement(call, parameter.name,
                                           !fed.is_null() ? fed
                                           : isLabel      ? Json::array()
                                                          : Json::array({nullptr}),
                                           dataset.batchSize > 0 ? Json(dataset.batchSize) : Json(),
                                           samples));
            passed.keywords.emplace_back(parameter.name, elements.back());
        }
    }
    call.builder.step.reset();
    const PythonProgramBuilder::Collections before = call.builder.collections();
    const bool outer = std::exchange(call.builder.isInPipelineEstimator, isPipelined);
    const PythonValue result = call.interpreter.call(*function, passed);
    call.builder.isInPipelineEstimator = outer;
    const auto* spec = result.as<PythonLibraryObject>();
    if (spec != nullptr && trained != nullptr) { // the model that was trained is measured
        const auto index = trained->constant().get<std::int64_t>();
        if (spec->className == pipelineSpec)
            measurePipeline(call, *spec, dataset, index);
        else
            takeMetrics(call, *spec, index);
        call.builder.restore(before);
        return PythonData();
    }
    if (spec == nullptr)
        call.refuse("python/value", "model_fn returns no specification of an estimator",
                    {"return ipu.ipu_estimator.IPUEstimatorSpec(mode, loss=…, train_op=…)"});
    if (spec->className == pipelineSpec) {
        if (kept(*spec, "loss_accumulator_dtype") != nullptr)
            call.warn("python/ignored", "the type in which the loss is accumulated is left out",
                      {"remove it: a run accumulates losses in float32"});
        if (call.name() == "train" && kept(*spec, "optimizer_function") == nullptr)
            call.refuse("value-error/optimizer-function",
                        "the specification of the pipeline has no optimizer_function, which training needs",
                        {"give IPUPipelineEstimatorSpec an optimizer_function that returns "
                         "pipelining_ops.OptimizerFunctionOutput(optimizer, loss)"});
        if (call.name() == "evaluate")
            needMetrics(call, *spec);
        const PythonValue answers = pipelineOf(call, *spec, dataset);
        PythonModel& made = call.builder.facts.draft.models.back();
        made.training.update(training);
        runWholeExecutions(call, made.training);
        countUpdatesOf(call.builder, made);
        noteUse(call, made, replicas);
        feedModel(call.builder, made, dataset, call.place());
        if (call.name() == "evaluate") {
            const auto index = static_cast<std::int64_t>(call.builder.facts.draft.models.size()) - 1;
            PythonArguments measured{answers.items(), {}, call.place()};
            keepMetrics(call, call.interpreter.call(*kept(*spec, "eval_metrics_fn"), measured), index);
        }
        keepTrained(call, estimator);
        return PythonData();
    }
    runWholeExecutions(call, training);
    applyOnHost(call, *spec);
    std::optional<PythonTrainingStep> step = call.builder.step;
    if (call.name() == "train" && !step)
        call.refuse("value-error/train-op",
                    kept(*spec, "train_op") == nullptr
                        ? "the specification of model_fn has no train_op, which training needs"
                        : "the train_op of model_fn's specification trains nothing",
                    {"give it train_op=optimizer.minimize(loss)",
                     "let the function of host_call apply the gradients that it is given"});
    PythonValues outputs;
    if (const PythonValue* predictions = kept(*spec, "predictions"))
        outputs = predictedOf(*predictions);
    if (call.name() != "train") // the model function may have made a step that nobody runs
        step = measuredStep(call, *spec);
    const std::size_t models = call.builder.facts.draft.models.size();
    addTrainedModel(call, step ? &*step : nullptr, outputs, elements, dataset, std::move(training));
    if (call.builder.facts.draft.models.size() == models)
        return PythonData();
    countUpdatesOf(call.builder, call.builder.facts.draft.models.back());
    noteUse(call, call.builder.facts.draft.models.back(), replicas);
    feedModel(call.builder, call.builder.facts.draft.models.back(), dataset, call.place());
    takeMetrics(call, *spec, static_cast<std::int64_t>(models));
    keepTrained(call, estimator);
    return PythonData();
}

PythonValue makeTrainSpec(const PythonApiCall& call) {
    return keepArguments(call, call.path, {"input_fn", "max_steps", "hooks"});
}

PythonValue makeEvalSpec(const PythonApiCall& call) {
    return keepArguments(call, call.path, {"input_fn", "steps", "name", "hooks"});
}

/// train_and_evaluate(estimator, train_spec, eval_spec): the one, then the other.
PythonValue trainAndEvaluate(const PythonApiCall& call) {
    const PythonValue* given = call.arguments.find("estimator", 0);
    if (given == nullptr || !given->is<PythonLibraryObject>())
        return PythonData();
    const auto estimator = std::make_shared<const PythonValue>(*given);
    const auto use = [&](const char* function, const char* spec, std::size_t position, const char* steps) {
        const PythonValue* told = call.arguments.find(spec, position);
        const auto* object = told == nullptr ? nullptr : told->as<PythonLibraryObject>();
        if (object == nullptr)
            call.refuse("python/value", fmt::format("train_and_evaluate() lacks its {}", spec),
                        {"give it a tf.estimator.TrainSpec and a tf.estimator.EvalSpec"});
        PythonArguments passed{{}, {}, call.place()};
        for (const char* name : {"input_fn", steps})
            if (const PythonValue* value = kept(*object, name))
                passed.keywords.emplace_back(name, *value);
        static_cast<void>(call.interpreter.call(PythonMethod{estimator, function}, passed));
    };
    use("train", "train_spec", 1, "max_steps");
    use("evaluate", "eval_spec", 2, "steps");
    return PythonData();
}

} // namespace

std::vector<PythonApiName> estimatorNames() {
    std::vector<PythonApiName> names{
        readName("ipu.**.IPUEstimatorSpec", makeEstimatorSpec),
        readName("tf.estimator.EstimatorSpec", makeEstimatorSpec),
        readName("ipu.**.IPUPipelineEstimatorSpec", makePipelineSpec),
        readName("tf.estimator.TrainSpec", makeTrainSpec),
        readName("tf.estimator.EvalSpec", makeEvalSpec),
        readName("tf.estimator.train_and_evaluate", trainAndEvaluate),
        readName("ipu.**.IPURunConfig", makeIpuRunConfig),
        readName("ipu.**.RunConfig", makeRunConfig),
    };
    for (const char* estimator : {"ipu.**.IPUEstimator", "ipu.**.IPUPipelineEstimator"}) {
        names.push_back(readName(estimator, makeEstimator));
        for (const char* use : {".train", ".evaluate", ".predict"})
            names.push_back(readName(std::string(estimator) + use, useEstimator));
        names.push_back(hostName(std::string(estimator) + ".*"));
    }
    return names;
}

} // namespace core
