#include "core/interchange/python/apis/models/model_training.h"

#include "core/interchange/python/apis/calls/configured_objects.h"
#include "core/interchange/python/apis/calls/loss_function.h"
#include "core/interchange/python/apis/calls/training_loop.h"
#include "core/interchange/python/apis/data/batched_files.h"
#include "core/interchange/python/apis/data/data_methods.h"
#include "core/interchange/python/apis/data/dataset_functions.h"
#include "core/interchange/python/apis/data/fed_samples.h"
#include "core/interchange/python/apis/models/epoch_rates.h"
#include "core/interchange/python/apis/models/model_methods.h"
#include "core/interchange/python/apis/models/model_objects.h"
#include "core/interchange/python/apis/rates/set_rates.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/project/options/option_table.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace core {

namespace {

/// The optimizer that compile() is given: what it says of the pipeline, and what its class overrides, is the
/// model's.
void takeOptimizer(const ModelCall& call, Json& value) {
    PythonModel& model = call.model();
    if (!value.is_object())
        return;
    if (takeOptimizerOptions(model, value))
        model.pipelinePlace = call.place();
    model.trainsAlone = false; // fit() reduces the gradients of replicas
}

/// " RMSE": what the program calls a metric of its own; empty: it has no name.
std::string nameOfOwn(const PythonValue& metric) {
    if (const auto* object = metric.as<PythonInstance>())
        return " " + quotedName(object->definition->name);
    const auto* function = metric.as<PythonFunction>();
    const bool isNamed =
        function != nullptr && function->definition != nullptr && !function->definition->text.empty();
    return isNamed ? " " + quotedName(function->definition->text) : "";
}

/// What compile() is given as metrics, without those that the program computes by itself: by output where it
/// says so.
PythonValue metricsOf(const ModelCall& call, const PythonValue& given) {
    const auto isOwn = [&](const PythonValue& metric) {
        const bool isComputed =
            metric.is<PythonInstance>() || metric.is<PythonFunction>() || metric.is<PythonData>();
        const auto* known = metric.as<PythonConfigured>();
        const std::string className = known == nullptr ? "" : known->json.value("class_name", "");
        if (isUnmeasuredMetric(className)) {
            call.call.warn("python/ignored",
                           fmt::format("the metric {} is left out: a run does not measure it", className),
                           {"use a metric that it measures, such as AUC, Precision or Recall"});
            return true;
        }
        if (isComputed)
            call.call.warn("python/ignored",
                           fmt::format("the metric{}, which the program computes by itself, is left out",
                                       nameOfOwn(metric)),
                           {"use a metric of tf.keras.metrics to have it measured"});
        return isComputed;
    };
    const auto listed = [&](const PythonValue& metrics) {
        PythonValues wanted;
        for (const PythonValue& metric : metrics.is<PythonList>() ? metrics.items() : PythonValues{metrics})
            if (!metric.isNone() && !isOwn(metric))
                wanted.push_back(metric);
        return pythonList(std::move(wanted));
    };
    if (const auto* outputs = given.as<PythonDictionary>()) {
        std::vector<std::pair<PythonValue, PythonValue>> entries;
        for (const auto& [output, metrics] : *outputs->entries)
            entries.emplace_back(output, listed(metrics));
        return pythonDictionary(std::move(entries));
    }
    const bool isByOutput =
        std::ranges::any_of(given.items(), [](const PythonValue& item) { return item.is<PythonList>(); });
    if (!isByOutput)
        return listed(given);
    PythonValues outputs;
    for (const PythonValue& item : given.items())
        outputs.push_back(listed(item));
    return pythonList(std::move(outputs));
}

/// Python raises a TypeError at an argument that a function does not have.
[[noreturn]] void refuseArgument(const ModelCall& call, const std::string& name,
                                 const std::vector<std::string>& known) {
    const auto near = nearestName(name, known);
    call.call.refuse("type-error/argument",
                     fmt::format("{}() takes no argument \"{}\"", call.call.name(), quotedName(name)),
                     {near ? fmt::format("did you mean \"{}\"?", *near) : "remove it"});
}

/// loss_weights of compile(): numbers in the order of the outputs, or by their names.
Json lossWeightsOf(const ModelCall& call, const PythonValue& given) {
    Json weights = call.json(given);
    std::vector<std::string> names;
    for (const PythonTensor& output : call.model().outputs)
        names.push_back(call.call.builder.layer(output.layer).name);
    if (names.empty())
        return weights;
    if (weights.is_array() && weights.size() != names.size())
        call.call.refuse(
            "value-error/loss-weight-count",
            fmt::format("{} loss_weights are given for {} outputs", weights.size(), names.size()),
            {fmt::format("give one for each of them: {}", fmt::join(names, ", "))});
    if (!weights.is_object())
        return weights;
    for (const auto& [name, weight] : weights.items())
        if (std::ranges::find(names, name) == names.end())
            call.call.refuse(
                "python/name",
                fmt::format("loss_weights has \"{}\", which is no output of the model", quotedName(name)),
                {fmt::format("its outputs are: {}", fmt::join(names, ", "))});
    Json list = Json::array(); // layers may get other names until the model is made
    for (const std::string& name : names)
        list.push_back(weights.value(name, Json(1.0)));
    return list;
}

} // namespace

