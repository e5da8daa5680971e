#include "views/inspector/setting_rows.h"

#include "core/config/dataset_catalogue.h"
#include "core/config/keras_catalogue.h"
#include "core/interchange/project/project_file.h"
#include "core/model/graph/model_builder.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/project/project_setting.h"
#include "views/common/text/number_text.h"

#include <QCoreApplication>
#include <array>

namespace views {

namespace {

using core::Json;
using Editor = PropertyEditor;

QString settingText(const char* text) {
    return QCoreApplication::translate("views::SettingRows", text);
}

/// A row of the tables below. Choices are separated by "|".
struct SettingRow {
    const char* path;
    const char* label;
    Editor editor;
    const char* defaultText; ///< as JSON
    const char* documentation;
    const char* choices = "";
};

/// The names of the catalogue of schedules.
constexpr const char* scheduleChoices = "schedules";
constexpr const char* dataTypes = "float16|float32";

constexpr std::array pipelineRows{
    SettingRow{"pipeline.schedule", "schedule", Editor::Choice, "\"Grouped\"",
               "Order of the forward and backward steps in the pipeline.", scheduleChoices},
    SettingRow{"pipeline.gradient_accumulation_steps_per_replica", "micro-batches", Editor::Integer, "null",
               "Micro-batches per weight update and replica (gradient_accumulation_steps_per_replica)."},
    SettingRow{"pipeline.recomputation_mode", "recomputation_mode", Editor::Choice, "\"Auto\"",
               "How activations are recomputed where ipu_config.allow_recompute is on.",
               "Auto|RecomputeThenBackpropagate|RecomputeAndBackpropagateInterleaved"},
    SettingRow{"pipeline.device_mapping", "device_mapping", Editor::Tuple, "null",
               "IPU of every stage, such as 0, 1, 1, 0. Default: stage k on IPU k."},
    SettingRow{"pipeline.batch_serialization_iterations", "batch_serialization", Editor::Integer, "1",
               "Iterations into which each micro-batch is cut."},
    SettingRow{"pipeline.repeat_count", "repeat_count", Editor::Integer, "null",
               "Times the pipeline runs in one execution."},
};

constexpr std::array accumulationRows{
    SettingRow{"pipeline.gradient_accumulation_reduction_method", "reduction_method", Editor::Choice,
               "\"sum\"", "How the gradients of micro-batches are put together.", "sum|mean|running_mean"},
    SettingRow{"pipeline.gradient_accumulation_dtype", "accumulation dtype", Editor::Choice, "null",
               "Type of the accumulators. Default: that of each variable.", dataTypes},
};

constexpr std::array offloadRows{
    SettingRow{"pipeline.offload_activations", "activations", Editor::OptionalSwitch, "null",
               "Keep stashed activations in remote memory."},
    SettingRow{"pipeline.offload_gradient_accumulation_buffers", "accumulators", Editor::OptionalSwitch,
               "null", "Keep gradient accumulation buffers in remote memory."},
    SettingRow{"pipeline.offload_weight_update_variables", "optimizer state", Editor::OptionalSwitch, "null",
               "Keep variables that only the weight update needs in remote memory."},
    SettingRow{"pipeline.offload_weights", "weights", Editor::OptionalSwitch, "null",
               "Keep weights in remote memory."},
    SettingRow{"pipeline.replicated_optimizer_state_sharding", "shard optimizer state",
               Editor::OptionalSwitch, "false",
               "Each replica keeps a part of the offloaded optimizer state."},
    SettingRow{"pipeline.replicated_weight_sharding", "shard weights", Editor::OptionalSwitch, "null",
               "Each replica keeps a part of the offloaded weights."},
};

constexpr std::array outfeedRows{
    SettingRow{"pipeline.continuous_weight_updates", "continuous updates", Editor::Switch, "false",
               "Apply gradients after every micro-batch."},
    SettingRow{"pipeline.outfeed_loss", "outfeed_loss", Editor::Switch, "false",
               "The loss goes to the outfeed instead of the last stage's outputs."},
    SettingRow{"pipeline.accumulate_outfeed", "accumulate_outfeed", Editor::Switch, "false",
               "Outfeed once per weight update instead of once per micro-batch."},
    SettingRow{"pipeline.accumulate_outfeed_dtype", "outfeed dtype", Editor::Choice, "null",
               "Type of the accumulated outfeed.", dataTypes},
    SettingRow{"pipeline.outfeed_mask", "outfeed_mask", Editor::Json, "null",
               "Which outputs are left out, such as [false, true]."},
};

constexpr std::array poplarRows{
    SettingRow{"pipeline.forward_propagation_stages_poplar_options", "forward", Editor::Json, "null",
               "Poplar options of the forward pass, one entry per stage."},
    SettingRow{"pipeline.backward_propagation_stages_poplar_options", "backward", Editor::Json, "null",
               "Poplar options of the backward pass, one entry per stage."},
    SettingRow{"pipeline.weight_update_poplar_options", "weight update", Editor::Json, "null",
               "Poplar options of the weight update."},
};

constexpr std::array fitRows{
    SettingRow{"training.batch_size", "batch_size", Editor::Integer, "32",
               "Samples of one micro-batch on one replica."},
    SettingRow{"training.steps_per_execution", "steps_per_execution", Editor::Integer, "1",
               "Batches per call of the program; with a pipeline a multiple of the micro-batches."},
    SettingRow{"training.steps_per_epoch", "steps_per_epoch", Editor::Integer, "null",
               "Batches per epoch. Default: the whole dataset."},
    SettingRow{"training.epochs", "epochs", Editor::Integer, "1", "Passes over the dataset."},
    SettingRow{"training.precision", "precision", Editor::Choice, "\"float32\"",
               "Element types of variables and computation.", "float32|float16|mixed_float16"},
    SettingRow{"training.seed", "seed", Editor::Integer, "0",
               "Same project and seed: same results, bit for bit."},
    SettingRow{"training.validation_split", "validation_split", Editor::Number, "0",
               "Share of the dataset, taken from its end, for validation."},
    SettingRow{"training.asynchronous_callbacks", "asynchronous_callbacks", Editor::Switch, "false",
               "Call callbacks as soon as each batch's results are there."},
    SettingRow{"training.weights", "weights", Editor::Text, "null", "File of initial weights."},
};

constexpr std::array queueRows{
    SettingRow{"training.infeed.prefetch_depth", "infeed prefetch_depth", Editor::Integer, "3",
               "Batches that the host prepares ahead, 1 to 255."},
    SettingRow{"training.infeed.feed_name", "infeed feed_name", Editor::Text, "null",
               "Name of the infeed queue."},
    SettingRow{"training.outfeed.buffer_depth", "outfeed buffer_depth", Editor::Integer, "3",
               "Results that wait for the host before the IPU does."},
    SettingRow{"training.outfeed.feed_name", "outfeed feed_name", Editor::Text, "null",
               "Name of the outfeed queue."},
    SettingRow{"training.synthetic_data", "synthetic_data", Editor::Json, "[]",
               "What a run neither takes from nor gives to the host: a list of infeed, outfeed, parameters, "
               "seed and hostembedding, or true for all of them."},
};

constexpr std::array systemRows{
    SettingRow{"system.ipus", "ipus", Editor::Integer, "1", "IPUs of all replicas together."},
    SettingRow{"system.target", "target", Editor::OpenChoice, "\"ipu2\"",
               "Generation of the IPU, or the path of a target file.", "ipu1|ipu2|bow"},
    SettingRow{"replicas", "replicas", Editor::Integer, "null",
               "Copies of the whole pipeline that share the data. Default: as many as the system holds."},
    SettingRow{"system.remote_memory", "remote_memory", Editor::Switch, "true",
               "The system has memory beside its IPUs, which offloading needs."},
    SettingRow{"system.machines", "machines", Editor::Integer, "null",
               "Host machines. Default: as many as the IPUs need."},
};

/// The project file without the model: what options can be read from and written to quickly.
core::Project withoutModel(const core::Project& project) {
    static const core::ModelGraph smallest =
        core::sequentialModel("options", {1}, {{"Dense", "dense", {{"units", 1}}}});
    core::Project options = project;
    options.model = smallest;
    options.assignment = {};
    options.opaqueLayers.clear();
    options.canvas = {};
    return options;
}

const Json* valueAt(const Json& document, const std::string& path) {
    const Json* at = &document;
    std::size_t from = 0;
    while (from <= path.size()) {
        const std::size_t dot = std::min(path.find('.', from), path.size());
        if (!at->is_object())
            return nullptr;
        const auto found = at->find(path.substr(from, dot - from));
        if (found == at->end())
            return nullptr;
        at = &*found;
        from = dot + 1;
    }
    return at;
}

Property propertyOf(const SettingRow& row, const Json& document) {
    Property property;
    property.id = row.path;
    property.label = QString::fromUtf8(row.label);
    property.documentation =
        settingText(row.documentation) + QStringLiteral("\n\n") + QString::fromUtf8(row.path);
    property.editor = row.editor;
    property.defaultValue = Json::parse(row.defaultText);
    const Json* value = valueAt(document, row.path);
    property.value = value != nullptr ? *value : property.defaultValue;
    property.isNullable = property.defaultValue.is_null();
    if (row.choices == scheduleChoices)
        for (const std::string_view name : core::scheduleNames())
            property.choices.emplace_back(name);
    else
        for (const QString& choice : QString::fromUtf8(row.choices).split(u'|', Qt::SkipEmptyParts))
            property.choices.push_back(choice.toStdString());
    return property;
}

template <std::size_t N>
PropertySection sectionOf(const QString& title, const std::array<SettingRow, N>& rows, const Json& document,
                          bool isOpen = true) {
    PropertySection section{title, {}, isOpen};
    for (const SettingRow& row : rows)
        section.properties.push_back(propertyOf(row, document));
    return section;
}

Editor editorOf(const core::KerasParameter& parameter, const Json& value) {
    switch (parameter.type) {
    case core::KerasParameterType::Number:
        return Editor::Number;
    case core::KerasParameterType::Integer:
        return Editor::Integer;
    case core::KerasParameterType::Switch:
        return Editor::Switch;
    case core::KerasParameterType::Text:
        return Editor::Text;
    case core::KerasParameterType::Choice:
        return Editor::Choice;
    case core::KerasParameterType::NumberOrSchedule:
        return value.is_number() ? Editor::Number : Editor::Json;
    case core::KerasParameterType::Numbers:
    case core::KerasParameterType::Axes:
    case core::KerasParameterType::Optimizer:
        return Editor::Json;
    }
    return Editor::Json;
}

/// A Keras object: its class, and each key of its config.
PropertySection objectSection(const QString& title, const std::string& path, const core::KerasObject& object,
                              const core::KerasCatalogue& catalogue) {
    PropertySection section{title, {}, true};
    Property which;
    which.id = path;
    which.label = QStringLiteral("class_name");
    which.editor = Editor::Choice;
    which.value = object.className;
    for (const core::KerasClass& known : catalogue.classes)
        which.choices.emplace_back(known.className);
    section.properties.push_back(std::move(which));
    const core::KerasClass* known = catalogue.find(object.className);
    if (known == nullptr)
        return section;
    const Json config = core::resolvedConfig(object, catalogue);
    std::vector<const core::KerasParameter*> parameters;
    for (const core::KerasParameter& parameter : known->parameters)
        parameters.push_back(&parameter);
    for (const core::KerasParameter* parameter : parameters) {
        Property property;
        const auto value = config.find(std::string(parameter->name));
        property.id = path + ".config." + std::string(parameter->name);
        property.label = toQString(parameter->name);
        property.value = value != config.end() ? *value : Json(nullptr);
        property.editor = editorOf(*parameter, property.value);
        property.defaultValue =
            parameter->defaultText.empty() ? Json(nullptr) : Json::parse(parameter->defaultText);
        property.isNullable = property.defaultValue.is_null();
        for (const std::string_view choice : parameter->choices)
            property.choices.emplace_back(choice);
        section.properties.push_back(std::move(property));
    }
    return section;
}

Property jsonProperty(const char* path, const char* label, const char* documentation, const Json& document) {
    return propertyOf({path, label, Editor::Json, "null", documentation}, document);
}

/// The dataset at `path`, which may be nothing.
PropertySection datasetSection(const QString& title, const char* path, const char* documentation,
                               const std::optional<core::DatasetSpec>& dataset, const Json& document,
                               bool isOpen) {
    PropertySection section{title, {}, isOpen};
    Property kind;
    kind.id = path;
    kind.label = QStringLiteral("kind");
    kind.documentation = settingText(documentation);
    kind.editor = Editor::Choice;
    kind.choices.emplace_back("none");
    for (const core::DatasetKind& known : core::datasetKinds())
        kind.choices.emplace_back(known.name);
    kind.value = dataset ? Json(dataset->kind) : Json("none");
    kind.defaultValue = "none";
    section.properties.push_back(std::move(kind));
    if (!dataset)
        return section;
    std::vector<core::DatasetKey> keys;
    for (const core::DatasetKind& known : core::datasetKinds()) {
        if (known.name == dataset->kind)
            keys = known.keys;
    }
    keys.insert(keys.end(), core::commonDatasetKeys().begin(), core::commonDatasetKeys().end());
    for (const core::DatasetKey& key : keys) {
        Property property;
        property.id = std::string(path) + '.' + std::string(key.name);
        property.label = toQString(key.name);
        property.documentation = toQString(key.meaning);
        const Json* value = valueAt(document, property.id);
        property.value = value != nullptr ? *value : Json(nullptr);
        property.isNullable = true;
        property.editor = key.type == core::DatasetKeyType::Integer    ? Editor::Integer
                          : key.type == core::DatasetKeyType::Number   ? Editor::Number
                          : key.type == core::DatasetKeyType::Integers ? Editor::Tuple
                          : key.type == core::DatasetKeyType::Switch   ? Editor::OptionalSwitch
                          : key.type == core::DatasetKeyType::Choice   ? Editor::Choice
                          : key.type == core::DatasetKeyType::Paths ||
                                  key.type == core::DatasetKeyType::Texts ||
                                  key.type == core::DatasetKeyType::Numbers
                              ? Editor::Json
                              : Editor::Text;
        for (const std::string_view choice : key.choices)
            property.choices.emplace_back(choice);
        section.properties.push_back(std::move(property));
    }
    return section;
}

/// A whole object where the form only gives its class or kind.
Json completed(const std::string& path, const Json& value) {
    if (path == "training.optimizer" && value.is_string())
        return {{"class_name", value}};
    if ((path == "training.dataset" || path == "training.validation_dataset") && value.is_string())
        return value == "none" ? Json(nullptr) : Json{{"kind", value}};
    return value;
}

} // namespace

std::vector<PropertySection> pipelineSections(const core::Project& project) {
    const Json document = core::toJson(withoutModel(project));
    return {sectionOf(settingText("Schedule"), pipelineRows, document),
            sectionOf(settingText("Gradient accumulation"), accumulationRows, document),
            sectionOf(settingText("Offloading"), offloadRows, document),
            sectionOf(settingText("Outfeed"), outfeedRows, document, false),
            sectionOf(settingText("Poplar options"), poplarRows, document, false)};
}

std::vector<PropertySection> trainingSections(const core::Project& project) {
    const Json document = core::toJson(withoutModel(project));
    PropertySection loss{settingText("Loss and metrics"), {}, true};
    loss.properties.push_back(jsonProperty(
        "training.loss", "loss", "A loss, or one per output: \"mse\" or {\"class_name\": …}.", document));
    loss.properties.push_back(
        jsonProperty("training.metrics", "metrics", "A list such as [\"accuracy\"].", document));
    PropertySection callbacks{settingText("Callbacks"), {}, !project.training.callbacks.empty()};
    callbacks.properties.push_back(
        jsonProperty("training.callbacks", "callbacks",
                     "What fit calls at the ends of batches and epochs, such as "
                     "[{\"class_name\": \"EarlyStopping\", \"config\": {\"patience\": 3}}].",
                     document));
    const bool hasValidation = project.training.validationDataset.has_value();
    return {sectionOf(settingText("Fit"), fitRows, document),
            datasetSection(settingText("Dataset"), "training.dataset",
                           "Where samples come from. Without a dataset a run has a profile and no loss.",
                           project.training.dataset, document, true),
            datasetSection(settingText("Validation dataset"), "training.validation_dataset",
                           "Other samples, on which every epoch is measured.",
                           project.training.validationDataset, document, hasValidation),
            objectSection(settingText("Optimizer"), "training.optimizer", core::optimizerOf(project.training),
                          core::optimizerCatalogue()),
            std::move(loss),
            std::move(callbacks),
            sectionOf(settingText("Host queues"), queueRows, document, false)};
}

std::vector<PropertySection> systemSections(const core::Project& project) {
    PropertySection system =
        sectionOf(settingText("System"), systemRows, core::toJson(withoutModel(project)));
    // Figures of the target that the project sets by itself.
    for (const auto& [name, value] : project.system.other.items()) {
        Property figure;
        figure.id = "system." + name;
        figure.label = toQString(name);
        figure.documentation =
            settingText("A figure of the target that this project sets. Empty: the target's own.");
        figure.editor = value.is_boolean()          ? Editor::OptionalSwitch
                        : value.is_number_integer() ? Editor::Integer
                                                    : Editor::Number;
        figure.value = value;
        figure.isNullable = true;
        system.properties.push_back(std::move(figure));
    }
    return {std::move(system)};
}

core::Result<core::Project> withSetting(const core::Project& project, const std::string& path,
                                        const Json& value) {
    const core::ProjectSetting setting{path, completed(path, value)};
    core::Project options = withoutModel(project);
    // The form shows the optimizer that Keras would take; an edit of its keys makes it the project's own.
    if (path.starts_with("training.optimizer."))
        options.training.optimizer = core::optimizerOf(project.training);
    const core::Result<core::SettingsApplied> applied = core::withSettings(core::toJson(options), {setting});
    if (!applied)
        return core::failure(applied.error());
    core::Result<core::ProjectFile> read = core::readProjectDocument(applied->project, {});
    if (!read)
        return core::failure(core::withSettingPlaces(read.error(), {setting}, applied->pointers));
    core::Project next = std::move(read->project);
    next.model = project.model;
    next.assignment = project.assignment;
    next.opaqueLayers = project.opaqueLayers;
    next.canvas = project.canvas;
    return next;
}

} // namespace views
