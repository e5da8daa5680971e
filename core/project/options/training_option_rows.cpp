#include "core/project/options/option_field.h"
#include "core/project/options/option_rows.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

using Type = ProjectOptionType;

struct SyntheticCategory {
    std::string_view name;
    bool SyntheticData::*member;
};
constexpr std::array syntheticCategories{
    SyntheticCategory{"infeed", &SyntheticData::infeed},
    SyntheticCategory{"outfeed", &SyntheticData::outfeed},
    SyntheticCategory{"parameters", &SyntheticData::parameters},
    SyntheticCategory{"seed", &SyntheticData::seed},
    SyntheticCategory{"hostembedding", &SyntheticData::hostEmbedding},
};

const SyntheticCategory* syntheticCategory(const Json& name) {
    const std::string text = name.is_string() ? name.get<std::string>() : std::string();
    const auto found = std::ranges::find(syntheticCategories, text, &SyntheticCategory::name);
    return found == syntheticCategories.end() ? nullptr : found;
}

/// A list of categories, or true for all of them.
SyntheticData readSyntheticData(ObjectReader& reader, std::string_view key) {
    SyntheticData synthetic;
    const Json* value = reader.readValue(key);
    if (value == nullptr)
        return synthetic;
    if (value->is_boolean()) {
        for (const SyntheticCategory& category : syntheticCategories)
            synthetic.*category.member = value->get<bool>();
        return synthetic;
    }
    bool isList = value->is_array();
    for (const Json& name : isList ? *value : Json::array()) {
        const SyntheticCategory* category = syntheticCategory(name);
        isList = isList && category != nullptr;
        if (category != nullptr)
            synthetic.*category->member = true;
    }
    if (!isList)
        reader.refuse(key, "project/value", "synthetic data is neither true nor a list of its kinds",
                      {"write true for all of them, or a list of infeed, outfeed, parameters, seed and "
                       "hostembedding"});
    return synthetic;
}

Json toJson(const SyntheticData& synthetic) {
    Json list = Json::array();
    for (const SyntheticCategory& category : syntheticCategories)
        if (synthetic.*category.member)
            list.push_back(category.name);
    return list;
}

constexpr OptionField syntheticDataField{
    [](ObjectReader& reader, const ProjectOption& option, Project& project) {
        project.training.syntheticData = readSyntheticData(reader, option.key());
    },
    [](const Project& project) { return toJson(project.training.syntheticData); },
    copyOption<&Project::training, &TrainingOptions::syntheticData>};

/// A queue's depth: a rule of the programming system bounds it. 0 is its default where the limits allow it.
template <auto queue, auto depth>
constexpr OptionField depthField() {
    return {[](ObjectReader& reader, const ProjectOption& option, Project& project) {
                const auto value =
                    readOptionCount(reader, option, "choose a depth in that range; the default is 3");
                if (value && *value != 0)
                    project.training.*queue.*depth = *value;
            },
            field<&Project::training, queue, depth>().value, copyOption<&Project::training, queue, depth>};
}

template <auto member>
ProjectOption fitCount(std::string_view path, OptionPlace place, std::string_view documentation,
                       std::string_view effect, std::string_view label, PythonSpelling python,
                       std::optional<PythonSpelling> olderPython = {}) {
    return {path,
            Type::Integer,
            documentation,
            effect,
            "Fit",
            label,
            field<&Project::training, member>(),
            place,
            {.low = 1, .high = mostInt32},
            python,
            olderPython};
}

PythonSpelling statement(PythonSite where, std::string_view text) {
    return {.site = where, .text = text};
}