PythonValue compileModel(const ModelCall& call) {
    enum class Use : std::uint8_t { Kept, LeftOut, Eager, Weights };
    struct Argument {
        const char* name;
        Use use;
    };
    constexpr std::array<Argument, 7> known{{{"optimizer", Use::Kept},
                                             {"loss", Use::Kept},
                                             {"metrics", Use::Kept},
                                             {"loss_weights", Use::Weights},
                                             {"weighted_metrics", Use::LeftOut},
                                             {"run_eagerly", Use::Eager},
                                             {"steps_per_execution", Use::Kept}}};
    call.model().use = std::max(call.model().use, 2);
    call.model().trainingPlace = call.place();
    call.model().isFitted = false;
    call.model().askings.clear();
    call.model().training.erase("loss_weights");
    const auto warnOf = [&](std::string_view name) {
        call.call.warn("python/ignored", fmt::format("compile's \"{}\" is left out", quotedName(name)),
                       {"remove it, or set it in the project where the project has such an option"});
    };
    for (std::size_t i = 0; i < known.size(); ++i) {
        const PythonValue* given = call.arguments().given(known[i].name, i);
        if (given == nullptr)
            continue;
        if (call.model().isOlder && known[i].name == std::string_view("steps_per_execution"))
            call.call.refuse(
                "python/mixed-api",
                "compile() has \"steps_per_execution\" in TensorFlow 2.4, but the model's class is of "
                "TensorFlow 2.1",
                {"give steps_per_run to fit()", "make the model with tf.keras.Model or tf.keras.Sequential"});
        if (known[i].use == Use::Eager && given->constant() == true)
            call.model().eager = call.place();
        if (known[i].use == Use::LeftOut)
            warnOf(known[i].name);
        if (known[i].use == Use::Weights)
            call.model().training["loss_weights"] = lossWeightsOf(call, *given);
        if (known[i].use != Use::Kept)
            continue;
        if (i == 1)
            call.call.builder.ownLosses.erase(call.name.model);
        if (i == 1 && holdsOwnLoss(*given)) {
            call.call.builder.ownLosses[call.name.model] = {*given, call.place()};
            call.model().training.erase("loss");
            continue;
        }
        Json value = call.json(i == 2 ? metricsOf(call, *given) : *given);
        if (i == 0)
            takeOptimizer(call, value);
        const bool isEmptyList = value.is_array() && value.empty();
        if (!isEmptyList || known[i].name != std::string_view("metrics"))
            call.model().training[known[i].name] = std::move(value); // reading a loss makes models
    }
    for (const auto& entry : call.arguments().keywords)
        if (std::ranges::find(known, std::string_view(entry.first), [](const Argument& argument) {
                return std::string_view(argument.name);
            }) == known.end()) {
            // Of editions before and after.
            constexpr std::array<std::string_view, 9> others{"jit_compile",
                                                             "auto_scale_loss",
                                                             "pss_evaluation_shards",
                                                             "cloning",
                                                             "distribute",
                                                             "target_tensors",
                                                             "sample_weight_mode",
                                                             "experimental_run_tf_function",
                                                             "experimental_steps_per_execution"};
            std::vector<std::string> names;
            for (const Argument& argument : known)
                names.emplace_back(argument.name);
            if (std::ranges::find(others, std::string_view(entry.first)) == others.end())
                refuseArgument(call, entry.first, names);
            warnOf(entry.first);
        }
    return {};
}

void settleOwnLoss(PythonProgramBuilder& builder, PythonInterpreter& interpreter, PythonModelName model,
                   const PythonValue* labels) {
    std::map<std::int64_t, PythonProgramBuilder::OwnLoss>& losses = builder.ownLosses;
    const auto found = losses.find(model.model);
    if (found == losses.end())
        return;
    const PythonProgramBuilder::OwnLoss own = found->second;
    losses.erase(found);
    PythonArguments none{{}, {}, own.place};
    const std::string path = "compile";
    const PythonApiCall compile{builder, interpreter, path, none};
    const ModelCall compiled{compile, model};
    Json loss = compiled.json(lossOfProgram(compile, model, own.loss, labels));
    compiled.model().training["loss"] = std::move(loss); // reading a loss makes models
}

