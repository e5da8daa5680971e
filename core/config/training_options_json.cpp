#include "core/config/training_options_json.h"

#include "core/base/whole_number.h"
#include "core/config/dataset_catalogue.h"
#include "core/config/keras_catalogue.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace core {

namespace {

constexpr std::array<std::string_view, 3> precisions{"float32", "float16", "mixed_float16"};

/// Keys of a queue that Keras sets itself.
void refuseQueueKeys(ObjectReader& reader, std::span<const std::string_view> keys) {
    for (const std::string_view key : keys) {
        if (reader.readValue(key) != nullptr)
            reader.refuse(key, "value-error/forbidden-key", fmt::format("{} cannot be set here", key),
                          {"Keras sets it itself; leave it out"});
    }
}

/// A queue's depth: a rule of the programming system bounds it.
std::optional<std::int64_t> readDepth(ObjectReader& reader, std::string_view key, std::int64_t low,
                                      std::int64_t high) {
    const auto depth = reader.readInteger(key, anyLow, anyHigh);
    if (!depth || (*depth >= low && *depth <= high))
        return depth;
    std::string code = "value-error/" + std::string(key);
    std::replace(code.begin(), code.end(), '_', '-');
    reader.refuse(key, std::move(code), fmt::format("{} is {}, allowed are {} to {}", key, *depth, low, high),
                  {"choose a depth in that range; the default is 3"});
    return std::nullopt;
}

InfeedOptions readInfeed(ObjectReader& training) {
    InfeedOptions infeed;
    const Json* object = training.readObject("infeed");
    if (object == nullptr)
        return infeed;
    ObjectReader reader(*object, training.file(), training.pointerTo("infeed"), training.findings());
    constexpr std::array<std::string_view, 3> refused{"dataset", "infeed_spec", "element_spec"};
    refuseQueueKeys(reader, refused);
    const std::int64_t depth = readDepth(reader, "prefetch_depth", 0, 255).value_or(0);
    infeed.prefetchDepth = depth == 0 ? InfeedOptions{}.prefetchDepth : depth;
    if (const auto name = reader.readText("feed_name"))
        infeed.other["feed_name"] = *name;
    reader.finish();
    return infeed;
}

OutfeedOptions readOutfeed(ObjectReader& training) {
    OutfeedOptions outfeed;
    const Json* object = training.readObject("outfeed");
    if (object == nullptr)
        return outfeed;
    ObjectReader reader(*object, training.file(), training.pointerTo("outfeed"), training.findings());
    constexpr std::array<std::string_view, 2> refused{"outfeed_mode", "device_ordinal"};
    refuseQueueKeys(reader, refused);
    outfeed.bufferDepth = readDepth(reader, "buffer_depth", 1, int32Limit).value_or(outfeed.bufferDepth);
    if (const auto name = reader.readText("feed_name"))
        outfeed.other["feed_name"] = *name;
    reader.finish();
    return outfeed;
}

std::vector<KerasObject> readObjects(const Json& value, const KerasCatalogue& catalogue,
                                     const std::string& file, const std::string& pointer,
                                     Diagnostics& findings) {
    std::vector<KerasObject> objects;
    if (!value.is_array()) {
        if (auto object = readKerasObject(value, catalogue, file, pointer, findings))
            objects.push_back(std::move(*object));
        return objects;
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (auto object = readKerasObject(value[i], catalogue, file, childPointer(pointer, i), findings))
            objects.push_back(std::move(*object));
    }
    return objects;
}

/// `loss` as Keras takes it: one, a list in the order of the outputs, or an object from output layer to loss.
std::vector<KerasObject> readLosses(ObjectReader& reader, std::span<const std::string> outputs) {
    const Json* value = reader.readValue("loss");
    if (value == nullptr)
        return {};
    const std::string pointer = reader.pointerTo("loss");
    if (!value->is_object() || value->contains("class_name"))
        return readObjects(*value, lossCatalogue(), reader.file(), pointer, reader.findings());
    ObjectReader keyed(*value, reader.file(), pointer, reader.findings());
    std::vector<KerasObject> losses;
    for (const std::string& output : outputs) {
        keyed.require(output);
        const Json* loss = keyed.readValue(output);
        if (loss == nullptr)
            continue;
        if (auto object = readKerasObject(*loss, lossCatalogue(), reader.file(), keyed.pointerTo(output),
                                          reader.findings()))
            losses.push_back(std::move(*object));
    }
    keyed.finish();
    return losses;
}

std::optional<DatasetSpec> readDataset(ObjectReader& reader, std::string_view key) {
    const Json* value = reader.readValue(key);
    return value == nullptr
               ? std::nullopt
               : readDatasetSpec(*value, reader.file(), reader.pointerTo(key), reader.findings());
}

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
SyntheticData readSyntheticData(ObjectReader& reader) {
    constexpr std::string_view key = "synthetic_data";
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
        reader.refuse(key, "project/value",
                      "synthetic data is a list of infeed, outfeed, parameters, seed and hostembedding, or "
                      "true for all of them");
    return synthetic;
}

Json toJson(const SyntheticData& synthetic) {
    Json list = Json::array();
    for (const SyntheticCategory& category : syntheticCategories)
        if (synthetic.*category.member)
            list.push_back(category.name);
    return list;
}

Json toJson(const std::vector<KerasObject>& objects, const KerasCatalogue& catalogue) {
    Json list = Json::array();
    for (const KerasObject& object : objects)
        list.push_back(toJson(object, catalogue));
    return list;
}

void writeQueues(const TrainingOptions& training, Json& object) {
    Json infeed = Json::object();
    if (training.infeed.prefetchDepth != InfeedOptions{}.prefetchDepth)
        infeed["prefetch_depth"] = training.infeed.prefetchDepth;
    infeed.update(training.infeed.other);
    if (!infeed.empty())
        object["infeed"] = std::move(infeed);
    Json outfeed = Json::object();
    if (training.outfeed.bufferDepth != OutfeedOptions{}.bufferDepth)
        outfeed["buffer_depth"] = training.outfeed.bufferDepth;
    outfeed.update(training.outfeed.other);
    if (!outfeed.empty())
        object["outfeed"] = std::move(outfeed);
}

} // namespace

