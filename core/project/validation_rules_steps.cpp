#include "core/project/validation_rules.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>

namespace core {

namespace {

const DatasetSpec* dataset(const RuleContext& context) {
    return datasetOf(context.project.training, context.mode);
}

bool switchOf(const DatasetSpec& of, std::string_view key, bool preset) {
    const auto found = of.parameters.find(key);
    return found != of.parameters.end() && found->is_boolean() ? found->get<bool>() : preset;
}

void lastBatchIsWhole(const RuleContext& context) {
    const DatasetSpec* data = dataset(context);
    const std::int64_t batch = context.project.training.batchSize;
    if (data == nullptr || !context.facts || switchOf(*data, "drop_remainder", true) ||
        context.facts->samples % batch == 0)
        return;
    context.refuse("value-error/partial-batch", "/training/batch_size",
                   fmt::format("the last batch of {} samples has only {} of {}", context.facts->samples,
                               context.facts->samples % batch, batch),
                   "choose a batch size that divides the samples, pad them, or drop the remainder");
}

void stepsAreKnown(const RuleContext& context) {
    const DatasetSpec* data = dataset(context);
    if (data != nullptr && !context.project.training.stepsPerEpoch &&
        isRepeated(*data, context.project.training))
        context.refuse("value-error/unknown-steps", "/training/steps_per_epoch",
                       "the dataset repeats without end, so the steps of an epoch are not known",
                       "set training.steps_per_epoch, or let the dataset end (\"repeat\": false)");
}

void enoughData(const RuleContext& context) {
    const TrainingOptions& training = context.project.training;
    const DatasetSpec* data = dataset(context);
    if (data == nullptr || !context.facts || !training.stepsPerEpoch || isRepeated(*data, training))
        return;
    const std::int64_t batches = context.facts->samples / training.batchSize;
    const std::int64_t epochs = context.mode == RunMode::Train ? training.epochs : 1;
    if (*training.stepsPerEpoch > batches / epochs)
        context.refuse("value-error/too-little-data", "/training/dataset",
                       fmt::format("{} epochs of {} steps need {} batches of {} samples, the dataset has {}",
                                   epochs, *training.stepsPerEpoch, epochs * *training.stepsPerEpoch,
                                   training.batchSize, batches),
                       "use fewer steps or epochs, a smaller batch, or let the dataset repeat");
}

void executionFitsTheEpoch(const RuleContext& context) {
    const auto steps = context.figures.stepsPerReplica;
    const std::int64_t wanted = context.project.training.stepsPerExecution;
    if (steps && *steps > 0 && wanted > *steps)
        context.warn(
            "warning/steps-per-execution", "/training/steps_per_execution",
            fmt::format("steps_per_execution is lowered from {} to the {} steps of an epoch", wanted, *steps),
            "set steps_per_execution to a divisor of the steps");
}

void everyReplicaHasAStep(const RuleContext& context) {
    const RunFigures& figures = context.figures;
    if (!figures.stepsPerReplica)
        return;
    if (*figures.stepsPerReplica == 0)
        context.refuse("value-error/no-steps", "/training/steps_per_epoch",
                       fmt::format("{} steps of an epoch are too few for {} replicas", *figures.stepsPerEpoch,
                                   figures.replicas),
                       "use more data, a smaller batch, or fewer replicas");
    else if (const std::int64_t left = *figures.stepsPerEpoch % figures.replicas; left != 0)
        context.warn("warning/left-over-steps", "/training/steps_per_epoch",
                     fmt::format("{} of {} steps are left out: they do not divide among {} replicas", left,
                                 *figures.stepsPerEpoch, figures.replicas),
                     "choose a number of steps that the replicas divide");
}

} // namespace

std::optional<std::int64_t> fittingExecution(std::int64_t steps, std::int64_t accumulation,
                                             std::int64_t wanted) {
    constexpr std::int64_t mostTried = 100'000;
    if (steps % accumulation != 0)
        return std::nullopt;
    std::optional<std::int64_t> nearest;
    const std::int64_t parts = steps / accumulation;
    for (std::int64_t i = 1; i <= mostTried && i * i <= parts; ++i) {
        if (parts % i != 0)
            continue;
        for (const std::int64_t fitting : {i * accumulation, parts / i * accumulation})
            if (!nearest || std::abs(fitting - wanted) < std::abs(*nearest - wanted))
                nearest = fitting;
    }
    return nearest;
}

namespace {

/// What to write as steps, so that executions, accumulation, replicas and the epoch fit together.
std::string cureOfSteps(const RuleContext& context) {
    const std::int64_t accumulation =
        context.figures.isTraining
            ? std::max<std::int64_t>(context.project.pipeline.gradientAccumulationSteps.value_or(1), 1)
            : 1;
    const std::int64_t wanted = context.project.training.stepsPerExecution;
    const auto steps = context.figures.stepsPerReplica;
    constexpr std::int64_t most = std::int64_t{1} << 40; // products stay small
    const std::int64_t replicas = std::max<std::int64_t>(context.figures.replicas, 1);
    // Models of Keras are documented to run updates of all replicas at once.
    const bool runsUpdates = accumulation > 1 && accumulation <= most / replicas;
    const std::int64_t whole = runsUpdates ? accumulation * replicas : accumulation;
    if (!steps || *steps < 1 || accumulation > most)
        return fmt::format("set steps_per_execution to a multiple of {}", whole);
    const auto fitting = fittingExecution(*steps, whole, wanted);
    if (fitting)
        return fmt::format("set steps_per_execution to {}, which fits the {} steps of an epoch", *fitting,
                           *steps);
    const std::int64_t execution = std::max(whole, std::min(wanted, *steps) / whole * whole);
    return fmt::format("set steps_per_execution to {} and steps_per_epoch to {}", execution,
                       std::max<std::int64_t>(*steps / execution, 1) * execution * replicas);
}

void executionsDivideTheEpoch(const RuleContext& context) {
    const auto steps = context.figures.stepsPerReplica;
    const std::int64_t perExecution = context.figures.stepsPerExecution;
    if (steps && *steps > 0 && *steps % perExecution != 0)
        context.refuse("value-error/steps-per-execution", "/training/steps_per_execution",
                       fmt::format("steps_per_execution {} does not divide the {} steps of an epoch{}",
                                   perExecution, *steps,
                                   context.figures.replicas > 1
                                       ? fmt::format(" ({} over {} replicas)", *context.figures.stepsPerEpoch,
                                                     context.figures.replicas)
                                       : ""),
                       cureOfSteps(context));
}

void accumulationIsSet(const RuleContext& context) {
    if (context.figures.isTraining && context.figures.isPipelined && !context.predictsOnly() &&
        !context.project.pipeline.gradientAccumulationSteps)
        context.refuse(
            "value-error/gradient-accumulation-unset", "/pipeline/gradient_accumulation_steps_per_replica",
            "a pipelined model accumulates gradients, but gradient_accumulation_steps_per_replica is not "
            "set",
            "set pipeline.gradient_accumulation_steps_per_replica");
}

void accumulationDividesTheExecution(const RuleContext& context) {
    const auto accumulation = context.project.pipeline.gradientAccumulationSteps;
    if (!context.figures.isTraining || !accumulation || *accumulation < 1)
        return;
    const auto refuse = [&](std::int64_t steps, std::string_view which) {
        context.refuse("runtime-error/steps-per-execution", "/training/steps_per_execution",
                       fmt::format("{} {} is not divisible by gradient_accumulation_steps_per_replica {}",
                                   which, steps, *accumulation),
                       cureOfSteps(context));
    };
    const std::int64_t compiled = context.project.training.stepsPerExecution;
    if (compiled % *accumulation != 0)
        refuse(compiled, "steps_per_execution");
    else if (context.figures.stepsPerExecution % *accumulation != 0)
        refuse(context.figures.stepsPerExecution, "steps_per_execution lowered to the epoch's");
}

/// Fields of a name such as "w{epoch:04d}.h5" that ask for more letters than a number has.
bool hasWideField(const std::string& pattern) {
    constexpr std::size_t widest = 20;
    for (std::size_t open = pattern.find('{'); open != std::string::npos;
         open = pattern.find('{', open + 1)) {
        std::size_t number = 0;
        for (std::size_t i = pattern.find(':', open); i < pattern.find('}', open); ++i) {
            const bool isDigit = pattern[i] >= '0' && pattern[i] <= '9';
            number = isDigit ? std::min<std::size_t>(number * 10 + static_cast<std::size_t>(pattern[i] - '0'),
                                                     widest + 1)
                             : 0;
            if (number > widest)
                return true;
        }
    }
    return false;
}

/// Fields that would write parts of a path: "{loss:/>9.3f}" fills up with slashes.
bool hasPathField(const std::string& pattern) {
    for (std::size_t open = pattern.find('{'); open != std::string::npos; open = pattern.find('{', open + 1))
        if (pattern.substr(open, pattern.find('}', open) - open).find('/') != std::string::npos)
            return true;
    return false;
}

/// Text of a key of a callback; empty where it has none.
std::string textOf(const KerasObject& callback, std::string_view key) {
    const auto found = callback.config.find(key);
    return found != callback.config.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// A log that is separated by text of any kind could be any file, a script for example.
void filesOfCallbacksAreSound(const RuleContext& context) {
    const std::vector<KerasObject>& callbacks = context.project.training.callbacks;
    for (std::size_t i = 0; i < callbacks.size(); ++i) {
        const KerasObject& callback = callbacks[i];
        const auto place = [&](std::string_view key) {
            return fmt::format("/training/callbacks/{}/config/{}", i, key);
        };
        const std::string separator = textOf(callback, "separator");
        constexpr std::string_view separators = ",;:| \t";
        const bool isSound = separator.size() == 1 && separators.find(separator) != std::string_view::npos;
        if (callback.className == "CSVLogger" && callback.config.contains("separator") && !isSound)
            context.refuse(
                "value-error/separator", place("separator"),
                "the separator of a log is one character: a comma, semicolon, colon, bar, space or tab",
                "leave it out for a comma");
        if (callback.className == "ModelCheckpoint" && hasWideField(textOf(callback, "filepath")))
            context.refuse("value-error/file-name", place("filepath"),
                           "a number in the name of a checkpoint has at most 20 letters",
                           "write a width such as {epoch:04d}");
        if (callback.className == "ModelCheckpoint" && hasPathField(textOf(callback, "filepath")))
            context.refuse("value-error/file-name", place("filepath"),
                           "a number in the name of a checkpoint has no / in its format",
                           "write a format such as {loss:.2f}");
    }
}

} // namespace

std::span<const ValidationRule> stepRules() {
    static constexpr ValidationRule rules[]{
        {"the last batch is whole", lastBatchIsWhole},
        {"the number of steps is known", stepsAreKnown},
        {"there is enough data", enoughData},
        {"an execution fits the epoch", executionFitsTheEpoch},
        {"every replica has a step", everyReplicaHasAStep},
        {"executions divide the epoch", executionsDivideTheEpoch},
        {"gradient accumulation is set", accumulationIsSet},
        {"gradient accumulation divides the execution", accumulationDividesTheExecution},
        {"files of callbacks are sound", filesOfCallbacksAreSound},
    };
    return rules;
}

} // namespace core