namespace {

/// The length of an epoch is neither told nor counted. A dataset that a project has counts them itself.
void warnOfUnknownSamples(const ModelCall& call, const PythonValue& x) {
    const PythonData* data = firstSamples(x);
    const bool areSome = data != nullptr && data->element == nullptr && data->shape.is_array() &&
                         !data->shape.empty() && data->shape[0].is_null(); // of a mask, not all of a dataset
    if (data == nullptr || (!data->dataset.empty() && !areSome))
        return;
    const std::string function = call.call.name();
    std::vector<std::string> cures{
        fmt::format("write {}(…, {}=N)", function, function == "fit" ? "steps_per_epoch" : "steps"),
        "set training.steps_per_epoch in the project"};
    if (data->origin.starts_with("np."))
        cures.emplace_back("put the file that it reads beside the program");
    call.call.warn(
        "python/unknown-samples",
        fmt::format("the number of samples of {} is known only when the program runs, and with it how "
                    "many steps an epoch has",
                    data->origin.empty() ? function + "()" : quotedName(data->origin)),
        std::move(cures));
}

[[noreturn]] void refuseEndlessDataset(const ModelCall& call) {
    const std::string function = call.call.name();
    call.call.refuse(
        "value-error/endless-dataset",
        fmt::format("the dataset repeats for ever, so {}() must be told how many steps {} has", function,
                    function == "fit" ? "an epoch" : "it"),
        {fmt::format("write {}(…, {}=N)", function, function == "fit" ? "steps_per_epoch" : "steps"),
         "remove repeat() of the dataset"});
}

/// The batches of a dataset are the steps of an epoch.
void takeBatches(const ModelCall& call, const PythonValue& x, const PythonData& dataset) {
    if (dataset.count > 0)
        call.model().derived["steps_per_epoch"] = dataset.count;
    else if (dataset.count == PythonData::endless)
        refuseEndlessDataset(call);
    else if (dataset.count == PythonData::unknownCount)
        warnOfUnknownSamples(call, x);
}

/// Keras begins a dataset anew with every epoch only where an epoch has as many steps as it has batches.
void refuseTooLittleData(const ModelCall& call, std::int64_t steps, std::int64_t batches) {
    const Json epochs = call.model().training.value("epochs", Json(1));
    const std::int64_t trained =
        epochs.is_number_integer() ? epochs.get<std::int64_t>() - firstEpoch(call) : 1;
    const bool isShort = steps > batches;
    if (!isShort && (steps == batches || trained <= batches / std::max<std::int64_t>(steps, 1)))
        return;
    call.call.refuse("value-error/too-little-data",
                     isShort
                         ? fmt::format("an epoch takes {} batches, but the dataset has {}", steps, batches)
                         : fmt::format("{} epochs of {} steps take {} batches, but the dataset has {}",
                                       trained, steps, trained * steps, batches),
                     {"let the dataset repeat()", "take fewer steps, or smaller batches"});
}

/// Arrays begin anew with every epoch.
void refuseTooFewSamples(const ModelCall& call, std::int64_t steps, std::int64_t batches) {
    if (steps > batches)
        call.call.refuse("value-error/too-little-data",
                         fmt::format("an epoch takes {} batches, but the arrays have {}", steps, batches),
                         {"leave steps_per_epoch out", "make a dataset of them and let it repeat()"});
}

/// Batches of arrays where nothing says otherwise, as in Keras.
constexpr int arraysBatch = 32;

/// How many of the samples of arrays are trained: validation_split leaves the last ones out.
std::int64_t trainedOf(const ModelCall& call, std::int64_t samples) {
    constexpr std::size_t splitAt = 6;
    const PythonValue* part = call.arguments().given("validation_split", splitAt);
    return part == nullptr || !part->isNumber()
               ? samples
               : static_cast<std::int64_t>(static_cast<double>(samples) *
                                           (1 - part->constant().get<double>()));
}

/// How many steps an epoch has, where the program says how many samples there are.
void takeSteps(const ModelCall& call, const PythonValue& x) {
    Json& training = call.model().training;
    Json& derived = call.model().derived;
    const auto* dataset = x.as<PythonData>();
    const PythonData* first =
        dataset == nullptr || dataset->element == nullptr ? nullptr : firstSamples(*dataset->element);
    const bool isOnIpu = call.model().isInStrategy || call.call.builder.scope.isStrategy;
    if (dataset != nullptr && dataset->hasOpenBatch)
        refuseOpenBatch(call.call);
    if (isOnIpu && first != nullptr && first->batchSize > 0 && first->shape.is_array() &&
        !first->shape.empty() && first->shape[0].is_null())
        call.call.refuse(
            "value-error/unknown-batch",
            "the last batch of this dataset may be smaller, and an IPU takes batches of one size",
            {"write batch(size, drop_remainder=True)"});
    if (dataset != nullptr && dataset->element == nullptr && !dataset->shape.is_array())
        dataset = dataset->batchSize > 0 || !dataset->dataset.empty() ? dataset : nullptr;
    if (dataset != nullptr && dataset->batchSize > 0)
        training["batch_size"] = dataset->batchSize;
    const Json told = training.value("steps_per_epoch", Json());
    if (isOnIpu && dataset != nullptr && dataset->element != nullptr && dataset->count > 0 &&
        told.is_number_integer())
        refuseTooLittleData(call, told.get<std::int64_t>(), dataset->count);
    if (isOnIpu && told.is_number_integer() && (dataset == nullptr || dataset->element == nullptr)) {
        const Json size = training.value("batch_size", Json(arraysBatch));
        if (const std::int64_t count = countSamples(x);
            count > 0 && size.is_number_integer() && size.get<std::int64_t>() > 0)
            refuseTooFewSamples(call, told.get<std::int64_t>(),
                                trainedOf(call, count) / size.get<std::int64_t>());
    }
    if (training.contains("steps_per_epoch"))
        return;
    if (dataset != nullptr && dataset->element != nullptr)
        return takeBatches(call, x, *dataset);
    const PythonValue* labels = call.arguments().find("y", 1);
    const std::int64_t count = countSamples(labels == nullptr ? x : pythonList({x, *labels}, true));
    if (count <= 0)
        return warnOfUnknownSamples(call, x);
    derived["batch_size"] = arraysBatch;
    const std::int64_t trained = trainedOf(call, count);
    const Json batch = training.value("batch_size", derived["batch_size"]);
    if (isOnIpu && batch.is_number_integer() && batch.get<std::int64_t>() > 0 &&
        trained % batch.get<std::int64_t>() != 0)
        call.call.refuse("value-error/partial-batch",
                         fmt::format("the last batch of {} samples has only {} of {}", trained,
                                     trained % batch.get<std::int64_t>(), batch.get<std::int64_t>()),
                         {"choose a batch size that divides the samples, or pad them",
                          "make a dataset of them and batch it with drop_remainder=True"});
    if (batch.is_number_integer() && batch.get<std::int64_t>() > 0)
        derived["steps_per_epoch"] = std::max<std::int64_t>(trained / batch.get<std::int64_t>(), 1);
}

/// What fit() compares with: its own argument, or the second of what a dataset answers. A third is what the
/// samples count for.
std::optional<PythonValue> labelsOfFit(const ModelCall& call, const PythonValue& x) {
    if (const PythonValue* given = call.arguments().given("y", 1))
        return *given;
    const auto* data = x.as<PythonData>();
    const PythonList* pair = data == nullptr || data->element == nullptr ? nullptr : pairOf(*data->element);
    if (pair == nullptr)
        return std::nullopt;
    if (pair->items->size() == 3)
        leaveSampleWeightsOut(call.call.builder, call.place());
    return (*pair->items)[1];
}

// Positions among the arguments of fit().
constexpr std::size_t validationAt = 7;
constexpr std::size_t shuffleAt = 8;
constexpr std::size_t classWeightAt = 9;
constexpr std::size_t sampleWeightAt = 10;

/// What a step of the program is given: what a dataset answers, or a batch of the arrays.
PythonValue stepSamples(const ModelCall& call, const PythonValue& x) {
    const PythonValue* labels = call.arguments().find("y", 1);
    const auto* data = x.as<PythonData>();
    const bool isDataset = data != nullptr && data->element != nullptr;
    if (isDataset || labels == nullptr || firstSamples(*labels) == nullptr)
        return x;
    PythonValues parts{x, *labels};
    if (const PythonValue* weights = call.arguments().given("sample_weight", sampleWeightAt))
        parts.push_back(*weights);
    return batchOfArrays(pythonList(std::move(parts), true));
}

/// Where a training keeps what a sample of class 0, 1, … counts for, until it is known whether the project
/// has a dataset to say it of.
constexpr const char* classWeights = "$class_weights";

/// What samples of class 0, 1, … count for; null: the program does not say it completely.
Json listedWeights(const PythonValue& given) {
    const auto* weights = given.as<PythonDictionary>();
    constexpr std::int64_t mostClasses = 100'000;
    Json list = Json::array();
    if (weights == nullptr || weights->entries->empty())
        return nullptr;
    for (const auto& [key, weight] : *weights->entries) {
        const std::int64_t at = key.isWhole() ? key.constant().get<std::int64_t>() : -1;
        if (at < 0 || at >= mostClasses || !weight.isNumber())
            return nullptr;
        while (static_cast<std::int64_t>(list.size()) <= at)
            list.push_back(1.0);
        list[static_cast<std::size_t>(at)] = weight.constant();
    }
    return list;
}

/// What fit() is told that samples count for.
void takeWeights(const ModelCall& call) {
    Json& training = call.model().training;
    training.erase(classWeights);
    const auto warn = [&](const char* weights) {
        call.call.warn("python/ignored", fmt::format("fit's \"{}\" is left out", weights),
                       {fmt::format("set {}s of the dataset in the project", weights)});
    };
    if (const PythonValue* given = call.arguments().given("class_weight", classWeightAt)) {
        if (Json list = listedWeights(*given); list.is_array())
            training[classWeights] = std::move(list);
        else
            warn("class_weight");
    }
    if (call.arguments().given("sample_weight", sampleWeightAt) != nullptr)
        warn("sample_weight");
}

/// The epochs that a fit() trains. Once more, it goes on with the training: as many more epochs where it is
/// told the same otherwise.
void takeEpochs(const ModelCall& call, const Json& before, const Json& derivedBefore, bool goesOn) {
    Json& training = call.model().training;
    const auto epochsOf = [](const Json& of) {
        constexpr std::int64_t most = std::int64_t{1} << 40;
        const Json epochs = of.value("epochs", Json(1));
        return epochs.is_number_integer() ? std::clamp<std::int64_t>(epochs.get<std::int64_t>(), 0, most) : 1;
    };
    const auto withoutEpochs = [](Json of) {
        of.erase("epochs");
        return of;
    };
    const bool isTold = call.arguments().given("epochs", 3) != nullptr;
    // Other samples may be another number of steps, where the program does not say that number itself.
    const auto stepsOf = [&](const Json& derived) {
        return training.value("steps_per_epoch", derived.value("steps_per_epoch", Json()));
    };
    const bool isSame = goesOn && withoutEpochs(before) == withoutEpochs(training) &&
                        stepsOf(derivedBefore) == stepsOf(call.model().derived);
    if (goesOn && !isSame) {
        forgetRatesBefore(training["optimizer"], epochsOf(before));
        if (!isTold)
            training.erase("epochs");
        call.model().replaced.push_back(
            {call.place(), "this fit() is told otherwise than the one before: only this one is kept",
             "import the parts of the training as projects of their own"});
    }
    const std::int64_t first = firstEpoch(call);
    const std::int64_t trained = (isTold ? epochsOf(training) : 1) - first;
    if (isSame)
        training["epochs"] = epochsOf(before) + std::max<std::int64_t>(trained, 0);
    else if (first > 0)
        training["epochs"] = std::max<std::int64_t>(trained, 1);
}

} // namespace

