#include "core/config/dataset_catalogue.h"
#include "core/config/keras_catalogue.h"
#include "core/config/loss_weight.h"
#include "core/project/options/option_sections.h"
#include "core/project/options/section_walk.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <vector>

namespace core {

namespace {

/// Keys of a queue that Keras sets itself.
void refuseQueueKeys(ObjectReader& reader, std::span<const std::string_view> keys) {
    for (const std::string_view key : keys) {
        if (reader.readValue(key) != nullptr)
            reader.refuse(key, "value-error/forbidden-key", fmt::format("{} cannot be set here", key),
                          {"Keras sets it itself; leave it out"});
    }
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

/// `loss_weights` as Keras takes them: a number for every output, a list in the order of the outputs, or an
/// object from output layer to number; null and outputs that are left out count 1.
std::vector<double> readLossWeights(ObjectReader& reader, std::span<const std::string> outputs) {
    const Json* value = reader.readValue("loss_weights");
    if (value == nullptr)
        return {};
    const auto refuse = [&](const std::string& pointer, std::string message) {
        reader.findings().push_back(
            makeError(Trouble::Input, "value/loss-weights", {reader.file(), pointer}, std::move(message),
                      {"write one number for each output, in their order: [1, 0.5]"}));
        return 1.0;
    };
    const auto weightOf = [&](const Json& weight, const std::string& pointer) {
        if (weight.is_null())
            return 1.0;
        if (!weight.is_number() || !std::isfinite(weight.get<double>()))
            return refuse(pointer, fmt::format("what a loss counts for is {}, not a number",
                                               weight.is_number() ? toText(weight, -1)
                                                                  : std::string(typeName(weight))));
        return weight.get<double>();
    };
    const std::string pointer = reader.pointerTo("loss_weights");
    std::vector<double> weights;
    if (value->is_array()) {
        if (!outputs.empty() && value->size() != outputs.size())
            refuse(pointer, fmt::format("there are {} loss_weights for {} output{} of the model",
                                        value->size(), outputs.size(), outputs.size() == 1 ? "" : "s"));
        else
            for (std::size_t i = 0; i < value->size(); ++i)
                weights.push_back(weightOf((*value)[i], childPointer(pointer, i)));
        return weights;
    }
    if (!value->is_object())
        return std::vector<double>(std::max<std::size_t>(outputs.size(), 1), weightOf(*value, pointer));
    ObjectReader keyed(*value, reader.file(), pointer, reader.findings());
    for (const std::string& output : outputs) {
        const Json* weight = keyed.readValue(output);
        weights.push_back(weight == nullptr ? 1.0 : weightOf(*weight, keyed.pointerTo(output)));
    }
    keyed.finish();
    return weights;
}

/// Gives every loss its weight; one for all outputs becomes one for each.
void weighLosses(ObjectReader& reader, std::span<const std::string> outputs, TrainingOptions& training) {
    const std::vector<double> weights = readLossWeights(reader, outputs);
    if (weights.empty())
        return;
    std::vector<KerasObject>& losses = training.losses;
    if (losses.empty()) {
        reader.refuse("loss_weights", "value/loss-weights", "there are loss_weights and no loss",
                      {"set training.loss, or leave loss_weights out"});
        return;
    }
    if (losses.size() == 1)
        losses.resize(weights.size(), losses.front());
    for (std::size_t i = 0; i < std::min(losses.size(), weights.size()); ++i)
        setLossWeight(losses[i], weights[i]);
}

/// `metrics` as Keras takes them: a list for every output, a list of lists in the order of the outputs, or an
/// object from output layer to its metrics.
void readMetrics(ObjectReader& reader, std::span<const std::string> outputs, TrainingOptions& training) {
    const Json* value = reader.readValue("metrics");
    if (value == nullptr)
        return;
    const std::string pointer = reader.pointerTo("metrics");
    const auto listOf = [&](const Json& metrics, const std::string& place) {
        // Each becomes operations of its own in every program of the graph.
        constexpr std::size_t most = 1000;
        if (metrics.is_array() && metrics.size() > most) {
            reader.findings().push_back(
                makeError(Trouble::Input, "value/metrics", {reader.file(), place},
                          fmt::format("there are {} metrics; an output has at most {}", metrics.size(), most),
                          {"leave out those that say the same"}));
            return std::vector<KerasObject>();
        }
        return readObjects(metrics, metricCatalogue(), reader.file(), place, reader.findings());
    };
    const bool isKeyed = value->is_object() && !value->contains("class_name");
    const bool isByOutput =
        value->is_array() && std::ranges::any_of(*value, [](const Json& entry) { return entry.is_array(); });
    if (!isKeyed && !isByOutput) {
        training.metrics = listOf(*value, pointer);
        return;
    }
    if (isByOutput) {
        if (value->size() > outputs.size())
            reader.findings().push_back(
                makeError(Trouble::Input, "value/metrics", {reader.file(), pointer},
                          fmt::format("there are {} lists of metrics for {} outputs of the model",
                                      value->size(), outputs.size()),
                          {"write one list for each output, in their order"}));
        for (std::size_t i = 0; i < value->size(); ++i)
            training.outputMetrics.push_back(listOf((*value)[i], fmt::format("{}/{}", pointer, i)));
        return;
    }
    ObjectReader keyed(*value, reader.file(), pointer, reader.findings());
    for (const std::string& output : outputs) {
        const Json* metrics = keyed.readValue(output);
        training.outputMetrics.push_back(metrics == nullptr ? std::vector<KerasObject>()
                                                            : listOf(*metrics, keyed.pointerTo(output)));
    }
    keyed.finish();
}

std::optional<DatasetSpec> readDataset(ObjectReader& reader, std::string_view key) {
    const Json* value = reader.readValue(key);
    return value == nullptr
               ? std::nullopt
               : readDatasetSpec(*value, reader.file(), reader.pointerTo(key), reader.findings());
}

Json toJson(const std::vector<KerasObject>& objects, const KerasCatalogue& catalogue) {
    Json list = Json::array();
    for (const KerasObject& object : objects)
        list.push_back(toJson(object, catalogue));
    return list;
}

/// An object of options inside the section: a host queue.
SectionPart queuePart(Project& project, int place, std::string_view key,
                      std::span<const std::string_view> refused) {
    const std::string section = "training." + std::string(key);
    return {place,
            [=, &project](ObjectReader& training) {
                const Json* object = training.readObject(key);
                if (object == nullptr)
                    return;
                ObjectReader reader(*object, training.file(), training.pointerTo(key), training.findings());
                refuseQueueKeys(reader, refused);
                readSection(section, reader, project);
                reader.finish();
            },
            [=, &project](Json& training) {
                Json object = Json::object();
                writeSection(section, project, object);
                if (!object.empty())
                    training[std::string(key)] = std::move(object);
            }};
}

/// What the option table does not hold: objects of Keras, datasets and the host queues.
std::vector<SectionPart> partsOf(Project& project, std::span<const std::string> outputs) {
    static constexpr std::array<std::string_view, 3> refusedOfInfeed{"dataset", "infeed_spec",
                                                                     "element_spec"};
    static constexpr std::array<std::string_view, 2> refusedOfOutfeed{"outfeed_mode", "device_ordinal"};
    TrainingOptions& training = project.training;
    const auto objects = [](ObjectReader& reader, std::string_view key, const KerasCatalogue& catalogue) {
        const Json* value = reader.readValue(key);
        return value == nullptr
                   ? std::vector<KerasObject>()
                   : readObjects(*value, catalogue, reader.file(), reader.pointerTo(key), reader.findings());
    };
    return {
        {5,
         [&](ObjectReader& reader) {
             if (const Json* optimizer = reader.readValue("optimizer"))
                 training.optimizer = readKerasObject(*optimizer, optimizerCatalogue(), reader.file(),
                                                      reader.pointerTo("optimizer"), reader.findings());
         },
         [&](Json& object) {
             if (training.optimizer)
                 object["optimizer"] = toJson(*training.optimizer, optimizerCatalogue());
         }},
        {6, [&training, outputs](ObjectReader& reader) { training.losses = readLosses(reader, outputs); },
         [&](Json& object) {
             std::vector<KerasObject> losses;
             std::ranges::transform(training.losses, std::back_inserter(losses), withoutLossWeight);
             const bool isOneForAll = !losses.empty() && std::ranges::all_of(losses, [&](const auto& loss) {
                 return loss == losses.front();
             });
             if (losses.size() == 1 || (isOneForAll && hasLossWeights(training.losses)))
                 object["loss"] = toJson(losses.front(), lossCatalogue());
             else if (!losses.empty())
                 object["loss"] = toJson(losses, lossCatalogue());
         }},
        {6, [&training, outputs](ObjectReader& reader) { weighLosses(reader, outputs, training); },
         [&](Json& object) {
             if (hasLossWeights(training.losses))
                 for (const KerasObject& loss : training.losses)
                     object["loss_weights"].push_back(lossWeight(loss));
         }},
        {7, [&training, outputs](ObjectReader& reader) { readMetrics(reader, outputs, training); },
         [&](Json& object) {
             for (const std::vector<KerasObject>& ofOutput : training.outputMetrics)
                 object["metrics"].push_back(toJson(ofOutput, metricCatalogue()));
             if (training.outputMetrics.empty() && !training.metrics.empty())
                 object["metrics"] = toJson(training.metrics, metricCatalogue());
         }},
        {10, [&](ObjectReader& reader) { training.dataset = readDataset(reader, "dataset"); },
         [&](Json& object) {
             if (training.dataset)
                 object["dataset"] = toJson(*training.dataset);
         }},
        {11,
         [&](ObjectReader& reader) {
             training.validationDataset = readDataset(reader, "validation_dataset");
         },
         [&](Json& object) {
             if (training.validationDataset)
                 object["validation_dataset"] = toJson(*training.validationDataset);
         }},
        {13,
         [&training, objects](ObjectReader& reader) {
             training.callbacks = objects(reader, "callbacks", callbackCatalogue());
         },
         [&](Json& object) {
             if (!training.callbacks.empty())
                 object["callbacks"] = toJson(training.callbacks, callbackCatalogue());
         }},
        queuePart(project, 15, "infeed", refusedOfInfeed),
        queuePart(project, 16, "outfeed", refusedOfOutfeed),
    };
}

} // namespace

std::vector<std::string> outputNames(const ModelGraph& model) {
    std::vector<std::string> names;
    for (const TensorRef& output : model.outputs)
        names.push_back(model.layer(output.invocation).name);
    return names;
}

void readTrainingOptions(const Json& object, std::span<const std::string> outputs, const std::string& file,
                         const std::string& pointer, Diagnostics& findings, Project& project) {
    ObjectReader reader(object, file, pointer, findings);
    readSection("training", reader, project, partsOf(project, outputs));
    reader.finish();
}

Json trainingSection(const Project& project) {
    Project written;
    written.training = project.training;
    Json object = Json::object();
    writeSection("training", written, object, partsOf(written, {}));
    return object;
}

} // namespace core