std::vector<ProjectOption> fitRows() {
    using Options = TrainingOptions;
    return {
        fitCount<&Options::batchSize>("training.batch_size", {.place = 1},
                                      "Samples of one micro-batch on one replica.",
                                      "Extents of every tensor that has the batch axis.", "batch_size", {}),
        fitCount<&Options::stepsPerExecution>(
            "training.steps_per_execution", {.place = 2},
            "Batches per call of the program; with a pipeline a multiple of the micro-batches.",
            "Micro-batches between two meetings with the host program.", "steps_per_execution",
            {.site = PythonSite::Compile},
            PythonSpelling{.site = PythonSite::LastOfFit, .keyword = "steps_per_run"}),
        fitCount<&Options::stepsPerEpoch>("training.steps_per_epoch", {.place = 3, .isCompiledIn = false},
                                          "Batches per epoch. Default: the whole dataset.",
                                          "Length of an epoch.", "steps_per_epoch",
                                          {.site = PythonSite::Fit, .place = 1, .position = 12}),
        fitCount<&Options::epochs>("training.epochs", {.place = 4, .isCompiledIn = false},
                                   "Passes over the dataset.", "Length of the run.", "epochs",
                                   {.site = PythonSite::Fit, .position = 3}),
        {"training.precision",
         Type::Choice,
         "Element types of variables and computation.",
         "Types, bytes and rounding of tensors; the vertices that compute them.",
         "Fit",
         "precision",
         field<&Project::training, &Options::precision>(),
         {.place = 8},
         {.choices = {"float32", "float16", "mixed_float16"}},
         statement(PythonSite::BeforeCompile, "tf.keras.mixed_precision.set_global_policy({})"),
         statement(PythonSite::BeforeCompile, "tf.keras.mixed_precision.experimental.set_policy({})")},
        {"training.seed",
         Type::Integer,
         "Same project and seed: same results, bit for bit.",
         "Initial weights, order of samples, dropout and random numbers.",
         "Fit",
         "seed",
         field<&Project::training, &Options::seed>(),
         {.place = 9, .isCompiledIn = false},
         {.low = 0},
         statement(PythonSite::BeforeCompile, "tf.random.set_seed({})")},
        {"training.validation_split",
         Type::Number,
         "Share of the dataset, taken from its end, for validation.",
         "Samples that every epoch is measured on instead of trained with.",
         "Fit",
         "validation_split",
         field<&Project::training, &Options::validationSplit>(),
         {.place = 12, .isCompiledIn = false},
         {.low = 0, .high = 1},
         {.site = PythonSite::Fit, .place = 2, .position = 6}},
        fitCount<&Options::validationSteps>(
            "training.validation_steps", {.isCompiledIn = false},
            "Batches of a validation, and of a run that evaluates (validation_steps, steps of evaluate()).",
            "Length of a validation. Default: the whole dataset, or as many batches as an epoch has.",
            "validation_steps", {.site = PythonSite::Fit, .place = 4, .position = 13}, PythonSpelling{}),
        fitCount<&Options::validationFrequency>(
            "training.validation_freq", {.isCompiledIn = false},
            "Epochs from one validation to the next (validation_freq).",
            "Only the last of each so many epochs is measured; the others have no val_ values.",
            "validation_freq", {.site = PythonSite::Fit, .place = 3, .position = 15}),
        {"training.asynchronous_callbacks",
         Type::Switch,
         "Call callbacks as soon as each batch's results are there.",
         "When callbacks run on the lane of the host program.",
         "Fit",
         "asynchronous_callbacks",
         field<&Project::training, &Options::asynchronousCallbacks>(),
         {.place = 14, .isCompiledIn = false},
         {},
         statement(PythonSite::BeforeCompile, "model.set_asynchronous_callbacks({})"),
         PythonSpelling{}},
        {"training.distribution",
         Type::Choice,
         "Strategy by which several processes (experimental.multi_replica_distribution.process_count) train "
         "together.",
         "Where processes reduce their gradients: over links between IPUs, or with the other two strategies "
         "on "
         "their hosts, to which the gradients of every update are streamed and from there back.",
         "Fit",
         "distribution",
         field<&Project::training, &Options::distribution>(),
         {},
         {.choices = {"IPUMultiReplicaStrategy", "IPUMultiWorkerStrategy", "IPUHorovodStrategy"}}},
        {"training.average_replica_gradients", Type::Switch,
         "Average the gradients of replicas, as a CrossReplicaOptimizer does; Keras adds them up.",
         "The numbers that the optimizer sees, and the multiplication that makes them.", "Fit",
         "average_replica_gradients", field<&Project::training, &Options::averagesReplicas>()},
        {"training.weights",
         Type::Text,
         "File of initial weights.",
         "Weights are read from it instead of drawn.",
         "Fit",
         "weights",
         field<&Project::training, &Options::weights>(),
         {.place = 18, .isCompiledIn = false},
         {},
         statement(PythonSite::AfterCompile, "model.load_weights({})")},
    };
}

std::vector<ProjectOption> queueRows() {
    using Options = TrainingOptions;
    constexpr std::string_view nameEffect = "A name for people; nothing is computed from it.";
    return {
        {"training.infeed.prefetch_depth",
         Type::Integer,
         "Batches that the host prepares ahead, 1 to 255.",
         "How far the host runs ahead of the device.",
         "Host queues",
         "infeed prefetch_depth",
         depthField<&Options::infeed, &InfeedOptions::prefetchDepth>(),
         {.place = 1},
         {.low = 0, .high = 255}},
        {"training.infeed.feed_name",
         Type::Text,
         "Name of the infeed queue.",
         nameEffect,
         "Host queues",
         "infeed feed_name",
         field<&Project::training, &Options::infeed, &InfeedOptions::feedName>(),
         {.place = 2}},
        {"training.outfeed.buffer_depth",
         Type::Integer,
         "Results that wait for the host before the IPU does.",
         "How far the device runs ahead of the host.",
         "Host queues",
         "outfeed buffer_depth",
         depthField<&Options::outfeed, &OutfeedOptions::bufferDepth>(),
         {.place = 1},
         {.low = 1, .high = mostInt32}},
        {"training.outfeed.feed_name",
         Type::Text,
         "Name of the outfeed queue.",
         nameEffect,
         "Host queues",
         "outfeed feed_name",
         field<&Project::training, &Options::outfeed, &OutfeedOptions::feedName>(),
         {.place = 2}},
        {"training.outfeed_mode",
         Type::Choice,
         "IPUOutfeedMode of the queue of a loop of one's own; fit() has ALL.",
         "With LAST a training run has the loss and metrics of the last micro-batch of each execution, and "
         "of "
         "no other; they cross to the host all the same.",
         "Host queues",
         "outfeed mode",
         field<&Project::training, &Options::outfeedMode>(),
         {.isCompiledIn = false},
         {.choices = {"ALL", "LAST"}}},
        {"training.synthetic_data",
         Type::Json,
         "What a run neither takes from nor gives to the host: a list of infeed, outfeed, parameters, seed "
         "and hostembedding, or true for all of them.",
         "Those transfers take no time; with infeed, samples are made up instead of those of the dataset.",
         "Host queues",
         "synthetic_data",
         syntheticDataField,
         {.place = 17}},
    };
}

} // namespace

std::vector<ProjectOption> trainingOptionRows() {
    std::vector<ProjectOption> rows = fitRows();
    for (ProjectOption& row : queueRows())
        rows.push_back(std::move(row));
    return rows;
}

} // namespace core