namespace {

/// An option of the project that fit() is given, in one edition or the other.
struct FitOption {
    std::string keyword;
    std::size_t position = 0;
    std::string option;
};

std::vector<FitOption> fitOptions() {
    constexpr std::size_t byKeywordOnly = 99;
    std::vector<FitOption> options;
    for (const ProjectOption* option : projectOptionsInFileOrder("training"))
        for (const PythonSpelling& python : {option->python, option->olderPython.value_or(PythonSpelling{})})
            if (python.site == PythonSite::Fit || python.site == PythonSite::LastOfFit)
                options.push_back({std::string(python.keyword.empty() ? option->key() : python.keyword),
                                   python.position.value_or(byKeywordOnly), std::string(option->key())});
    return options;
}

/// The option of projects that says how many batches a validation or an evaluation takes.
constexpr const char* validationSteps = "validation_steps";

/// A run evaluates in the batches of the training: so many of those for `rounds` batches of `size`, where
/// they are as many samples. Others are said in a warning.
std::optional<std::int64_t> inBatchesOfTraining(const ModelCall& call, std::optional<std::int64_t> rounds,
                                                std::int64_t size, const char* what) {
    const PythonModel& model = call.model();
    const Json own = model.training.value("batch_size", model.derived.value("batch_size", Json()));
    const std::int64_t batch = own.is_number_integer() ? own.get<std::int64_t>() : 0;
    if (batch <= 0 || size <= 0 || size == batch)
        return rounds;
    std::int64_t samples = 0;
    const bool isCounted = rounds && !__builtin_mul_overflow(*rounds, size, &samples);
    const bool fits = isCounted && samples % batch == 0;
    call.call.warn("python/batch-size",
                   fmt::format("{} takes {} samples at a time, and a run of the project {}, as the training "
                               "does{}",
                               what, size, batch,
                               fits
                                   ? fmt::format(": {} batches of those are as many samples", samples / batch)
                               : isCounted ? fmt::format(", which do not divide its {} samples", samples)
                                           : std::string()),
                   {fmt::format("use batches of {} here as well", batch),
                    "evaluate with --mode evaluate --set training.batch_size=N"});
    return fits ? std::optional(samples / batch) : std::nullopt;
}

/// What fit() is told of the batches that it validates with.
void takeValidationBatch(const ModelCall& call) {
    constexpr std::size_t validationBatchAt = 14;
    const PythonValue* given = call.arguments().given("validation_batch_size", validationBatchAt);
    if (given == nullptr || call.model().isOlder)
        return;
    if (!given->isWhole())
        return call.call.warn("python/ignored", "fit's \"validation_batch_size\" is left out",
                              {"write a number, the batch_size of the training"});
    Json& training = call.model().training;
    const Json told = training.value(validationSteps, Json());
    const PythonValue* data = call.arguments().given("validation_data", validationAt);
    const PythonValue none;
    const std::int64_t size = given->constant().get<std::int64_t>();
    const std::int64_t count = countSamples(data == nullptr ? none : *data);
    std::optional<std::int64_t> rounds;
    if (told.is_number_integer())
        rounds = told.get<std::int64_t>();
    else if (count > 0 && size > 0 && count % size == 0)
        rounds = count / size;
    rounds = inBatchesOfTraining(call, rounds, size, "the validation");
    if (told.is_number_integer() && rounds)
        training[validationSteps] = *rounds;
    else
        training.erase(validationSteps);
}

void refuseOtherArguments(const ModelCall& call) {
    constexpr std::array<std::string_view, 19> known{"x",
                                                     "y",
                                                     "batch_size",
                                                     "epochs",
                                                     "verbose",
                                                     "callbacks",
                                                     "validation_split",
                                                     "validation_data",
                                                     "shuffle",
                                                     "class_weight",
                                                     "sample_weight",
                                                     "initial_epoch",
                                                     "steps_per_epoch",
                                                     "validation_batch_size",
                                                     "validation_freq",
                                                     "max_queue_size",
                                                     "workers",
                                                     "use_multiprocessing",
                                                     "prefetch_depth"};
    const std::vector<FitOption> options = fitOptions();
    for (const auto& entry : call.arguments().keywords)
        if (std::ranges::find(known, std::string_view(entry.first)) == known.end() &&
            std::ranges::find(options, entry.first, &FitOption::keyword) == options.end()) {
            std::vector<std::string> names(known.begin(), known.end());
            for (const FitOption& option : options)
                names.push_back(option.keyword);
            refuseArgument(call, entry.first, names);
        }
}

/// A model has the functions of the IPU where it is made in the scope of a strategy.
void requireScope(const ModelCall& call) {
    const PythonProgramBuilder& builder = call.call.builder;
    const PythonModel& model = call.model();
    if (!builder.makesStrategy || model.isInStrategy || model.isOlder)
        return;
    if (builder.scope.isStrategy)
        builder.refuse(model.place, "runtime-error/no-strategy",
                       "the model is made outside of the scope of the strategy that it is trained in",
                       {"make the model within `with strategy.scope():`"});
    call.call.warn("python/no-strategy",
                   "this model is made and trained outside of every strategy, so TensorFlow trains it on the "
                   "host; the project trains it on IPUs",
                   {"make and train the model within `with strategy.scope():`"});
}

/// What fit() trains and validates with. It shuffles arrays unless it is told otherwise, and a dataset never.
void keepSamples(const ModelCall& call, const PythonValue& x) {
    PythonModel& model = call.model();
    const PythonValue* labels = call.arguments().given("y", 1);
    model.fed = fedSamples(call.call.builder, model, x, labels, call.place());
    const auto* dataset = x.as<PythonData>();
    const PythonValue* shuffles = call.arguments().given("shuffle", shuffleAt);
    if (dataset == nullptr || dataset->element == nullptr)
        model.fed->isShuffled = shuffles == nullptr || shuffles->constant() != false;
    const PythonValue* given = call.arguments().given("validation_data", validationAt);
    if (given == nullptr)
        return;
    const PythonList* pair = pairOf(*given);
    model.validated = pair != nullptr ? fedSamples(call.call.builder, model, pair->items->front(),
                                                   &(*pair->items)[1], call.place())
                                      : fedSamples(call.call.builder, model, *given, nullptr, call.place());
}

} // namespace