TrainingOptions readTrainingOptions(const Json& object, std::span<const std::string> outputs,
                                    const std::string& file, const std::string& pointer,
                                    Diagnostics& findings) {
    TrainingOptions training;
    ObjectReader reader(object, file, pointer, findings);
    training.batchSize = reader.readInteger("batch_size", 1, int32Limit).value_or(training.batchSize);
    training.stepsPerExecution =
        reader.readInteger("steps_per_execution", 1, int32Limit).value_or(training.stepsPerExecution);
    training.stepsPerEpoch = reader.readInteger("steps_per_epoch", 1, int32Limit);
    training.epochs = reader.readInteger("epochs", 1, int32Limit).value_or(training.epochs);
    if (const Json* optimizer = reader.readValue("optimizer"))
        training.optimizer =
            readKerasObject(*optimizer, optimizerCatalogue(), file, reader.pointerTo("optimizer"), findings);
    training.losses = readLosses(reader, outputs);
    if (const Json* metrics = reader.readValue("metrics"))
        training.metrics =
            readObjects(*metrics, metricCatalogue(), file, reader.pointerTo("metrics"), findings);
    if (const auto precision = reader.readChoice("precision", precisions))
        training.precision = precisions[*precision];
    training.seed = static_cast<std::uint64_t>(reader.readInteger("seed", 0, anyHigh).value_or(0));
    training.dataset = readDataset(reader, "dataset");
    training.validationDataset = readDataset(reader, "validation_dataset");
    training.validationSplit = reader.readNumber("validation_split", 0, 1).value_or(0);
    if (const Json* callbacks = reader.readValue("callbacks"))
        training.callbacks =
            readObjects(*callbacks, callbackCatalogue(), file, reader.pointerTo("callbacks"), findings);
    training.asynchronousCallbacks = reader.readBool("asynchronous_callbacks").value_or(false);
    training.infeed = readInfeed(reader);
    training.outfeed = readOutfeed(reader);
    training.syntheticData = readSyntheticData(reader);
    training.weights = reader.readText("weights");
    reader.finish();
    return training;
}

Json toJson(const TrainingOptions& training) {
    const TrainingOptions defaults;
    Json object = Json::object();
    if (training.batchSize != defaults.batchSize)
        object["batch_size"] = training.batchSize;
    if (training.stepsPerExecution != defaults.stepsPerExecution)
        object["steps_per_execution"] = training.stepsPerExecution;
    if (training.stepsPerEpoch)
        object["steps_per_epoch"] = *training.stepsPerEpoch;
    if (training.epochs != defaults.epochs)
        object["epochs"] = training.epochs;
    if (training.optimizer)
        object["optimizer"] = toJson(*training.optimizer, optimizerCatalogue());
    if (training.losses.size() == 1)
        object["loss"] = toJson(training.losses.front(), lossCatalogue());
    else if (!training.losses.empty())
        object["loss"] = toJson(training.losses, lossCatalogue());
    if (!training.metrics.empty())
        object["metrics"] = toJson(training.metrics, metricCatalogue());
    if (training.precision != defaults.precision)
        object["precision"] = training.precision;
    if (training.seed != defaults.seed)
        object["seed"] = training.seed;
    if (training.dataset)
        object["dataset"] = toJson(*training.dataset);
    if (training.validationDataset)
        object["validation_dataset"] = toJson(*training.validationDataset);
    if (training.validationSplit != defaults.validationSplit)
        object["validation_split"] = training.validationSplit;
    if (!training.callbacks.empty())
        object["callbacks"] = toJson(training.callbacks, callbackCatalogue());
    if (training.asynchronousCallbacks)
        object["asynchronous_callbacks"] = true;
    writeQueues(training, object);
    if (training.syntheticData != SyntheticData{})
        object["synthetic_data"] = toJson(training.syntheticData);
    if (training.weights)
        object["weights"] = *training.weights;
    return object;
}

} // namespace core