PythonValue fitModel(const ModelCall& call) {
    refuseOtherArguments(call);
    requireScope(call);
    // Source: IPUMultiWorkerStrategy in the API reference, "Compatibility".
    if (call.call.builder.workerStrategy.first.starts_with("IPUMultiWorkerStrategy") &&
        !call.call.builder.makesStrategy)
        call.call.refuse("not-implemented/multi-worker-fit",
                         "models of Keras are not trained by fit() in an IPUMultiWorkerStrategy",
                         {"train with an IPUEstimator, or in a loop of the program's own",
                          "use IPUMultiReplicaStrategy, whose processes train by fit()"});
    const PythonValue* samples = call.arguments().find("x", 0);
    const auto* rows = samples == nullptr ? nullptr : samples->as<PythonList>();
    const auto* data = samples == nullptr ? nullptr : samples->as<PythonData>();
    const bool isOfKeras = (samples != nullptr && samples->is<PythonInstance>()) ||
                           (data != nullptr && data->origin == generatorOfKeras);
    if ((rows != nullptr && rows->isIterator) || isOfKeras)
        call.call.refuse(
            "value-error/generator", "fit() is given a Python generator, whose batches have no known size",
            {"make a dataset of it: tf.data.Dataset.from_generator(generator, output_signature=…)",
             "batch it with batch(size, drop_remainder=True)"});
    PythonModel& model = call.model();
    const bool goesOn = std::exchange(model.isFitted, true);
    if (!goesOn && model.fitted)
        model.replaced.push_back({call.place(),
                                  "the model is compiled and trained again: only what follows is kept",
                                  "import the parts of the training as projects of their own"});
    if (goesOn && model.fitted &&
        (model.fitted->pipelining != model.pipelining || model.fitted->accumulation != model.accumulation))
        model.replaced.push_back({call.place(),
                                  "the options of the pipeline were changed since the training before: the "
                                  "project has all epochs with those of this one",
                                  "import the parts of the training as projects of their own"});
    const Json before = model.training;
    const Json derivedBefore = model.derived;
    if (!goesOn) // what it was asked before is another number of samples
        model.derived = Json::object();
    model.use = 3;
    model.trainingPlace = call.place();
    takeWeights(call);
    if (call.arguments().given("validation_data", validationAt) != nullptr)
        model.validation = call.place();
    const auto take = [&](std::string_view keyword, std::size_t position, std::string_view option) {
        const PythonValue* given = call.arguments().given(keyword, position);
        if (given != nullptr && given->is<PythonConstant>())
            model.training[std::string(option)] = given->constant();
        else if (given != nullptr && given->is<PythonData>())
            refuseOpenNumber(call.call, fmt::format("fit's \"{}\"", keyword));
    };
    // Written programs batch their dataset; others may leave that to fit().
    take("batch_size", 2, "batch_size");
    for (const FitOption& one : fitOptions())
        take(one.keyword, one.position, one.option);
    if (const PythonValue* callbacks = call.arguments().find("callbacks", 5)) {
        Json list = Json::array();
        // A single one is a list of it, as Keras takes it.
        for (const PythonValue& callback :
             callbacks->is<PythonList>() ? callbacks->items() : PythonValues{*callbacks}) {
            const auto* object = callback.as<PythonConfigured>();
            const auto* scheduler = callback.as<PythonLibraryObject>();
            const auto* own = callback.as<PythonInstance>();
            const bool isScheduler = scheduler != nullptr && scheduler->className == pythonRateScheduler;
            if (object != nullptr)
                list.push_back(object->json);
            if (!isScheduler && own == nullptr)
                continue;
            auto rates = isScheduler ? ratesByEpoch(call, *scheduler) : ratesByEpoch(call, *own);
            if (rates)
                list.push_back(std::move(*rates));
            else
                call.call.warn(
                    "python/callback",
                    fmt::format("the callback {} is left out",
                                isScheduler ? "LearningRateScheduler" : quotedName(own->definition->name)),
                    {isScheduler
                         ? "let its function answer a number of the epoch, and give the optimizer a rate"
                         : "add one of the project's own callbacks in training.callbacks"});
        }
        if (!list.empty())
            model.training["callbacks"] = std::move(list);
    }
    if (const PythonValue* x = call.arguments().find("x", 0)) {
        takeSteps(call, *x);
        useSamples(call.call, call.name, featuresOf(*x));
        const std::optional<PythonValue> labels = labelsOfFit(call, *x);
        settleOwnLoss(call.call.builder, call.call.interpreter, call.name, labels ? &*labels : nullptr);
        followOwnStep(call.call, call.name, stepSamples(call, *x));
        keepSamples(call, *x);
    }
    takeValidationBatch(call);
    if (const PythonValue* first = call.arguments().given("initial_epoch", initialEpochAt);
        first != nullptr && first->is<PythonData>())
        call.call.refuse("python/value", "fit's \"initial_epoch\" is known only when the program runs",
                         {"write the number in the program"});
    takeEpochs(call, before, derivedBefore, goesOn);
    model.fitted = {model.pipeline, model.pipelining,    model.accumulation,  model.training,
                    model.derived,  model.pipelinePlace, model.trainingPlace, model.optimizerOverridden,
                    model.eager,    model.trainsAlone};
    return PythonData();
}

std::string cureOfClassWeights(const Json& weights) {
    constexpr std::size_t mostShown = 32;
    return weights.size() <= mostShown
               ? fmt::format("write \"class_weights\": {} in training.dataset of the project", weights.dump())
               : "set class_weights of the dataset in the project";
}

void settleClassWeights(PythonProgramBuilder& builder) {
    for (PythonModel& model : builder.facts.draft.models) {
        const Json weights = model.training.value(classWeights, Json());
        model.training.erase(classWeights);
        const auto dataset = builder.facts.training.find("dataset");
        if (!weights.is_array())
            continue;
        model.classWeights = weights;
        if (dataset == builder.facts.training.end() && model.fed)
            continue; // of the samples that it is given
        if (dataset == builder.facts.training.end() || !dataset->is_object())
            builder.warn(model.trainingPlace, "python/ignored", std::string(classWeightsLeftOut),
                         {cureOfClassWeights(weights)});
        else if (!dataset->contains("class_weights"))
            (*dataset)["class_weights"] = weights;
    }
}

namespace {

/// How many batches evaluate() or predict() takes of a dataset or of arrays in batches of `size`; nothing
/// where the program does not say it.
std::optional<std::int64_t> roundsOf(const ModelCall& call, const PythonValue& x, std::int64_t size) {
    const PythonValue* told = call.arguments().given("steps", call.call.name() == "predict" ? 3 : 5);
    if (told != nullptr)
        return told->isWhole() ? std::optional(told->constant().get<std::int64_t>()) : std::nullopt;
    const auto* dataset = x.as<PythonData>();
    const bool isDataset = dataset != nullptr && dataset->element != nullptr;
    const std::int64_t count = isDataset ? dataset->count : countSamples(x);
    if (count <= 0 || size <= 0 || (!isDataset && count % size != 0))
        return std::nullopt;
    return isDataset ? count : count / size;
}

/// How many batches evaluate() or predict() takes: those that it is told, else all that there are.
void takeRounds(const ModelCall& call, const PythonValue& x, const PythonValue* batch) {
    const PythonValue* told = call.arguments().given("steps", call.call.name() == "predict" ? 3 : 5);
    const auto* dataset = x.as<PythonData>();
    Json& derived = call.model().derived;
    derived.erase("steps_per_epoch");
    call.model().isToldSteps = told != nullptr && told->isWhole();
    if (call.model().isToldSteps) {
        derived["steps_per_epoch"] = told->constant();
        return;
    }
    if (dataset != nullptr && dataset->element != nullptr) {
        takeBatches(call, x, *dataset);
        if (dataset->count == 0) // fit() alone takes an empty dataset as it is
            warnOfUnknownSamples(call, x);
        return;
    }
    const std::int64_t count = countSamples(x);
    if (count <= 0)
        return warnOfUnknownSamples(call, x);
    constexpr std::int64_t byDefault = 32;
    if (batch == nullptr)
        derived["batch_size"] = byDefault;
    const Json size = derived.value("batch_size", Json());
    if (size.is_number_integer() && size.get<std::int64_t>() > 0)
        derived["steps_per_epoch"] = std::max<std::int64_t>(count / size.get<std::int64_t>(), 1);
}

} // namespace

PythonValue takeSamples(const ModelCall& call) {
    const PythonValue* x = call.arguments().find("x", 0);
    if (x != nullptr)
        useSamples(call.call, call.name, featuresOf(*x));
    const bool isPrediction = call.call.name() == "predict";
    const PythonValue* batch = call.arguments().given("batch_size", isPrediction ? 1 : 2);
    const auto* dataset = x == nullptr ? nullptr : x->as<PythonData>();
    PythonModel& model = call.model();
    const bool isLess = isPrediction && model.isEvaluated; // a measurement says more than an answer
    model.isEvaluated = model.isEvaluated || call.call.name() == "evaluate";
    model.isPredicted = model.isPredicted || isPrediction;
    const bool isOnIpu = model.isInStrategy || call.call.builder.scope.isStrategy;
    if (isOnIpu && x != nullptr && (isPrediction || call.call.name() == "evaluate")) {
        constexpr std::int64_t byDefault = 32;
        const std::int64_t size =
            batch != nullptr && batch->isWhole() ? batch->constant().get<std::int64_t>() : byDefault;
        if (const auto rounds = roundsOf(call, *x, size)) {
            model.askings.push_back({call.call.name(), *rounds, call.place()});
            const bool isMeasured = model.isFitted && model.fitted && !isPrediction;
            const bool isDataset = dataset != nullptr && dataset->element != nullptr;
            const auto taken = isMeasured
                                   ? inBatchesOfTraining(call, rounds, isDataset ? dataset->batchSize : size,
                                                         "this evaluation")
                                   : std::nullopt;
            if (taken)
                for (Json* training : {&model.training, &model.fitted->training})
                    if (!training->contains(validationSteps)) // what fit() is told counts
                        (*training)[validationSteps] = *taken;
        }
    }
    if (model.isFitted || isLess)
        return PythonData();
    if (model.trainingPlace == PythonPlace())
        model.trainingPlace = call.place();
    if (batch != nullptr && batch->isWhole())
        model.derived["batch_size"] = batch->constant();
    else if (dataset != nullptr && dataset->batchSize > 0)
        model.derived["batch_size"] = dataset->batchSize;
    if (x != nullptr && (isPrediction || call.call.name() == "evaluate")) {
        takeRounds(call, *x, batch);
        model.fed = fedSamples(call.call.builder, model, *x,
                               isPrediction ? nullptr : call.arguments().given("y", 1), call.place());
    }
    if (const PythonValue* steps = call.arguments().keyword("steps_per_run");
        steps != nullptr && steps->isWhole() && model.isOlder)
        model.derived["steps_per_execution"] = steps->constant();
    return PythonData();
}

void keepTraining(PythonModel& model) {
    if (!model.fitted)
        return;
    PythonModel::Fitted& last = *model.fitted;
    model.pipeline = std::move(last.pipeline);
    model.pipelining = std::move(last.pipelining);
    model.accumulation = std::move(last.accumulation);
    model.training = std::move(last.training);
    model.derived = std::move(last.derived);
    model.pipelinePlace = last.pipelinePlace;
    model.trainingPlace = last.trainingPlace;
    model.optimizerOverridden = last.optimizerOverridden;
    model.eager = last.eager;
    model.trainsAlone = last.trainsAlone;
    model.fitted.reset();
}

} // namespace core
